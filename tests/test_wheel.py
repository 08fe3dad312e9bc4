"""The wheel that `make wheel` builds as pip does, installed into an environment of its own."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
WHEELS = sorted((ROOT / "dist").glob("*.whl"))


def is_current(wheel: Path) -> bool:
    """Return whether a wheel was built from the sources as they are now."""
    archive = ZipFile(wheel)
    packed = [name for name in archive.namelist() if name.endswith(".py")]
    sources = [path for package in ("arena", "bots") for path in (ROOT / package).rglob("*.py")]
    if not {path.relative_to(ROOT).as_posix() for path in sources} <= set(packed):
        return False
    originals = {name: ROOT / name.replace("arena/plugins/templates", "examples", 1) for name in packed}
    return all(path.is_file() and path.read_bytes() == archive.read(name) for name, path in originals.items())


pytestmark = pytest.mark.skipif(
    not WHEELS or not is_current(WHEELS[-1]), reason="no wheel of these sources in dist: run `make wheel`"
)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the programs in an environment that has only the wheel and what it requires."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.check_call([sys.executable, "-m", "venv", "--without-pip", folder])
    pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(folder / "bin" / "python")]
    subprocess.check_call([*pip, "install", "--no-compile", str(WHEELS[-1])])
    return folder / "bin"


def run(environment: Path, *words: str) -> str:
    """Run a program of the environment outside the sources, and return what it prints.

    It writes bytecode, which pip did not: else each would compile numpy and scipy again.
    """
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [str(environment / words[0]), *words[1:]]
    return subprocess.check_output(command, cwd=environment, env=settings, text=True)


def test_the_installed_rules_are_compiled(environment: Path) -> None:
    (finding,) = [line for line in run(environment, "arena", "doctor").splitlines() if "rule book" in line]
    assert finding.split() == ["ok", "rule", "book", "compiled"]


def test_the_installed_arena_plays_a_run(environment: Path) -> None:
    assert "random" in run(environment, "arena", "run", "--blocks", "2", "--out", "run", "--jobs", "1")
    assert run(environment, "arena", "verify", "run")
    assert (environment / "run" / "report.html").exists()


def test_the_installed_arena_creates_bots_and_games_with_all_their_files(environment: Path) -> None:
    for made, options in (("mine", ["mine"]), ("mezzo", ["--game", "mezzo"])):
        run(environment, "arena", "new", *options)
        template = ROOT / "examples" / ("game" if "--game" in options else "python")
        names = {path.name for path in template.iterdir() if path.name != "__pycache__"}
        assert {path.name for path in (environment / made).iterdir()} == names
    assert "Ready to be played." in run(environment, "arena", "check", "./mezzo", "--matches", "3")
