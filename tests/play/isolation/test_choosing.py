"""A bot lives at the level that was asked for, or else by where it comes from; never at a weaker one."""

import pytest

from arena.errors import ConfigError
from arena.play.isolation import Level, LevelSelector, ProbeResult, level_selection
from arena.plugins import Kind

Tried = list[Level]


@pytest.fixture
def usable(monkeypatch: pytest.MonkeyPatch) -> tuple[set[Level], Tried]:
    """The levels that can be had, to be changed, and those that were tried."""
    levels: set[Level] = {"inline", "process", "landlock", "sandbox"}
    tried: Tried = []

    def probe(level: Level) -> ProbeResult:
        tried.append(level)
        return (
            ProbeResult(level, True)
            if level in levels
            else ProbeResult(level, False, f"no {level}", f"get {level}")
        )

    monkeypatch.setattr(level_selection, "probe", probe)
    return levels, tried


ORIGINS: list[Kind] = ["built-in", "plug-in", "file", "folder", "command"]


def levels(asked: str) -> list[Level]:
    selector = LevelSelector()
    return [selector.select(origin, asked) for origin in ORIGINS]


def test_strangers_live_at_the_strongest_level_that_can_be_had(usable: tuple[set[Level], Tried]) -> None:
    possible, tried = usable
    assert levels("auto") == ["inline", "process", "sandbox", "sandbox", "sandbox"]
    assert tried == ["process", "sandbox"]  # once each
    possible.remove("sandbox")
    assert levels("auto") == ["inline", "process", "landlock", "landlock", "landlock"]
    possible.remove("landlock")
    assert levels("auto") == ["inline", "process", "process", "process", "process"]


def test_a_level_that_is_asked_for_is_everybodys_or_refused(usable: tuple[set[Level], Tried]) -> None:
    possible, _ = usable
    assert levels("landlock") == ["landlock"] * 5
    possible.remove("sandbox")
    with pytest.raises(ConfigError, match="isolation 'sandbox' cannot be had here: no sandbox; get sandbox"):
        levels("sandbox")


def test_where_no_process_can_be_had_nobody_is_taken_inside_instead(usable: tuple[set[Level], Tried]) -> None:
    possible, _ = usable
    possible -= {"process", "landlock", "sandbox"}
    selector = LevelSelector()
    assert selector.select("built-in", "auto") == "inline"
    for origin in ORIGINS[1:]:
        with pytest.raises(ConfigError, match="cannot be had here"):
            selector.select(origin, "auto")


def test_only_a_command_cannot_live_in_the_arenas_process(usable: tuple[set[Level], Tried]) -> None:
    selector = LevelSelector()
    assert [selector.select(origin, "inline") for origin in ORIGINS[:-1]] == ["inline"] * 4
    with pytest.raises(ConfigError, match="a command has a process of its own"):
        selector.select("command", "inline")
