"""Bots play the same in processes of their own as inline, in every variant."""

from typing import Any

import pytest

from arena.games import VARIANTS, Rules, variant
from arena.play import Info, Limits
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol
from bots.family_bots import Collector, Rememberer
from bots.plain import Greedy, Prudent, Random
from bots.tuned import Counter
from tests.play.bot_processes.checksum_bots import Checksum, Searching, Together
from tests.play.bot_processes.hosted_matches import (
    open_pool,
    play_matches,
    spec_of_built_in,
    spec_of_file,
)

PATIENT = Limits(start_ms=60_000, decision_ms=60_000)


def hosted(bot: type[Any]) -> Any:
    return spec_of_built_in(f"{bot.__module__}:{bot.__name__}")


def test_random_bots_play_the_same_in_every_variant_and_a_house_game() -> None:
    with open_pool({"bot 0": hosted(Random)}, PATIENT) as pool:
        for rules in (*VARIANTS, variant("home", base="pool(tokens=2)")):
            players = min(3, rules.players[-1])
            inline = play_matches(rules, [Random] * players, 3, PATIENT)
            assert play_matches(rules, [hosted(Random)] * players, 3, PATIENT, pool=pool) == inline, rules


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("pool", Counter),
        ("cox", Collector),
        pytest.param("lives", Greedy, marks=pytest.mark.full),
        pytest.param("pounce", Prudent, marks=pytest.mark.full),
        pytest.param("cambio", Rememberer, marks=pytest.mark.full),
    ],
)
def test_strategic_bots_play_the_same(game: str, bot: type[Any]) -> None:
    rules = variant(game)
    assert play_matches(rules, [hosted(bot)] * 3, 2, PATIENT) == play_matches(rules, [bot] * 3, 2, PATIENT)


@pytest.mark.parametrize("rules", [v for v in VARIANTS if v.name in (
    "lives", "bastard-brag", "trade-and-barter-consent", "trentuno-draw", "cuccu", "cambio", "cox"
)], ids=str)  # fmt: skip
def test_decoded_view_equals_the_view(rules: Rules) -> None:
    """The bot plays by all it sees, so that any difference would come out in what it plays."""
    table = [spec_of_file("Checksum", "checksum_bots.py"), Random, Random]
    assert play_matches(rules, table, 4, PATIENT) == play_matches(
        rules, [Checksum, Random, Random], 4, PATIENT
    )


@pytest.mark.parametrize("game", ["lives", "trentuno-draw"])
def test_sampling_from_a_decoded_view_is_the_same(game: str) -> None:
    rules = variant(game, tokens=1)
    table = [spec_of_file("Searching", "checksum_bots.py"), Random]
    assert play_matches(rules, table, 2, PATIENT) == play_matches(rules, [Searching, Random], 2, PATIENT)


def test_act_many_plays_the_same() -> None:
    table = [spec_of_file("Together", "checksum_bots.py"), Random, Random]
    assert play_matches(variant("lives"), table, 5, PATIENT) == play_matches(
        variant("lives"), [Together, Random, Random], 5, PATIENT
    )


@pytest.mark.parametrize("bot", ["Clocked", "ClockedTogether"])
def test_deadline_is_a_decision_away(bot: str) -> None:
    table = [spec_of_file(bot, "checksum_bots.py"), Random]
    assert all(not match.faults for match in play_matches(variant("lives"), table, 5, PATIENT))


def test_no_clock_runs_inline() -> None:
    info = Info.of(variant("lives"), seat=0, players=2, key="key")
    assert info.deadline is None


def test_idle_processes_are_replaced() -> None:
    rules, first, other = variant("lives", tokens=1), hosted(Random), hosted(Greedy)
    with open_pool({"bot 0": first, "bot 1": other}, PATIENT, max_running=2) as pool:
        for rotation in range(3):
            matches = play_matches(rules, [first, other], 2, PATIENT, rotation=rotation, pool=pool)
            assert matches == play_matches(rules, [Random, Greedy], 2, PATIENT)
            assert sum(host.is_running for host in pool) == 2


def test_requests_of_all_matches_travel_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host with most to answer is asked first; what that leads to joins what waits for the next."""
    monkeypatch.setattr("arena.play.bot_processes.scheduler.HOLD_S", 60.0)
    asked: list[int] = []
    encode = MsgpackProtocol.encode

    def counted(protocol: MsgpackProtocol, told: Any, questions: Any) -> bytes:
        asked.append(len(questions))
        return encode(protocol, told, questions)

    monkeypatch.setattr(MsgpackProtocol, "encode", counted)
    play_matches(variant("lives"), [hosted(Greedy)] * 3, 12, PATIENT)
    assert max(asked) == 12
    assert sum(asked) / len(asked) > 6
