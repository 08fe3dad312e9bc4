"""Find the best of several candidates, or their order, from scores on the same cards.

At looks fixed in advance every two candidates still played are compared by the differences of their scores
in the blocks that both played. For the best, who is shown to be worse than another is out. Each of these
tests is one-sided, and goes wrong with a chance of at most 5 % / (n - 1) over all looks. That suffices for a
chance of 5 % of a wrong answer, whatever the n candidates are:

- The best is lost only if a test against one of the n - 1 others goes wrong. Of the hypotheses "this one is
  the best" only one is true, so that no further correction is needed (partitioning).
- Candidates are in groups of which each is above the next if all pairs from two groups were shown. If groups
  are in the wrong order, so are two neighbours in the true order, as somewhere on the way down from one that
  is too low to one that is too high the groups go up; there are n - 1 pairs of neighbours.

Sources: H. Finner, K. Strassburger, The partitioning principle: a powerful tool in multiple decision theory,
Ann. Statist. 30, 2002; J. C. Hsu, Multiple Comparisons, 1996, chapter 4 (comparison with the best); O. Maron,
A. W. Moore, Hoeffding races, NIPS 1993.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from arena.rating.pair_counts import FloatArray
from arena.rating.separation import estimate_required_blocks
from arena.rating.sequential import adjust_confidence
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import VIRTUAL_SQUARES, HeadToHead, compare_block_scores, is_decided

SelectionGoal = Literal["best", "rank"]
EVEN: Final = 0.5
"""Score of two equals."""


class SelectionTest:
    """A sequential test of which candidate is the best, or of the order of all.

    Example:
        >>> test = SelectionTest(3, looks=[12, 24], goal="best")
        >>> for block in range(12):
        ...     test.add([0.2, 0.8, 0.4 + block % 2 / 8])
        >>> test.evaluate()
        >>> test.active, test.is_resolved, test.order()
        ((1,), True, (1, 2, 0))

    Attributes:
        active: The candidates still played, ascending.
        blocks: Number of blocks so far.
        confidence: Confidence of the interval of each difference, 0 to 1; two-sided.
        scale: Scores of `compare` change by this for a difference of 1: one half where candidates take their
            points from each other, as one's gain is the other's loss.
        decided: By pair, worse and better, the number of blocks after which it was shown.
    """

    def __init__(
        self, candidates: int, looks: Sequence[int], goal: SelectionGoal, *, meet: bool = False
    ) -> None:
        """Begin without blocks.

        Args:
            candidates: Their number, two or more; they are numbered from 0.
            looks: Numbers of blocks after which `evaluate` is called, ascending.
            goal: The best alone, or the order of all.
            meet: Whether the candidates play each other, in new pairs for each block.
        """
        self.active = tuple(range(candidates))
        self.blocks = 0
        self.decided: dict[tuple[int, int], int] = {}
        self.scale = 0.5 if meet else 1.0
        self.confidence = adjust_confidence(looks, 1 - 2 * (1 - CONFIDENCE) / (candidates - 1))
        self._goal = goal
        self._scores: list[list[float]] = [[] for _ in self.active]
        self._opponents: list[list[tuple[int, int]]] = [[] for _ in self.active]
        self._met = np.zeros((candidates, candidates))
        self._won = np.zeros(candidates)

    def add(self, scores: Sequence[float], opponents: Sequence[Sequence[int]] = ()) -> None:
        """Take in a block.

        Args:
            scores: Mean score of each active candidate, 0 to 1, in their order.
            opponents: If they play each other, the one or two candidates that each of them met.
        """
        for candidate, score in zip(self.active, scores, strict=True):
            self._scores[candidate].append(score)
        for candidate, score, met in zip(self.active, scores, opponents, strict=False):
            self._opponents[candidate].append((met[0], met[-1]))
            self._won[candidate] += (score - EVEN) * len(met)
            for other in met:
                self._met[candidate, other] += 1
        self.blocks += 1

    def evaluate(self) -> None:
        """Decide, at a look, what can be decided; who needs no more blocks is no longer active."""
        strength = self._fit_strengths()
        for pair in self.open_pairs():
            result = self.compare(*pair, strength)
            if is_decided(result, self.confidence, VIRTUAL_SQUARES):
                worse, better = pair if (result.score or 0) < EVEN else pair[::-1]
                self.decided[worse, better] = self.blocks
        if self._goal == "best":
            out = {worse for worse, _ in self.decided}
            self.active = tuple(candidate for candidate in self.active if candidate not in out)
        else:
            needed = {candidate for pair in self.open_pairs() for candidate in pair}
            self.active = tuple(candidate for candidate in self.active if candidate in needed)

    @property
    def is_resolved(self) -> bool:
        """True if the best is known, or the order of all."""
        return len(self.active) == (self._goal == "best")

    def open_pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of active candidates whose order is not known."""
        return [
            (first, other)
            for first, other in combinations(self.active, 2)
            if (first, other) not in self.decided and (other, first) not in self.decided
        ]

    def compare(self, first: int, other: int, strength: FloatArray | None = None) -> HeadToHead:
        """Return the comparison of two in the blocks both played: one half plus `scale` · the difference.

        Where candidates play each other, the strength of third ones that they met is taken out: without
        effect on the mean, as both meet the same ones equally often, it varies less.
        """
        blocks = min(self.blocks_of(first), self.blocks_of(other))
        difference = np.subtract(self._scores[first][:blocks], self._scores[other][:blocks])
        if self._opponents[first]:
            third = self._fit_strengths() if strength is None else strength.copy()
            third[[first, other]] = 0
            difference += self._mean_met(first, blocks, third) - self._mean_met(other, blocks, third)
        scores = EVEN + self.scale * difference
        return compare_block_scores(scores.tolist(), self.confidence, virtual_squares=VIRTUAL_SQUARES)

    def _mean_met(self, candidate: int, blocks: int, strength: FloatArray) -> FloatArray:
        met: NDArray[np.int64] = np.array(self._opponents[candidate][:blocks], np.int64).reshape(-1, 2)
        return np.asarray(strength[met].mean(axis=1), np.float64)

    def _fit_strengths(self) -> FloatArray:
        """Return strengths whose differences are nearest to the scores, less one half, of those who met."""
        laplacian = np.diag(self._met.sum(axis=1)) - self._met
        return np.asarray(np.linalg.lstsq(laplacian, self._won, rcond=None)[0], np.float64)

    def score(self, candidate: int) -> float | None:
        """Return the mean score over the blocks of a candidate; None without blocks."""
        scores = self._scores[candidate]
        return float(np.mean(scores)) if scores else None

    def blocks_of(self, candidate: int) -> int:
        """Return the number of blocks that a candidate played."""
        return len(self._scores[candidate])

    def order(self) -> tuple[int, ...]:
        """Return all candidates, the best first: as far as shown, otherwise by blocks played and strength."""
        rest, order = list(range(len(self._scores))), []
        value = (
            self._fit_strengths() if self._met.any() else [self.score(candidate) or 0 for candidate in rest]
        )
        key = {
            candidate: (self.blocks_of(candidate) * (self._goal == "best"), value[candidate], -candidate)
            for candidate in rest
        }
        while rest:
            unbeaten = [
                candidate
                for candidate in rest
                if not any((candidate, other) in self.decided for other in rest)
            ]
            order.append(max(unbeaten or rest, key=key.__getitem__))
            rest.remove(order[-1])
        return tuple(order)

    def places(self) -> tuple[int, ...]:
        """Return the place of each in `order`, from 1; a place is shared where the order is not known.

        For the best, those that are out have places of their own, which nothing was shown about.
        """
        order, places = self.order(), [1]
        for i in range(1, len(order)):
            if self._goal == "best":
                is_below = order[i] not in self.active
            else:
                is_below = all((low, high) in self.decided for low in order[i:] for high in order[:i])
            places.append(i + 1 if is_below else places[-1])
        return tuple(places)

    def blocks_missing(self) -> int | None:
        """Return how many more blocks should settle it, at 80 % power.

        As many as the slowest pair takes whose order is needed, if true differences are those seen so far.
        None if there is no estimate, or nothing is missing.
        """
        leader = self.order()[0]
        needed = []
        for pair in self.open_pairs():
            if self._goal == "best" and leader not in pair:
                continue
            result = self.compare(*pair)
            if result.score is None or result.deviation is None:
                return None
            level = (1 + self.confidence) / 2
            blocks = estimate_required_blocks(result.score - EVEN, result.deviation, level)
            if blocks is None:
                return None
            needed.append(blocks)
        return max(1, max(needed) - self.blocks) if needed else None
