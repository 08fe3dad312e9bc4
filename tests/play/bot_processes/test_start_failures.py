"""If the machine cannot start a process, no bot is charged and the blocks are repeated."""

import errno
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from subprocess import Popen
from typing import Any

import msgspec
import pytest

from arena.play.faults import HostUnavailable
from arena.play.isolation import start
from arena.tournament.engine.block_player import close_player, play_chunk
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from arena.tournament.store.store import Store

BOT = "class Bot:\n    def act(self, view):\n        return view.legal[-1]\n"


def begin_run(folder: Path) -> Run:
    (folder / "mine.py").write_text(BOT)
    table = {
        "bots": [{"bot": str(folder / "mine.py") + ":Bot", "name": "mine"}, "random"],
        "variants": [{"name": "lives", "players": 2, "tokens": 1}],
        "blocks": 6,
        "seed": "x",
        "isolation": "process",
    }
    config = make_config(table, base=folder, where="the test")
    return Run.create(config, RunFolder.create(folder / "run"), choose_levels(config, confirmed="process"))


class Cramped:
    """A machine that has no room for a process now and then."""

    def __init__(self, starts: Iterator[bool]) -> None:
        self._starts = starts

    def __call__(self, *what: Any) -> Popen[bytes]:
        if next(self._starts, True):
            return start(*what)
        raise OSError(errno.ENOMEM, "Cannot allocate memory")


@pytest.mark.parametrize("starts", [[False], [True, False]])
def test_blocks_are_repeated_when_a_process_could_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, starts: list[bool]
) -> None:
    monkeypatch.setattr("arena.play.bot_processes.process_pool.start", Cramped(iter(starts)))
    run = begin_run(tmp_path)
    assert run.play(RunOptions()) == "done"
    outcomes = list(run.outcomes())
    assert len(outcomes) == 6
    assert [match.faults for _, result in outcomes for match in result.matches] == [()] * 12
    assert "played again" in run.folder.log.read_text(encoding="utf-8")


def test_start_failure_leaves_no_process_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.play.bot_processes.process_pool.start", Cramped(iter([True, False])))
    run = begin_run(tmp_path)
    play = partial(play_chunk, msgspec.msgpack.encode(run.plan()))
    with Store.open(run.folder.path) as store:
        blocks = list(next(run.parts(store)))
    with pytest.raises(HostUnavailable, match="cannot be started: Cannot allocate memory"):
        play(blocks)
    close_player(play)
