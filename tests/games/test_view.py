"""Cards that a seat knows others to hold, followed by the deal of a game in plain Python."""

import pytest

from arena.games.action import Event, action
from arena.games.cards import HIDDEN, Hand, Pack, find_pack
from arena.games.view import CardMoves

PACK = find_pack(52)
PASS = action("pass-on", template="pass-on %s")
SHOW = action("king", template="king %s")


def hand(text: str) -> Hand:
    return tuple([HIDDEN if card == "??" else PACK.card(card) for card in text.split()])


def event(number: int, cards: str, done: object = PASS) -> Event:
    return Event(None, number, 0, done, hand(cards))  # type: ignore[arg-type]


BEFORE, AFTER = (hand("AS 2D"), hand("KH QH"), ()), (hand("2D"), hand("KH QH AS"), ())
"""Seat 0 passes its ace on to seat 1."""


@pytest.mark.parametrize("is_recorded_first", [True, False])
def test_a_card_that_was_seen_on_its_way_is_known(is_recorded_first: bool) -> None:
    moves = CardMoves(BEFORE)
    moves = moves.follow(BEFORE if is_recorded_first else AFTER, 0)
    moves = moves.follow(AFTER, 1)
    assert moves.find_known(2, [event(0, "AS")], PACK)[1] == hand("AS")
    assert moves.find_known(2, [event(0, "??")], PACK)[1] == ()


def test_a_card_shown_in_a_hand_is_known_until_the_hand_gives_up_one_unseen() -> None:
    moves, shown = CardMoves(BEFORE).follow(BEFORE, 0), event(0, "KH", SHOW)
    assert moves.find_known(2, [shown], PACK)[1] == hand("KH")
    moves = moves.follow((hand("AS 2D"), hand("KH"), hand("QH")), 1)
    assert moves.find_known(0, [shown, event(1, "??")], PACK)[1] == ()  # it could be the king
    assert moves.find_known(0, [shown, event(1, "QH")], PACK)[1:] == (hand("KH"), hand("QH"))


def test_a_card_that_was_seen_before_and_comes_unseen_is_not_known() -> None:
    """A discard that is shuffled into the stock and drawn again."""
    moves = CardMoves(BEFORE).follow((hand("2D"), hand("KH QH"), ()), 0).follow(AFTER, 1)
    assert moves.find_known(2, [event(0, "AS"), event(1, "??")], PACK)[1] == ()


def test_of_cards_that_the_pack_has_several_times_nothing_is_known() -> None:
    double = Pack("double", [*PACK.cards, *PACK.cards], PACK.ranks)
    moves = CardMoves(BEFORE).follow(AFTER, 0)
    assert moves.find_known(2, [event(0, "AS")], double)[1] == ()
