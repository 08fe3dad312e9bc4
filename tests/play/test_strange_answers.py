"""Answers that do harm when they are looked at end in a fault, like any other wrong one."""

from typing import Any

import msgspec
import pytest

from arena import Bot, play_match, variant
from arena.errors import IllegalAction, InvalidNotation
from arena.games import View
from arena.play.bot import classify_fault, collect_notes
from arena.play.bot_runtime.server import encode_failure, encode_illegal
from arena.play.faults import summarize_failure
from bots.plain import Random


class Hashless:
    """An answer that ends the process when it is hashed."""

    def __hash__(self) -> int:
        raise SystemExit(3)


class Liar:
    """An answer that ends the process when its class is inspected."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise SystemExit(3)


@pytest.mark.parametrize("kind", [Hashless, Liar])
def test_an_answer_that_raises_when_it_is_looked_at_is_a_fault(kind: type[Any]) -> None:
    class Failing(Bot):
        def act(self, view: View) -> Any:
            return kind()

    record = play_match(variant("lives"), [Failing, Random, Random], seed="x")
    assert [fault["seat"] for fault in record["faults"]] == [0] * 3
    # compiled code does not ask an object for its class
    assert {fault["kind"] for fault in record["faults"]} < {"invalid", "crash"}


def test_half_a_surrogate_pair_is_replaced_wherever_a_bot_writes_it() -> None:
    text, notes = "half \ud800", list[str]()
    bot = object.__new__(Bot)
    collect_notes(bot, notes)
    bot.note(text)
    failure = encode_failure(1, "crash", ValueError(text))
    sent = msgspec.msgpack.encode([notes[0], encode_illegal(text, 1), failure[2]])
    assert [words[-6:] for words in msgspec.msgpack.decode(sent)] == ["half ?"] * 3


@pytest.mark.parametrize("bots", [3, "greedy", {"greedy": 1}])
def test_bots_that_are_no_list_are_refused(bots: Any) -> None:
    with pytest.raises(TypeError, match="bots is a list with a bot for each seat, not "):
        play_match("lives", bots, seed="x")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None: is a return missing? (an answer is one of view.legal, or its text)"),
        (5, "5 (an answer is one of view.legal, or its text)"),
        ((_ for _ in "ab"), "a generator: write return, not yield"),
    ],
)
def test_what_an_answer_should_be_is_logged(
    answer: object, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Bot):
        def act(self, view: View) -> Any:
            return answer

    play_match("lives", [Failing, Random], seed="x")
    messages = [record.getMessage().partition("invalid: ")[2] for record in caplog.records]
    assert {message.partition("; the legal actions are:\n")[0] for message in messages} == {words}


def test_a_wrong_answer_is_logged_with_the_first_legal_actions(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Bot):
        def act(self, view: View) -> Any:
            return "nonsense"

    play_match("lives", [Failing, Random], seed="x")
    play_match("pool", [Failing, Random], seed="x")
    messages = [record.getMessage() for record in caplog.records]
    assert messages[0].endswith(", pass, knock")
    assert messages[-1].endswith(" in all)")
    assert max(map(len, messages)) < 500
    assert summarize_failure(messages[0]).endswith("'nonsense' is not an action of this game")


def test_an_error_of_the_rules_that_a_bot_causes_is_a_crash_with_its_line(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Failing(Bot):
        def act(self, view: View) -> Any:
            return variant("lives").rank(view.hand[:1])

    record = play_match("lives", [Failing, Random], seed="x")
    assert {fault["kind"] for fault in record["faults"]} == {"crash"}
    words = "crash: InvalidNotation: a hand of lives has 3 cards, not 1 (Rules.hand_sizes) (rules.py:"
    assert words in caplog.records[0].getMessage()
    assert {classify_fault(error("x")) for error in (InvalidNotation, IllegalAction)} == {"crash"}


def test_an_async_act_is_named(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Bot):
        async def act(self, view: View) -> Any:  # type: ignore[override]
            return view.legal[0]

    play_match("lives", [Failing, Random], seed="x")
    assert "invalid: a coroutine: write `def act`, without async" in caplog.records[0].getMessage()
