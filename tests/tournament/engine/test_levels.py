"""Bots are started before a run at their levels; on an overloaded machine no bot is penalised for it."""

import os
import re
import sys
import time
from pathlib import Path

import pytest

from arena.play.isolation import Level
from arena.plugins import BotSpec
from arena.tournament.engine import levels as isolation_levels
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import find_startup_errors, warn_if_unfair
from arena.tournament.engine.progress import StopRequest
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from tests.tournament.made_runs import make_run


@pytest.mark.parametrize(
    ("level", "failures", "error"),
    [("process", 1, None), ("process", 2, "killed"), ("inline", 1, "killed")],
)
def test_process_that_does_not_start_is_started_once_more(
    level: Level, failures: int, error: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}]}
    config = make_config(table, base=Path(), where="a test")
    answers = {bot.name: ["killed"] * failures for bot in config.bots[:1]}

    def fail(bot: BotSpec, *_: object) -> str | None:
        return answers[bot.name].pop() if answers.get(bot.name) else None

    monkeypatch.setattr(isolation_levels, "find_startup_error", fail)
    errors = find_startup_errors(config, dict.fromkeys(("greedy", "random"), level))
    assert errors == ({"greedy": error} if error else {})


def list_children() -> set[str]:
    """Return the processes that any thread of this one has started and that are not gone."""
    return {pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_interrupt_ends_the_start_of_a_bot_that_never_answers(tmp_path: Path) -> None:
    (tmp_path / "never.py").write_text("import time\ntime.sleep(60)\nclass Never:\n    act = None\n")
    table = {"bots": ["never.py:Never", "random"], "variants": [{"name": "lives", "players": 2}]}
    config = make_config(table, base=tmp_path, where="a test")
    levels: dict[str, Level] = {config.bots[0].name: "process", "random": "inline"}
    before = list_children()
    started = time.monotonic()
    with (
        StopRequest(time_limit_s=0, grace_s=0.3) as stop,
        pytest.raises(KeyboardInterrupt),
        stop.interrupting(),
    ):
        find_startup_errors(config, levels)
    assert time.monotonic() - started < config.limits.start_ms / 1000
    assert list_children() == before


@pytest.mark.parametrize(("more", "warns"), [(0, False), (1, True)])
def test_only_more_jobs_than_cores_are_warned_about(
    caplog: pytest.LogCaptureFixture, more: int, warns: bool
) -> None:
    table = {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}]}
    config = make_config(table, base=Path(), where="a test")
    warn_if_unfair(config, {"greedy": "sandbox", "random": "sandbox"}, (os.cpu_count() or 1) + more)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * warns


BOT = """import time


class Bot:
    def act(self, view):
        time.sleep(0.03)
        return view.legal[0]
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run in which one bot takes longer than its limits allow."""
    (tmp_path / "slow.py").write_text(BOT)
    bots = [{"bot": "slow.py:Bot", "name": "slow"}, "random"]
    limits = {"decision_ms": 1, "bank_ms": 0, "start_ms": 10_000}
    return make_run(tmp_path / "run", bots, blocks=1, isolation="process", limits=limits)


def kinds_of_faults(run: Run) -> set[str]:
    return {kind for _, result in run.outcomes() for match in result.matches for _, kind, _ in match.faults}


def test_slow_bot_is_charged_on_an_idle_machine(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.play.bot_processes.resource_watch._run_delay", lambda process: 0.0)
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: False)
    assert run.play(RunOptions()) == "done"
    assert kinds_of_faults(run) == {"timeout"}
    assert "CPU was short" not in run.folder.log.read_text()


def test_bot_that_waits_for_a_cpu_is_not_charged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "arena.play.bot_processes.time_control.read_usage", lambda pid: (0.0, 100 * time.monotonic())
    )
    monkeypatch.setattr("arena.tournament.engine.progress.MIN_WAITED_S", 0.01)
    assert run.play(RunOptions()) == "done"
    assert kinds_of_faults(run) == set()
    text = run.folder.log.read_text()
    assert re.search(
        r"The CPU was short \([\d,]+ s of waiting in all\)\. No bot was penalised\.$", text, re.M
    )
    assert "begun again" not in text


def test_decisions_of_a_bot_that_only_waits_are_repeated_on_an_overloaded_machine(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.play.bot_processes.resource_watch._run_delay", lambda process: 0.0)
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: True)
    assert run.play(RunOptions()) == "done"
    assert kinds_of_faults(run) == {"timeout"}  # again at the second attempt
    text = run.folder.log.read_text()
    assert re.search(r"(1 match was|\d+ matches were) begun again", text)
    assert "CPU was short" not in text  # it did not wait for one
