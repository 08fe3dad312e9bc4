"""The search for constants of an exploiter that beat a bot: an evolution strategy on common deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from arena.play.evolution_strategy import draw_candidates, recombine
from arena.play.heuristics.weighted_constants import Constant, list_starts

PAIRS: Final = 6
"""Pairs of candidates in a generation, on opposite sides of the mean."""
BLOCKS: Final = 24
"""Number of blocks that each candidate of a generation plays."""
CHOICE_BLOCKS: Final = 4 * BLOCKS
"""Number of blocks that each start, and each candidate for the result, plays."""
SHRINK: Final = 0.95
"""Factor by which the steps shrink from a generation to the next."""
MIN_STEP: Final = 0.25
"""Smallest step, as a share of the first."""
DIGITS: Final = 4

Evaluate = Callable[[Sequence[Mapping[str, float]], range], list[float]]
"""Function that plays the blocks of these numbers with each candidate and returns their mean scores."""


class SearchInterrupted(Exception):
    """Exception that `Evaluate` raises to end a search early."""


class FittedConstants(NamedTuple):
    """The result of a search.

    Attributes:
        constants: By name.
        generations: How many were played whole.
        is_interrupted: True if it ended early: as many generations without that may find others.
    """

    constants: dict[str, float]
    generations: int
    is_interrupted: bool = False


class Search:
    """A search from several starts, for some generations; it depends on its arguments alone.

    Args:
        constants: Those fitted.
        evaluate: Plays the candidates.
        seed: Decides the candidates.
    """

    def __init__(self, constants: Sequence[Constant], evaluate: Evaluate, seed: str) -> None:
        self._constants = constants
        self._evaluate = evaluate
        self._rng = Random(seed)
        self._blocks = 0
        self._start = [constant.start for constant in constants]
        self._means: list[list[float]] = []

    def run(self, has_more: Callable[[int], bool]) -> FittedConstants:
        """Search while `has_more`, which is called with the number of generations so far.

        If it is interrupted it returns what it has: of the later generations the mean, or the best start.
        """
        try:
            self._start = self._choose(list_starts(self._constants))
            mean = self._start
            while has_more(len(self._means)):
                mean = self._play_generation(mean)
                self._means.append(mean)
            chosen = self._choose([self._start, self._late_mean(), mean])
        except SearchInterrupted:
            return FittedConstants(self._name(self._late_mean()), len(self._means), is_interrupted=True)
        return FittedConstants(self._name(chosen), len(self._means))

    def _play_generation(self, mean: Sequence[float]) -> list[float]:
        size = max(SHRINK ** len(self._means), MIN_STEP)
        steps = [size * constant.step for constant in self._constants]
        candidates = draw_candidates(mean, steps, PAIRS, self._rng)
        return recombine(candidates, [-score for score in self._score(candidates, BLOCKS)])

    def _choose(self, candidates: Sequence[list[float]]) -> list[float]:
        """Return the candidate with the best score, the first of equals."""
        different = [
            candidate for place, candidate in enumerate(candidates) if candidate not in candidates[:place]
        ]
        if len(different) == 1:
            return different[0]
        scores = self._score(different, CHOICE_BLOCKS)
        return different[scores.index(max(scores))]

    def _score(self, candidates: Sequence[Sequence[float]], blocks: int) -> list[float]:
        """Return the scores of candidates in blocks that none has played before."""
        numbers = range(self._blocks, self._blocks + blocks)
        scores = self._evaluate([self._name(candidate) for candidate in candidates], numbers)
        self._blocks = numbers.stop
        return scores

    def _late_mean(self) -> list[float]:
        """Return the mean of the later half of the generations; the start before the first."""
        late = self._means[len(self._means) // 2 :]
        return [fmean(values) for values in zip(*late, strict=True)] if late else self._start

    def _name(self, values: Sequence[float]) -> dict[str, float]:
        return {
            constant.name: round(constant.limit(value), DIGITS)
            for constant, value in zip(self._constants, values, strict=True)
        }
