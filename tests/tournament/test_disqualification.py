"""A bot that loses most matches by its faults is disqualified, the same however the run is played."""

import csv
from pathlib import Path
from typing import Any

import pytest

from arena.output.tables.ratings import rating_table
from arena.play.isolation import Level
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.engine.workers import make_workers
from arena.tournament.files import RunFolder
from arena.tournament.formats import Pairing, Scoreboard
from arena.tournament.formats.rounds import COLUMNS, SwissRow
from arena.tournament.review.verification import verify
from arena.tournament.run import Run, split_at_checkpoints
from arena.tournament.setup.config import make_config
from arena.tournament.store.bot_statistics import FIRST_CHECKPOINT, is_checkpoint, is_excessive

BAD = """
import os
class Bad:
    def act(self, view):
        return "nonsense"
class Bold:
    def act(self, view):
        return view.legal[-1]
"""


def new_run(folder: Path, name: str, level: Level = "process", **keys: Any) -> Run:
    file = folder / "mine.py"
    file.write_text(BAD)
    table = {
        "bots": [{"bot": f"{file}:{name}", "name": "mine"}, "random", "stand-pat"],
        "variants": [{"name": "lives", "players": 3, "tokens": 1}],
        "blocks": 2 * FIRST_CHECKPOINT,
        "seed": "x",
        "isolation": level,
        "limits": {"faults": 1, "start_ms": 30_000, "decision_ms": 10_000},
        **keys,
    }
    config = make_config(table, base=folder, where="the test")
    return Run.create(config, RunFolder.create(folder / "run"), choose_levels(config, confirmed=level))


def test_checkpoints_double() -> None:
    assert [index for index in range(10 * FIRST_CHECKPOINT) if is_checkpoint(index)] == [
        FIRST_CHECKPOINT,
        2 * FIRST_CHECKPOINT,
        4 * FIRST_CHECKPOINT,
        8 * FIRST_CHECKPOINT,
    ]
    assert list(split_at_checkpoints(range(3))) == [range(3)]
    assert list(split_at_checkpoints(range(3, 3 * FIRST_CHECKPOINT))) == [
        range(3, FIRST_CHECKPOINT),
        range(FIRST_CHECKPOINT, 2 * FIRST_CHECKPOINT),
        range(2 * FIRST_CHECKPOINT, 3 * FIRST_CHECKPOINT),
    ]


@pytest.mark.parametrize(
    ("lost", "matches", "is_out"),
    [(7, 7, False), (8, 8, True), (8, 9, False), (16, 17, False), (17, 34, True), (17, 35, False)],
)
def test_a_bot_that_lost_all_or_half_its_matches_is_out(lost: int, matches: int, is_out: bool) -> None:
    assert is_excessive(lost, matches) == is_out


def test_a_bot_that_fails_is_not_asked_after_a_checkpoint(
    tmp_path: Path,
) -> None:
    run = new_run(tmp_path, "Bad")
    assert run.play(RunOptions()) == "done"
    blocks = [
        block.index for block, result in run.outcomes() if any(match.faults for match in result.matches)
    ]
    assert blocks
    assert max(blocks) < FIRST_CHECKPOINT
    assert len(list(run.outcomes())) == 2 * FIRST_CHECKPOINT
    rows = {row.bot: row for row in run.results().rows}
    assert run.results().rows[-1].bot == "mine"
    assert (rows["mine"].rank, rows["mine"].mark, rows["mine"].los) == (None, "disqualified", None)
    assert sorted(row.rank_low for row in rows.values() if row.rank_low) in ([1, 1], [1, 2])
    written = list(csv.DictReader(run.folder.elo_csv.read_text(encoding="utf-8").splitlines()))
    assert written[-1]["mark"] == "disqualified"
    assert "mine (disqualified)" in run.folder.elo_md.read_text(encoding="utf-8")
    assert "mine (disqualified)" in rating_table(run.results())
    log = run.folder.log.read_text(encoding="utf-8")
    assert f"mine is disqualified from block {FIRST_CHECKPOINT} on" in log


def test_a_bot_without_faults_is_not_disqualified(tmp_path: Path) -> None:
    run = new_run(tmp_path, "Bold", "inline")
    run.play(RunOptions())
    assert "disqualified" not in run.folder.log.read_text(encoding="utf-8")


@pytest.mark.full
def test_candidates_of_a_search_are_not_disqualified(tmp_path: Path) -> None:
    pytest.importorskip("cma")
    run = new_run(tmp_path, "Bad", format="tuning", parameters=["care=0..1"], candidates=4, blocks=4)
    assert run.play(RunOptions()) == "done"
    assert sum(run.results().faults.values()) == 3 * run.count_blocks() > FIRST_CHECKPOINT
    assert not run.results().disqualified


def test_an_interrupted_run_gives_the_same_results_and_is_verified(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    whole, halves = new_run(tmp_path / "one", "Bad"), new_run(tmp_path / "two", "Bad")
    whole.play(RunOptions())
    halves.play(RunOptions(time_limit_s=0.01))
    halves.play(RunOptions())
    assert whole.folder.matches.read_bytes() == halves.folder.matches.read_bytes()
    with make_workers(1) as workers:
        assert verify(Run.open(whole.folder.path), workers).wrong == []


def test_standings_have_a_disqualified_bot_below_the_ranking() -> None:
    rows = [
        SwissRow(1, "loop", 1, 0.9),
        SwissRow(2, "greedy", 1, 0.5),
        SwissRow(3, "random", 1, 0.1, is_withdrawn=True),
    ]
    pairings = [Pairing(1, 1, bot, 0.5, 4, "") for bot in ("loop", "greedy")]
    board = Scoreboard("Title", COLUMNS, rows, pairings, frozenset({"loop"}))
    assert [cells[:4] for cells in board.standings.sheets[0].cells] == [
        ["1", "greedy", "1", "50.0%"],
        ["", "loop (disqualified)", "1", "90.0%"],
        ["", "random (withdrawn)", "1", "10.0%"],
    ]
    assert board.standings.fields[-2:] == ["withdrawn", "mark"]
    assert [record[-2:] for record in board.standings.records] == [
        ("no", ""),
        ("no", "disqualified"),
        ("yes", "withdrawn"),
    ]
    table = board.rounds
    assert [row[1] for row in table.sheets[0].cells] == ["loop (disqualified)", "greedy"]
    assert [record[-1] for record in table.records] == ["disqualified", ""]
