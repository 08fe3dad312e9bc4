"""What the matches of one variant and table size come to, counted while they go by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from arena.errors import StoreError
from arena.rating import ClusteredMeans, PairCounter, PairCounts, estimate_duplicate_efficiency
from arena.tournament.scheduling.schedule import Block, parse_game
from arena.tournament.storage.block_results import (
    OUTCOME,
    PAYOFF,
    PLACING,
    SEAT,
    BlockResult,
    Outcome,
    payoff_width,
)
from arena.tournament.storage.store import StoredOutcome

BATCH = 20_000  # matches counted at a time
STORED_BATCH = 5_000  # blocks

Numbers = NDArray[np.int64]
Game = tuple[str, int]
"""A variant as printed, and the players at its tables."""


class Tally:
    """Counts of some bots' matches at tables of one size."""

    def __init__(self, bots: tuple[str, ...], players: int) -> None:
        self.bots = bots
        self.players = players
        self.blocks = 0
        self.faults = [0] * len(bots)
        self._payoffs, self._placings = ClusteredMeans(len(bots)), ClusteredMeans(len(bots))
        self._pairs = PairCounter(bots, players)
        self._scores: defaultdict[tuple[int, ...], list[NDArray[np.uint8]]] = defaultdict(list)
        self._number = {bot: number for number, bot in enumerate(bots)}
        self._waiting: list[_Match] = []

    def add(self, block: Block, result: BlockResult) -> None:
        """Counts a block."""
        self.blocks += 1
        whole = len(block.seatings) == len(set(block.bots)) == self.players
        for seating, match in zip(block.seatings, result.matches, strict=True):
            bots = [self._number[bot] for bot in seating]
            self._waiting.append((block.index, bots, match.placings, match.payoffs, whole))
            for seat, _, _ in match.faults:
                self.faults[bots[seat]] += 1
        if len(self._waiting) >= BATCH:
            self._count()

    def add_many(self, outcomes: Sequence[tuple[StoredOutcome, Outcome]]) -> None:
        """Counts blocks as they are stored, all of as many matches each and payoffs of as many bytes.

        Raises: ValueError, if they cannot have been stored so.
        """
        self._count()
        self.blocks += len(outcomes)
        matches, width = len(outcomes[0][1].faults), PAYOFF[payoff_width(outcomes[0][1])]
        shape = (-1, self.players)
        bot = np.frombuffer(b"".join([one.seats for one, _ in outcomes]), SEAT).reshape(shape)
        placing = np.frombuffer(b"".join([one.placings for _, one in outcomes]), PLACING).reshape(shape)
        payoff = np.frombuffer(b"".join([one.payoffs for _, one in outcomes]), width).reshape(shape)
        block = np.repeat([one.place for one, _ in outcomes], matches)
        first = np.sort(bot[::matches], axis=1)
        whole = (first[:, 1:] != first[:, :-1]).all(axis=1) & (matches == self.players)
        self._count_arrays(
            block, bot.astype(np.int64), placing.astype(np.int64), payoff, np.repeat(whole, matches)
        )
        for number, (_, outcome) in enumerate(outcomes):
            for match, faults in enumerate(outcome.faults, number * matches):
                for seat, _, _ in faults:
                    self.faults[bot[match, seat]] += 1

    @property
    def payoffs(self) -> ClusteredMeans:
        """What a bot won or lost in a match, by bot, in the mean over its seats."""
        self._count()
        return self._payoffs

    @property
    def placings(self) -> ClusteredMeans:
        """The mean placing by bot."""
        self._count()
        return self._placings

    def sums(self) -> PairCounts:
        """Who came before whom."""
        self._count()
        return self._pairs.counts()

    def duplicate_worth(self) -> float | None:
        """How many matches on fresh deals a match of a block is worth, over all bots and tables.

        Of blocks in which each bot of a table has each seat once; None where there are too few of them.
        """
        self._count()
        scores = []
        for bots in sorted(self._scores):
            table = np.concatenate(self._scores[bots]).reshape(
                -1, self.players, self.players
            )  # block, match, bot
            scores += [table[:, :, bot].astype(np.float64) for bot in range(self.players)]
        return estimate_duplicate_efficiency(scores)

    def _count(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        block, bots, placings, payoffs, whole = zip(*waiting, strict=True)
        self._count_arrays(
            np.array(block), np.array(bots), np.array(placings), np.array(payoffs), np.array(whole)
        )

    def _count_arrays(
        self, block: Numbers, bot: Numbers, placing: Numbers, payoff: Numbers, whole: NDArray[np.bool_]
    ) -> None:
        """Counts matches: block and whether it is whole by match, the others by match and seat."""
        self._pairs.add(block, bot, placing)
        by_seat = np.repeat(block, self.players)
        self._payoffs.add(by_seat, bot, payoff)
        self._placings.add(by_seat, bot, placing)
        self._keep_scores(bot[whole], placing[whole])

    def _keep_scores(self, bot: Numbers, placing: Numbers) -> None:
        """Keeps the half points of each bot, table by table."""
        half_points = (np.sign(placing[:, None, :] - placing[:, :, None]) + 1).sum(axis=2) - 1
        order = np.argsort(bot, axis=1)
        tables, number = np.unique(np.take_along_axis(bot, order, axis=1), axis=0, return_inverse=True)
        by_bot = np.take_along_axis(half_points, order, axis=1).astype(np.uint8)
        for place, table in enumerate(tables.tolist()):
            self._scores[tuple(table)].append(by_bot[number.ravel() == place])


_Match = tuple[int, list[int], tuple[int, ...], tuple[int, ...], bool]


def tallied(played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]) -> dict[Game, Tally]:
    """A tally for each variant and size, in the order of the schedule."""
    tallies: dict[Game, Tally] = {}
    add_to(tallies, played, bots)
    return tallies


def stored_tallies(outcomes: Iterable[StoredOutcome], bots: tuple[str, ...]) -> dict[Game, Tally]:
    """The same of what is stored, many blocks at a time: quick, where nothing else is looked at.

    Raises: StoreError, for blocks that are damaged.
    """
    tallies: dict[Game, Tally] = {}
    rest = iter(outcomes)
    while batch := list(islice(rest, STORED_BATCH)):
        alike: dict[tuple[Game, int, int], list[tuple[StoredOutcome, Outcome]]] = {}
        try:
            for stored in batch:
                outcome = OUTCOME.decode(stored.outcome)
                kind = (parse_game(stored.address), len(outcome.faults), payoff_width(outcome))
                alike.setdefault(kind, []).append((stored, outcome))
            for (game, _, _), group in alike.items():
                if game not in tallies:
                    tallies[game] = Tally(bots, game[1])
                tallies[game].add_many(group)
        except (ValueError, ArithmeticError, IndexError) as error:
            first, last = batch[0].place, batch[-1].place
            raise StoreError(
                f"blocks {first} to {last} cannot be counted, `arena verify` says why: {error}"
            ) from error
    return tallies


def add_to(
    tallies: dict[Game, Tally], played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]
) -> None:
    """Counts blocks, each in the tally of its variant and size, which is begun if it is not there."""
    for block, result in played:
        game = (block.variant, block.players)
        if game not in tallies:
            tallies[game] = Tally(bots, block.players)
        tallies[game].add(block, result)
