"""The results of a student for Gradescope."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from arena.output.tables.league import GradeRow, make_gradescope_results
from arena.rating.two_bots import HeadToHead, compare_block_scores

GAMES = [("lives", 4), ("pool", 3)]
CRITERIA = [(game, milestone) for game in GAMES for milestone in ("random", "greedy")]


@dataclass
class Compared:
    game: tuple[str, int]
    milestone: str
    number: int = 3
    confidence: float = 100 - 5 / 12


def make_row(
    passed: str, milestone: str, score: HeadToHead | None, mark: str = "", faults: int | None = None
) -> GradeRow:
    entry: Any = SimpleNamespace(
        bot=SimpleNamespace(name="ann"), version=SimpleNamespace(ordinal=2, digest="abc")
    )
    comparison: Any = Compared(GAMES[0], milestone) if score else None
    return GradeRow("ann", entry, passed, mark, comparison, score, faults)


def test_each_criterion_is_a_test_worth_one_point() -> None:
    rows = [
        make_row("yes", "random", compare_block_scores([0.5, 0.75, 0.5, 1.0, 0.75, 0.5, 0.75, 0.5])),
        make_row("no", "greedy", compare_block_scores([0.5, 0.25, 0.5, 0.0, 0.25, 0.5, 0.25, 0.5]), faults=3),
    ]
    content = make_gradescope_results(rows, CRITERIA)
    assert content["score"] == 1
    assert content["output"] == "Graded: ann, version 2 (abc)."
    tests = content["tests"]
    assert [test["score"] for test in tests] == [1, 0, 0, 0]
    assert [test["max_score"] for test in tests] == [1] * 4
    assert [test["status"] for test in tests] == ["passed", "failed", "failed", "failed"]
    assert tests[2]["name"] == "Beat random at pool, 3 players"
    assert tests[0]["output"] == (
        "Score: 65.6 % ± 15.6 % in 8 blocks; 50 % is equal.\n"
        "Likelihood of superiority: 97.54 %.\n"
        "Try 3; to pass takes a likelihood of 99.5833 %."
    )
    assert tests[1]["output"].endswith("Faults: 3.")
    assert tests[3]["output"] == "Not compared."


def test_score_without_an_error_has_no_likelihood() -> None:
    content = make_gradescope_results([make_row("yes", "random", compare_block_scores([1.0] * 8))], CRITERIA)
    assert content["tests"][0]["output"].startswith("Score: 100.0 % in 8 blocks; 50 % is equal.\nTry 3; to")


@pytest.mark.parametrize("mark", ["withdrawn", "banned", "suspended"])
def test_bot_that_is_out_has_no_points(mark: str) -> None:
    content = make_gradescope_results([make_row("no", "", None, mark)], CRITERIA)
    assert content["score"] == 0
    assert content["output"].endswith(f"It is {mark}, and was therefore not compared.")
