"""Somebody watches a run while it grows: each look shows how far it is, and the last one that it is done."""

from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

import click
import pytest

from arena.report.live_view import LiveView
from arena.report.terminal_layout import TerminalSize
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.scheduling.schedule import Block
from arena.tournament.setup.config import make_config
from arena.tournament.storage.block_keys import BlockKeys
from arena.tournament.storage.block_results import pack
from arena.tournament.storage.store import Store
from arena.tournament.workers.block_player import BlockPlayer, RunPlan

TABLE = {
    "bots": ["greedy", "stand-pat"],
    "variants": [{"name": "lives", "players": 2, "tokens": 1}],
    "blocks": 40,
    "seed": "any text",
}


class Growing:
    """A run that somebody else plays, some blocks at a time."""

    def __init__(self, folder: Path, **table: object) -> None:
        config = make_config({**TABLE, **table}, base=Path(), where="the test")
        self.run = Run.create(config, RunFolder.create(folder))
        self.folder = folder
        self._shop = BlockPlayer(RunPlan.from_config(config, self.run.seed))
        self._blocks = self._all()

    def grow(self, blocks: int) -> None:
        """Plays so many blocks more."""
        keys = BlockKeys(self.run.config, self.run.metadata)
        more = islice(self._blocks, blocks)
        with Store.resume(self.folder) as store:
            store.add([keys.label(block, pack(block.address, self._shop.play(block))) for block in more])

    def _all(self) -> Iterator[Block]:
        with Store.open(self.folder) as store:
            yield from chain.from_iterable(self.run.stages.decided(store))


class Clock:
    """Time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def growing(tmp_path: Path) -> Growing:
    return Growing(tmp_path / "run")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def frames(growing: Growing, clock: Clock, rest: Callable[[float], None], **how: object) -> list[str]:
    """What is written when somebody watches, until the run is complete."""
    written: list[str] = []
    watch = LiveView(growing.folder, written.append, every=2.0, rest=rest, clock=clock, **how)  # type: ignore[arg-type]
    watch.until_complete()
    return written


def test_each_change_is_printed_until_all_is_played(growing: Growing, clock: Clock) -> None:
    def rest(seconds: float) -> None:
        assert seconds == 2.0
        growing.grow(10)
        clock.now += 5

    written = frames(growing, clock, rest, plain=True)
    heads = [text.strip().splitlines()[:3] for text in written]
    name = f"{growing.folder}  round-robin"
    assert heads == [
        [name, f"[{'.' * 40}] 0%, 0 of 40 blocks", "0 faults"],
        [name, f"[{'#' * 10}{'.' * 30}] 25%, 10 of 40 blocks", "2.0 blocks/s, about 0:15 left, 0 faults"],
        [name, f"[{'#' * 20}{'.' * 20}] 50%, 20 of 40 blocks", "2.0 blocks/s, about 0:10 left, 0 faults"],
        [name, f"[{'#' * 30}{'.' * 10}] 75%, 30 of 40 blocks", "2.0 blocks/s, about 0:05 left, 0 faults"],
        [name, "40 blocks, all played", "2.0 blocks/s, 0 faults"],
    ]
    assert "Nothing has been played yet." in written[0]
    assert written[-1].count("greedy") == 1
    assert "\x1b" not in "".join(written)


def test_nothing_is_printed_twice(growing: Growing, clock: Clock) -> None:
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 3:
            growing.grow(40)

    assert len(frames(growing, clock, rest)) == 2
    assert len(rests) == 3


def test_a_window_is_drawn_anew_in_its_place_and_no_higher_than_it_is(growing: Growing, clock: Clock) -> None:
    window = TerminalSize(80, 7)
    written = frames(growing, clock, lambda seconds: growing.grow(20), window=lambda: window)
    assert [text.count("\x1b[2J") for text in written] == [1, 0, 0]
    assert all(text.startswith("\x1b[H") for text in written)
    assert max(click.unstyle(text).count("\n") for text in written) < window.lines
    assert f"lines more: arena table {growing.folder}" in written[-1]


def test_a_run_that_stands_still_is_noticed(growing: Growing, clock: Clock) -> None:
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        clock.now += 50
        if len(rests) == 3:
            growing.grow(40)

    written = frames(growing, clock, rest, window=lambda: TerminalSize(80, 24))
    assert "no new block for 1:40" in written[2]
    assert "no new block" not in written[-1]


def test_looking_rests_longer_than_it_takes(growing: Growing) -> None:
    ticks = iter(range(0, 10_000, 10))  # each look takes ten seconds and more
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        growing.grow(40)

    LiveView(
        growing.folder, lambda text: None, every=2.0, rest=rest, clock=lambda: next(ticks)
    ).until_complete()
    assert rests[0] >= 40


def test_a_format_that_goes_on_by_results_says_where_it_stands(tmp_path: Path, clock: Clock) -> None:
    growing = Growing(
        tmp_path / "run", format="knockout", blocks=10, bots=["greedy", "stand-pat", "random", "counter"]
    )
    growing.grow(10)
    written: list[str] = []
    watch = LiveView(growing.folder, written.append, every=2.0, clock=clock)
    assert not watch.once().complete
    assert "10 blocks so far" in written[0]
    growing.run.play(RunOptions())
    assert watch.once().complete
    assert "blocks, all played" in written[1]


def test_a_long_name_is_cut(tmp_path: Path) -> None:
    bots = [{"bot": "greedy", "name": "a" * 70}, "stand-pat"]
    growing = Growing(tmp_path / "run", bots=bots)
    growing.grow(5)
    written: list[str] = []
    LiveView(growing.folder, written.append, every=2.0).once()
    assert max(map(len, click.unstyle(written[0]).splitlines()[3:])) <= 80
