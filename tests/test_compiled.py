"""What is compiled plays the same matches as its source, to the letter."""

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
PLAYED = """
import json
from arena import play_match
from arena.games import VARIANTS, deal
from bots.random_ import Random

print(deal.__file__)
for rules in VARIANTS:
    for players in (2, rules.players[-1]):
        print(json.dumps(play_match(rules, [Random] * players, seed="to the letter")))
"""


def runs_compiled(path: str) -> bool:
    """Whether it is not the source of a module that runs."""
    module = import_module(path.removesuffix(".py").replace("/", "."))
    return str(module.__file__).endswith(EXTENSION_SUFFIXES[0])


def played(place: Path) -> tuple[str, list[str]]:
    """Where the rule book is that runs there, and a match of each game at its smallest and largest table."""
    said = subprocess.run(
        [sys.executable, "-c", PLAYED], cwd=place, text=True, stdout=subprocess.PIPE, check=True
    )
    source, *records = said.stdout.splitlines()
    return source, records


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """A folder with the source alone."""
    for package in ("arena", "bots"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    return tmp_path


def test_all_that_is_to_be_compiled_is_or_nothing() -> None:
    assert all((ROOT / path).exists() for path in COMPILED)
    assert len({runs_compiled(path) for path in COMPILED}) == 1


@pytest.mark.skipif(not runs_compiled(COMPILED[0]), reason="nothing is compiled here: it wants a C compiler")
def test_the_source_plays_the_same_matches_as_what_was_compiled_of_it(plain: Path) -> None:
    source, records = played(plain)
    compiled, same = played(ROOT)
    assert source.endswith(".py")
    assert compiled.endswith(EXTENSION_SUFFIXES[0])
    assert len(records) > 40
    assert same == records


@pytest.mark.full
def test_where_a_compiler_fails_nothing_is_compiled_and_nothing_is_lost(plain: Path) -> None:
    for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, plain)
    building = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    said = subprocess.run(
        building,
        cwd=plain,
        env={**os.environ, "CC": "/bin/false"},
        text=True,
        stderr=subprocess.PIPE,
        check=True,
    )
    assert "Nothing is compiled, the source is what runs" in said.stderr
    assert not list(plain.rglob("*.so"))
    assert len(played(plain)[1]) > 40
