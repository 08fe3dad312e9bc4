"""Suggestions come from every bot at every decision, and leave the match unchanged."""

import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from arena.games import Deal, variant
from arena.play import Info, Limits, LocalPlayer, play_match
from arena.play.actions_of_other_bots import Shadow, Suggestion, Suggestions, suggest_actions
from arena.play.faults import HostUnavailable
from arena.play.isolation import Level, LevelSelector
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record, encode_record
from arena.play.referee import play
from arena.plugins import parse_bot
from bots.plain import Greedy, Random
from tests.play.bot_processes.checksum_bots import Checksum
from tests.play.bot_processes.hosted_matches import HERE

PATIENT = Limits(start_ms=60_000, decision_ms=60_000)
HASTY = Limits(start_ms=60_000, decision_ms=50, bank_ms=0, faults=2)
RETIRED = Suggestion()
TABLES = (
    *(("lives", 2), ("lives", 4), ("pounce", 3), ("trade-and-barter-consent", 4), ("trentuno-draw", 3)),
    *(("cuccu", 4), ("cambio", 3), ("cox", 2)),
)
LONG = [(table, "process") for table in TABLES if table not in (("lives", 4), ("cambio", 3))]
SPY = """
from pathlib import Path

class Spy:
    def act(self, view):
        stolen = []
        for way in (lambda: Path({secret!r}).read_text(), lambda: Path({canary!r}).write_text("here")):
            try:
                stolen.append(way())
            except OSError:
                pass
        return view.legal[-1] if stolen else view.legal[0]
"""


def deals(name: str = "lives", players: int = 3, **options: Any) -> list[Deal]:
    bots = [Greedy, *[Random] * (players - 1)]
    record = play_match(variant(name, **options), bots, seed="any text")
    return replay_record(decode_record(encode_record(record)))


def shadow(file: Path, name: str, level: Level = "process") -> Shadow:
    return Shadow(parse_bot({"bot": f"{file}:{name}", "name": name}, Path()), level)


def built_in(name: str, level: Level = "inline") -> Shadow:
    return Shadow(parse_bot(name, Path()), level)


def texts(deal: Deal) -> list[str]:
    return [event.text.partition(":")[2] for event in deal.log]


def answers_in_order(suggestions: Sequence[Suggestions], name: str) -> list[Suggestion]:
    return [answer[name] for answer in chain.from_iterable(suggestions) if answer]


@pytest.mark.parametrize(
    ("name", "players", "level"),
    [
        pytest.param(*table, level, marks=[pytest.mark.full] if (table, level) in LONG else [])
        for table in TABLES
        for level in ("inline", "process")
    ],
)
def test_a_bot_that_played_suggests_what_it_played(name: str, players: int, level: Level) -> None:
    """The bot plays by a checksum of all it ever saw and heard, so that any difference would come out."""
    rules = variant(name)
    infos = [
        Info.of(rules, seat=seat, players=players, key=f"shadow/{seat}", limits=PATIENT)
        for seat in range(players)
    ]
    match = rules.match(players, "any text")
    play(match, [LocalPlayer(Checksum, info) for info in infos])
    asked = shadow(HERE / "checksum_bots.py", "Checksum", level)
    suggestions = suggest_actions(match.finished_deals, [asked], PATIENT)
    for deal, answers in zip(match.finished_deals, suggestions, strict=True):
        for done, answer in zip(texts(deal), answers, strict=True):
            assert not answer or answer["Checksum"] == Suggestion(done)
    assert len(answers_in_order(suggestions, "Checksum")) > 0


def test_answers_are_the_same_for_any_number_of_processes() -> None:
    played = deals()
    asked = [built_in("greedy"), built_in("random", "process"), shadow(HERE / "checksum_bots.py", "Together")]
    suggestions = suggest_actions(played, asked, PATIENT, 1)
    assert suggest_actions(played, asked, PATIENT, 4) == suggestions
    names = {tuple(answer) for answers in suggestions for answer in answers}
    assert names - {()} == {("greedy", "random", "Together")}


def test_settings_are_those_of_the_shadow(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "class Mine:\n"
        "    def __init__(self, info):\n        self.place = info.settings['place']\n"
        "    def act(self, view):\n        return view.legal[self.place]\n"
    )
    played = deals(players=2, tokens=1)
    spec = parse_bot({"bot": f"{file}:Mine", "name": "last", "place": -1}, Path())
    suggestions = suggest_actions(played, [Shadow(spec, "process")], PATIENT)
    assert {answer.fault for answer in answers_in_order(suggestions, "last")} == {""}


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("Raiser", "crash: ValueError: the worst has come (hostile_bots.py:"),
        ("Sleeper", "timeout"),
        pytest.param("Looper", "timeout", marks=pytest.mark.full),
        ("Exiter", "crash: "),
    ],
)
def test_faults_are_shown_at_their_decisions_until_the_bot_is_asked_no_more(name: str, fault: str) -> None:
    played = deals(players=2)
    file = HERE / "hostile_bots.py"
    suggestions = suggest_actions(played, [shadow(file, name), built_in("greedy")], HASTY)
    for seat in range(2):
        own = [
            answer[name]
            for deal, answers in zip(played, suggestions, strict=True)
            for event, answer in zip(deal.log, answers, strict=True)
            if answer and event.seat == seat
        ]
        failed = [place for place, suggestion in enumerate(own) if suggestion.fault]
        assert len(failed) == HASTY.faults
        assert failed[0] == 1
        assert all(own[place].fault.startswith(fault) and not own[place].action for place in failed), own
        asked, after = own[: failed[-1] + 1], own[failed[-1] + 1 :]
        assert all(suggestion.action or suggestion.fault for suggestion in asked)
        assert set(after) == {RETIRED}
    assert {answer.fault for answer in answers_in_order(suggestions, "greedy")} == {""}


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("'knock knock'", "invalid: 'knock knock' is not an action of this game"),
        ("action('none')", "illegal: "),
        ("None", "invalid: None: is a return missing?"),
    ],
)
def test_wrong_answers_are_faults(tmp_path: Path, answer: str, fault: str) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(
        "from arena.games.action import action\n\n\n"
        f"class Wrong:\n    def act(self, view):\n        return {answer}\n"
    )
    for level in ("inline", "process"):
        asked = shadow(file, "Wrong", level)
        suggestions = answers_in_order(suggest_actions(deals(players=2), [asked], PATIENT), "Wrong")
        assert suggestions[0].action == ""
        assert suggestions[0].fault.startswith(fault)
        assert suggestions[-1] == RETIRED


def test_a_failure_between_decisions_is_shown_at_the_next(tmp_path: Path) -> None:
    file = tmp_path / "deaf.py"
    file.write_text(
        "from arena import Bot\n\n\nclass Deaf(Bot):\n"
        "    def act(self, view):\n        return view.legal[0]\n\n"
        "    def deal_over(self, result):\n        raise ValueError('I do not care')\n"
    )
    for level in ("inline", "process"):
        [first, second, *_] = suggest_actions(deals(players=2), [shadow(file, "Deaf", level)], PATIENT)
        assert all(not answer["Deaf"].fault for answer in first if answer)
        failed = next(answer["Deaf"] for answer in second if answer)
        assert failed.action
        assert failed.fault == "crash: ValueError: I do not care (deaf.py:9)"


def test_a_bot_that_does_not_start_has_no_suggestions(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nothing_like_it\n\n\nclass Broken:\n    pass\n")
    suggestions = answers_in_order(suggest_actions(deals(), [shadow(file, "Broken")], PATIENT), "Broken")
    assert suggestions[0].fault.startswith("no-start: ModuleNotFoundError")
    assert suggestions[-1] == RETIRED


def test_a_bot_is_confined_and_never_imported(tmp_path: Path) -> None:
    level = LevelSelector().select("file", "auto")
    if level == "process":
        pytest.skip("no level that confines bots is available")
    (tmp_path / "secret").write_text("cards")
    own = tmp_path / "bot"
    own.mkdir()
    canary = tmp_path / "canary"
    file = own / "spy.py"
    file.write_text(SPY.format(secret=str(tmp_path / "secret"), canary=str(canary)))
    suggestions = suggest_actions(
        deals(), [shadow(file, "Spy", level), shadow(own / "spy.py", "Spy", level)], PATIENT
    )
    first = [view.text(view.legal[0]) for view in decisions(deals())]
    assert answers_in_order(suggestions, "Spy") == [Suggestion(text) for text in first]
    assert not canary.exists()
    assert not any(str(getattr(module, "__file__", "")) == str(file) for module in sys.modules.values())


def decisions(played: Sequence[Deal]) -> list[Any]:
    """Return the views of all decisions that are not forced."""
    views = [view for deal in played for view, _ in deal.opening.rules.decisions(deal)]
    return [view for view in views if len(view.legal) > 1]


def test_a_machine_that_cannot_start_processes_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("arena.play.bot_processes.process_pool.start", refuse)
    with pytest.raises(HostUnavailable, match="Cannot allocate memory"):
        suggest_actions(deals(), [built_in("greedy"), built_in("random", "process")])


def test_every_action_is_counted() -> None:
    played, counted = deals(), []
    suggest_actions(played, [built_in("greedy"), built_in("random")], count=lambda: counted.append(1))
    assert len(counted) == 2 * sum(len(deal.action_indices) for deal in played)
