"""Compiled play of families is that of the rules: legal actions, observations, rewards."""

import subprocess
import sys
from os import environ
from pathlib import Path

import pytest

from arena.games import Rules
from tests.adapters.compiled_comparison import OPTIONS, SHORT, USUAL, compare
from tests.games.support.random_play import table_name

pytestmark = pytest.mark.xdist_group("kernel")
ROOT = Path(__file__).parents[2]


def ids(value: object) -> str:
    return table_name(value) if isinstance(value, Rules) else str(value)


def test_what_is_compiled_plays_as_the_rules_do() -> None:
    """As plain Python, which takes far less time than compiling it."""
    process = subprocess.run(
        [sys.executable, "-m", "tests.adapters.compiled_comparison"],
        cwd=ROOT,
        env={**environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert len(process.stdout.splitlines()) == len(SHORT) + 1


@pytest.mark.full
@pytest.mark.parametrize(("rules", "players"), [*USUAL, *OPTIONS], ids=ids)
def test_the_compiled_play_is_as_by_the_rules_for_thousands_of_decisions(rules: Rules, players: int) -> None:
    assert compare(rules, players, count=64, steps=400) > 64
