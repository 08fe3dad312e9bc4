"""A run that is being played, as a table that follows it."""

import time
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import click
from tabulate import tabulate

from arena.report.rating_table import missing_notes
from arena.report.terminal_layout import TerminalSize
from arena.report.text_format import format_count, strip_unprintable, truncate
from arena.tournament.results.columns import MISSING, format_percent
from arena.tournament.results.rating_table import Row
from arena.tournament.running.run import Run
from arena.tournament.storage.store import Store

COLUMNS: Final = ("rank", "bot", "elo", "±", "score", "matches", "faults")
NAME: Final = 26  # letters of a bot's name
BAR: Final = 40
QUIET_S: Final = 10.0
"""So long without a new block is worth a word."""
RESTING: Final = 4
"""So many times as long as a look has taken it rests, so that looking costs the run little."""
HOME: Final = "\x1b[H"
CLEAR: Final = "\x1b[2J"
REST_OF_LINE: Final = "\x1b[K"
REST: Final = "\x1b[J"


class RunSnapshot(NamedTuple):
    """A run as it stands at one time."""

    folder: Path
    format: str
    done: int
    """Blocks."""
    total: int | None
    """Blocks there will be; None where the results decide it."""
    status: str
    """What the format has to say."""
    complete: bool
    rows: Sequence[Row]


def take_snapshot(folder: Path) -> RunSnapshot:
    """The run of a folder as it stands, also while another process plays it.

    Raises: StoreError; ConfigError if its bots or games are no longer here.
    """
    run = Run.open(folder)
    course = run.stages.format
    with Store.open(folder) as store:
        *_, last = run.stages.decided(store)
        done, complete = store.count(), store.count(last.indices) == len(last.indices)
    return RunSnapshot(
        folder, run.config.format, done, course.total, course.status, complete, run.results().rows
    )


class Throughput:
    """How fast a run goes, between the glances at it; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._begun: tuple[float, int] | None = None
        self._last: tuple[float, int] = (0.0, 0)

    def add(self, done: int) -> None:
        """Takes note of how many blocks there are now."""
        now = self._clock()
        if self._begun is None:
            self._begun = self._last = (now, done)
        elif done != self._last[1]:
            self._last = (now, done)

    @property
    def blocks_a_second(self) -> float:
        """From the first glance to the last block seen; 0 before a second one."""
        assert self._begun
        seconds, blocks = (last - first for last, first in zip(self._last, self._begun, strict=True))
        return blocks / seconds if seconds else 0.0

    @property
    def quiet_s(self) -> float:
        """Since the last new block, or the first glance."""
        return self._clock() - self._last[0]


def glance_text(seen: RunSnapshot, pace: Throughput, size: TerminalSize | None = None) -> str:
    """A glance at a run: how far it is, how fast, and the ratings; of a window what fits into it."""
    title = click.style(f"{seen.folder}  {seen.format}", bold=True)
    head = [title, *_progress(seen, pace)]
    by_game = [list(own) for _, own in groupby(seen.rows, key=lambda row: (row.variant, row.players))]
    by_game.sort(key=lambda rows: rows[0].players is not None)  # overall first
    lines = [line for rows in by_game for line in ("", *_table(rows))] or ["", "Nothing has been played yet."]
    lines += ["", *missing_notes(seen.rows)] if any(row.error is None for row in seen.rows) else []
    room = len(lines) if size is None else max(size.lines - len(head) - 1, 3)
    if len(lines) > room:
        lines = [*lines[: room - 1], f"… {len(lines) - room + 1} lines more: arena table {seen.folder}"]
    return "\n".join([*head, *lines])


def _progress(seen: RunSnapshot, pace: Throughput) -> list[str]:
    faults = sum(row.faults for row in seen.rows if row.players is not None)
    said = [format_count(faults, "faults"), *([seen.status] if seen.status else [])]
    speed = pace.blocks_a_second
    if speed:
        said.insert(0, f"{speed:,.1f} blocks/s")
    if seen.complete:
        return [f"{seen.done:,} blocks, all played", ", ".join(said)]
    if seen.total is None:
        so_far = f"{format_count(seen.done, 'blocks')} so far"
    else:
        share = seen.done / seen.total
        bar = "#" * int(share * BAR)
        so_far = f"[{bar:.<{BAR}}] {share:.0%}, {seen.done:,} of {seen.total:,} blocks"
        if speed:
            said.insert(1, f"about {_time((seen.total - seen.done) / speed)} left")
    if pace.quiet_s >= QUIET_S:
        said.append(f"no new block for {_time(pace.quiet_s)}")
    return [so_far, ", ".join(said)]


def _time(seconds: float) -> str:
    """Hours, minutes and seconds, as far as there are any."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _table(rows: Sequence[Row]) -> list[str]:
    first = rows[0]
    title = f"{first.variant}, {first.players} players" if first.players else first.variant
    cells = [
        [
            MISSING if row.rank is None else str(row.rank),
            truncate(strip_unprintable(row.bot), NAME),
            MISSING if row.elo is None else f"{row.mark}{row.elo:z.1f}",
            MISSING if row.error is None else f"{row.error:.1f}",
            format_percent(row.score),
            f"{row.matches:,}",
            f"{row.faults:,}",
        ]
        for row in rows
    ]
    sides = ["left" if column == "bot" else "right" for column in COLUMNS]
    table = tabulate(cells, COLUMNS, colalign=sides, disable_numparse=True)
    return [click.style(title, bold=True), *table.splitlines()]


class LiveView:
    """Looks at a run again and again, until it is complete."""

    def __init__(
        self,
        folder: Path,
        write: Callable[[str], None],
        *,
        every: float,
        window: Callable[[], TerminalSize] | None = None,
        plain: bool = False,
        rest: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`window` says how large the window is that is drawn in; without one each change is printed.

        `plain`: without bold letters.
        """
        self._folder = folder
        self._write = write
        self._every = every
        self._window = window
        self._plain = plain
        self._rest = rest
        self._clock = clock
        self._pace = Throughput(clock)
        self._shown = ""

    def once(self) -> RunSnapshot:
        """One look, which is shown if anything has changed."""
        seen = take_snapshot(self._folder)
        self._pace.add(seen.done)
        if self._window:
            text = self._text(seen, self._window())
            drawn = "".join(f"{line}{REST_OF_LINE}\n" for line in text.splitlines())
            self._write(f"{HOME if self._shown else HOME + CLEAR}{drawn}{REST}")
        elif (text := str(seen._replace(rows=()))) != self._shown:
            self._write(("\n" if self._shown else "") + self._text(seen) + "\n")
        self._shown = text
        return seen

    def _text(self, seen: RunSnapshot, size: TerminalSize | None = None) -> str:
        text = glance_text(seen, self._pace, size)
        return click.unstyle(text) if self._plain else text

    def until_complete(self) -> None:
        """Looks until the run is complete, or somebody has seen enough and raises KeyboardInterrupt."""
        while True:
            begun = self._clock()
            if self.once().complete:
                return
            self._rest(max(self._every, RESTING * (self._clock() - begun)))
