"""Fixtures for the levels that are available here; tests of others are skipped, saying why."""

from functools import cache

import pytest

from arena.play.isolation import LEVELS, Level, probe


@cache
def explain_player_limit(level: Level) -> str:
    support = probe(level)
    return "" if support.usable else f"{level} is not usable here: {support.reason}; {support.fix}"


@pytest.fixture(
    params=[
        pytest.param(level.name, marks=pytest.mark.full if level.name == "landlock" else ())
        for level in LEVELS.values()
        if level.has_process
    ]
)
def level(request: pytest.FixtureRequest) -> Level:
    """Each level that has a process: the weakest and the strongest, in full all."""
    return usable(request.param)


@pytest.fixture(params=["landlock", "sandbox"])
def closed_level(request: pytest.FixtureRequest) -> Level:
    """Each level that keeps malice out."""
    return usable(request.param)


@pytest.fixture
def sandbox() -> Level:
    return usable("sandbox")


@pytest.fixture
def landlock() -> Level:
    return usable("landlock")


def usable(level: Level) -> Level:
    if explain_player_limit(level):
        pytest.skip(explain_player_limit(level))
    return level
