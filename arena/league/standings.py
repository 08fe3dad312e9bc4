"""Counts and ratings of a league while an update lasts: every finished decision is counted once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import numpy as np

from arena.errors import StoreError
from arena.league.field import Field
from arena.league.store import Rating
from arena.rating.comparisons import compute_comparison_errors, compute_rank_intervals, find_better
from arena.rating.elo_fit import Fit, find_center
from arena.rating.overall import compute_overall_ratings
from arena.rating.pair_counts import PairCounts
from arena.rating.two_bots import MEAN_ELO
from arena.tournament.results.rating_rows import compare_overall, fit_bound, limit_elo
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
        self._compared: dict[Game, tuple[Fit, tuple[float | None, ...]]] = {}
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

    def ratings(self, update: int, before: Iterable[Rating]) -> list[Rating]:
        """Return the ladders of all games and, if there are several, the overall one.

        Args:
            update: The number of the update.
            before: The ladders of the update before. The centre of the versions that are in both is kept, so
                that nobody's rating moves because others come or leave.
        """
        if not self._bots:
            return []
        known = {(rating.variant, rating.players, rating.version): rating.elo for rating in before}
        rated = {entry.version.label: entry.number for entry in self._field.rated}
        suspended = self._suspended()
        anytime = {game: self.compare(game)[0] for game in self._field.games.values()}
        ratings: list[Rating] = []
        for game in self._field.games.values():
            fit, playing = self.fit(game), {player.number for player in self._field.players_of[game]}
            best_first = [bot for bot in fit.ranking if rated.get(self._bots[bot], -1) in playing]
            best_first.sort(key=lambda bot: self._bots[bot] in suspended)
            places = [(rated[self._bots[bot]], bot) for bot in best_first]
            compared, bars = self.compare(game)
            shift = compute_shift(
                [(known.get((*game, number)), fit.elo[bot]) for number, bot in places if fit.blocks[bot]]
            )
            ranked = [bot for bot in best_first if self._bots[bot] not in suspended]
            ranks = compute_rank_intervals(find_better(compared, ranked), ranked)
            for rank, (number, bot) in enumerate(places, 1):
                rating = _rating(update, game, number, rank if bot in ranks else None, fit, bot, shift)
                if fit.blocks[bot]:
                    low, high = ranks.get(bot, (None, None))
                    rating = rating._replace(
                        comparison_error=limit_elo(bars[bot]), rank_low=low, rank_high=high
                    )
                    if (bound := compared.elo_bound[bot]) is not None:
                        printed = fit_bound(fit.elo, bars, bot, bound)
                        rating = _bound_rating(rating, "<" if bound > fit.elo[bot] else ">", printed, shift)
                ratings.append(rating)
        return ratings + self._overall(update, rated, known, suspended, list(anytime.values()))

    def compare(self, game: Game) -> tuple[Fit, tuple[float | None, ...]]:
        """Return the ratings of a game with errors that hold at all updates together, and the printed ±.

        Both by position among the counted versions. The ± are those of the versions that play the game.
        """
        if game not in self._compared:
            fit = replace(self._results(game), is_anytime=True).fit
            playing = {player.number for player in self._field.players_of[game]}
            among = [bot for bot, entry in enumerate(self._field.counted) if entry.number in playing]
            self._compared[game] = fit, compute_comparison_errors(fit, among)
        return self._compared[game]

    def _suspended(self) -> frozenset[str]:
        """Return the labels of the versions that play no more for their faults, which have no rank."""
        lost = self.lost_by_faults()
        entries = self._field.counted
        return frozenset(
            entry.version.label
            for entry in entries
            if entry.version.suspended is not None or entry.number in lost
        )

    def _overall(
        self,
        update: int,
        rated: dict[str, int],
        known: dict[tuple[str, int, int], float | None],
        suspended: frozenset[str],
        anytime: Sequence[Fit],
    ) -> list[Rating]:
        if len(self._field.games) < 2:
            return []
        fits = [self.fit(game) for game in self._field.games.values()]
        bounds = {overall.bot: overall for overall in compute_overall_ratings(anytime)}
        blocks = np.sum([fit.blocks for fit in fits], axis=0).tolist()
        rows = [
            (
                total.elo is None,
                total.bot in suspended,
                -(total.elo or 0.0),
                rated[total.bot],
                total,
                blocks[place],
            )
            for place, total in enumerate(compute_overall_ratings(fits))
            if total.bot in rated
        ]
        rows.sort(key=lambda row: row[:4])
        shift = compute_shift([(known.get((*OVERALL, number)), total.elo) for *_, number, total, _ in rows])
        ranked = [
            total.bot for is_absent, is_suspended, *_, total, _ in rows if not (is_absent or is_suspended)
        ]
        bars, ranks = compare_overall(anytime, ranked, [total.bot for *_, total, _ in rows])
        ratings = []
        for rank, (*_, number, total, count) in enumerate(rows, 1):
            low, high = ranks.get(total.bot, (None, None))
            rating = Rating(
                update,
                *OVERALL,
                version=number,
                rank=rank if total.bot in ranks else None,
                elo=None if total.elo is None else round(total.elo + shift, DIGITS),
                error=total.error,
                mark="",
                blocks=count,
                comparison_error=None if total.elo is None else limit_elo(bars.get(total.bot)),
                rank_low=low,
                rank_high=high,
            )
            if (bounded := bounds[total.bot]).mark:
                rating = _bound_rating(rating, bounded.mark, bounded.bound, shift)
            ratings.append(rating)
        return ratings

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


def _rating(
    update: int, game: Game, number: int, rank: int | None, fit: Fit, bot: int, shift: float
) -> Rating:
    if not fit.blocks[bot]:
        return Rating(update, *game, number, None, None, None, "", 0)
    elo = round(fit.elo[bot] + shift, DIGITS)
    return Rating(update, *game, number, rank, elo, fit.error[bot], fit.mark[bot], fit.blocks[bot])


def _bound_rating(rating: Rating, mark: str, bound: float | None, shift: float) -> Rating:
    """Return a rating of which only a bound is known, without a bar.

    Args:
        rating: The rating.
        mark: `<` for a bound from above, `>` for one from below.
        bound: The bound that is printed; None if it is too far.
        shift: What was added to the ratings.
    """
    is_far = bound is None or limit_elo(abs(bound - MEAN_ELO)) is None
    elo_bound = None if bound is None or is_far else round(bound + shift, DIGITS)
    return rating._replace(mark=mark, elo_bound=elo_bound, comparison_error=None)
