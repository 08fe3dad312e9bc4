"""Parts of a field that hardly ever took points from the rest, and the degrees of freedom that leaves.

If the weaker part took few points, the distance of the two parts rests on the few blocks in which it did,
however many were played. An interval then has no more degrees of freedom than there are such blocks: with n
of them the quantile of Student's t over √n is, in units of strength, about the half width of the exact
interval of a Poisson count of n on its longer side (n = 3: 1.84 and 1.58; 6: 1.00 and 1.00; 12: 0.63 and
0.66), where that of the normal distribution is too narrow.
Source: A. V. Carter, K. T. Schnepel, D. G. Steigerwald, Asymptotic behavior of a t-test robust to cluster
heterogeneity, Review of Economics and Statistics 99, 2017 (the effective number of clusters).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from arena.rating.pair_counts import FloatArray, IntArray, PairCounts

RARE: Final = 0.1
"""Share of the points between two parts of the field up to which the weaker part hardly ever took any."""
ONE_BLOCK_FREEDOM: Final = 2
"""Degrees of freedom from one block; with 1 the interval would be three times a Poisson count's."""
MAX_SHARE: Final = 0.25
"""Weight in a group's centre above which a part at an uncertain distance makes the centre uncertain too."""
MAX_TESTED_BLOCKS: Final = 30
"""Blocks with upsets up to which the order of two bots is better tested by points than by distance."""
NO_LIMIT: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class RareUpsets:
    """The cuts of a field, in order of strength, below which hardly any points were taken from above.

    Attributes:
        places: The place of each bot in order of strength, from 0 for the strongest.
        freedom: By the number of bots above a cut, the most degrees of freedom of distances across it.
    """

    places: IntArray
    freedom: IntArray

    def limit_freedom(self, group: Sequence[int], freedom: IntArray, weights: FloatArray) -> IntArray:
        """Return the degrees of freedom of the distances of bots from the centre of their group.

        Args:
            group: The bots.
            freedom: By bot of the group, those it has for the blocks it played.
            weights: By bot of the group, its weight in the centre.
        """
        cuts = np.flatnonzero(self.freedom < NO_LIMIT)
        is_above = self.places[list(group), None] < cuts
        has_both = is_above.any(axis=0) & ~is_above.all(axis=0)
        above = weights @ is_above
        in_lighter = is_above == (above <= 0.5)
        uncertain = np.minimum(above, 1 - above) > MAX_SHARE
        limits = np.where((in_lighter | uncertain) & has_both, self.freedom[cuts], NO_LIMIT)
        limited: IntArray = np.minimum(freedom, limits.min(axis=1, initial=NO_LIMIT))
        return limited

    def limit_pairs(self, freedom: IntArray) -> IntArray:
        """Return the degrees of freedom of the distances of all pairs, given those for their blocks.

        Both are square matrices by bot.
        """
        size = len(self.places)
        across = np.full((size, size), NO_LIMIT)
        for first in range(size - 1):
            across[first, first + 1 :] = np.minimum.accumulate(self.freedom[first + 1 :])
        across = np.minimum(across, across.T)
        limited: IntArray = np.minimum(freedom, across[np.ix_(self.places, self.places)])
        return limited

    @property
    def has_tested_pairs(self) -> bool:
        """True if the distance of some bots rests on few blocks."""
        return bool((self.freedom <= MAX_TESTED_BLOCKS).any())

    def list_pairs(self, group: Sequence[int]) -> list[tuple[int, int]]:
        """Return the pairs of a group whose distance rests on few blocks, the stronger of each first."""
        size = len(self.places)
        is_rare = self.limit_pairs(np.full((size, size), NO_LIMIT)) <= MAX_TESTED_BLOCKS
        best_first = sorted(group, key=self.places.__getitem__)
        pairs = np.argwhere(np.triu(is_rare[np.ix_(best_first, best_first)], 1)).tolist()
        return [(best_first[first], best_first[other]) for first, other in pairs]

    def limit_pair_freedom(self, bot: int, other: int, freedom: int) -> int:
        """Return the degrees of freedom of the distance of two bots that have `freedom` for their blocks."""
        first, last = sorted((int(self.places[bot]), int(self.places[other])))
        return int(self.freedom[first + 1 : last + 1].min(initial=freedom))


def find_rare_upsets(counts: PairCounts, points: FloatArray, strength: FloatArray) -> RareUpsets:
    """Return the cuts across which the weaker part took some points, but at most a tenth.

    Args:
        counts: Of all matches.
        points: Square matrix, what row took from column.
        strength: By bot.
    """
    ranking = np.argsort(-strength, kind="stable")
    places = np.argsort(ranking, kind="stable")
    ordered = points[np.ix_(ranking, ranking)]
    taken, lost = _sums_across(ordered), _sums_across(ordered.T)
    freedom = np.full(len(ranking), NO_LIMIT)
    cuts = np.flatnonzero((lost > 0) & (lost <= RARE * (taken + lost))) + 1
    if len(cuts):
        freedom[cuts] = np.maximum(counts.count_blocks_across(places, cuts), ONE_BLOCK_FREEDOM)
    return RareUpsets(places, freedom)


def _sums_across(points: FloatArray) -> FloatArray:
    """Return for each number of first bots what they took from the others."""
    inner = np.cumsum(np.cumsum(points, axis=0), axis=1).diagonal()
    across: FloatArray = (np.cumsum(points.sum(axis=1)) - inner)[:-1]
    return across
