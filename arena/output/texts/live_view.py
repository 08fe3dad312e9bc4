"""A live view of a run that another process plays."""

import time
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from shlex import quote
from textwrap import wrap
from typing import Final, NamedTuple

import click
from tqdm import tqdm

from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet, plain_table
from arena.output.tables.ratings import withdrawn_notes
from arena.output.words.terminal_layout import TerminalSize
from arena.output.words.text import strip_unprintable, truncate
from arena.plugins.games import arena_command
from arena.tournament.engine.progress import format_bar
from arena.tournament.formats import Scoreboard
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import missing_notes, rating_sheets
from arena.tournament.run import Run
from arena.tournament.store.database import is_being_written
from arena.tournament.store.store import Store

LOOKS_NOTE: Final = "± holds however often one looks; it is narrower once all blocks are played."
MAX_NAME_CHARS: Final = 26
BAR_WIDTH: Final = 80
QUIET_S: Final = 10.0
"""Seconds without a new block before a stall is reported."""
REST_RATIO: Final = 4
"""Minimum pause between two snapshots, as a multiple of the time one takes, to keep watching cheap."""
CURSOR_HOME: Final = "\x1b[H"
CLEAR_SCREEN: Final = "\x1b[2J"
CLEAR_LINE: Final = "\x1b[K"
CLEAR_BELOW: Final = "\x1b[J"


class RunSnapshot(NamedTuple):
    """The state of a run at one time."""

    folder: Path
    format: str
    done: int
    """Blocks."""
    total: int | None
    """Blocks there will be; None if the results decide it."""
    status: str
    """Status of the format, in a few words."""
    complete: bool
    stopped: bool
    """Blocks are missing, and no process plays them."""
    rows: Sequence[RatingRow]
    board: Scoreboard | None = None
    """Standings by the rules of the format."""
    withdrawn: Sequence[str] = ()
    """Notes on withdrawn bots."""


def take_snapshot(folder: Path) -> RunSnapshot:
    """Return the state of the run in a folder, also while another process plays it."""
    run, is_played = Run.open(folder), is_being_written(folder)
    with Store.open(folder) as store:
        *_, last = run.stages.decided(store)
        done, complete = store.count(), store.count(last.indices) >= run.shard.count(last.indices)
    results = run.results() if complete else run.results().with_anytime()  # a run is watched again and again
    return RunSnapshot(
        folder=folder,
        format=run.config.format,
        done=done,
        total=run.total,
        status=run.stages.format.status,
        complete=complete,
        stopped=not (complete or is_played),
        rows=results.rows,
        board=results.scoreboard,
        withdrawn=withdrawn_notes(run),
    )


class Throughput:
    """The speed of a run between snapshots; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._first: tuple[float, int] | None = None
        self._last: tuple[float, int] = (0.0, 0)

    def add(self, done: int) -> None:
        """Count the blocks of a snapshot."""
        now = self._clock()
        if self._first is None:
            self._first = self._last = (now, done)
        elif done != self._last[1]:
            self._last = (now, done)

    @property
    def elapsed_s(self) -> float:
        """Since the first snapshot."""
        assert self._first
        return self._clock() - self._first[0]

    @property
    def blocks_per_s(self) -> float:
        """Seconds from the first snapshot to the last new block; 0 before a second one."""
        assert self._first
        seconds, blocks = (last - first for last, first in zip(self._last, self._first, strict=True))
        return blocks / seconds if seconds else 0.0

    @property
    def quiet_s(self) -> float:
        """Since the last new block, or the first snapshot."""
        return self._clock() - self._last[0]


def snapshot_text(snapshot: RunSnapshot, throughput: Throughput, size: TerminalSize | None = None) -> str:
    """Return progress, speed and ratings, cut to the size of a terminal if there is one."""
    title = click.style(f"{snapshot.folder}  {snapshot.format}", bold=True)
    head = [title, *_progress(snapshot, throughput)]
    sheets = sorted(rating_sheets(snapshot.rows), key=lambda sheet: sheet.rows[0].players is not None)
    lines = [  # overall first
        line
        for sheet in sheets
        for line in ("", *_sheet_lines(sheet), *wrap(" ".join(sheet.notes), BAR_WIDTH))
    ]
    lines = lines or ["", "Nothing has been played yet."]
    lines = [*_standings(snapshot.board), *lines] if snapshot.board and snapshot.rows else lines
    lines += ["", *snapshot.withdrawn] if snapshot.withdrawn else []
    lines += ["", LOOKS_NOTE] if snapshot.rows and not snapshot.complete else []
    if any(row.error is None or row.elo_bound is not None for row in snapshot.rows):
        lines += ["", *chain.from_iterable(wrap(note, BAR_WIDTH) for note in missing_notes(snapshot.rows))]
    room = len(lines) if size is None else max(size.lines - len(head) - 1, 3)
    if len(lines) > room:
        lines = [
            *lines[: room - 1],
            f"… {len(lines) - room + 1} more lines: {arena_command()} table {snapshot.folder}",
        ]
    return "\n".join([*head, *lines])


def _progress(snapshot: RunSnapshot, throughput: Throughput) -> list[str]:
    faults = sum(row.faults for row in snapshot.rows if row.players is not None)
    details = [format_count(faults, "faults"), *([snapshot.status] if snapshot.status else [])]
    if speed := throughput.blocks_per_s:
        details.insert(0, f"{speed:,.1f} blocks/s")
    if snapshot.complete:
        return [f"{snapshot.done:,} blocks, all played", ", ".join(details)]
    if snapshot.stopped:
        details.append(
            f"not being played: `{arena_command()} resume {quote(str(snapshot.folder))}` continues it"
        )
    elif throughput.quiet_s >= QUIET_S:
        details.append(f"no new block for {tqdm.format_interval(throughput.quiet_s)}")
    if snapshot.total is None:
        return [f"{format_count(snapshot.done, 'blocks')} so far", ", ".join(details)]
    bar = format_bar(snapshot.done, snapshot.total, throughput.elapsed_s, speed, BAR_WIDTH)
    return [bar, ", ".join(details)]


def _standings(board: Scoreboard) -> list[str]:
    return ["", *_sheet_lines(board.standings.sheets[0])]


def _sheet_lines(sheet: Sheet) -> list[str]:
    cells = [[truncate(strip_unprintable(cell), MAX_NAME_CHARS) for cell in row] for row in sheet.cells]
    return [click.style(sheet.title, bold=True), *plain_table(sheet.columns, cells).splitlines()]


class LiveView:
    """Shows a run at intervals, until it is complete.

    Args:
        folder: The run's.
        write: Gets the text.
        every: Seconds between two snapshots, at least.
        get_size: Returns the size of the terminal that is drawn in; without one each change is printed.
        plain: Whether to write no bold letters.
        sleep: Waits for seconds; returns whether the terminal was resized meanwhile.
        clock: Counts seconds.
    """

    def __init__(
        self,
        folder: Path,
        write: Callable[[str], None],
        *,
        every: float,
        get_size: Callable[[], TerminalSize] | None = None,
        plain: bool = False,
        sleep: Callable[[float], object] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._write = write
        self._every = every
        self._get_size = get_size
        self._plain = plain
        self._sleep = sleep
        self._clock = clock
        self._throughput = Throughput(clock)
        self._shown = ""
        self._size: TerminalSize | None = None

    def show(self) -> RunSnapshot:
        """Take a snapshot, and show it if anything has changed."""
        snapshot = take_snapshot(self._folder)
        self._throughput.add(snapshot.done)
        if self._get_size:
            self._draw(snapshot, self._get_size())
            text = "drawn"
        elif (text := str(snapshot._replace(rows=()))) != self._shown:
            self._write(("\n" if self._shown else "") + self._text(snapshot) + "\n")
        self._shown = text
        return snapshot

    def _draw(self, snapshot: RunSnapshot, size: TerminalSize) -> None:
        text = self._text(snapshot, size)
        drawn = "".join(f"{line}{CLEAR_LINE}\n" for line in text.splitlines())
        start = CURSOR_HOME if size == self._size else CURSOR_HOME + CLEAR_SCREEN
        self._write(f"{start}{drawn}{CLEAR_BELOW}")
        self._size = size

    def _text(self, snapshot: RunSnapshot, size: TerminalSize | None = None) -> str:
        text = snapshot_text(snapshot, self._throughput, size)
        return click.unstyle(text) if self._plain else text

    def run_until_complete(self) -> None:
        """Show the run until it is complete; KeyboardInterrupt ends it sooner."""
        while True:
            start = self._clock()
            snapshot = self.show()
            if snapshot.complete:
                return
            until = self._clock() + max(self._every, REST_RATIO * (self._clock() - start))
            while self._sleep(max(until - self._clock(), 0)) and self._get_size:
                self._draw(snapshot, self._get_size())
