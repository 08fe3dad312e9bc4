"""Scores and tie-breaks of bots, summed in integers whose number does not grow with the blocks played."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.rating.bradley_terry import estimate_ratings, to_elo
from arena.tournament.schedule import Block, Numbers
from arena.tournament.store.codec import BlockResult

DECIMALS = 9
"""Decimals of means, rounded so that the last bits of a sum decide nothing."""


class BotScores(NamedTuple):
    """The rating of a bot and its tie-breaks, in the order in which they rank; higher is better."""

    elo: float
    """Rating of the bot, fitted to all matches."""
    score: float
    """The share of points it took, of all it played for; one half before it has played."""
    buchholz: float
    """The mean score of its opponents, each counted as often as they met."""
    sonneborn_berger: float
    """The same, weighted by the points it took from them."""
    payoff: float
    """Mean payoff of the bot in a match."""


class TableScore:
    """The points of bots at one table of a round, in the order of their names."""

    def __init__(self, bots: Sequence[int]) -> None:
        self.bots = bots
        self.blocks = 0
        self._points = np.zeros(len(bots), np.int64)

    def add(self, points: Numbers) -> None:
        """Count a block, given the half points of each bot."""
        self.blocks += 1
        self._points += points

    def share(self, bot: int) -> float:
        """Return the share of points that a bot took, of all it could."""
        return float(self._points[self.bots.index(bot)] / max(1, self.max_half_points * self.blocks))

    @property
    def max_half_points(self) -> int:
        """The half points that a bot can take in a block."""
        return 2 * len(self.bots) * (len(self.bots) - 1)

    def score(self, bot: int) -> float | None:
        """Return the share; None before the first block."""
        return self.share(bot) if self.blocks else None

    def ranking(self) -> list[int]:
        """Return the bots by points, equals by number."""
        return sorted(self.bots, key=lambda bot: (-self._points[self.bots.index(bot)], bot))


class ScoreTotals:
    """The points that bots took from each other, over all games at tables of one size."""

    def __init__(self, names: Sequence[str], size: int) -> None:
        self._number = {name: number for number, name in enumerate(names)}
        self._size = size
        self._points = np.zeros((len(names), len(names)), np.int64)
        self._payoffs = np.zeros(len(names), np.int64)
        self._matches = np.zeros(len(names), np.int64)

    def add(self, block: Block, result: BlockResult) -> None:
        bots = [self._number[bot] for bot in block.bots]
        self._points[np.ix_(bots, bots)] += half_points(block, result)
        self._payoffs[bots] += _by_bot(block, [match.payoffs for match in result.matches]).sum(axis=0)
        self._matches[bots] += len(result.matches)

    def elo(self) -> tuple[float, ...]:
        """Return the ratings of all bots, fitted to all matches at once."""
        return to_elo(estimate_ratings(self._points / 2, 1 / (self._size - 1)))

    def bot_scores(self) -> list[BotScores]:
        """Return the scores of all bots."""
        met = self._points + self._points.T
        played = np.maximum(met.sum(axis=1), 1)
        score = np.where(met.any(axis=1), self._points.sum(axis=1) / played, 0.5)
        buchholz, sonneborn_berger = met @ score / played, self._points @ score / played
        payoff = self._payoffs / np.maximum(self._matches, 1)
        means = np.round([buchholz, sonneborn_berger, payoff], DECIMALS)
        return list(map(BotScores, self.elo(), score.tolist(), *means.tolist()))


def half_points(block: Block, result: BlockResult) -> Numbers:
    """Return the half points each bot of the block (row) took from each other: two a win, one a tie."""
    placings = _by_bot(block, [match.placings for match in result.matches])
    lead = np.sign(placings[:, None, :] - placings[:, :, None]) + 1
    points: Numbers = lead.sum(axis=0)
    np.fill_diagonal(points, 0)
    return points


def _by_bot(block: Block, by_seat: Sequence[Sequence[int]]) -> Numbers:
    """Return values given by seat as rows by rotation, with a column for each bot in the block's order."""
    place = {bot: number for number, bot in enumerate(block.bots)}
    values = np.empty((len(block.seatings), len(block.bots)), np.int64)
    for row, seating, own in zip(values, block.seatings, by_seat, strict=True):
        row[[place[bot] for bot in seating]] = own
    return values
