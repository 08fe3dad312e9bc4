"""Whole runs: the same files however they are played, withdrawals, and records of matches."""

import csv
import re
import signal
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.tournament.engine import block_player, engine
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import Progress
from arena.tournament.engine.workers import InlineExecutor, Workers, make_workers
from arena.tournament.files import RunFolder
from arena.tournament.formats.exploit import CLASS, EXPLOITER
from arena.tournament.review.verification import verify
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.setup.config import read_config
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.store import Store
from tests.tournament.made_runs import CARELESS, LIVES, make_run

PlaySome = Callable[[Run, int], None]
BOTS = ["random", "stand-pat", "greedy", "prudent", "counter"]
FORMATS: dict[str, dict[str, Any]] = {
    "gauntlet": {"blocks": 2},
    "swiss": {"blocks": 2, "rounds": 3},
    "knockout": {"blocks": 2, "max_blocks": 8},
    "ladder": {"blocks": 2},
    "tuning": {"bots": ["careless.py:Bot", *BOTS], "isolation": "inline", "parameters": ["care=0..1"],
               "generations": 2, "candidates": 4, "blocks": 4, "final_blocks": 6},
    "exploit": {"bots": [{"bot": f"{EXPLOITER}:{CLASS}", "name": "trained", "constants": {}}, "random"],
                "isolation": "inline", "blocks": 6, "generations": 0},
}  # fmt: skip
formats = pytest.mark.parametrize("name", FORMATS)


def begun(folder: Path, name: str, **changes: Any) -> Run:
    (folder.parent / "careless.py").write_text(CARELESS)
    return make_run(folder, **{"bots": BOTS, "format": name, **FORMATS[name], **changes})


def written(folder: Path) -> dict[str, bytes]:
    """The files that may not differ, by name."""
    return {
        path.name: path.read_bytes()
        for path in folder.glob("**/*.*")
        if path.name not in ("arena.db", "arena.log")
    }


@pytest.fixture
def play_some(monkeypatch: pytest.MonkeyPatch) -> Callable[[Run, int], None]:
    """Plays on until so many blocks have come in, as if Ctrl-C was pressed then."""

    def play(run: Run, blocks: int) -> None:
        left = iter(range(blocks, 0, -1))

        def count(self: Progress, block: Block, result: BlockResult) -> None:
            if next(left) == 1:
                signal.raise_signal(signal.SIGINT)

        with monkeypatch.context() as patched:
            patched.setattr(Progress, "add", count)
            patched.setattr(
                engine, "make_workers", lambda *_: Workers(InlineExecutor, in_flight=1, chunk_s=1e-9)
            )
            assert run.play(RunOptions()) == "interrupted"
        with Store.open(run.folder.path) as store:
            assert store.count() == blocks

    return play


@pytest.fixture(scope="module")
def finish(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """Return the finished run of a format, played once."""
    results = tmp_path_factory.mktemp("results")

    @cache
    def play(name: str) -> Run:
        run = begun(results / name, name)
        assert run.play(RunOptions()) == "done"
        return run

    return play


@formats
def test_a_run_writes_the_same_files_with_any_jobs_and_after_an_interruption(
    name: str, tmp_path: Path, play_some: PlaySome, finish: Callable[[str], Run]
) -> None:
    if name == "tuning":
        pytest.importorskip("cma")
    one = written(finish(name).folder.path)
    assert begun(tmp_path / "two", name).play(RunOptions(jobs=2, start="fork")) == "done"
    play_some(begun(tmp_path / "stopped", name), 5)
    assert Run.open(tmp_path / "stopped", isolation="inline").play(RunOptions()) == "done"
    assert one == written(tmp_path / "two") == written(tmp_path / "stopped")
    assert {"elo.csv", "matches.csv", "replays.jsonl.zst", "run.toml"} < set(one)


def test_standings_are_written_where_the_format_has_some(finish: Callable[[str], Run]) -> None:
    for name, first in (("swiss", "place,bot,rounds,"), ("knockout", "place,bot,out,"), ("ladder", "")):
        run = finish(name)
        assert run.folder.standings.exists() == bool(first)
        if first:
            lines = run.folder.standings.read_text().splitlines()
            assert lines[0].startswith(first)
            assert sorted(line.split(",")[1] for line in lines[1:]) == sorted(BOTS)


def bots_in(run: Run, blocks: range) -> set[str]:
    with Store.open(run.folder.path) as store:
        return {bot for block in store.read(blocks) for bot in block.address.split("/")[2].split("+")}


def test_a_bot_is_withdrawn_once_what_has_begun_is_played(tmp_path: Path, play_some: PlaySome) -> None:
    """A round is two tables of two blocks; six of the three rounds' twelve blocks are played."""
    play_some(begun(tmp_path / "swiss", "swiss"), 6)
    run = Run.open(tmp_path / "swiss").withdraw("greedy").withdraw("random")
    assert run.config.withdrawn == {"greedy": 8, "random": 8}
    assert run.play(RunOptions()) == "done"
    assert bots_in(run, range(8)) == set(BOTS)
    assert bots_in(run, range(8, 12)) < {"stand-pat", "prudent", "counter"}
    assert Run.open(tmp_path / "swiss").config == run.config
    again = Run.create(read_config(run.folder.config), RunFolder.create(tmp_path / "again"))
    assert again.play(RunOptions()) == "done"
    assert written(run.folder.path) == written(again.folder.path)


def test_before_a_round_has_begun_a_bot_is_withdrawn_at_once(tmp_path: Path, play_some: PlaySome) -> None:
    run = begun(tmp_path / "new", "swiss").withdraw("counter")
    assert run.config.withdrawn == {"counter": 0}
    play_some(begun(tmp_path / "between", "swiss"), 4)
    assert Run.open(tmp_path / "between").withdraw("counter").config.withdrawn == {"counter": 4}


@pytest.mark.parametrize(
    ("name", "bot", "error"),
    [
        ("swiss", "gredy", "no bot in the run is called 'gredy'; the nearest is 'greedy'"),
        (
            "gauntlet",
            "greedy",
            "no bot can be withdrawn from a gauntlet, whose blocks are fixed at the start",
        ),
    ],
)
def test_who_cannot_be_withdrawn_is_told_why(name: str, bot: str, error: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=error):
        begun(tmp_path / "run", name).withdraw(bot)


def test_nobody_is_withdrawn_twice_or_from_a_run_that_is_over(tmp_path: Path) -> None:
    run = begun(tmp_path / "run", "swiss").withdraw("greedy")
    with pytest.raises(ConfigError, match="no bot in the run is called 'greedy'"):
        run.withdraw("greedy")
    run.play(RunOptions())
    with pytest.raises(ConfigError, match="is over: prudent has played all its blocks"):
        run.withdraw("prudent")


def test_resumed_run_shows_leader_and_progress_of_the_whole_run(
    tmp_path: Path, play_some: PlaySome, capsys: pytest.CaptureFixture[str]
) -> None:
    def last_line(run: Run) -> str:
        capsys.readouterr()
        run.play(RunOptions())
        lines = [line for line in capsys.readouterr().err.splitlines() if " blocks" in line]
        return re.sub(r", [\d,]+ matches/s", "", lines[-1])

    table = {"blocks": 6, "bots": BOTS[:3]}
    play_some(begun(tmp_path / "stopped", "gauntlet", **table), 11)
    whole = last_line(begun(tmp_path / "whole", "gauntlet", **table))
    assert whole.startswith("12 of 12 blocks, ")
    assert whole.endswith(" leads")
    assert last_line(Run.open(tmp_path / "stopped")) == whole


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_standings_have_numbers_and_mark_withdrawn_bots(
    name: str, tmp_path: Path, play_some: PlaySome
) -> None:
    play_some(begun(tmp_path / "run", name), 6)
    run = Run.open(tmp_path / "run").withdraw("greedy")
    run.play(RunOptions())
    rows = list(csv.DictReader(run.folder.standings.read_text().splitlines()))
    assert {row["bot"]: row["withdrawn"] for row in rows} == dict.fromkeys(BOTS, "no") | {"greedy": "yes"}
    assert all(0 <= float(row["score"]) <= 100 for row in rows if row["score"])


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_pairings_name_each_bot_once_a_round(name: str, finish: Callable[[str], Run]) -> None:
    run = finish(name)
    rows = list(csv.DictReader(run.folder.pairings.read_text().splitlines()))
    for number in {row["round"] for row in rows}:
        own = [row for row in rows if row["round"] == number]
        assert len({row["bot"] for row in own}) == len(own)
        for table in {row["table"] for row in own if row["table"]}:
            scores = [float(row["score"]) for row in own if row["table"] == table]
            assert sum(scores) == pytest.approx(100)
        without_table = [row["result"] for row in own if not row["table"]]
        assert without_table == ["sits out"] * (len(own) % 2)
    if name == "knockout":
        outs = [row["bot"] for row in rows if row["result"] == "out"]
        assert len(set(outs)) == len(outs) == len(BOTS) - 1
        (winner,) = [row["bot"] for row in rows if row["result"] == "wins"]
        assert winner not in outs


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_run_whose_time_is_over_is_decided_for_good(name: str, tmp_path: Path, play_some: PlaySome) -> None:
    run = begun(tmp_path / "run", name, blocks=4)
    play_some(run, 5)
    assert run.play(RunOptions(time_limit_s=1e-9, ends_at_limit=True)) == "done"
    assert run.config.ended_after == run.count_blocks()
    assert 0 < run.count_blocks() <= 5
    before = written(tmp_path / "run")
    board = run.scoreboard()
    assert board is not None
    assert board.title.endswith("its time was over")
    again = Run.open(tmp_path / "run")
    assert again.play(RunOptions(log_level=30)) == "done"
    assert written(tmp_path / "run") == before
    with make_workers(1) as workers:
        assert verify(Run.open(tmp_path / "run"), workers).wrong == []


def test_a_run_whose_time_is_over_before_a_block_can_be_resumed(tmp_path: Path) -> None:
    run = begun(tmp_path / "run", "knockout")
    assert run.play(RunOptions(time_limit_s=1e-9, ends_at_limit=True)) == "interrupted"
    assert run.play(RunOptions()) == "done"
    assert run.config.ended_after is None


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run of 16 matches, of which 10 are recorded."""
    games = [*LIVES, {"name": "cuccu", "players": 2, "tokens": 1}]
    return make_run(tmp_path / "run", ["random", "greedy"], games, blocks=4, replays=10)


def test_a_run_that_is_played_replays_no_match(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.delattr(block_player, "replay_actions")
        run.play(RunOptions())
    made = run.folder.replays.read_bytes()
    run.play(RunOptions())  # a resumed run replays what it has not played itself
    assert run.folder.replays.read_bytes() == made
    assert run.count_replays() == 10


def test_a_resumed_run_joins_records_of_both_kinds(run: Run) -> None:
    run.play(RunOptions())
    whole = run.folder.replays.read_bytes()
    with Store.resume(run.folder.path) as store:
        store.connection.execute("DELETE FROM block WHERE place IN (0, 3)")
        store.connection.commit()
    run.play(RunOptions())
    assert run.folder.replays.read_bytes() == whole
