"""Compiled modules play the same matches as their source."""

import os
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMPILED: list[str] = runpy.run_path(str(ROOT / "setup.py"))["COMPILED"]
SCRIPT = """
import json
from arena import play_match
from arena.games import VARIANTS, deal
from bots.random_ import Random

print(deal.__file__)
for rules in VARIANTS:
    for players in (2, rules.players[-1]):
        print(json.dumps(play_match(rules, [Random] * players, seed="compare")))
"""


def is_compiled(path: str) -> bool:
    """Tell whether a module was imported in its compiled form."""
    module = import_module(path.removesuffix(".py").replace("/", "."))
    return str(module.__file__).endswith(EXTENSION_SUFFIXES[0])


def play_all_games(folder: Path) -> tuple[str, list[str]]:
    """Return the imported file of the rules, and a match of each game at its smallest and largest table."""
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=folder, text=True, stdout=subprocess.PIPE, check=True
    )
    source, *records = process.stdout.splitlines()
    return source, records


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """Return a folder with uncompiled sources."""
    for package in ("arena", "bots"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    return tmp_path


def test_either_all_modules_are_compiled_or_none() -> None:
    assert all((ROOT / path).exists() for path in COMPILED)
    assert len({is_compiled(path) for path in COMPILED}) == 1


@pytest.mark.skipif(not is_compiled(COMPILED[0]), reason="nothing is compiled here: a C compiler is needed")
def test_compiled_and_plain_modules_play_the_same_matches(plain: Path) -> None:
    source, records = play_all_games(plain)
    compiled, same = play_all_games(ROOT)
    assert source.endswith(".py")
    assert compiled.endswith(EXTENSION_SUFFIXES[0])
    assert len(records) > 40
    assert same == records


@pytest.mark.full
def test_a_failing_compiler_leaves_the_plain_modules_working(plain: Path) -> None:
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, plain)
    building = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    process = subprocess.run(
        building,
        cwd=plain,
        env={**os.environ, "CC": "/bin/false"},
        text=True,
        stderr=subprocess.PIPE,
        check=True,
    )
    assert "Nothing was compiled, plain Python is used" in process.stderr
    assert not list(plain.rglob("*.so"))
    assert len(play_all_games(plain)[1]) > 40
