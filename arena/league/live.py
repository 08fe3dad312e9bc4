"""A league while it is updated: its ratings after the blocks played so far, and the latest matches.

The reader opens the database for each look, as another process writes it. The blocks of decisions before the
last one are counted once, as an update does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from arena.league.blocks import LeagueBlocks
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.results import Change, LeagueResults, PublicView, order_ladders
from arena.league.standings import OVERALL, Standings
from arena.league.store import LeagueDatabase, Rating, UpdateState
from arena.tournament.results.rating_rows import BOUNDS
from arena.tournament.review.live import MAX_MATCHES, MAX_ROWS, LatestMatches, LiveMatch, LiveRow, find_swing
from arena.tournament.store.played_blocks import Game


class LiveState(NamedTuple):
    """A league at one look."""

    update: int
    """Number of the last update; 0 before the first."""
    state: UpdateState
    blocks: int
    game: Game
    """Game of the standings."""
    rows: list[LiveRow]
    """Those that others see, best first."""
    own: Mapping[str, list[LiveRow]]
    """All bots of each submitter, also those that others do not see."""
    matches: list[LiveMatch]
    """The latest ones, the last first."""
    featured: LiveMatch | None
    """The match with the largest swing of those found at the last look that had any."""
    final: int
    """Number of the latest final; 0 without one."""
    revealed: int | None
    """Rounds of it that are revealed; None if it is not held back."""


class LeagueWatcher:
    """Reads a league again and again."""

    def __init__(self, folder: LeagueFolder) -> None:
        self._folder = folder
        self._key: object = None
        self._first = 0
        """Number of the first block that may not be counted yet."""
        self._counted: set[int] = set()
        self._standings: Standings | None = None
        self._latest = LatestMatches()

    def look(self) -> LiveState:
        """Return the league as it is now."""
        path = self._folder.path
        with LeagueDatabase.open(path) as database:
            results = LeagueResults(self._folder, database)
            final = results.finals[-1].number if results.finals else 0
            revealed = results.held_finals.get(final)
            if not results.updates:
                return LiveState(0, "open", 0, OVERALL, [], {}, [], None, final, revealed)
            update = results.updates[-1]
            self._begin(results.field, update.number)
            assert self._standings is not None
            blocks = LeagueBlocks(database, results.field)
            new = [outcome for outcome in blocks.outcomes(self._first) if outcome.index not in self._counted]
            self._standings.add(new)
            self._counted.update(outcome.index for outcome in new)
            self._forget_counted(database)
            before = database.ratings(database.last_rated(update.number))
            view = self._rate(results, update.number, before)
            game = next(iter(view.ladders), OVERALL)
            places = [outcome.index for outcome in new[-MAX_MATCHES:]]
            self._latest.add(list(_list_matches(results, view, place)) for place in places)
            rows = list(_list_rows(results, view.ladders.get(game, ())))[:MAX_ROWS]
            own: defaultdict[str, list[LiveRow]] = defaultdict(list)
            for row in _list_rows(results, view.whole.get(game, ())):
                own[results.entry_of(row.version).bot.owner].append(row)
            state = (update.number, update.state, results.count_blocks(), game, rows, own)
            return LiveState(*state, self._latest.matches, self._latest.featured, final, revealed)

    def _begin(self, field: Field, update: int) -> None:
        """Count from the beginning where the bots or games are others than at the last look."""
        key = (update, [entry.number for entry in field.counted], list(field.games.items()))
        if key != self._key:
            self._key, self._first = key, 0
            self._counted.clear()
            self._standings = Standings(field)

    def _forget_counted(self, database: LeagueDatabase) -> None:
        """Look no more at blocks before the last decision, all of which are played."""
        [(first,)] = database.query("SELECT ifnull(max(first_block), 0) FROM step")
        self._first = first
        self._counted = {number for number in self._counted if number >= first}

    def _rate(self, results: LeagueResults, update: int, before: list[Rating]) -> PublicView:
        assert self._standings is not None
        ladders: defaultdict[Game, list[Change]] = defaultdict(list)
        for rating in self._standings.ratings(update, before):
            ladders[rating.variant, rating.players].append(Change(rating, None))
        ordered = order_ladders(ladders, results.field.games.values())
        return PublicView(results, results.settings.public_top, ordered)


def _list_matches(results: LeagueResults, view: PublicView, number: int) -> Iterator[LiveMatch]:
    for record in results.records(number):
        game = (record.variant, record.players)
        shown = view.mask_record(record, number)
        yield LiveMatch(number, record.rotation, game, shown, find_swing(record))


def _list_rows(results: LeagueResults, ladder: Iterable[Change]) -> Iterator[LiveRow]:
    for change in ladder:
        rating = change.rating
        name = results.marked_name_of(rating.version)
        bound = rating.mark if rating.mark in BOUNDS else ""
        elo, bar = rating.shown_elo, rating.comparison_error
        yield LiveRow(rating.version, rating.text_rank, name, elo, bar, bound)
