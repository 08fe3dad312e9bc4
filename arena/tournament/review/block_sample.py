"""Samples of a run's blocks that nobody can foresee, and that anybody can draw again from their seed."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from heapq import nsmallest
from itertools import count
from math import ceil
from typing import Final, Literal

import msgspec

from arena.tournament.scheduling.seeds import sample_key

SHARES: Final = (0.01, 0.05, 0.2)
"""Shares of forged blocks for which the chance to find one is printed."""
SEED_BYTES: Final = 8
Purpose = Literal["replay", "play-again"]


class BlockSample(msgspec.Struct, frozen=True):
    """Blocks drawn from those of a run."""

    seed: str
    """Draws the same blocks again from the same run."""
    blocks: tuple[int, ...]
    """Indices of the blocks in the schedule, ascending."""
    population: int
    """Number of the blocks that they were drawn from."""

    def detection(self, share: float) -> float:
        """Return the probability that the sample has one of the forged blocks.

        Args:
            share: Share of the blocks that are forged, rounded up to whole blocks.

        Source: hypergeometric distribution, 1 - C(N - K, n) / C(N, n).
        """
        forged = ceil(share * self.population)
        missed = 1.0
        for drawn in range(len(self.blocks)):
            missed *= max(self.population - forged - drawn, 0) / (self.population - drawn)
        return 1.0 - missed


def draw_sample(indices: Iterable[int], number: int, seed: str | None, purpose: Purpose) -> BlockSample:
    """Draw blocks at random.

    Args:
        indices: Indices of the blocks to draw from.
        number: How many to draw; all, if there are fewer.
        seed: Seed of an earlier sample, to draw its blocks again; None draws one with the system's
            randomness, so that who made the run could not know which blocks are drawn.
        purpose: Samples of one seed for different purposes are independent.
    """
    drawn = seed or secrets.token_hex(SEED_BYTES)
    passed = count()
    each = (index for index, _ in zip(indices, passed, strict=False))  # a large run has millions: none kept
    chosen = nsmallest(number, each, key=lambda index: sample_key(drawn, purpose, index))
    return BlockSample(drawn, tuple(sorted(chosen)), next(passed))
