"""Floods, slow, replayed and foreign answers harm only the program that sends them, at every level."""

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.isolation import Level
from bots.plain import Greedy
from tests.play.bot_processes.hosted_matches import Played, play_matches, spec_of_script
from tests.play.bot_processes.hostile_bots import Quiet

LIVES = variant("lives", tokens=1)
LIMITS = Limits(decision_ms=200, bank_ms=200, start_ms=3000, faults=2)
PATIENT = Limits(decision_ms=5000, start_ms=30_000)
MATCHES = 2
"""Played at the same time, so that an answer may be sent for the other one."""


def play(how: str, level: Level, limits: Limits = LIMITS) -> list[Played]:
    return play_matches(LIVES, [spec_of_script(how, level=level), Greedy, Greedy], MATCHES, limits)


def play_quietly() -> list[Played]:
    return play_matches(LIVES, [Quiet, Greedy, Greedy], MATCHES)


def test_an_answer_in_single_bytes_is_an_answer(level: Level) -> None:
    assert play("dripping", level, PATIENT) == play_quietly()


@pytest.mark.parametrize(
    ("how", "kind"), [("dribbling", "timeout"), ("astray", "invalid"), ("talkative", "oversize")]
)
def test_a_slow_foreign_or_endless_answer_is_a_fault(
    level: Level, how: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: False)
    matches = play(how, level)
    assert {fault[:2] for match in matches for fault in match.faults} == {(0, kind)}
    assert [match.actions for match in matches] == [match.actions for match in play_quietly()]


@pytest.mark.parametrize("how", ["flooding", "replaying"])
def test_a_flood_or_a_replayed_answer_harms_only_its_program(level: Level, how: str) -> None:
    matches = play(how, level)
    assert {fault[0] for match in matches for fault in match.faults} == {0}
