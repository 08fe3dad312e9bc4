"""A bot in a process of its own plays exactly as it plays here, in every game."""

from pathlib import Path
from typing import Any

import pytest

from arena.games import VARIANTS, Rules, variant
from arena.play import Limits
from arena.play.bot_processes import LaunchSpec
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol
from arena.play.isolation import Program
from bots.collector import Collector
from bots.counter import Counter
from bots.greedy import Greedy
from bots.prudent import Prudent
from bots.random_ import Random
from bots.rememberer import Rememberer
from tests.play.bot_processes.hosted import HERE, kept, of_file, of_house, played
from tests.play.bot_processes.looking_bots import Searching, Telling, Together

PATIENT = Limits(start_ms=60_000, decision_ms=60_000)


def hosted(bot: type[Any]) -> Any:
    return of_house(f"{bot.__module__}:{bot.__name__}")


def test_random_bots_play_the_same_in_every_game() -> None:
    with kept({"bot 0": hosted(Random)}, PATIENT) as keeper:
        for rules in VARIANTS:
            players = min(3, rules.players[-1])
            inline = played(rules, [Random] * players, 3, PATIENT)
            assert played(rules, [hosted(Random)] * players, 3, PATIENT, keeper=keeper) == inline, rules


@pytest.mark.parametrize(
    ("game", "bot"),
    [("lives", Greedy), ("pounce", Prudent), ("pool", Counter), ("cambio", Rememberer), ("cox", Collector)],
)
def test_bots_that_think_play_the_same(game: str, bot: type[Any]) -> None:
    rules = variant(game)
    assert played(rules, [hosted(bot)] * 3, 2, PATIENT) == played(rules, [bot] * 3, 2, PATIENT)


@pytest.mark.parametrize("rules", [v for v in VARIANTS if v.name in (
    "lives", "bastard-brag", "trade-and-barter-consent", "trentuno-draw", "cuccu", "cambio", "cox"
)], ids=str)  # fmt: skip
def test_a_view_shows_there_what_it_shows_here(rules: Rules) -> None:
    """The bot plays by all it sees, so that any difference would come out in what it plays."""
    table = [of_file("Telling", "looking_bots.py"), Random, Random]
    assert played(rules, table, 4, PATIENT) == played(rules, [Telling, Random, Random], 4, PATIENT)


@pytest.mark.parametrize("game", ["lives", "trentuno-draw"])
def test_a_bot_searches_there_as_here(game: str) -> None:
    rules = variant(game, tokens=1)
    table = [of_file("Searching", "looking_bots.py"), Random]
    assert played(rules, table, 2, PATIENT) == played(rules, [Searching, Random], 2, PATIENT)


def test_many_matches_are_answered_at_once() -> None:
    table = [of_file("Together", "looking_bots.py"), Random, Random]
    assert played(variant("lives"), table, 5, PATIENT) == played(
        variant("lives"), [Together, Random, Random], 5, PATIENT
    )


def test_hosts_make_room_for_others_and_begin_afresh() -> None:
    rules, one, other = variant("lives", tokens=1), hosted(Random), hosted(Greedy)
    with kept({"bot 0": one, "bot 1": other}, PATIENT, max_running=2) as keeper:
        for rotation in range(3):
            found = played(rules, [one, other], 2, PATIENT, rotation=rotation, keeper=keeper)
            assert found == played(rules, [Random, Greedy], 2, PATIENT)
            assert sum(host.is_running for host in keeper) == 2


def test_who_is_asked_last_is_asked_of_all_matches_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host with most to answer is asked first; what that leads to joins what waits for the next."""
    monkeypatch.setattr("arena.play.bot_processes.scheduler.HOLD_S", 60.0)
    asked: list[int] = []
    encode = MsgpackProtocol.encode

    def counted(protocol: MsgpackProtocol, told: Any, questions: Any) -> bytes:
        asked.append(len(questions))
        return encode(protocol, told, questions)

    monkeypatch.setattr(MsgpackProtocol, "encode", counted)
    played(variant("lives"), [hosted(Greedy)] * 3, 12, PATIENT)
    assert max(asked) == 12
    assert sum(asked) / len(asked) > 6


def test_a_bot_that_died_once_has_heard_all_again_and_plays_the_same(tmp_path: Path) -> None:
    """What it is told again are the views of old, with the events there were then."""
    tmp_path.chmod(0o777)
    mortal = f"""
import os
class Mortal(Telling):
    def act(self, view):
        answer = super().act(view)
        if view.deal and len(self.heard) > 3:
            try:
                os.close(os.open({str(tmp_path / "died")!r}, os.O_CREAT | os.O_EXCL))
                os.kill(os.getpid(), 9)
            except FileExistsError:
                pass
        return answer
"""
    file = tmp_path / "mortal.py"
    file.write_text((HERE / "looking_bots.py").read_text() + mortal)
    lodging = LaunchSpec("process", Program(home=tmp_path, arguments=(f"{file}:Mortal",)), {})
    rules = variant("bastard-brag")
    found = played(rules, [lodging, Random, Random], 6, PATIENT)
    assert (tmp_path / "died").exists()
    assert found == played(rules, [Telling, Random, Random], 6, PATIENT)
