"""Packages of a bot: from wheels in a folder that stands for an index."""

import json
import re
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.errors import PluginError
from arena.plugins import bot_dependencies
from arena.plugins.bot_dependencies import LOCK, install_packages, packages_folder, read_requirements
from arena.plugins.submission_store import SubmissionStore
from tests.play.isolation.conftest import usable

BOT = """
from pathlib import Path

import choosing

from arena import Bot


class Shark(Bot):
    def act(self, view):
        try:
            Path(choosing.__file__).write_text("")
        except OSError:
            return choosing.choose(view)
        raise AssertionError("the package could be written")
"""
WORKING = "def choose(view):\n    return view.legal[0]\n"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip takes for the only index, and an empty place for installed packages."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("ARENA_PACKAGES", str(tmp_path / "packages"))
    return folder


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "work/shark"
    folder.mkdir(parents=True)
    (folder / "bot.toml").write_text('name = "shark"\nclass = "bot.py:Shark"\n')
    (folder / "bot.py").write_text(BOT)
    (folder / "requirements.txt").write_text("choosing>=1  # comment\n")
    return folder


def add_wheel(index: Path, name: str, version: str, code: str, requires: str = "") -> Path:
    path, about = index / f"{name}-{version}-py3-none-any.whl", f"{name}-{version}.dist-info"
    needs = f"Requires-Dist: {requires}\n" if requires else ""
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}.py", code)
        wheel.writestr(
            f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}"
        )
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return path


def arena(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], prog_name="arena")


@pytest.mark.parametrize(
    "level",
    [
        *(pytest.param(level, marks=pytest.mark.full) for level in ("inline", "process", "landlock")),
        "sandbox",
    ],
)
def test_bot_imports_its_packages_at_each_level_and_cannot_write_to_them(
    index: Path, bot: Path, level: str
) -> None:
    usable(level)  # type: ignore[arg-type]
    add_wheel(index, "choosing", "1.5", "from deeper import choose\n", requires="deeper")
    add_wheel(index, "deeper", "2.0", WORKING)
    if level == "inline":  # which does not keep it from writing
        (bot / "bot.py").write_text(BOT.replace('Path(choosing.__file__).write_text("")', "raise OSError"))
    result = arena(*("check", bot, "--variant", "lives", "--matches", 1, "--isolation", level))
    assert result.exit_code == 0, result.output
    assert "Resolving choosing>=1 …" in result.stderr
    assert "Installing choosing==1.5, deeper==2.0 …" in result.stderr


@pytest.mark.full
def test_lock_names_every_wheel_by_hash_and_is_part_of_the_bot(
    index: Path, bot: Path, store: SubmissionStore
) -> None:
    wheels = [add_wheel(index, "choosing", "1.5", WORKING, "deeper"), add_wheel(index, "deeper", "2.0", "")]
    first = store.submit(str(bot), bot)
    lock = Path(first.path, LOCK).read_text().splitlines()
    hashes = [sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
    assert lock[1:] == [
        f"choosing==1.5 --hash=sha256:{hashes[0]}",
        f"deeper==2.0 --hash=sha256:{hashes[1]}",
    ]
    assert store.submit(str(bot), bot) == first
    add_wheel(index, "choosing", "1.6", WORKING)
    assert store.submit(str(bot), bot).content != first.content
    folder = packages_folder(Path(first.path))
    assert folder is not None
    assert (folder / "choosing.py").read_text() == WORKING


def test_run_with_packages_that_are_not_installed_ends_before_the_first_block(
    index: Path, bot: Path, tmp_path: Path
) -> None:
    result = arena(
        *("run", "--bot", bot, "--bot", "random", "--blocks", 2, "--variant", "lives", "--players", 2),
        *("--out", tmp_path / "out"),
    )
    assert result.exit_code == 2
    assert f"install them with `arena check {bot}`" in result.output


@pytest.mark.parametrize(
    ("line", "is_plain"),
    [
        *(
            (line, True)
            for line in (
                "--index-url https://example.org/simple", "-e .", "-r /etc/passwd",
                "./choosing-1.5-py3-none-any.whl", "choosing @ file:///etc/choosing.whl",
                "git+https://example.org/choosing", "choosing --config-settings=a=b",
                "choosing --hash=md5:0123", r"choosing; os_name != 'a\n-e .\n#'",
                r"choosing; os_name != 'a\x22\n-e .\n#'", r"choosing; os_name != 'a\x22b\x27'",
                "choosing; os_name != '${HOME}'",
            )
        ),
        *((f"choosing; '{text}' == 'a'", False)
          for text in ("${SECRET}", "a\u2028--pre", "a\x85--index-url=x", "a\u2029-e .")),
    ],
)  # fmt: skip
def test_requirements_other_than_names_with_versions_are_refused(
    index: Path, bot: Path, store: SubmissionStore, line: str, is_plain: bool
) -> None:
    """Those that pip would take for more than one line can be written in a `pyproject.toml`."""
    (bot / "requirements.txt").write_text(f"{line}\n")
    if not is_plain:
        (bot / "requirements.txt").unlink()
        (bot / "pyproject.toml").write_text(f"[project]\ndependencies = {json.dumps([line])}\n")
    message = "" if is_plain else ".* has characters that pip would replace"
    with pytest.raises(PluginError, match=f"^{re.escape(str(bot))}: the requirement{message}"):
        store.submit(str(bot), bot)
    assert store.submissions() == []


@pytest.mark.parametrize(
    ("constant", "value", "code", "requires", "message"),
    [
        ("MAX_PACKAGES_BYTES", 2 << 20, "#" * 3_000_000, "", "the packages need 2 MiB: 2 are allowed"),
        pytest.param(
            *(
                "MAX_WHEEL_LIST_BYTES",
                100,
                WORKING,
                "",
                "is not a wheel: the list of its files is larger than",
            ),
            marks=pytest.mark.full,
        ),
        ("PIP_MEMORY_BYTES", 128 << 20, WORKING, "x\n\n" + "a" * (64 << 20), "be installed: MemoryError"),
    ],
    ids=["size", "list of files", "metadata"],
)
def test_wheels_that_take_more_than_allowed_are_not_unpacked(
    index: Path, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    constant: str, value: int, code: str, requires: str, message: str,
) -> None:  # fmt: skip
    add_wheel(index, "choosing", "1.5", code, requires)
    monkeypatch.setattr(bot_dependencies, constant, value)
    with pytest.raises(PluginError, match=message):
        install_packages(bot)
    assert list((tmp_path / "packages").glob("*")) == []


@pytest.mark.full
def test_a_lock_holds_for_its_requirements_and_for_the_bytes_of_their_wheels(
    index: Path, bot: Path, tmp_path: Path
) -> None:
    right = sha256(add_wheel(index, "choosing", "1.5", WORKING).read_bytes()).hexdigest()
    install_packages(bot)
    written = (bot / LOCK).read_text()
    (bot / LOCK).write_text(written + f"--find-links={tmp_path}\n")  # is not handed to pip
    with pytest.raises(PluginError, match="not installed"):
        packages_folder(bot)
    install_packages(bot)
    assert (bot / LOCK).read_text() == written
    add_wheel(index, "choosing", "1.6", WORKING)
    (bot / "requirements.txt").write_text(f"choosing==1.5 \\\n    --hash=sha256:{right}\n")
    with pytest.raises(PluginError, match="arena check"):
        packages_folder(bot)
    install_packages(bot)
    assert "choosing==1.5" in (bot / LOCK).read_text()
    add_wheel(index, "choosing", "1.5", "import os\n")
    installed = packages_folder(bot)
    assert installed is not None  # those that are installed stay
    for path in installed.rglob("*"):
        path.chmod(0o755)
    installed.rename(bot.parent / "away")
    with pytest.raises(PluginError, match="HASHES"):
        install_packages(bot)
    (bot / "requirements.txt").write_text(f"choosing==1.6 --hash=sha256:{'0' * 64}\n")
    with pytest.raises(PluginError, match="HASHES"):
        install_packages(bot)


def test_package_without_a_wheel_is_refused_and_its_code_not_run(
    index: Path, bot: Path, tmp_path: Path
) -> None:
    canary, source = tmp_path / "canary", index / "choosing-1.5.zip"
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("choosing-1.5/setup.py", f"open({str(canary)!r}, 'w')")
    with pytest.raises(PluginError, match=r"cannot be installed: .*choosing"):
        install_packages(bot)
    assert not canary.exists()


def test_dependencies_of_a_project_count_where_there_is_no_requirements_file(bot: Path) -> None:
    (bot / "pyproject.toml").write_text(
        "[project]\n" + f"dependencies = {json.dumps(['commerce-arena>=0.1', 'numpy>=2', 'msgspec'])}\n"
    )
    assert read_requirements(bot) == ["choosing>=1"]
    (bot / "requirements.txt").unlink()
    assert read_requirements(bot) == ["numpy>=2"]
    (bot / "pyproject.toml").write_text("[project]\ndependencies = 5\n")
    with pytest.raises(PluginError, match="write a list of names"):
        read_requirements(bot)


def test_lock_is_not_written_through_a_link(
    index: Path, bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_wheel(index, "choosing", "1.5", WORKING)
    victim, unlink = tmp_path / "victim", Path.unlink
    victim.write_text("whole")

    def swap(path: Path, missing_ok: bool = False) -> None:
        unlink(path, missing_ok)
        if path == bot / LOCK:
            path.symlink_to(victim)

    monkeypatch.setattr(Path, "unlink", swap)
    with pytest.raises(FileExistsError):
        install_packages(bot)
    assert victim.read_text() == "whole"


@pytest.mark.parametrize(
    "name",
    [
        "../../outside.py",
        pytest.param("/{0}/outside.py", marks=pytest.mark.full),
        pytest.param("choosing-1.5.data/data/../outside.py", marks=pytest.mark.full),
    ],
)
def test_wheel_with_a_path_that_leads_outside_is_refused(
    index: Path, bot: Path, tmp_path: Path, name: str
) -> None:
    wheel = add_wheel(index, "choosing", "1.5", WORKING)
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr(name.format(tmp_path), "")
    with pytest.raises(PluginError, match=r"cannot be installed: .*outside"):
        install_packages(bot)
    assert not list(tmp_path.rglob("outside.py"))


@pytest.mark.full
@pytest.mark.parametrize("level", ["inline", "process", "landlock", "sandbox"])
def test_packages_cannot_replace_a_module_of_pythons_or_the_arenas(
    index: Path, bot: Path, tmp_path: Path, level: str
) -> None:
    usable(level)  # type: ignore[arg-type]
    canary = tmp_path / "canary"
    code = f"open({str(canary)!r}, 'w')\n"
    wheel = add_wheel(index, "choosing", "1.5", WORKING)
    with zipfile.ZipFile(wheel, "a") as archive:
        for name in ("sitecustomize.py", "json.py", "arena/__init__.py", "msgspec.py"):
            archive.writestr(name, code)
        archive.writestr("choosing.pth", f"import os; {code}")
    (bot / "bot.py").write_text(
        "import json\nimport msgspec\nimport choosing\nfrom arena import Bot\n\n\n"
        "class Shark(Bot):\n    def act(self, view):\n        return choosing.choose(view)\n"
    )
    result = arena("check", bot, "--variant", "lives", "--matches", 1, "--isolation", level)
    assert result.exit_code == 0, result.output
    assert not canary.exists()


@pytest.mark.full
def test_numpy_bot_plays_in_the_sandbox(tmp_path: Path, bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usable("sandbox")
    monkeypatch.setenv("ARENA_PACKAGES", str(tmp_path / "packages"))
    (bot / "requirements.txt").write_text("numpy>=2\n")
    (bot / "bot.py").write_text(
        "import numpy\nfrom arena import Bot\n\n\nclass Shark(Bot):\n"
        "    def act(self, view):\n        return view.legal[int(numpy.argmax(numpy.eye(1)))]\n"
    )
    result = arena("check", bot, "--variant", "lives", "--matches", 1, "--isolation", "sandbox")
    if "cannot be installed" in result.output:
        pytest.skip("no index can be reached")
    assert result.exit_code == 0, result.output
