"""Cambio: actions in notation, records, and actions sent elsewhere."""

import copy
import pickle
from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidNotation, RecordError
from arena.play.records.record_check import check_record
from tests.games.support.cambio_deals import dealt


def test_the_cards_of_a_swap_stand_in_any_order() -> None:
    table = dealt("JS", swaps="any").play("1:draw stock", "1:discard")
    read = table.view.parse
    assert read("swap 0:4 1:2") is read("swap 1:2 0:4") is read("  swap  0:4  1:2 ")
    assert table.view.text(read("swap 0:4 1:2")) == "swap 1:2 0:4"
    assert read("swap 2:1 0:1") is read("swap 0:1 2:1")


@pytest.mark.parametrize(
    "text", ["place 1", "discard", "peek 1:1", "swap 1:1 0:1", "snap 0:1", "give 2", "skip", "leave"]
)
def test_what_is_not_legal_now_is_said_to_be_so(text: str) -> None:
    with pytest.raises(IllegalAction, match=f"'{text}' is not legal now"):
        dealt().view.parse(text)


@pytest.mark.parametrize(
    "text", ["", "draw", "draw 4D", "place", "place 2:1", "peek 3", "swap 1:2", "Cambio", "knock"]
)
def test_what_is_no_action_is_said_to_be_so(text: str) -> None:
    with pytest.raises(InvalidNotation, match="is not an action of cambio"):
        dealt().view.parse(text)


def test_places_that_are_not_there_are_illegal() -> None:
    table = dealt("7S").play("1:draw stock")
    with pytest.raises(IllegalAction, match="'place 5'"):
        table.view.parse("place 5")
    table.play("1:discard")
    with pytest.raises(IllegalAction, match="'peek 1:0'"):
        table.view.parse("peek 1:0")


def test_actions_stay_the_same_when_copied_or_sent() -> None:
    table = dealt("JS").play("1:draw stock", "1:discard")
    swap = table.view.parse("swap 1:2 0:4")
    assert pickle.loads(pickle.dumps(swap)) is swap
    assert copy.deepcopy(swap) is swap


LAST_TURNS = [
    *("1:cambio", "2:draw stock", "2:place 2", "3:draw stock", "3:discard"),
    *("0:draw stock", "0:discard"),
]
EXAMPLE: dict[str, Any] = {
    "v": 1, "variant": "cambio", "options": {"scoring": "won"}, "players": 4,
    "deals": [{
        "dealer": 0, "hands": ["TS JS QS KS", "2H 3H R1 R2", "2C 4C KH AC", "3S 4S AS AH"],
        "table": "9C", "stock": "3C 5D QD",
        "actions": [*LAST_TURNS, "0:swap 0:4 3:4"],
        "result": {"points": [0, 0, 1, 0]},
    }],
}  # fmt: skip
"""Sheet B11 test 4: seat 1 calls with 5, seat 2 comes down to 5 and wins."""


def test_b11_test_4_as_a_record() -> None:
    assert check_record(EXAMPLE).actions == 8


@pytest.mark.parametrize(
    ("part", "wrong", "reason"),
    [
        ("result", {"points": [0, 1, 1, 0]}, "points"),
        ("stock", "3C 9C QD", "9C"),
        ("table", "9C 8C", "table"),
        ("actions", ["1:cambio", "2:cambio"], "'cambio' is not legal now"),
        ("actions", ["1:draw discard", "1:discard"], "'discard' is not legal now"),
        (
            "actions",
            [*LAST_TURNS, "0:swap 0:4 1:4"],
            "'swap 0:4 1:4' is not legal now",
        ),
    ],
)
def test_a_wrong_twin_of_it_is_refused(part: str, wrong: object, reason: str) -> None:
    (deal,) = EXAMPLE["deals"]
    with pytest.raises(RecordError, match=reason):
        check_record({**EXAMPLE, "deals": [{**deal, part: wrong}]})
