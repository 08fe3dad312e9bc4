"""Simulated matches of bots with known skill."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.rating.bradley_terry import fit_strengths
from arena.rating.pair_counts import PairCounter, PairCounts
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
def world() -> Callable[..., World]:
    return World


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20_240_229)
