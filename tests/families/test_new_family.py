"""A family is added by its folder and one entry point: nothing of the arena is touched."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ARENA = (sys.executable, "-m", "arena")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which the family `highest` is installed."""
    packages = tmp_path_factory.mktemp("packages")
    shutil.copytree(Path(__file__).parent / "stranger", packages, dirs_exist_ok=True)
    info = packages / "highest-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: highest\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.games]\nhighest = highest:FAMILY\n")
    path = os.pathsep.join([str(packages), str(Path(__file__).parents[2])])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], folder: Path, *words: str) -> str:
    """Run a command and return what it prints."""
    return subprocess.run(
        words, env=environment, cwd=folder, check=True, text=True, stdout=subprocess.PIPE
    ).stdout


def test_it_is_listed_after_those_of_the_arena(environment: dict[str, str], tmp_path: Path) -> None:
    lines = run(environment, tmp_path, *ARENA, "variants").splitlines()
    assert next(line for line in lines[2:] if line).startswith("lives")
    assert any(line.split()[:2] == ["highest", "highest"] for line in lines)
    assert "# highest" in run(environment, tmp_path, *ARENA, "variants", "highest")


def test_a_tournament_of_it_is_played_shown_and_verified(environment: dict[str, str], tmp_path: Path) -> None:
    bots = ("random", "simple", "greedy")
    words = ("--variant", "highest", "--blocks", "2", "--isolation", "inline", "--out", "run", "--seed", "1")
    run(environment, tmp_path, *ARENA, "run", *bots, *words)
    assert (tmp_path / "run/elo.csv").read_text().count("highest,3,") == 3
    assert "keep" in run(environment, tmp_path, *ARENA, "replay", "show", "run")
    run(environment, tmp_path, *ARENA, "verify", "run")


def test_a_name_of_the_arena_is_not_taken_by_it(environment: dict[str, str], tmp_path: Path) -> None:
    code = "from arena import variant; print(variant('cuccu').family, variant('highest').family)"
    assert run(environment, tmp_path, sys.executable, "-c", code).split() == ["cuckoo", "highest"]
