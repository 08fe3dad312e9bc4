"""A run while it is played: its ratings after the blocks played so far, and the latest matches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from arena.play.records.record_check import find_recorded_rules
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.run_results import RunResults
from arena.tournament.review.live_matches import (
    MAX_MATCHES,
    MAX_ROWS,
    LatestMatches,
    LiveMatch,
    LiveRow,
    find_swing,
)
from arena.tournament.review.stored_records import read_stored_records
from arena.tournament.running.run import Run
from arena.tournament.storage.locks import is_being_written
from arena.tournament.storage.store import IndexSet
from arena.tournament.storage.tally import Game


class RunState(NamedTuple):
    """A run at one look."""

    state: Literal["open", "stopped", "done"]
    """`stopped`: blocks are missing, and no process plays them."""
    blocks: int
    total: int | None
    """Blocks there will be; None if the results decide it."""
    game: Game | None
    """Game of the standings; None for the rating over all games."""
    rows: list[LiveRow]
    """Best first."""
    matches: list[LiveMatch]
    """The latest ones, the last first."""
    featured: LiveMatch | None
    """The match with the largest swing of those found at the last look that had any."""


class RunWatcher:
    """Reads a run again and again, also while another process plays it."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._seen = IndexSet()
        self._latest = LatestMatches()
        self._last: RunState | None = None

    def look(self) -> RunState:
        """Return the run as it is now.

        Raises:
            StoreError: For a run that cannot be read.
            ConfigError: If its games are gone.
        """
        is_played = is_being_written(self._folder.path)
        run = Run.open(self._folder.path)
        blocks = run.count_blocks()
        last = self._last
        if last is not None and last.blocks == blocks and (last.state == "open") == is_played:
            return last
        is_over = run.is_over()
        results = (
            run.results() if is_over else run.results().with_anytime()
        )  # it is looked at again and again
        self._read_matches(run)
        game, rows = choose_standings(results)
        numbers = {bot.name: number for number, bot in enumerate(run.config.bots)}
        self._last = RunState(
            "done" if is_over else "open" if is_played else "stopped",
            results.blocks,
            run.total,
            game,
            [_describe(row, numbers[row.bot]) for row in rows[:MAX_ROWS]],
            self._latest.matches,
            self._latest.featured,
        )
        return self._last

    def _read_matches(self, run: Run) -> None:
        with run.open_store() as store:
            new = [place for place in store.indices() if place not in self._seen]
        for place in new:
            self._seen.add(place)
        self._latest.add(list(_list_matches(run, place)) for place in new[-MAX_MATCHES:])


def _list_matches(run: Run, place: int) -> Iterator[LiveMatch]:
    for record in read_stored_records(run, place):
        game = str(find_recorded_rules(record)), record.players
        yield LiveMatch(place, record.rotation, game, record, find_swing(record))


def choose_standings(results: RunResults) -> tuple[Game | None, list[RatingRow]]:
    """Return the rows over all games; with one game, or bots that differ by game, the first and its rows."""
    if results.overall:
        return None, results.overall
    game = next(iter(results.games.values()), None)
    return (game.game, list(game.rows)) if game else (None, [])


def _describe(row: RatingRow, number: int) -> LiveRow:
    name, elo, bound = row.text_name, row.text_elo, row.text_bound
    return LiveRow(number, row.rank or "", name, elo, row.comparison_error, bound)
