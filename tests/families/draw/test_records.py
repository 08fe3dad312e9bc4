"""The worked examples of sheets B5-B7 as records that are accepted, and false twins that are refused."""

from random import Random
from typing import Any

import pytest

from arena.errors import RecordError
from arena.games import variant
from arena.play import play_match
from arena.play.records.record_check import check_record
from tests.play.simple_bots import Anything

Record = dict[str, Any]


def record(name: str, dealer: int, told: str, actions: str, tokens: list[int], **options: Any) -> Record:
    """A record of one deal; `told`: the hands, the upcard and the stock, with strokes between."""
    *hands, upcard, stock = [part.strip() for part in told.split("|")]
    deal = {
        "dealer": dealer,
        "hands": hands,
        "table": upcard,
        "stock": stock,
        "actions": [action.strip() for action in actions.split(",")],
        "result": {"tokens": tokens},
    }
    return {"v": 1, "variant": name, "options": options, "players": len(hands), "deals": [deal]}


B5_2 = (0, "TH 8H 3C | AC 7C 6C | KD 9D 4S | 2S | JD 2H")
B5_2_PLAYED = "1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C"
B5_5 = (0, "TH 8H 3C | AC 7C 6C | KD QD 4S | 2S | AD")
B5_5_PLAYED = "1:knock, 2:draw stock, 2:discard 4S"
B5_6 = (0, "TS 4S 2C | AC 7C 6C | JH 4H 2D | 2S | 3D 3H")
B5_6_PLAYED = "1:knock, 2:draw stock, 2:discard 3D, 0:draw stock, 0:discard 3H"
B6_7 = (3, "QD 7D 2S | AH KH 2C | 7S 6S 5S | AD KS 6H | 3C | JH")
B6_7_PLAYED = "0:knock, 1:draw stock, 1:discard 2C"
B7_C = (0, "TH 8H 3C | 2S 2H 2D | KC QC 4S | 9S | JC 9H")
B7_C_PLAYED = "1:knock, 2:draw stock, 2:discard 4S, 0:draw stock, 0:discard 3C"


@pytest.mark.parametrize(
    "told",
    [
        record("thirty-one", *B5_2, B5_2_PLAYED, [-1, 0, 0]),
        record("thirty-one", *B5_5, B5_5_PLAYED, [-1, -1, 0]),
        record("thirty-one", *B5_5, B5_5_PLAYED, [-1, 0, 0], knock31="exempt"),
        record("thirty-one", *B5_5, B5_5_PLAYED, [-1, -2, 0], knock31="double"),
        record("thirty-one", *B5_6, B5_6_PLAYED, [-1, 0, -1]),
        record("scat", *B5_6, B5_6_PLAYED, [-1, 0, -1]),
        record("trentuno-draw", *B6_7, B6_7_PLAYED, [0, 0, -1, -1]),
        record("stop-the-bus-31", *B7_C, B7_C_PLAYED, [-1, 0, 0]),
    ],
    ids=["B5 2", "B5 5", "B5 5 Italian", "B5 5 handlebar", "B5 6", "by an alias", "B6 7", "B7 c"],
)
def test_the_worked_examples_verify(told: Record) -> None:
    assert check_record(told).deals == 1


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (record("thirty-one", *B5_2, B5_2_PLAYED, [0, -1, 0]), "result"),
        (record("thirty-one", *B5_5, B5_5_PLAYED + ", 0:draw stock", [-1, -1, 0]), "over"),
        (record("thirty-one", *B5_5, B5_5_PLAYED, [-1, 0, 0]), "result"),
        (record("thirty-one", *B5_6, B5_6_PLAYED.replace("3D", "JS"), [-1, 0, -1]), "JS"),
        (record("thirty-one", *B5_2, "1:draw discard, 1:discard 2S", [-1, 0, 0]), "2S"),
        (record("thirty-one", *B5_2, "1:knock, 2:knock", [-1, 0, 0]), "knock"),
        (record("thirty-one", *B5_2, "2:knock", [-1, 0, 0]), "seat 1"),
        (record("trentuno-draw", *B6_7, B6_7_PLAYED, [-1, 0, -1, -1]), "result"),
        (record("stop-the-bus-31", *B7_C, B7_C_PLAYED, [0, -2, 0]), "result"),
    ],
    ids=str,
)
def test_a_false_record_is_refused_with_the_reason(told: Record, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        check_record(told)


def test_so_is_one_in_which_the_stock_is_shuffled_anew() -> None:
    class Patient(Anything):
        def act(self, view: Any) -> Any:
            return next(action for action in view.legal if action.kind != "knock")

    rules = variant("thirty-one", pack=32, rounds=4)
    told = play_match(rules, [Patient] * 10, seed=str(Random(1).random()))
    assert max(len(deal["stock"].split()) for deal in told["deals"]) > 2
    check_record(told)
