"""Hostile bots in processes of their own: their matches end, they are faulted, and others play on."""

import logging

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.faults import escape_unprintable
from arena.play.isolation import Level, probe
from bots.plain import Greedy
from tests.play.bot_processes import hostile_bots
from tests.play.bot_processes.hosted_matches import Played, play_matches, spec_of_file

LIVES = variant("lives", tokens=1)
LIMITS = Limits(decision_ms=100, bank_ms=400, start_ms=20_000, memory_mb=256, faults=2)
MATCHES = 2
WORST = {
    "Sleeper": "timeout",
    "Looper": "timeout",
    "Stubborn": "timeout",
    "Raiser": "crash",
    "Painter": "crash",
    "Exiter": "crash",
    "SelfKiller": "crash",
    "Eater": "crash",
    "Illegal": "illegal",
    "Garbage": "invalid",
    "Huge": "oversize",
    "Closing": "crash",
    "Scribbler": "oversize",
    "Complainer": "oversize",
    "DeafListener": "crash",
    "BadLoser": "crash",
}
HARMLESS = ("Quiet", "Chatter", "Rememberer", "Conspirator")


def play_quietly() -> list[Played]:
    """Play the matches with a bot in the first seat that always plays quietly."""
    return play_matches(LIVES, [hostile_bots.Quiet, Greedy, Greedy], MATCHES, LIMITS)


@pytest.mark.parametrize("name", WORST)
def test_hostile_bot_is_faulted_and_others_play_on(name: str) -> None:
    matches = play_matches(LIVES, [spec_of_file(name), Greedy, Greedy], MATCHES, LIMITS)
    assert {fault[:2] for match in matches for fault in match.faults} == {(0, WORST[name])}
    assert all(len(match.faults) <= LIMITS.faults for match in matches)
    assert [match.actions for match in matches] == [match.actions for match in play_quietly()]


@pytest.mark.parametrize("level", ["process", "landlock", "sandbox"])
def test_memory_that_no_resource_limit_counts_is_limited(
    level: Level, caplog: pytest.LogCaptureFixture
) -> None:
    if not (support := probe(level)).usable:
        pytest.skip(f"{level} is not usable here: {support.reason}")
    caplog.set_level(logging.INFO, "arena")
    limits = Limits(decision_ms=20_000, start_ms=20_000, memory_mb=128, faults=1)
    (match,) = play_matches(LIVES, [spec_of_file("SlowHoarder", level=level), Greedy, Greedy], 1, limits)
    assert [fault[:2] for fault in match.faults] == [(0, "crash")]
    assert "MB of memory (allowed 128)" in caplog.text


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_bot_has_no_fault(name: str) -> None:
    spec = spec_of_file(name)
    matches = play_matches(LIVES, [spec, spec, Greedy], MATCHES, LIMITS)
    assert [match.faults for match in matches] == [[]] * MATCHES


@pytest.mark.parametrize("name", ["Forger", "Flooder", "Tamperer"])
def test_tampering_bot_harms_only_itself(name: str) -> None:
    matches = play_matches(LIVES, [spec_of_file(name), Greedy, Greedy], MATCHES, LIMITS)
    assert {fault[0] for match in matches for fault in match.faults} <= {0}
    assert len(matches) == MATCHES


@pytest.mark.parametrize("source", ["NotMade", "NotThere", "os"])
def test_bot_that_cannot_be_made_or_found_is_no_start(source: str) -> None:
    matches = play_matches(LIVES, [spec_of_file(source), Greedy, Greedy], MATCHES, LIMITS)
    assert [match.faults for match in matches] == [[(0, "no-start", 0)]] * MATCHES
    assert [match.actions for match in matches] == [match.actions for match in play_quietly()]


def test_log_shows_traceback_of_an_exception_and_output_of_a_dead_process(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, "arena")
    play_matches(LIVES, [spec_of_file("Raiser"), spec_of_file("Exiter"), Greedy], 1, LIMITS)
    assert 'raise ValueError("the worst has come")' in caplog.text
    assert "status 3" in caplog.text
    assert "last words" in caplog.text
    assert "Traceback (most recent call last)" in caplog.text


def test_bot_output_is_escaped_and_indented_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "arena")
    play_matches(LIVES, [spec_of_file("Painter"), Greedy, Greedy], 1, LIMITS)
    lines = caplog.records[0].getMessage().split("\n")
    assert "    ValueError: \\x1b[31mred" in lines
    assert all(line.isprintable() for line in lines)
    assert all(line.startswith("    ") for line in lines[1:])
    assert sum(map(len, lines)) < 11_000
    assert (
        escape_unprintable("as\tit is\né 漢\n\x1b]0;\x07\u202e\udcff")
        == "as\tit is\né 漢\n\\x1b]0;\\x07\\u202e\\udcff"
    )
