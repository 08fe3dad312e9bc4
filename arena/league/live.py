"""A league while it is updated: its ratings after the blocks played so far, and the latest matches.

The reader opens the database for each look, as another process writes it. The blocks of decisions before the
last one are counted once, as an update does.
"""

from __future__ import annotations

from collections import defaultdict

from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults, PublicView
from arena.league.standings import OVERALL, Standings
from arena.league.store import LadderRow
from arena.tournament.review.live import MAX_ROWS, LatestMatches, LiveState
from arena.tournament.store.store import IndexSet


class LeagueWatcher:
    """Reads a league again and again."""

    def __init__(self, folder: LeagueFolder) -> None:
        self._folder = folder
        self._key: object = None
        self._first = 0
        """Number of the first block that may not be counted yet."""
        self._counted = IndexSet()
        self._standings: Standings | None = None
        self._latest = LatestMatches()

    def look(self) -> LiveState:
        """Return the league as it is now."""
        with LeagueResults.open(self._folder.path) as results:
            final = results.finals[-1].number if results.finals else 0
            revealed = results.held_finals.get(final)
            if not results.updates:
                return LiveState("open", 0, None, [], [], None, update=0, final=final, revealed=revealed)
            update = results.updates[-1]
            self._begin(results.field, update.number)
            assert self._standings is not None
            outcomes = results.blocks.outcomes(self._first)
            new = [outcome for outcome in outcomes if outcome.index not in self._counted]
            self._standings.add(new)
            for outcome in new:
                self._counted.add(outcome.index)
            [(self._first,)] = results.query("SELECT ifnull(max(first_block), 0) FROM step")
            before = results.last_rated(update.number)
            rows = self._standings.rows(update.number, results.read_ladders(before))
            view = PublicView(results, results.settings.public_top, results.arrange(rows, before))
            self._latest.add(
                [outcome.index for outcome in new],
                lambda number: [view.mask_record(record, number) for record in results.records(number)],
            )
            game = next(iter(view.ladders), OVERALL)
            own: defaultdict[str, list[LadderRow]] = defaultdict(list)
            for row in view.whole.get(game, ()):
                own[results.entry_of(row.version).bot.owner].append(row)
            return LiveState(
                state=update.state,
                blocks=results.count_blocks(),
                game=None if game == OVERALL else game,
                rows=view.ladders.get(game, [])[:MAX_ROWS],
                matches=self._latest.matches,
                featured=self._latest.featured,
                update=update.number,
                own=own,
                final=final,
                revealed=revealed,
            )

    def _begin(self, field: Field, update: int) -> None:
        """Count from the beginning where the bots or games are others than at the last look."""
        key = (update, [entry.number for entry in field.counted], list(field.games.items()))
        if key != self._key:
            self._key, self._first = key, 0
            self._counted, self._standings = IndexSet(), Standings(field)
