"""Bots are started once before a run; a process that was killed meanwhile is started once more."""

import os
import sys
import time
from pathlib import Path

import pytest

from arena.play.isolation import Level
from arena.plugins import BotSpec
from arena.tournament.engine import levels as isolation_levels
from arena.tournament.engine.levels import find_startup_errors, warn_if_unfair
from arena.tournament.engine.progress import StopRequest
from arena.tournament.setup.config import make_config


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
