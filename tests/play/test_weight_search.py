"""The search for the constants of an exploiter, on functions in place of matches."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from arena.play.heuristics.weight_search import (
    BLOCKS,
    CHOICE_BLOCKS,
    PAIRS,
    FittedConstants,
    Search,
    SearchInterrupted,
)
from arena.play.heuristics.weighted_constants import Constant

CONSTANTS = [Constant("x", 0.0, 1.0), Constant("y", 5.0, 1.0)]


def search(
    seed: str, generations: int, interrupted_at: int | None = None
) -> tuple[FittedConstants, list[range]]:
    """Search for x = 3, y = 4; return what was found, and the blocks of each call."""
    calls: list[range] = []

    def evaluate(candidates: Sequence[Mapping[str, float]], numbers: range) -> list[float]:
        if len(calls) == interrupted_at:
            raise SearchInterrupted
        calls.append(numbers)
        return [-((candidate["x"] - 3) ** 2) - (candidate["y"] - 4) ** 2 for candidate in candidates]

    return Search(CONSTANTS, evaluate, seed).run(lambda played: played < generations), calls


def test_search_finds_the_maximum() -> None:
    fitted, _ = search("a", 30)
    assert abs(fitted.constants["x"] - 3) < 0.2
    assert abs(fitted.constants["y"] - 4) < 0.2
    assert fitted.generations == 30


def test_search_depends_on_its_seed_alone() -> None:
    assert search("a", 5) == search("a", 5)
    assert search("a", 5)[0] != search("b", 5)[0]


def test_no_deals_are_played_twice() -> None:
    _, calls = search("a", 4)
    assert [len(numbers) for numbers in calls] == [BLOCKS] * 4 + [CHOICE_BLOCKS]
    assert all(first.stop == other.start for first, other in pairwise(calls))


def test_candidates_lie_on_opposite_sides_of_the_mean() -> None:
    drawn: list[Mapping[str, float]] = []

    def evaluate(candidates: Sequence[Mapping[str, float]], numbers: range) -> list[float]:
        drawn.extend(candidates)
        return [0.0] * len(candidates)

    Search(CONSTANTS, evaluate, "a").run(lambda played: played < 1)
    for first, other in zip(drawn[: 2 * PAIRS : 2], drawn[1 : 2 * PAIRS : 2], strict=True):
        assert abs(first["x"] + other["x"]) < 1e-3
        assert abs(first["y"] + other["y"] - 10) < 1e-3


def test_search_that_is_interrupted_keeps_what_it_has() -> None:
    assert search("a", 9, interrupted_at=0)[0] == FittedConstants(
        {"x": 0.0, "y": 5.0}, 0, is_interrupted=True
    )
    fitted, _ = search("a", 9, interrupted_at=6)
    assert fitted.generations == 6
    assert fitted.constants["x"] > 0.5
