"""Failures and times of decisions of bots: counted, stored with the blocks, added up over a run."""

from pathlib import Path
from random import Random
from string import ascii_lowercase

import pytest

from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from arena.tournament.store.bot_statistics import (
    MAX_BOT_FAILURES,
    OTHER_FAILURES,
    TimeSum,
    add_failures,
    add_times,
    count_times,
    summarize_times,
)
from arena.tournament.store.codec import Failure
from arena.tournament.store.store import Store
from tests.tournament import fake_run
from tests.tournament.made_runs import make_run


def test_the_failures_kept_of_very_many_do_not_depend_on_their_order(tmp_path: Path) -> None:
    failures = [Failure("ann", "crash", f"ValueError: {letter}") for letter in ascii_lowercase] * 3
    statistics = []
    for seed in range(5):
        Random(seed).shuffle(failures)
        (tmp_path / str(seed)).mkdir()
        with Store.create(tmp_path / str(seed), fake_run.METADATA) as store:
            for failure in failures:
                add_failures(store.connection, {failure: 2})
            statistics.append(store.failures())
    assert all(counted == statistics[0] for counted in statistics)
    assert len(statistics[0]) == MAX_BOT_FAILURES + 1
    assert statistics[0][Failure("ann", "crash", "ValueError: a")] == 6
    assert statistics[0][Failure("ann", "crash", OTHER_FAILURES)] == 6 * 6


GAME = ("lives", 3)
BOTS = ["random", {"bot": "greedy", "name": "other"}, "stand-pat"]


def test_summary_is_exact_but_for_quantiles() -> None:
    seconds = [0.001] * 60 + [0.01] * 39 + [0.5]
    times = count_times(GAME, {"slow": seconds[::2], "fast": [0.0]})
    add_times(times, count_times(GAME, {"slow": seconds[1::2]}))
    fast, slow = summarize_times(times)
    assert (slow.game, slow.bot, slow.decisions, slow.longest_s) == (GAME, "slow", 100, 0.5)
    assert slow.mean_s == pytest.approx(sum(seconds) / 100)
    assert slow.median_s == pytest.approx(0.001, rel=0.09)
    assert slow.p99_s == pytest.approx(0.01, rel=0.09)
    assert (fast.bot, fast.decisions) == ("fast", 1)


def test_sums_add_up() -> None:
    assert TimeSum(2, 0.5, 0.25) + TimeSum(1, 1.0, 1.0) == TimeSum(3, 1.5, 1.0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return play(tmp_path_factory.mktemp("times") / "whole", RunOptions())


def test_every_decision_is_timed_and_no_byte_differs_whoever_plays(whole: Run, tmp_path: Path) -> None:
    counted = decisions(whole)
    assert set(counted) == {(GAME, "random"), (GAME, "other"), (GAME, "stand-pat")}
    assert all(counted.values())
    for isolation in ("inline", "process"):
        run = play(tmp_path / isolation, RunOptions(jobs=3), isolation)
        assert decisions(run) == counted
        for name in ("matches.csv", "elo.csv", "replays.jsonl.zst"):
            assert (run.folder.path / name).read_bytes() == (whole.folder.path / name).read_bytes()


def test_a_resumed_run_adds_its_times(whole: Run, tmp_path: Path) -> None:
    run = play(tmp_path / "stopped", RunOptions(time_limit_s=1e-9))
    run.play(RunOptions())
    assert decisions(run) == decisions(whole)


def test_a_run_without_times_has_none(tmp_path: Path) -> None:
    assert make_run(tmp_path / "new", BOTS).decision_times() == []


def play(folder: Path, options: RunOptions, isolation: str = "auto") -> Run:
    run = make_run(folder, BOTS, [{"name": "lives", "players": 3}], blocks=6, isolation=isolation)
    run.play(options)
    return run


def decisions(run: Run) -> dict[tuple[tuple[str, int], str], int]:
    return {(time.game, time.bot): time.decisions for time in run.decision_times()}
