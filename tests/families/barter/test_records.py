"""The worked examples of sheets B2 and B3 as records that are accepted, and false twins that are refused."""

from typing import Any

import pytest

from arena.errors import RecordError
from arena.games import variant
from arena.play import play_match
from arena.play.records.record_check import check_record

Record = dict[str, Any]


def record(name: str, hands: str, stock: str, actions: str, result: Record, **options: Any) -> Record:
    """A record of one deal by seat 0; the hands with strokes between."""
    dealt = [hand.strip() for hand in hands.split("|")]
    deal = {
        "dealer": 0,
        "hands": dealt,
        "table": "",
        "stock": stock,
        "actions": [action.strip() for action in actions.split(",")],
        "result": result,
    }
    return {"v": 1, "variant": name, "options": options, "players": len(dealt), "deals": [deal]}


B2_1 = ("ready-money", "AH AD 5S | KH KD 3C | 8S 7S 2D | QC JC 9C", "7D")
B2_1_PLAYED = "1:trade 3C, 1:continue, 2:barter 2D, 3:stand"
B2_4 = ("ready-money", "9H 9C 9D | KH KD 3C | 8S 7S 2D | QC JS 8C", "")
B3_7 = ("trade-and-barter", "AH KD 5S | KH QD 3C | 8S 7S 2D | QC JC TC", "7C")
B3_7_PLAYED = "1:trade 3C, 2:barter 2D, 3:give TC, 3:barter 2D, 0:give 9C"


@pytest.mark.parametrize(
    "told",
    [
        record(*B2_1, B2_1_PLAYED, {"chips": [-2, -2, -1, 5], "pool": 0}),
        record(*B2_4, "1:stand", {"chips": [4, -2, -1, -1], "pool": 0}),
        record(*B3_7, "1:trade 3C, 2:knock", {"chips": [-1, -2, -1, 4], "pool": 0}),
    ],
    ids=["B2 test 1", "B2 test 4", "B3 test 7"],
)
def test_the_worked_examples_verify(told: Record) -> None:
    assert check_record(told).deals == 1


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (
            record(*B2_1, B2_1_PLAYED, {"chips": [-1, -2, -1, 4], "pool": 0}),
            r"deal 1: the result is .*\[-2, -2, -1, 5\]",
        ),
        (
            record(*B2_1, "1:trade 3C, 2:barter 2D, 3:stand", {"chips": [-2, -2, -1, 5], "pool": 0}),
            "action 2, '2:barter 2D': it is for seat 1 to act",
        ),
        (
            record(*B2_1, "1:trade 3C, 1:continue, 2:barter 2D, 3:decline", {}),
            "action 4, '3:decline': 'decline' is not legal now",
        ),
        (
            record(*B2_4, "1:trade 3C, 1:stand", {"chips": [5, -3, -1, -1], "pool": 0}),
            "action 1, '1:trade 3C': the record names fewer cards than come from the stock",
        ),
        (record(*B2_4, "1:knock", {"chips": [4, -2, -1, -1], "pool": 0}), "'knock' is not legal now"),
        (
            record(*B3_7, "1:trade 3C, 2:barter 2D, 3:stand", {"chips": [-1, -2, -1, 4], "pool": 0}),
            "action 3, '3:stand': 'stand' is not legal now",
        ),
        (
            record(*B3_7, "1:trade 3C, 2:barter 3C, 3:give QC", {"chips": [-1, -2, -1, 4], "pool": 0}),
            "action 2, '2:barter 3C': 3C is not in the hand",
        ),
        (
            record(*B3_7, "1:trade 3C, 2:knock", {"chips": [-1, -2, -1, 4], "pool": 4}),
            "the result is .*'pool': 0",
        ),
    ],
)
def test_a_false_record_is_refused_with_the_reason(told: Record, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        check_record(told)


def test_a_card_drawn_again_is_recorded_again() -> None:
    """Two players and 32 cards, each trade the card that came before: the 27th is the first reject."""
    told = play_match(variant("trade-and-barter", pack=32), [Trader, Trader], seed="round")
    stock = told["deals"][0]["stock"].split()
    assert len(stock) == 40
    assert stock[26] == told["deals"][0]["actions"][0].split()[1]
    assert check_record(told).matches == 1


class Trader:
    """Always trades the first card."""

    def act(self, view: Any) -> Any:
        return view.legal[0]
