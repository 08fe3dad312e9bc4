"""Counts and ratings of a league while an update lasts: every finished decision is counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Final

import numpy as np

from arena.league.field import Field
from arena.league.store import Rating
from arena.rating import Fit, compute_overall_ratings
from arena.tournament.results.run_results import GameResults
from arena.tournament.running.disqualification import MAX_SHARE, MAX_TOLERATED
from arena.tournament.storage.block_results import OUTCOME, SEAT, Outcome
from arena.tournament.storage.store import StoredOutcome
from arena.tournament.storage.tally import Game, Tally, add_outcomes

BATCH_BLOCKS: Final = 5_000
DIGITS: Final = 6
"""Of a stored rating."""
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
        self._fits: dict[Game, Fit] = {}
        self._matches = np.zeros(len(self._bots), np.int64)
        self._lost: Counter[int] = Counter()

    def add(self, outcomes: Iterable[StoredOutcome]) -> None:
        """Count played blocks.

        Raises: StoreError, for damaged ones.
        """
        stream = iter(outcomes)
        while batch := [(one, OUTCOME.decode(one.outcome)) for one in islice(stream, BATCH_BLOCKS)]:
            before = {game: tally.blocks for game, tally in self._tallies.items()}
            add_outcomes(self._tallies, batch, self._bots)
            for one, outcome in batch:
                self._count_faults(one, outcome)
            for game, tally in self._tallies.items():
                if tally.blocks != before[game]:
                    self._fits.pop(game, None)

    def fit(self, game: Game) -> Fit:
        """Return the ratings of a game, by position among the counted versions."""
        if game not in self._fits:
            self._fits[game] = GameResults(game, self._tallies[game]).fit
        return self._fits[game]

    def lost_by_faults(self) -> list[int]:
        """Return the versions that lost too many matches by their faults, by number."""
        return sorted(
            self._field.counted[place].number
            for place, lost in self._lost.items()
            if lost > MAX_TOLERATED and lost >= MAX_SHARE * self._matches[place]
        )

    def ratings(self, update: int) -> list[Rating]:
        """Return the ladders of all games and, if there are several, the overall one."""
        if not self._bots:
            return []
        rated = {entry.version.label: entry.number for entry in self._field.rated}
        found: list[Rating] = []
        for game in self._field.games.values():
            fit, playing = self.fit(game), {one.number for one in self._field.players_of[game]}
            best_first = [bot for bot in fit.ranking if rated.get(self._bots[bot], -1) in playing]
            for rank, bot in enumerate(best_first, 1):
                number = rated[self._bots[bot]]
                if fit.blocks[bot]:
                    elo, error = round(fit.elo[bot], DIGITS), fit.error[bot]
                    rating = Rating(update, *game, number, rank, elo, error, fit.mark[bot], fit.blocks[bot])
                else:
                    rating = Rating(update, *game, number, None, None, None, "", 0)
                found.append(rating)
        return found + self._overall(update, rated) if len(self._field.games) > 1 else found

    def _overall(self, update: int, rated: dict[str, int]) -> list[Rating]:
        fits = [self.fit(game) for game in self._field.games.values()]
        blocks = np.sum([fit.blocks for fit in fits], axis=0).tolist()
        rows = [
            (one.elo is None, -(one.elo or 0.0), rated[one.bot], one, blocks[place])
            for place, one in enumerate(compute_overall_ratings(fits))
            if one.bot in rated
        ]
        rows.sort(key=lambda row: row[:3])
        return [
            Rating(update, *OVERALL, number, None if no_rank else rank, one.elo, one.error, one.mark, count)
            for rank, (no_rank, _, number, one, count) in enumerate(rows, 1)
        ]

    def _count_faults(self, stored: StoredOutcome, outcome: Outcome) -> None:
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
