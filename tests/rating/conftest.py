"""Simulated matches of bots with known skill, and counts of duels."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.rating.bradley_terry import fit_strengths
from arena.rating.pair_counts import PairCounter, PairCounts, count_pairs
from arena.rating.two_bots import ELO_PER_UNIT

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """Bots of known skill; in a match the one with the most skill and luck comes first.

    `interaction` is how much a bot likes or dislikes the cards of a deal, in whatever seat; `luck` how much
    a seat is favoured by a deal; `chance` what differs from match to match. Standard deviations all.
    """

    skill: Array
    seats: int = 4
    interaction: float = 1.0
    luck: float = 0.6
    chance: float = 0.6

    def play(self, rng: np.random.Generator, blocks: int) -> tuple[IntArray, IntArray, IntArray]:
        """Clusters, bots and placings of `blocks` random tables, each in all its rotations."""
        size, seats = len(self.skill), self.seats
        table = np.argsort(rng.random((blocks, size)), axis=1)[:, :seats]
        bots = np.stack([np.roll(table, turn, axis=1) for turn in range(seats)], axis=1)
        deals = np.arange(blocks)[:, None, None]
        strength = self.skill[bots] + self.interaction * rng.normal(size=(blocks, size))[deals, bots]
        strength += self.luck * rng.normal(size=(blocks, 1, seats))
        strength += self.chance * rng.normal(size=bots.shape)
        placings = 1 + (strength[..., None, :] > strength[..., :, None]).sum(axis=-1)
        clusters = np.repeat(np.arange(blocks), seats)
        return clusters, bots.reshape(-1, seats), placings.reshape(-1, seats)

    def counts(self, rng: np.random.Generator, blocks: int) -> PairCounts:
        """The same, counted."""
        return self.counted(*self.play(rng, blocks))

    def counted(self, clusters: IntArray, bots: IntArray, placings: IntArray) -> PairCounts:
        """Such matches, counted."""
        counter = PairCounter([f"bot{number}" for number in range(len(self.skill))], self.seats)
        counter.add(clusters, bots, placings)
        return counter.counts()

    def true_elo(self) -> Array:
        """Elo, of mean 0, that endless play would give."""
        from scipy.special import ndtr

        luck = np.sqrt(2 * (self.interaction**2 + self.luck**2 + self.chance**2))
        return ELO_PER_UNIT * fit_strengths(ndtr((self.skill[:, None] - self.skill) / luck))


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20_240_229)


WON, TIED, LOST = (1, 2), (1, 1), (2, 1)
"""Placings of two bots."""


def count_duels(*blocks: Iterable[tuple[int, int]]) -> PairCounts:
    """Count blocks of `a` against `b`, each with the placings of its matches."""
    matches = ((number, (0, 1), match) for number, block in enumerate(blocks) for match in block)
    return count_pairs("ab", 2, matches)


def block_scores(counts: PairCounts, bot: int, other: int) -> Array:
    """Return the mean score of `bot` against `other`, 0 to 1, in each cluster where they met."""
    first, second = sorted((bot, other))
    scores = [np.zeros(0)]
    for rows in counts.chunks():
        met = (rows.first == first) & (rows.second == second)
        scores.append((rows.won / (rows.won + rows.lost))[met])
    score = np.concatenate(scores)
    return score if bot == first else 1 - score
