"""Runs on an overloaded machine: no bot is penalised for it, and the end of the run says so."""

import re
import time
from pathlib import Path

import pytest

from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from tests.tournament.made_runs import make_run

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
    monkeypatch.setattr("arena.play.bot_processes.cpu_usage._run_delay", lambda process: 0.0)
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: False)
    assert run.play(RunOptions()) == "done"
    assert kinds_of_faults(run) == {"timeout"}
    assert "CPU was short" not in run.folder.log.read_text()
    assert "second try" not in run.folder.log.read_text()


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
    assert "second try" not in text


def test_decisions_of_a_bot_that_only_waits_are_repeated_on_an_overloaded_machine(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.play.bot_processes.cpu_usage._run_delay", lambda process: 0.0)
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: True)
    assert run.play(RunOptions()) == "done"
    assert kinds_of_faults(run) == {"timeout"}  # again at the second attempt
    text = run.folder.log.read_text()
    assert re.search(r"(1 start or decision|\d+ starts or decisions) had a second try\.$", text, re.M)
    assert "CPU was short" not in text  # it did not wait for one
