"""Compiled modules play the same matches as their source."""

import os
import runpy
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType

import pytest

from arena.compiled_classes import restore_docstrings

ROOT = Path(__file__).parents[1]
COMPILED: list[str] = runpy.run_path(str(ROOT / "setup.py"))["COMPILED"]
SCRIPT = """
import json
from arena import play_match
from arena.games import VARIANTS, deal
from bots.plain import Random

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
    env = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}  # set by a pool
    process = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=folder, env=env, text=True, stdout=subprocess.PIPE, check=True
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


def test_compiled_classes_have_the_docstrings_of_their_source(plain: Path) -> None:
    script = (
        "from arena.games import Deal, Match, variant; from pydoc import plain, render_doc;"
        "from arena.games.match import __file__ as file; deal = type(variant('lives').match(2, '1').deal);"
        "print(file, *(plain(render_doc(one)) for one in (Match, Deal, deal)), sep='=====')"
    )
    process = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True
    )
    file, *pages = process.stdout.split("=====")
    match, deal, family_deal = [" ".join(page.replace(" | ", " ").split()) for page in pages]
    assert "One whole game of a variant; `Rules.match` makes one." in match
    assert deal.startswith("Python Library Documentation: class Deal")
    assert min(len(page.partition("Methods")[0]) for page in (match, deal, family_deal)) > 150
    if file.endswith(EXTENSION_SUFFIXES[0]):
        assert "apply(action: object): " in match


def test_docstrings_restored_from_source_name_each_method_and_its_arguments(tmp_path: Path) -> None:
    (tmp_path / "thing.py").write_text(
        'class Thing:\n    """A thing.\n\n    More.\n    """\n\n'
        "    def move(self, far: int, *, up: bool = False) -> None:\n"
        '        """Move it.\n\n        On."""\n\n'
        '    @property\n    def size(self) -> int:\n        """Its size."""\n\n'
        "    def bare(self) -> None: ...\n    def _hidden(self) -> None: ...\n"
    )
    module = ModuleType("package.thing")
    module.__file__ = str(tmp_path / "thing.cpython-311.so")
    thing = type("Thing", (), {"__module__": "package.thing"})
    vars(module)["Thing"] = thing
    restore_docstrings(module)
    assert thing.__doc__ == (
        "A thing.\n\nMore.\n\nMethods:\n    move(far: int, *, up: bool=False): Move it.\n"
        "    size: Its size.\n    bare()"
    )


@pytest.mark.full
def test_a_failing_compiler_leaves_the_plain_modules_working(plain: Path) -> None:
    for file in ("setup.py", "mypyc.ini", "pyproject.toml", "README.md", "LICENSE"):
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
