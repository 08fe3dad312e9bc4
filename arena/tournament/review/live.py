"""A run watched while it is played: its ratings so far, and its latest matches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from arena.play.records.record_check import find_recorded_rules, replay_record
from arena.play.records.record_schema import MatchRecord
from arena.tournament.files import RunFolder
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.results import RunResults
from arena.tournament.run import Run, read_stored_records
from arena.tournament.store.database import is_being_written
from arena.tournament.store.played_blocks import Game
from arena.tournament.store.store import IndexSet

# --- standings and matches ---

MAX_ROWS: Final = 50
"""Bots in the standings."""
MAX_MATCHES: Final = 12
"""Latest matches kept; of the blocks found at one look no more are read."""


class LiveMatch(NamedTuple):
    """A match that ended."""

    block: int
    rotation: int
    game: Game
    record: MatchRecord
    """Its record, with the names that others see."""
    swing: int
    """Distance to the leader which its winner made up, in tokens, chips or points."""


class LiveState(NamedTuple):
    """A run or a league at one look."""

    state: Literal["open", "stopped", "done"]
    """State of a run or of a league's last update; `stopped`: blocks are missing, and no process plays."""
    blocks: int
    game: Game | None
    """Game of the standings; None for the rating over all games."""
    rows: Sequence[RatingRow]
    """Those that others see, best first."""
    matches: list[LiveMatch]
    """The latest ones, the last first."""
    featured: LiveMatch | None
    """The match with the largest swing of those found at the last look that had any."""
    total: int | None = None
    """Blocks there will be in a run; None if the results decide it."""
    update: int | None = None
    """Number of a league's last update, 0 before the first; None for a run."""
    own: Mapping[str, Sequence[RatingRow]] = MappingProxyType({})
    """All bots of each submitter to a league, also those that others do not see."""
    final: int = 0
    """Number of a league's latest final; 0 without one."""
    revealed: int | None = None
    """Rounds of it that are revealed; None if it is not held back."""


class LatestMatches:
    """The latest matches, and the one to feature."""

    def __init__(self) -> None:
        self._matches: deque[LiveMatch] = deque(maxlen=MAX_MATCHES)
        self.featured: LiveMatch | None = None
        """The match with the largest swing of those that were added last."""

    @property
    def matches(self) -> list[LiveMatch]:
        """The latest ones, the last first."""
        return list(self._matches)[::-1]

    def add(self, blocks: Sequence[int], read: Callable[[int], Iterable[MatchRecord]]) -> None:
        """Keep a match of each of the last new blocks, and feature that with the largest swing of all.

        `read` returns the records of a block by its number.
        """
        matches: list[LiveMatch] = []
        for block in blocks[-MAX_MATCHES:]:
            played = [
                LiveMatch(
                    block,
                    record.rotation,
                    (str(find_recorded_rules(record)), record.players),
                    record,
                    find_swing(record),
                )
                for record in read(block)
            ]
            self._matches.append(played[block % len(played)])
            matches += played
        if matches:
            self.featured = max(matches, key=lambda match: (match.swing, match.block))


def find_swing(record: MatchRecord) -> int:
    """Return how far the winner of a match was behind the leader at most, after any deal."""
    placings = record.placings or ()
    if not placings:
        return 0
    winner, totals, swing = placings.index(min(placings)), [0] * record.players, 0
    for deal in replay_record(record):
        for by_seat in deal.changes.result().values() if deal.changes else ():
            if isinstance(by_seat, list):
                totals = [total + change for total, change in zip(totals, by_seat, strict=True)]
        swing = max(swing, max(totals) - totals[winner])
    return swing


# --- run ---


class RunWatcher:
    """Reads a run again and again, also while another process plays it."""

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._seen = IndexSet()
        self._latest = LatestMatches()
        self._last: LiveState | None = None

    def look(self) -> LiveState:
        """Return the run as it is now."""
        is_played = is_being_written(self._folder.path)
        run = Run.open(self._folder.path)
        blocks = run.count_blocks()
        last = self._last
        if last is not None and last.blocks == blocks and (last.state == "open") == is_played:
            return last
        is_over = run.is_over()
        results = run.results()
        results = results if is_over else results.with_anytime()  # it is looked at again and again
        self._read_matches(run)
        game, rows = choose_standings(results)
        self._last = LiveState(
            state="done" if is_over else "open" if is_played else "stopped",
            blocks=results.blocks,
            game=game,
            rows=rows[:MAX_ROWS],
            matches=self._latest.matches,
            featured=self._latest.featured,
            total=run.total,
        )
        return self._last

    def _read_matches(self, run: Run) -> None:
        with run.open_store() as store:
            new = [place for place in store.indices() if place not in self._seen]
        for place in new:
            self._seen.add(place)
        self._latest.add(new, partial(read_stored_records, run))


def choose_standings(results: RunResults) -> tuple[Game | None, list[RatingRow]]:
    """Return the rows over all games; with one game, or bots that differ by game, the first and its rows."""
    if results.overall:
        return None, results.overall
    game = next(iter(results.games.values()), None)
    return (game.game, list(game.rows)) if game else (None, [])
