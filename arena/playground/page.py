"""Writing the page: Pyodide, which is Python for browsers, and the arena, in one file or in parts."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import distribution
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from jinja2 import ChoiceLoader, Environment, PackageLoader, PrefixLoader, StrictUndefined

import arena
from arena import __version__
from arena.errors import MissingPackage
from arena.games import VARIANTS
from arena.installed import BUILT_IN_DISTRIBUTION
from arena.interactive.table_form import BotChoices, describe_form, describe_game
from arena.output.pages.page import SERVER_LINKS, render_page
from arena.output.pages.replay_data import ReplayData
from arena.playground.assets import POLICY, inline_assets
from arena.playground.worker import SETUP, Json
from arena.plugins.scaffold import TEMPLATES
from arena.tournament.files import replace_file
from arena.tournament.setup.command_line import read_ladder

PYODIDE_FILES: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
NPM_COMMAND: Final = "npm install --no-save pyodide@314"
PARTS: Final = "parts"
"""Folder of the parts beside a page that is not one file."""
PYTHON_PACKAGES: Final = ("click", "packaging", "tabulate", "tomli-w")
"""Distributions in pure Python that the page needs; msgspec has a wheel for Pyodide."""
LEFT_OUT: Final = (
    *(
        "adapters",
        "cli",
        "data",
        "docs",
        "league",
        "plugins/templates",
        "output/figures",
        "output/site",
        "output/texts",
        "web",
    ),
    *("tournament/designs", "tournament/engine", "tournament/formats", "tournament/results"),
    *("tournament/review", "tournament/store"),
)
"""Parts of the arena that the page does not need, but for styles and scripts."""


class Parts(NamedTuple):
    """Files that a page loads, of Pyodide and the arena, each compressed, by name."""

    version: str
    """Version of Pyodide."""
    licence: str
    contents: dict[str, bytes]


def write_playground(out: Path, pyodide: Path) -> list[Path]:
    """Write the page and return its files.

    Args:
        out: A file that ends in `.html`, for a page in one file; else a folder, for a page in parts.
        pyodide: Folder of the npm package.

    Raises:
        MissingPackage: If Pyodide or msgspec for it is missing.
    """
    return write_page(out, pack_parts(pyodide))


def write_page(out: Path, parts: Parts) -> list[Path]:
    """Write the page of parts, as `write_playground`."""
    contents = parts.contents
    if out.suffix == ".html":
        stored = {name: base64.b64encode(content).decode() for name, content in contents.items()}
        files = {out: _render(parts, {name: {"size": len(text)} for name, text in stored.items()}, stored)}
    else:
        hashes = {name: sha256(content).hexdigest()[:12] for name, content in contents.items()}
        paths = {name: f"{PARTS}/{name}.{hashes[name]}" for name in contents}
        files = {out / path: contents[name] for name, path in paths.items()}
        listed = {name: {"size": len(contents[name]), "path": path} for name, path in paths.items()}
        files[out / "index.html"] = _render(parts, listed, {})
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(path) as file:
            file.write(content)
    for old in (out / PARTS).glob("*"):
        if old not in files:
            old.unlink()
    return list(files)


# --- parts ---


def pack_parts(folder: Path) -> Parts:
    """Return the parts, made from Pyodide's npm package in a folder.

    Raises:
        MissingPackage: If it, or msgspec for it, is missing.
    """
    try:
        package = json.loads((folder / "package.json").read_bytes())
        lock = json.loads((folder / "pyodide-lock.json").read_bytes())
    except OSError:
        raise MissingPackage(
            f"{folder} is not the npm package pyodide: run `{NPM_COMMAND}` here, or name its folder "
            "with --pyodide DIR"
        ) from None
    contents = {name: (folder / name).read_bytes() for name in PYODIDE_FILES}
    contents["pyodide-lock.json"] = json.dumps({**lock, "packages": {}}).encode()
    contents["arena.zip"] = _pack_arena(_find_msgspec(folder, **lock["info"]))
    compressed = {name: gzip.compress(content, 6, mtime=0) for name, content in contents.items()}
    return Parts(package["version"], package["license"], compressed)


def _find_msgspec(folder: Path, python: str, abi_version: str, **_: str) -> Path:
    """Return the wheel of msgspec for this Pyodide beside it; if there is none, download it with pip."""
    platform, version = f"pyemscripten_{abi_version}_wasm32", python.split(".")[:2]
    pattern = f"msgspec-*-{platform}.whl"
    options = ("--quiet", "--no-deps", "--only-binary=:all:", f"--platform={platform}", f"--dest={folder}")
    versions = (f"--python-version={'.'.join(version)}", f"--abi=cp{''.join(version)}")
    command = ("pip", "download", *options, *versions, "msgspec")
    reason = ""
    if not any(folder.glob(pattern)):
        done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True)
        reason = (done.stderr.strip().splitlines() or ["no wheel"])[-1]
    if wheel := next(folder.glob(pattern), None):
        return wheel
    raise MissingPackage(f"there is no msgspec for Pyodide ({reason}): run `{' '.join(command)}`")


def _pack_arena(wheel: Path) -> bytes:
    """Return an archive of the arena and its bots, of what they need, and of the pages in frames."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:  # not compressed: the whole part is
        for name, content in chain(_list_sources(), _list_packages(wheel), _list_metadata()):
            archive.writestr(zipfile.ZipInfo(name), content)  # of no date: the same each time
        for name, page in list_pages():
            archive.writestr(zipfile.ZipInfo(f"pages/{name}.html"), page)
    return packed.getvalue()


def _list_packages(wheel: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the Python packages that the arena needs, by name."""
    for package in PYTHON_PACKAGES:
        for file in sorted(distribution(package).files or ()):
            if file.suffix == ".py" and ".." not in file.parts:
                yield str(file), file.read_binary()
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if not name.endswith((".pyi", "/RECORD")):
                yield name, archive.read(name)


def _list_metadata() -> Iterator[tuple[str, bytes]]:
    """Yield the metadata of the arena, in which Python finds its games and bots."""
    info = f"{BUILT_IN_DISTRIBUTION.replace('-', '_')}-{__version__}.dist-info"
    yield f"{info}/METADATA", f"Name: {BUILT_IN_DISTRIBUTION}\nVersion: {__version__}\n".encode()
    points = distribution(BUILT_IN_DISTRIBUTION).read_text("entry_points.txt") or ""
    yield f"{info}/entry_points.txt", points.encode()


def _list_sources() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the arena that the page needs, and those of the bots, by name."""
    package = Path(arena.__file__).parent
    for folder in (package, package.parent / "bots"):
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(package.parent).as_posix()
            is_asset = path.suffix in (".js", ".css")
            is_needed = path.suffix in (".py", ".toml", ".json", ".gz", ".md") or is_asset
            is_left_out = any(name.startswith(f"arena/{part}/") for part in LEFT_OUT)
            if path.is_file() and is_needed and (is_asset or not is_left_out or path.name == "__init__.py"):
                yield name, path.read_bytes()


def list_pages() -> Iterator[tuple[str, str]]:
    """Yield the page of the table of each game, and that of the viewer, without their contents."""
    template = _environment().get_template("play.html")
    for rules in VARIANTS:
        page = template.render(**_page_values(), **describe_game(rules), setup=SETUP)
        yield rules.name, page.replace("server-table.js", "frame-table.js")
    empty: dict[str, Any] = dict.fromkeys(("block", "family", "game", "packed"), "")
    match = ReplayData(
        **empty,
        number=1,
        players=2,
        rotation=0,
        bots=(),
        placings=(),
        payoffs=(),
        faults=(),
        others=(),
        deals=0,
    )
    yield "viewer", render_page("viewer.html", replays=[match], title="Match")


# --- page ---


def _render(parts: Parts, listed: Mapping[str, Json], stored: Mapping[str, str]) -> bytes:
    """Return the page, with the parts that are stored in it."""
    ladder = read_ladder().rungs
    data = {
        "parts": listed,
        "rungs": {rules.name: ladder[rules.name] for rules in VARIANTS},
        "worker": inline_assets('<script src="/static/script/worker.js"></script>')[9:-9],
    }
    page = _environment().get_template("playground.html").render(
        **_page_values(),
        **describe_form([("rival", "")], BotChoices(None, "auto")),
        problem="",
        scores=(),
        pyodide=parts,
        policy=POLICY,
        example=(TEMPLATES / "python/bot.py").read_text(encoding="utf-8"),
        megabytes=round(sum(part["size"] for part in listed.values()) / 1e6, 1),
        data=json.dumps(data).replace("<", "\\u003c"),
        stored=stored,
        server_buttons=SERVER_LINKS[2],
    )  # fmt: skip
    return inline_assets(page).encode()


def _page_values() -> dict[str, Any]:
    """Return the values that every page of the server has."""
    context = {"title": "The arena for Commerce"}
    return {
        "context": context,
        "navigation": (),
        "server_links": ("", "", ""),
        "path": "",
        "version": __version__,
    }


def _environment() -> Environment:
    pages = PrefixLoader({"pages": PackageLoader("arena.output.pages")})
    return Environment(
        loader=ChoiceLoader([PackageLoader("arena.playground"), PackageLoader("arena.web"), pages]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
