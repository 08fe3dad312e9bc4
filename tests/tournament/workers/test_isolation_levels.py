"""Bots are started once before a run; a process that was killed meanwhile is started once more."""

import os
from pathlib import Path

import pytest

from arena.play.isolation import Level
from arena.plugins import BotSpec
from arena.tournament.setup.config import make_config
from arena.tournament.workers import isolation_levels
from arena.tournament.workers.isolation_levels import find_startup_errors, warn_if_unfair


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


@pytest.mark.parametrize(("more", "warns"), [(0, False), (1, True)])
def test_only_more_jobs_than_cores_are_warned_about(
    caplog: pytest.LogCaptureFixture, more: int, warns: bool
) -> None:
    table = {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}]}
    config = make_config(table, base=Path(), where="a test")
    warn_if_unfair(config, {"greedy": "sandbox", "random": "sandbox"}, (os.cpu_count() or 1) + more)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * warns
