"""Suggestions come from every bot at every decision, and leave the match unchanged."""

from typing import Any

from arena.games import Deal, variant
from arena.play import Bot, play_match
from arena.play.bot import make_factory
from arena.play.records.record_check import replay_record
from arena.play.records.record_schema import decode_record, encode_record
from arena.play.suggested_actions import suggest_actions


class First(Bot):
    """The first legal action."""

    def act(self, view: Any) -> Any:
        return view.legal[0]


class Broken(Bot):
    """Fails whenever it is asked."""

    def act(self, view: Any) -> Any:
        raise ValueError("no idea")


class Listener(Bot):
    """Says in its answers whether it has heard what its seat heard."""

    heard = 0
    deals = 0

    def observe(self, event: str) -> None:
        self.heard += 1

    def deal_over(self, result: dict[str, Any]) -> None:
        self.deals += 1
        self.heard = 0

    def act(self, view: Any) -> Any:
        assert self.heard == len(view.events)
        assert self.deals == view.deal
        return view.legal[-1]


def deals() -> list[Deal]:
    return replay_record(
        decode_record(encode_record(play_match(variant("lives"), [First, Listener, First], seed="any text")))
    )


def texts(deal: Deal) -> list[str]:
    return [event.text.partition(":")[2] for event in deal.log]


def test_a_bot_agrees_with_itself() -> None:
    played = deals()
    for deal, answers in zip(played, suggest_actions(played, {"first": make_factory(First)}), strict=True):
        for event, done, answer in zip(deal.log, texts(deal), answers, strict=True):
            if event.seat != 1:
                assert answer.get("first", done) == done


def test_an_adviser_receives_the_events_of_its_seat() -> None:
    played = deals()
    answers = suggest_actions(played, {"listener": make_factory(Listener)})
    given = [answer["listener"] for own in answers for answer in own if answer]
    assert given
    assert "" not in given


def test_a_bot_that_fails_has_no_suggestion() -> None:
    answers = suggest_actions(deals(), {"broken": make_factory(Broken)})
    assert {answer["broken"] for own in answers for answer in own if answer} == {""}
