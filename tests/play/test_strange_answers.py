"""Answers that do harm when they are looked at end in a fault, like any other wrong one."""

from typing import Any

import pytest

from arena import Bot, play_match, variant
from arena.games import View
from bots.random_ import Random


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


@pytest.mark.parametrize("bots", [3, "greedy", {"greedy": 1}])
def test_bots_that_are_no_list_are_refused(bots: Any) -> None:
    with pytest.raises(TypeError, match="bots is a list with a bot for each seat, not "):
        play_match("lives", bots, seed="x")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "None: is a return missing? (an answer is one of view.legal, or its text)"),
        (5, "5 (an answer is one of view.legal, or its text)"),
    ],
)
def test_what_an_answer_should_be_is_logged(
    answer: object, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Bot):
        def act(self, view: View) -> Any:
            return answer

    play_match("lives", [Failing, Random], seed="x")
    assert {record.getMessage().partition("invalid: ")[2] for record in caplog.records} == {words}
