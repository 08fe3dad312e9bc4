"""Programs that use the JSON protocol play like classes, and are faulted for their errors."""

import pytest

from arena.games import variant
from arena.play import Limits
from arena.play.bot_processes import LaunchSpec
from arena.play.isolation import Program
from bots.plain import Greedy
from tests.play.bot_processes.hosted_matches import play_matches, spec_of_script
from tests.play.bot_processes.hostile_bots import Quiet

LIVES = variant("lives", tokens=1)
LIMITS = Limits(decision_ms=200, bank_ms=200, start_ms=3000, faults=2)
MATCHES = 3


@pytest.mark.parametrize("how", ["well", "deaf", "by-number"])
def test_program_plays_like_a_class(how: str) -> None:
    limits = Limits(start_ms=30_000, decision_ms=5000)
    matches = play_matches(variant("lives"), [spec_of_script(how), Greedy, Greedy], MATCHES, limits)
    assert matches == play_matches(variant("lives"), [Quiet, Greedy, Greedy], MATCHES, limits)


@pytest.mark.parametrize("family", ["pool", "trade-and-barter", "trentuno-draw", "cuccu", "cambio", "cox"])
def test_program_plays_every_family(family: str) -> None:
    limits = Limits(start_ms=30_000, decision_ms=5000)
    (match,) = play_matches(variant(family), [spec_of_script("by-number"), Greedy], 1, limits)
    (other,) = play_matches(variant(family), [Quiet, Greedy], 1, limits)
    assert match == other


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("astray", "invalid"),
        ("illegal", "illegal"),
        ("outside", "invalid"),
        ("prose", "invalid"),
        ("deep", "invalid"),
        ("huge", "oversize"),
        ("talkative", "oversize"),
        ("late", "timeout"),
        ("closing", "crash"),
        ("exit", "crash"),
    ],
)
def test_wrong_answer_is_a_fault(how: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.play.bot_processes.time_control.is_overloaded", lambda: False)
    matches = 2 if how == "late" else MATCHES  # each of its faults takes its time
    played = play_matches(LIVES, [spec_of_script(how), Greedy, Greedy], matches, LIMITS)
    assert {fault[:2] for match in played for fault in match.faults} == {(0, kind)}
    quiet = play_matches(LIVES, [Quiet, Greedy, Greedy], matches, LIMITS)
    assert [match.actions for match in played] == [match.actions for match in quiet]


@pytest.mark.parametrize("how", ["mute", "gone", "nonsense", "newer"])
def test_program_without_handshake_is_no_start(how: str) -> None:
    limits = Limits(start_ms=500)
    matches = play_matches(LIVES, [spec_of_script(how), Greedy, Greedy], MATCHES, limits)
    assert [match.faults for match in matches] == [[(0, "no-start", 0)]] * MATCHES


def test_program_that_exits_at_once_is_faulted() -> None:
    leaving = spec_of_script("leaving")
    matches = play_matches(LIVES, [leaving, spec_of_script("well"), Greedy], MATCHES, LIMITS)
    assert {fault[0] for match in matches for fault in match.faults} == {0}
    assert all(match.faults for match in matches)


def test_missing_program_is_no_start() -> None:
    missing = LaunchSpec("process", Program(command=("no-such-program",)), {})
    (match,) = play_matches(LIVES, [missing, Greedy, Greedy], 1)
    assert match.faults == [(0, "no-start", 0)]


@pytest.mark.parametrize("how", ["flooding", "hasty"])
def test_unsolicited_output_harms_only_its_program(how: str) -> None:
    matches = play_matches(LIVES, [spec_of_script(how), Greedy, Greedy], 1, LIMITS)
    assert {fault[0] for match in matches for fault in match.faults} <= {0}


def test_program_gets_bye_and_time_to_exit(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("open")
    folder.chmod(0o777)
    code = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"t": "ready", "v": 1}), flush=True)
    elif message["t"] == "act":
        print(json.dumps({"t": "action", "m": message["m"], "action": 0}), flush=True)
    elif message["t"] == "bye":
        os.mkdir("bye")
"""
    (folder / "bot.py").write_text(code)
    program = Program(home=folder, command=("python3", "-S", "bot.py"))
    play_matches(
        LIVES, [LaunchSpec("process", program, {}), Greedy], 1, Limits(start_ms=30_000, decision_ms=5000)
    )
    assert (folder / "bye").is_dir()
