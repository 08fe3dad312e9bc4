"""Input is parsed leniently; invalid input gets advice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import InvalidNotation
from arena.games import View
from arena.games.action import Action
from arena.interactive.person import parse_input
from tests.games.support.cox_deals import cox
from tests.games.support.scripted_deal import ScriptedDeal

LIVES = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"], "JS 9D 3C", dealer=2).view
POOL = ScriptedDeal("pool", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=1).play("1:pass").view
BLIND = ScriptedDeal("pool", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=0).view
BARTER = ScriptedDeal("ready-money", ["TD 6C 2H", "9H 9C 4D"], dealer=1).view
DRAW = ScriptedDeal("thirty-one", ["TD 6C 2H", "9H 9C 4D"], "JS", dealer=1).view
THROW = (
    ScriptedDeal("thirty-one", ["TD 6C 2H", "9H 9C 4D"], "JS", stock="KD", dealer=1).play("0:draw stock").view
)
BRAG = ScriptedDeal("bastard-brag", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=1).view
PLACE = (
    ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="7D", dealer=1)
    .play("0:draw stock")
    .view
)
PEEK = (
    ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="7D", dealer=1)
    .play("0:draw stock", "0:discard")
    .view
)
SWAP = (
    ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="QD", dealer=1)
    .play("0:draw stock", "0:discard")
    .view
)
LAY = cox(["a4 a4 aC s1 s2 p1 p2 f1", "a1 a2 a3 s3 s4 s5 p3 p4"], front="g1").play("0:draw").view

VIEWS = [LIVES, POOL, BLIND, BARTER, DRAW, THROW, BRAG, PLACE, PEEK, SWAP, LAY]


@pytest.mark.parametrize(
    ("view", "typed", "meant"),
    [
        (LIVES, "1", "TD>JS"),
        (LIVES, " 10 ", "pass"),
        (LIVES, "2H>9D", "2H>9D"),
        (LIVES, "2h>9d", "2H>9D"),
        (LIVES, "2h 9d", "2H>9D"),
        (LIVES, "9d for 2h", "2H>9D"),
        (LIVES, "take the 9d for my 2h", "2H>9D"),
        (LIVES, "swap 2♥ with 9♦", "2H>9D"),
        (LIVES, "2h -> 9d", "2H>9D"),
        (LIVES, "10d>js", "TD>JS"),
        (LIVES, "KNOCK", "knock"),
        (LIVES, "k", "knock"),
        (LIVES, "p", "pass"),
        (POOL, "td,6c>js,9d", "TD,6C>JS,9D"),
        (POOL, "9d js, 6c td", "TD,6C>JS,9D"),
        (POOL, "all", "*"),
        (POOL, "*", "*"),
        (BLIND, "#1>9d", "#1>9D"),
        (BLIND, "9d #1", "#1>9D"),
        (BARTER, "t td", "trade TD"),
        (BARTER, "barter 2h", "barter 2H"),
        (BARTER, "2h b", "barter 2H"),
        (BARTER, "stand", "stand"),
        (DRAW, "discard", "draw discard"),
        (DRAW, "draw s", "draw stock"),
        (DRAW, "stock", "draw stock"),
        (THROW, "kd", "discard KD"),
        (THROW, "d 2h", "discard 2H"),
        (THROW, "throw 2h", "discard 2H"),
        (BRAG, "td ??", "TD>??"),
        (PLACE, "place 3", "place 3"),
        (PLACE, "3", "place 3"),
        (PEEK, "peek 0:4", "peek 0:4"),
        (PEEK, "peek 4", "peek 0:4"),
        (SWAP, "swap 1:3 0:2", "swap 0:2 1:3"),
        (SWAP, "swap 2 1:3", "swap 0:2 1:3"),
        (SWAP, "2 1:3", "swap 0:2 1:3"),
        (LAY, "lay a4 a4 ac", "lay a4 a4 aC"),
        (LAY, "AC A4 A4", "lay a4 a4 aC"),
        (LAY, "ho", "hold"),
    ],
)
def test_input_means_one_action(view: View, typed: str, meant: str) -> None:
    assert view.text(parse_input(typed, view)) == meant


@pytest.mark.parametrize("view", VIEWS, ids=range(11))
def test_every_action_is_parsed_from_its_number_and_its_notation_in_any_case(view: View) -> None:
    for number, action in enumerate(view.legal, 1):
        assert parse_input(str(number), view) is action
        assert parse_input(view.text(action), view) is action
        if not view.text(action).isdecimal():
            assert parse_input(view.text(action).lower(), view) is action


@pytest.mark.parametrize(
    ("view", "typed", "answer"),
    [
        (LIVES, "0", "There is no 0: the numbers go from 1 to 11."),
        (LIVES, "99", "There is no 99: the numbers go from 1 to 11."),
        (LIVES, "²", "'²' is not a legal action; type a number, or for example TD>JS."),
        (LIVES, "2h", "That could be 2H>JS or 2H>9D or 2H>3C."),
        (LIVES, "5s>9d", "5S is not available: your cards are TD 6C 2H."),
        (LIVES, "knokc", "'knokc' is not a legal action; did you mean knock?"),
        (LIVES, "hitn", "'hitn' is not a legal action; did you mean hint?"),
        (LIVES, "td,6c>js,9d", "'TD,6C>JS,9D' is not legal now."),
        (BARTER, "td", "That could be trade TD or barter TD."),
        (BARTER, "trade", "That could be trade TD or trade 6C or trade 2H."),
        (SWAP, "swap 2", "That could be swap 0:2 1:1 or swap 0:2 1:2 or swap 0:2 1:3 or swap 0:2 1:4."),
        (PLACE, "swap 2 1:3", "'swap 2 1:3' is not a legal action; type a number, or for example place 1."),
        (LAY, "buy", "'buy' is not a legal action; type a number, or for example lay a4 a4 aC."),
        (LIVES, "\N{REPLACEMENT CHARACTER}", "'\N{REPLACEMENT CHARACTER}' is not a legal action;"),
    ],
)
def test_invalid_input_gets_advice(view: View, typed: str, answer: str) -> None:
    with pytest.raises(InvalidNotation) as error:
        parse_input(typed, view)
    assert str(error.value).startswith(answer)


@given(
    view=st.sampled_from(VIEWS),
    typed=st.text() | st.text(alphabet="0123456789:>#,*? acdghkjpqstAKQJT♥BK$", max_size=12),
)
def test_any_input_is_an_action_or_an_error(view: View, typed: str) -> None:
    assert meant(typed, view) in (*view.legal, None)


def meant(typed: str, view: View) -> Action | None:
    """Return the parsed action; None if there was an error."""
    try:
        return parse_input(typed, view)
    except InvalidNotation:
        return None


def test_a_very_long_number_is_an_error() -> None:
    with pytest.raises(InvalidNotation, match=r"^There is no 9{39}…: the numbers go from 1 to 11\.$"):
        parse_input("9" * 5000, LIVES)


def test_an_ambiguous_input_names_a_few_actions() -> None:
    with pytest.raises(InvalidNotation, match=r"^That could be .* or \d+ more\.$"):
        parse_input("swap", SWAP)
