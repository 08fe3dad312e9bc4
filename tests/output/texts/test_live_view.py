"""A live view of a growing run: each snapshot shows its progress, and the last one that it is complete."""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest

from arena.output.texts.live_view import LiveView
from arena.output.texts.run import run_table
from arena.output.words.terminal_layout import TerminalSize
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.store.codec import pack
from arena.tournament.store.database import writer_lock
from arena.tournament.store.store import BlockKeys, Store
from tests.tournament.made_runs import make_run

TABLE: dict[str, Any] = {"bots": ["greedy", "stand-pat"], "blocks": 40}


class Growing:
    """A run that somebody else plays, some blocks at a time."""

    def __init__(self, folder: Path, **table: object) -> None:
        self.run = make_run(folder, **{**TABLE, **table})
        self.folder = folder
        self._player = BlockPlayer(RunPlan.from_config(self.run.config, self.run.seed))
        self._blocks = self._all()

    def grow(self, blocks: int) -> None:
        """Plays so many blocks more."""
        keys = BlockKeys(self.run.config, self.run.metadata)
        more = islice(self._blocks, blocks)
        with Store.resume(self.folder) as store:
            store.add([keys.label(block, pack(block.address, self._player.play(block))) for block in more])

    def close(self) -> None:
        """Close the database from which the blocks come, in the thread that opened it."""
        self._blocks.close()

    def _all(self) -> Generator[Block, None, None]:
        with Store.open(self.folder) as store:
            yield from chain.from_iterable(self.run.stages.decided(store))


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def grow(tmp_path: Path) -> Iterator[Callable[..., Growing]]:
    """Return a function that makes a run of a config; all are closed in the thread that opened them."""
    with ExitStack() as stack:
        yield lambda **table: stack.enter_context(closing(Growing(tmp_path / "run", **table)))


@pytest.fixture
def growing(grow: Callable[..., Growing]) -> Growing:
    return grow()


@pytest.fixture
def clock() -> Clock:
    return Clock()


def frames(growing: Growing, clock: Clock, sleep: Callable[[float], object], **how: object) -> list[str]:
    """Return the output of watching a run until it is complete."""
    written: list[str] = []
    view = LiveView(growing.folder, written.append, every=2.0, sleep=sleep, clock=clock, **how)  # type: ignore[arg-type]
    view.run_until_complete()
    return written


def test_each_change_is_printed_until_all_is_played(growing: Growing, clock: Clock) -> None:
    def sleep(seconds: float) -> None:
        assert seconds == 2.0
        growing.grow(10)
        clock.now += 5

    written = frames(growing, clock, sleep)
    heads = [text.strip().splitlines()[:3] for text in written]
    name = f"{growing.folder}  round-robin"
    bars = [re.sub(r"\|[ █-▏]*\|", "|", bar) for _, bar, _ in heads]
    assert bars == [
        "0%| 0/40 blocks",
        "25%| 10/40 blocks [00:05<00:15]",
        "50%| 20/40 blocks [00:10<00:10]",
        "75%| 30/40 blocks [00:15<00:05]",
        "40 blocks, all played",
    ]
    widths = [bar.count("█") for _, bar, _ in heads[:-1]]
    assert widths == sorted(set(widths))
    stopped = f", not being played: `arena resume {growing.folder}` continues it"
    assert [(head[0], head[2]) for head in heads] == [
        (name, f"0 faults{stopped}"),
        *[(name, f"2.0 blocks/s, 0 faults{stopped}")] * 3,
        (name, "2.0 blocks/s, 0 faults"),
    ]
    assert "Nothing has been played yet." in written[0]
    table = run_table(Run.open(growing.folder))
    assert written[-1].endswith(f"\n\n{table}\n")
    assert "errors hold" not in table
    assert "\x1b" not in "".join(written)


def test_errors_hold_at_every_look_until_all_is_played(growing: Growing, clock: Clock) -> None:
    written: list[str] = []
    view = LiveView(growing.folder, written.append, every=2.0, clock=clock)
    for blocks in (39, 1):
        growing.grow(blocks)
        view.show()
    run = Run.open(growing.folder)
    at_the_end = run_table(run)
    run.use_results(run.results().with_anytime())
    assert written[1].endswith(f"\n{at_the_end}\n")
    assert at_the_end not in written[0]
    assert run_table(run).splitlines()[-1] in written[0]


def test_unchanged_snapshots_are_not_printed(growing: Growing, clock: Clock) -> None:
    sleeps: list[float] = []

    def sleep(seconds: float) -> None:
        sleeps.append(seconds)
        if len(sleeps) == 3:
            growing.grow(40)

    assert len(frames(growing, clock, sleep)) == 2
    assert len(sleeps) == 3


def test_a_terminal_is_redrawn_in_place_within_its_height(growing: Growing, clock: Clock) -> None:
    size = TerminalSize(80, 7)
    written = frames(growing, clock, lambda seconds: growing.grow(20), get_size=lambda: size)
    assert [text.count("\x1b[2J") for text in written] == [1, 0, 0]
    assert all(text.startswith("\x1b[H") for text in written)
    assert max(text.count("\n") for text in written) < size.lines
    assert f"more lines: arena table {growing.folder}" in written[-1]


def test_a_terminal_is_redrawn_when_it_is_resized(growing: Growing, clock: Clock) -> None:
    sizes = iter([TerminalSize(80, 24), TerminalSize(60, 7), TerminalSize(60, 7)])
    resized = iter([True, False])

    def sleep(seconds: float) -> bool:
        if next(resized):
            return True
        growing.grow(40)
        return False

    written = frames(growing, clock, sleep, get_size=lambda: next(sizes))
    assert [text.count("\x1b[2J") for text in written] == [1, 1, 0]


def test_standings_of_the_format_come_first(grow: Callable[..., Growing], clock: Clock) -> None:
    growing = grow(
        format="swiss",
        rounds=2,
        blocks=2,
        bots=["greedy", "stand-pat", "random", "counter"],
    )
    with closing(growing):
        growing.grow(4)
    written: list[str] = []
    LiveView(growing.folder, written.append, every=2.0, clock=clock).show()
    assert "\nSwiss after 1 of 2 rounds\n" in written[0]
    assert "buchholz" in written[0]


def test_a_quiet_run_is_noticed(growing: Growing, clock: Clock) -> None:
    sleeps: list[float] = []

    def sleep(seconds: float) -> None:
        sleeps.append(seconds)
        clock.now += 50
        if len(sleeps) == 3:
            played.close()
            growing.grow(40)

    with ExitStack() as played:
        played.enter_context(writer_lock(growing.folder))
        written = frames(growing, clock, sleep, get_size=lambda: TerminalSize(80, 24))
    assert "no new block for 01:40" in written[2]
    assert "not being played" not in written[2]
    assert "no new block" not in written[-1]


def test_the_view_sleeps_longer_than_a_snapshot_takes(growing: Growing) -> None:
    ticks = iter(range(0, 10_000, 10))  # each look takes ten seconds and more
    sleeps: list[float] = []

    def sleep(seconds: float) -> None:
        sleeps.append(seconds)
        growing.grow(40)

    LiveView(
        growing.folder, lambda text: None, every=2.0, sleep=sleep, clock=lambda: next(ticks)
    ).run_until_complete()
    assert sleeps[0] >= 40


def test_a_format_without_a_total_shows_the_blocks_so_far(grow: Callable[..., Growing], clock: Clock) -> None:
    growing = grow(format="knockout", blocks=10, bots=["greedy", "stand-pat", "random", "counter"])
    growing.grow(10)
    written: list[str] = []
    view = LiveView(growing.folder, written.append, every=2.0, clock=clock)
    assert not view.show()
    assert "10 blocks so far" in written[0]
    growing.run.play(RunOptions())
    assert view.show()
    assert "blocks, all played" in written[1]
