"""Counts and ratings of a league while an update lasts: every finished decision is counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from arena.errors import StoreError
from arena.league.field import Field
from arena.league.store import LadderRow
from arena.rating.comparisons import compute_comparison_errors
from arena.rating.elo_fit import Fit, find_center
from arena.rating.pair_counts import PairCounts
from arena.tournament.results.rating_rows import Comparison, RatingRow, rate_game, rate_overall
from arena.tournament.results.results import GameResults
from arena.tournament.store.bot_statistics import MAX_SHARE, MAX_TOLERATED
from arena.tournament.store.codec import OUTCOME, SEAT, Outcome, PackedBlock
from arena.tournament.store.played_blocks import Game, Tally, add_outcomes

BATCH_BLOCKS: Final = 5_000
DIGITS: Final = 6
"""Decimals of a stored rating."""
OVERALL: Final = ("overall", 0)
"""The game of overall ratings."""


class Standings:
    """The tallies of all games, and the fits of those that have changed."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._bots = tuple(entry.version.label for entry in field.counted)
        self._tallies: dict[Game, Tally] = {
            game: Tally(self._bots, game[1]) for game in field.games.values() if self._bots
        }
        self._games: dict[Game, GameResults] = {}
        """The games that were fitted, until more of their blocks are counted."""
        self._compared: dict[Game, Comparison] = {}
        self._matches = np.zeros(len(self._bots), np.int64)
        self._lost: Counter[int] = Counter()

    def add(self, outcomes: Iterable[PackedBlock]) -> None:
        """Count played blocks."""
        stream = iter(outcomes)
        while batch := [(block, _decode(block)) for block in islice(stream, BATCH_BLOCKS)]:
            before = {game: tally.blocks for game, tally in self._tallies.items()}
            add_outcomes(self._tallies, batch, self._bots)
            for played, outcome in batch:
                self._count_faults(played, outcome)
            for game, tally in self._tallies.items():
                if tally.blocks != before[game]:
                    self._games.pop(game, None)
                    self._compared.pop(game, None)

    def fit(self, game: Game) -> Fit:
        """Return the ratings of a game, by position among the counted versions."""
        return self._results(game).fit

    def pair_counts(self, game: Game) -> PairCounts:
        """Return the counts from which the ratings of a game are fitted."""
        return self._results(game).pair_counts

    def blocks_of_tables(self, game: Game) -> dict[tuple[int, ...], int]:
        """Return the blocks of each table of a game, by the positions of its versions in ascending order."""
        return self._tallies[game].blocks_of_tables()

    def _results(self, game: Game) -> GameResults:
        if game not in self._games:
            drawn = self._field.draws_tables(game)
            self._games[game] = GameResults(game, self._tallies[game], are_tables_drawn=drawn)
        return self._games[game]

    def lost_by_faults(self) -> list[int]:
        """Return the versions that lost too many matches by their faults, by number."""
        return sorted(
            self._field.counted[place].number
            for place, lost in self._lost.items()
            if lost > MAX_TOLERATED and lost >= MAX_SHARE * self._matches[place]
        )

    def rows(self, update: int, before: Iterable[LadderRow]) -> list[LadderRow]:
        """Return the ladders of all games and, if there are several, the overall one.

        Args:
            update: The number of the update.
            before: The ladders of the update before. The centre of the versions that are in both is kept, so
                that nobody's rating moves because others come or leave.
        """
        if not self._bots:
            return []
        games, marks = self._field.games.values(), self._suspended()
        ladders: list[list[RatingRow]] = []
        for game in games:
            rows = rate_game(
                game,
                self.fit(game),
                self._tallies[game],
                marks=marks,
                comparison=self.compare(game),
                among=self._playing(game),
            )
            ladders.append(list(rows))
        numbers = {entry.version.label: entry.number for entry in self._field.rated}
        overall = rate_overall(
            [row for ladder in ladders for row in ladder],
            {game: self.fit(game) for game in games},
            marks=marks,
            compared=[self.compare(game)[0] for game in games],
            among=numbers,
        )
        known = {(row.game, row.version): row.elo for row in before}
        ladder_rows: list[LadderRow] = []
        for ladder in (*ladders, overall):
            own = [LadderRow(**vars(row), league_update=update, version=numbers[row.bot]) for row in ladder]
            ladder_rows += _keep_scale(own, known)
        return ladder_rows

    def compare(self, game: Game) -> Comparison:
        """Return the ratings of a game with errors that hold at all updates together, and the printed ±.

        Both by position among the counted versions. The ± are those of the versions that play the game.
        """
        if game not in self._compared:
            fit = replace(self._results(game), is_anytime=True).fit
            self._compared[game] = fit, compute_comparison_errors(fit, self._playing(game))
        return self._compared[game]

    def _playing(self, game: Game) -> frozenset[int]:
        """Return the positions of the rated versions that play a game."""
        playing = {player.number for player in self._field.players_of[game]}
        return frozenset(bot for bot, entry in enumerate(self._field.counted) if entry.number in playing)

    def _suspended(self) -> dict[str, str]:
        """Return the marks of the versions that play no more for their faults, which have no rank."""
        lost = self.lost_by_faults()
        return {
            entry.version.label: "suspended"
            for entry in self._field.counted
            if entry.version.suspended is not None or entry.number in lost
        }

    def _count_faults(self, stored: PackedBlock, outcome: Outcome) -> None:
        matches = len(outcome.faults)
        bots = np.frombuffer(stored.seats, SEAT)
        self._matches[np.unique(bots)] += matches  # as each bot of a table sits in all its matches
        if not any(outcome.faults):
            return
        limit = self._field.settings.limits.faults
        for seating, faults in zip(bots.reshape(matches, -1).tolist(), outcome.faults, strict=True):
            times = Counter(seat for seat, _, _ in faults)
            not_started = {seat for seat, kind, _ in faults if kind == "no-start"}
            self._lost.update(seating[seat] for seat in times if seat in not_started or times[seat] >= limit)


def _decode(stored: PackedBlock) -> Outcome:
    try:
        return OUTCOME.decode(stored.outcome)
    except ValueError as error:
        raise StoreError(f"block {stored.index} of the league is damaged: {error}") from error


def compute_shift(ratings: Sequence[tuple[float | None, float | None]]) -> float:
    """Return what to add to ratings to keep the centre of those that have an earlier one.

    Args:
        ratings: The earlier and the present rating.
    """
    both = np.array([pair for pair in ratings if None not in pair], np.float64)
    return find_center(both[:, 0]).elo - find_center(both[:, 1]).elo if len(both) else 0.0


def _keep_scale(
    rows: Sequence[LadderRow], before: Mapping[tuple[Game, int], float | None]
) -> Iterator[LadderRow]:
    """Yield the rows of a ladder with their places, on the scale of the ratings before.

    Args:
        rows: The rows, best first.
        before: Elo by game and version.
    """
    shift = compute_shift([(before.get((row.game, row.version)), row.elo) for row in rows])
    for place, row in enumerate(rows, 1):
        elo, bound = (None if elo is None else round(elo + shift, DIGITS) for elo in (row.elo, row.elo_bound))
        yield replace(row, place=place if row.rank else None, elo=elo, elo_bound=bound)
