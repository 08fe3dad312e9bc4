"""A league while it is updated: its ratings after the blocks played so far, and the latest matches.

The reader opens the database for each look, as another process writes it. The blocks of decisions before the
last one are counted once, as an update does.
"""

from __future__ import annotations

from collections import defaultdict

from arena.league.blocks import LeagueBlocks
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults, PublicView
from arena.league.standings import OVERALL, Standings
from arena.league.store import LadderRow, LeagueDatabase
from arena.tournament.review.live import MAX_MATCHES, MAX_ROWS, LatestMatches, LiveState


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
        with LeagueResults.open(self._folder.path) as results:
            final = results.finals[-1].number if results.finals else 0
            revealed = results.held_finals.get(final)
            if not results.updates:
                return LiveState("open", 0, None, [], [], None, update=0, final=final, revealed=revealed)
            update = results.updates[-1]
            self._begin(results.field, update.number)
            assert self._standings is not None
            blocks = LeagueBlocks(results, results.field)
            new = [outcome for outcome in blocks.outcomes(self._first) if outcome.index not in self._counted]
            self._standings.add(new)
            self._counted.update(outcome.index for outcome in new)
            self._forget_counted(results)
            before = results.last_rated(update.number)
            rows = self._standings.rows(update.number, results.read_ladders(before))
            view = PublicView(results, results.settings.public_top, results.arrange(rows, before))
            places = [outcome.index for outcome in new[-MAX_MATCHES:]]
            self._latest.add(
                {
                    place: [view.mask_record(record, place) for record in results.records(place)]
                    for place in places
                }
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
            self._counted.clear()
            self._standings = Standings(field)

    def _forget_counted(self, database: LeagueDatabase) -> None:
        """Look no more at blocks before the last decision, all of which are played."""
        [(first,)] = database.query("SELECT ifnull(max(first_block), 0) FROM step")
        self._first = first
        self._counted = {number for number in self._counted if number >= first}
