"""Effect of the seat on the result: mean placing and payoff by seat, counted from the first dealer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from arena.games import Rules
from arena.rating.mean_intervals import ClusteredMeans, MeanEstimate
from arena.tournament.scheduling.schedule import parse_game
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_result_encoding import MatchResult, Outcome, unpack_matches
from arena.tournament.storage.store import StoredOutcome
from arena.tournament.storage.tally import BATCH_MATCHES, Game

SEAT_BLOCKS: Final = 2_000


def seats_from_dealer(rules: Rules, players: int, seed: str) -> list[int]:
    """Return for each seat of a match its place from the first dealer's left neighbour, 0, to the dealer."""
    match = rules.match(players, seed)
    dealer = (match.finished_deals[0] if match.finished_deals else match.deal).opening.dealer
    return [(rules.step * (seat - dealer) - 1) % players for seat in range(players)]


class SeatMeans:
    """Mean placing and payoff by seat of one game, from the first dealer's left neighbour to the dealer."""

    def __init__(self, rules: Rules, players: int, seed: str) -> None:
        self._rules, self._players, self._seed = rules, players, seed
        self._placings, self._payoffs = ClusteredMeans(players), ClusteredMeans(players)
        self._waiting: list[tuple[int, list[int], MatchResult]] = []
        """Matches that are not counted yet, as many at once are counted far faster: block, seats, result."""

    def add(self, index: int, address: str, matches: Sequence[MatchResult], seed: str = "") -> None:
        """Count a block of this game; `seed` is its own, if it is not the run's."""
        seats = seats_from_dealer(self._rules, self._players, deal_seed(seed or self._seed, address))
        self._waiting += [(index, seats, match) for match in matches]
        if len(self._waiting) >= BATCH_MATCHES:
            self._count()

    def means(self) -> list[tuple[MeanEstimate, MeanEstimate]]:
        """Return placing and payoff by seat."""
        self._count()
        return [(self._placings.mean(seat), self._payoffs.mean(seat)) for seat in range(self._players)]

    def _count(self) -> None:
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        blocks = np.repeat([index for index, _, _ in waiting], self._players)
        seats = [seats for _, seats, _ in waiting]
        self._placings.add(blocks, seats, [match.placings for _, _, match in waiting])
        self._payoffs.add(blocks, seats, [match.payoffs for _, _, match in waiting])


class SeatEffects:
    """Means of each game, computed when they are asked for from the first blocks of a run."""

    def __init__(self, rules: Mapping[str, Rules] = {}, seed: str = "") -> None:
        self._rules, self._seed = rules, seed
        self._first: list[tuple[StoredOutcome, Outcome]] = []

    def add(self, block: StoredOutcome, outcome: Outcome) -> None:
        """Keep a block if it is one of the first `SEAT_BLOCKS`."""
        if len(self._first) < SEAT_BLOCKS:
            self._first.append((block, outcome))

    @property
    def blocks(self) -> int:
        """Blocks the means are from, of all games."""
        return len(self._first)

    @cached_property
    def by_game(self) -> dict[Game, SeatMeans]:
        """Means in schedule order."""
        return measure_seats(
            ((block.place, block.address, unpack_matches(outcome)) for block, outcome in self._first),
            self._rules,
            self._seed,
        )


def measure_seats(
    blocks: Iterable[tuple[int, str, Sequence[MatchResult]]],
    rules: Mapping[str, Rules],
    seed: str,
    own_seeds: Mapping[int, str] = {},
) -> dict[Game, SeatMeans]:
    """Return the means of each game from blocks given by index, address and matches.

    `own_seeds` are those of blocks, by index, whose seed is not the run's.
    """
    means: dict[Game, SeatMeans] = {}
    for index, address, matches in blocks:
        variant, players = game = parse_game(address)
        if game not in means:
            means[game] = SeatMeans(rules[variant], players, seed)
        means[game].add(index, address, matches, own_seeds.get(index, ""))
    return means
