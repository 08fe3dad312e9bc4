"""A bot that loses most matches by its faults is put out of the run, the same however that is played."""

from pathlib import Path

from arena.tournament.files.run_folder import RunFolder
from arena.tournament.review.verification import verify
from arena.tournament.running.disqualification import FIRST, cut, is_checkpoint
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import make_config
from arena.tournament.workers.executors import make_workers

BAD = """
import os
class Bad:
    def act(self, view):
        return "nonsense"
class Bold:
    def act(self, view):
        return view.legal[-1]
"""


def begun(folder: Path, name: str, blocks: int = 2 * FIRST) -> Run:
    file = folder / "mine.py"
    file.write_text(BAD)
    table = {
        "bots": [{"bot": f"{file}:{name}", "name": "mine"}, "random", "stand-pat"],
        "variants": [{"name": "lives", "players": 3, "tokens": 1}],
        "blocks": blocks,
        "seed": "x",
        "isolation": "process",
        "limits": {"faults": 1, "start_ms": 30_000, "decision_ms": 10_000},
    }
    config = make_config(table, base=folder, where="the test")
    return Run.create(config, RunFolder.create(folder / "run"))


def test_checkpoints_double() -> None:
    assert [index for index in range(10 * FIRST) if is_checkpoint(index)] == [
        FIRST,
        2 * FIRST,
        4 * FIRST,
        8 * FIRST,
    ]
    assert list(cut(range(10))) == [range(10)]
    assert list(cut(range(10, 3 * FIRST))) == [
        range(10, FIRST),
        range(FIRST, 2 * FIRST),
        range(2 * FIRST, 3 * FIRST),
    ]


def test_a_bot_that_fails_is_asked_no_more_after_a_checkpoint(
    tmp_path: Path,
) -> None:
    run = begun(tmp_path, "Bad")
    assert run.play(RunOptions()) == "done"
    blocks = [
        block.index for block, result in run.outcomes() if any(match.faults for match in result.matches)
    ]
    assert blocks
    assert max(blocks) < FIRST
    assert len(list(run.outcomes())) == 2 * FIRST
    log = run.folder.log.read_text(encoding="utf-8")
    assert f"mine is out of the run from block {FIRST} on" in log


def test_who_plays_is_not_put_out(tmp_path: Path) -> None:
    run = begun(tmp_path, "Bold")
    run.play(RunOptions())
    assert "out of the run" not in run.folder.log.read_text(encoding="utf-8")


def test_it_comes_out_the_same_in_two_goes_and_is_verified(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    whole, halves = begun(tmp_path / "one", "Bad"), begun(tmp_path / "two", "Bad")
    whole.play(RunOptions())
    halves.play(RunOptions(time_limit_s=0.01))
    halves.play(RunOptions())
    assert whole.folder.matches.read_bytes() == halves.folder.matches.read_bytes()
    with make_workers(1) as hands:
        assert verify(Run.open(whole.folder.path), hands).wrong == []
