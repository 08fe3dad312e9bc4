"""Cambio: actions in notation, and what is none."""

import pytest

from arena.errors import IllegalAction, InvalidNotation
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
