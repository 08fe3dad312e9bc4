"""The packages that a bot's folder names: locked by hash, installed outside the sandbox, read-only in it.

Only wheels are installed: nothing that a package or a bot contains is run. The lock is part of the bot's
files, so a bot's hash identifies its packages too. What parses requirements is imported when a bot has
some, as few have.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final, cast

from arena.errors import PluginError
from arena.plugins.bot_source import ArchiveReader, PackagesUnavailable, open_without_links
from arena.plugins.manifest import parse_untrusted_toml

REQUIREMENTS: Final = "requirements.txt"
PROJECT: Final = "pyproject.toml"
LOCK: Final = "requirements.lock"
MAX_FILE_BYTES: Final = 1 << 16
"""Maximum size of each of these three files, in bytes."""
MAX_PACKAGES: Final = 100
MAX_WHEEL_LIST_BYTES: Final = 16 << 20
"""Maximum size of a wheel's list of files, in bytes: memory for all of it is allocated first."""
MAX_PACKAGES_BYTES: Final = 8 << 30
"""Maximum total size of a bot's packages when unpacked, in bytes."""
PIP_TIMEOUT_S: Final = 1800
PIP_MEMORY_BYTES: Final = 4 << 30
"""Memory limit of pip, in bytes: it reads the metadata of a stranger's wheel into memory as a whole."""
PROVIDED: Final = ("commerce-arena", "msgspec")
"""Every Python bot can import these; a bot needs no copies of them."""
UNAVAILABLE: Final = r"connection broken|Read timed out|HTTP error 5\d\d|No space left on device"
"""Words of pip about an index that does not answer, or a full disk."""
HASH: Final = r"--hash=sha256:[0-9a-f]{64}"


def install_packages(folder: Path, announce: Callable[[str], None] = lambda line: None) -> None:
    """Install the packages named in a bot's folder for this Python; write the lock where it is outdated.

    Raises:
        PluginError: For requirements that are refused or cannot be met, or without pip or an index.
    """
    requirements = read_requirements(folder)
    if not requirements:
        return
    lock = _read(folder / LOCK)
    if not _is_current(lock, requirements):
        announce(f"Resolving {_listed(requirements)}")
        lock = _resolve(requirements)
        path = folder / LOCK
        path.unlink(missing_ok=True)
        with path.open("x", encoding="utf-8") as file:  # which follows no link
            file.write(lock)
    place = _place(lock)
    if not place.is_dir():
        announce(f"Installing {_listed(_pins(lock))}")
        _install(lock, place)


def packages_folder(folder: Path) -> Path | None:
    """Return the folder with the packages of a bot; None if it names none.

    Raises:
        PluginError: If they are not installed here.
    """
    requirements = read_requirements(folder)
    if not requirements:
        return None
    lock = _read(folder / LOCK)
    if not _is_current(lock, requirements) or not (place := _place(lock)).is_dir():
        raise PluginError(
            f"the packages of {folder} ({_listed(requirements)}) are not installed for {_python()}: "
            f"install them with `arena check {folder}`"
        )
    return place


def read_requirements(folder: Path) -> list[str]:
    """Return the requirements of a bot's folder, one a line, with their hashes where given.

    They are in `requirements.txt`, or else the `dependencies` of the project in `pyproject.toml`.

    Raises:
        PluginError: For anything but names with versions, extras, markers and hashes.
    """
    if (folder / REQUIREMENTS).is_file():
        text = _read(folder / REQUIREMENTS).replace("\\\n", " ")
        lines = [re.sub(r"(^|\s)#.*", "", line).strip() for line in text.splitlines()]
    elif (folder / PROJECT).is_file():
        lines = _project_dependencies(folder / PROJECT)
    else:
        return []
    checked = [_check_requirement(folder, line) for line in lines if line]
    if len(checked) > MAX_PACKAGES:
        raise PluginError(f"{folder} names more than {MAX_PACKAGES} packages")
    return [line for line in checked if _name(line) not in PROVIDED]


def _check_requirement(folder: Path, line: str) -> str:
    from packaging.requirements import Requirement

    hashes = re.findall(HASH, line)
    try:
        requirement = Requirement(re.sub(HASH, "", line))
        text = str(requirement)
        Requirement(text)  # older versions of packaging write markers with quotes in them that end too soon
    except ValueError as error:
        raise PluginError(
            f"{folder}: the requirement {line[:80]!r} is not a package's name with its version, as numpy>=2: "
            "options, files and addresses are refused"
        ) from error
    if requirement.url:
        raise PluginError(
            f"{folder}: the requirement {line[:80]!r} names an address: name a package and a version"
        )
    plain = " ".join([text, *hashes])
    if "$" in plain or not plain.isprintable():  # pip puts in variables, and splits at unusual line breaks
        raise PluginError(f"{folder}: the requirement {line[:80]!r} has characters that pip would replace")
    return plain


def _project_dependencies(path: Path) -> list[str]:
    try:
        dependencies = (
            parse_untrusted_toml(_read(path), MAX_FILE_BYTES).get("project", {}).get("dependencies", [])
        )
    except (ValueError, AttributeError) as error:
        raise PluginError(f"{path} is not a valid pyproject.toml: {error}") from error
    if not isinstance(dependencies, list) or not all(isinstance(line, str) for line in dependencies):
        raise PluginError(f'{path}: dependencies: write a list of names, as ["numpy>=2"]')
    return dependencies


def _read(path: Path) -> str:
    """Return the text of a small file that may be a stranger's; nothing if it does not exist."""
    try:
        with open_without_links(path.parent.resolve() / path.name) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        return ""
    if len(data) > MAX_FILE_BYTES:
        raise PluginError(f"{path} is larger than {MAX_FILE_BYTES >> 10} KiB")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise PluginError(f"{path} is not UTF-8 text") from error


def _is_current(lock: str, requirements: list[str]) -> bool:
    """Return whether a lock is well-formed, and made from these requirements for this Python."""
    first, *lines = lock.splitlines() or [""]
    pins = all(re.fullmatch(rf"[A-Za-z0-9._-]+==[A-Za-z0-9.!+_-]+( {HASH})+", line) for line in lines)
    return first == _header(requirements) and pins and len(lines) <= MAX_PACKAGES


def _header(requirements: list[str]) -> str:
    """Return the first line of the lock, which says what it was made from."""
    sha = hashlib.sha256("\n".join(requirements).encode()).hexdigest()
    return f"# Written by the arena for {_python()}, from requirements with the hash {sha[:16]}"


def _python() -> str:
    """Return the interpreter and platform that wheels are chosen for."""
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{platform.python_implementation()} {version} on {platform.system()} {platform.machine()}"


def _place(lock: str) -> Path:
    """Return where the packages of a lock are installed, shared by all bots with the same lock."""
    home = os.environ.get("ARENA_PACKAGES")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    root = Path(home) if home else cache / "commerce-arena" / "packages"
    return root.resolve() / hashlib.sha256(lock.encode()).hexdigest()


def _resolve(requirements: list[str]) -> str:
    """Choose a wheel for every package that is needed, and return the lock."""
    with tempfile.TemporaryDirectory() as scratch:
        wanted, report = Path(scratch, REQUIREMENTS), Path(scratch, "report.json")
        wanted.write_text("\n".join(requirements), encoding="utf-8")
        _pip("install", "--dry-run", "--ignore-installed", "--report", report, "--requirement", wanted)
        chosen = json.loads(report.read_bytes())["install"]
    if len(chosen) > MAX_PACKAGES:
        raise PluginError(f"{_listed(requirements)} need {len(chosen)} packages: {MAX_PACKAGES} are allowed")
    return "\n".join([_header(requirements), *sorted(map(_pin, chosen))]) + "\n"


def _pin(chosen: dict[str, Any]) -> str:
    """Return the line of the lock for an entry of pip's report."""
    from packaging.utils import canonicalize_name

    name, version = chosen["metadata"]["name"], chosen["metadata"]["version"]
    sha = chosen["download_info"]["archive_info"]["hashes"]["sha256"]
    return f"{canonicalize_name(name)}=={version} --hash=sha256:{sha}"


def _install(lock: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".new-", dir=place.parent) as scratch:
        pinned, wheels, packages = Path(scratch, LOCK), Path(scratch, "wheels"), Path(scratch, "packages")
        pinned.write_text(lock, encoding="utf-8")
        exact = ("--require-hashes", "--no-deps", "--requirement", pinned)
        _pip("download", *exact, "--dest", wheels)
        _check_sizes(wheels)
        _pip("install", *exact, "--no-index", "--find-links", wheels, "--target", packages)
        packages.chmod(0o755)
        try:
            packages.rename(place)
        except OSError:
            if not place.is_dir():  # else another process was first
                raise


def _check_sizes(wheels: Path) -> None:
    """Refuse wheels that would fill the disk, before they are unpacked."""
    total = 0
    for path in sorted(wheels.glob("*.whl")):
        try:
            with ArchiveReader(str(path), MAX_WHEEL_LIST_BYTES) as file:
                wheel = zipfile.ZipFile(cast(IO[bytes], file))
                total += sum(info.file_size for info in wheel.infolist())
        except zipfile.BadZipFile as error:
            raise PluginError(f"{path.name} is not a wheel: {error}") from error
    if total > MAX_PACKAGES_BYTES:
        raise PluginError(f"the packages need {total >> 20:,} MiB: {MAX_PACKAGES_BYTES >> 20:,} are allowed")


def _pip(command: str, *arguments: str | Path) -> None:
    """Run pip for wheels only, at the index it is configured for.

    Raises:
        PluginError: With pip's own reason.
        PackagesUnavailable: If the index does not answer.
    """
    limit = ["prlimit", f"--data={PIP_MEMORY_BYTES}", "--"] if shutil.which("prlimit") else []
    line = [
        *limit,
        sys.executable,
        "-I",
        "-m",
        "pip",
        command,
        "--only-binary=:all:",
        "--no-input",
        "--quiet",
    ]
    try:
        done = subprocess.run(
            [*line, "--disable-pip-version-check", *map(str, arguments)],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=PIP_TIMEOUT_S,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise PluginError(f"pip {command} took longer than {PIP_TIMEOUT_S // 60} minutes") from error
    if done.returncode and (match := re.search(UNAVAILABLE, done.stderr)):
        raise PackagesUnavailable(
            f"the packages cannot be fetched now ({match[0]}): {_pip_error(done.stderr)}"
        )
    if done.returncode:
        raise PluginError(f"the packages cannot be installed: {_pip_error(done.stderr)}")


def _pip_error(output: str) -> str:
    """Return the last of pip's messages, which says most."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    errors = [line for line in errors if line != "Exception:"]  # it has a traceback below it
    return (errors or lines or ["pip gave no reason"])[-1]


def _pins(lock: str) -> list[str]:
    return [line.split()[0] for line in lock.splitlines()[1:]]


def _name(requirement: str) -> str:
    from packaging.utils import canonicalize_name

    return canonicalize_name(re.split(r"[^A-Za-z0-9._-]", requirement)[0])


def _listed(requirements: list[str]) -> str:
    names = [line.partition(" ")[0] for line in requirements]
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
