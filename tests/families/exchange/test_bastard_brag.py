"""Bastard Brag: two cards up, one down, and who knows it. Sheet B8; ruling R8."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from arena.errors import InvalidNotation
from arena.families.exchange.view import ExchangeView
from arena.games import View, variant
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ["TD 6C 2H", "9H 9C 5D", "KS QS 5H", "AS 7D 3S"]
WIDOW = "JS 9D 3C"


def dealt(hands: list[str] = HANDS, widow: str = WIDOW, **more: Any) -> ScriptedDeal:
    return ScriptedDeal("bastard-brag", hands, widow, **more)


def view(table: ScriptedDeal, seat: int) -> ExchangeView:
    seen = table.deal.view(seat)
    assert isinstance(seen, ExchangeView)
    return seen


def text(cards: Any) -> str:
    return " ".join(map(str, cards))


DEALS = """
# turns
b8 one card or all three must be exchanged
    dealt | -> legal 9H>JS, 9H>??, 9H>3C, 9C>JS, 9C>??, 9C>3C, 5D>JS, 5D>??, 5D>3C, *
b8 test 8 two cards cannot be exchanged
    dealt | -> illegal 9H,9C>JS,3C, 9H,9C>JS,??
b8 test 6 one knocks from the second turn on and the others exchange once more
    dealt | -> may not knock
    1:* -> may not knock
    2:* -> may not knock
    3:* -> may not knock
    0:*, 1:* -> legal 9H>JS, 9H>??, 9H>3C, 9C>JS, 9C>??, 9C>3C, 5D>JS, 5D>??, 5D>3C, *, knock
    2:knock -> asked 3; kinds exchange
    3:* -> asked 0; kinds exchange
    0:* -> asked 1; kinds exchange
    1:* -> over; knocker 2
b8 test 7 the lowest loses a life
    dealt rounds=1 | 7S 7C 6D / JC JD 9C / 5S 4D 9H / AS KD 7D | widow JH 2C 2S
    1:9C>2S, 2:9H>??, 3:7D>JH, 0:6D>7D -> hands 7S 7C 7D / JC JD 2S / 5S 4D 2C / AS KD JH; tokens 0 0 -1 0
b8 all who tie for lowest lose
    dealt rounds=1 | 7S 5C 3D / 7C 5D 3H / KS KC KD | widow 2H 2C 2D
    1:3H>2H, 2:KD>??, 0:3D>2D -> tokens -1 -1 0
# the card that lies face down
b8 at the deal nobody knows the middle card
    dealt | -> view widow 0 1 2 3: JS ?? 3C; view widow_dealt 0 1 2 3: JS ?? 3C; view down 0 1 2 3: 1
b8 who laid it knows its next taker to hold it and no more what lies there
    dealt
    1:5D>??, 2:KS>?? -> knows 1: - / - / 5D / -; view widow 1: JS ?? 3C; view widow 2: JS KS 3C;
        knows 0 3: - / - / - / -
b8 test 5 who takes it lays his own there and he alone knows it
    dealt
    1:5D>?? -> hand 1: 9H 9C 9D; view widow 0 2 3: JS ?? 3C; view widow 1: JS 5D 3C; heard 0 2 3: 1:??>??;
        heard 1: 1:5D>??; knows 0 2 3: - / - / - / -; log 1:5D>??
b8 of a card given face down it is not known whether it was one that was known
    dealt | 1:5D>JS, 2:*, 3:*, 0:*, 1:JS>?? -> knows 2: AS 3S / - / - / KS QS 5H
    dealt | 1:5D>JS, 2:*, 3:*, 0:*, 1:9H>?? -> knows 2: AS 3S / - / - / KS QS 5H
b8 all three are taken with the one unseen and the middle one given lies face down
    dealt
    1:* -> hand 1: JS 9D 3C; view widow 1: 9H 9C 5D; view widow 2: 9H ?? 5D; knows 2: - / JS 3C / - / -;
        heard 2: 1:*; cards 2: 9H ?? 5D JS ?? 3C
b8 by the option all three lie face up
    dealt all_up=True | -> view widow 3: JS 9D 3C; may 9H>9D; may not 9H>??
with open hands everybody sees what is laid face down
    dealt open_hands=True | -> view widow 2: JS ?? 3C
    1:5D>?? -> view widow 2: JS 5D 3C
# which card it is, to the others
the others cannot tell which card was laid nor from which slot
    dealt | 1:5D>?? -> cards 0 2 3: ?? ??; cards 1: 5D 9D; slots 0 2 3: -; slots 1: 2
nor from which slot a card that lies up came
    dealt | 1:5D>JS -> cards 0 1 2 3: 5D JS; slots 0 1 2 3: -
what it is for another is not to be foreseen
    dealt
    -> leaves JS 9C 5D / ?? 9C 5D / 3C 9C 5D / 9H JS 5D / 9H ?? 5D / 9H 3C 5D / 9H 9C JS / 9H 9C ??
        / 9H 9C 3C / JS ?? 3C
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


# --- turns ---


def test_b8_by_the_option_from_the_third_turn_on() -> None:
    table = dealt(knock_from_round=3)
    for seat in (1, 2, 3, 0) * 2:
        assert "knock" not in table.legal
        table.play(f"{seat}:*")
    assert "knock" in table.legal


# --- the card that lies face down ---


def test_b8_all_three_may_be_spelled_out() -> None:
    table = dealt()
    assert table.view.parse("5D,9H,9C>3C,??,JS") is table.view.parse("*")
    for wrong in ("5D>??,??", "9H,9C>??,??", "5D>9D", "??>JS"):
        with pytest.raises(InvalidNotation):
            table.view.parse(wrong)


def test_b8_it_is_written_so_by_who_knows_it_too() -> None:
    table = dealt().play("1:5D>??", "2:QS>JS", "3:AS>QS", "0:TD>AS")
    assert text(view(table, 1).widow) == "TD 5D 3C"
    assert "9H>??" in table.legal
    assert "9H>5D" not in table.legal
    assert text(table.view.after(table.view.parse("9H>??"))) == "5D 9C 9D"


# --- deals as a seat can imagine them ---


def imagined(seen: View, times: int = 1000) -> Counter[str]:
    """The number of times each card is imagined to lie face down."""
    rng = Random(4)
    return Counter(str(seen.sample(rng).deal.widow[1]) for _ in range(times))  # type: ignore[attr-defined]


def test_each_card_never_seen_may_lie_there_with_equal_chance() -> None:
    counts = imagined(dealt().deal.view(1))
    assert len(counts) == 52 - 3 - 2
    each = 1000 / len(counts)
    assert sum((times - each) ** 2 / each for times in counts.values()) < 90


def test_a_card_known_in_a_hand_is_laid_down_once_in_three_times() -> None:
    """Seat 1 is seen to take the knave, then lays one of its three cards down."""
    table = dealt().play("1:5D>JS", "2:*", "3:*", "0:*", "1:9C>??")
    assert abs(imagined(table.deal.view(2))["JS"] - 1000 / 3) < 50


def test_what_is_given_later_is_weighed_too() -> None:
    """Then seat 1 gives a card never seen: one of three if the knave was laid down, else one of two."""
    table = dealt().play(
        "1:5D>JS", "2:*", "3:*", "0:*", "1:9C>??", "2:5D>TD", "3:KS>2H", "0:3S>5D", "1:9H>KS"
    )
    ways = {"the knave": 1 * 3, "another": 2 * 2}
    expected = 1000 * ways["the knave"] / sum(ways.values())
    assert abs(imagined(table.deal.view(2))["JS"] - expected) < 50


def test_what_is_seen_to_come_from_a_hand_was_not_laid_down() -> None:
    table = dealt().play(
        "1:5D>JS", "2:QS>5D", "3:AS>QS", "0:TD>AS", "1:9C>??", "2:KS>TD", "3:7D>KS", "0:6C>7D"
    )
    table.play("1:JS>6C")
    assert imagined(table.deal.view(2), 300)["JS"] == 0


def test_who_laid_a_card_imagines_it_where_it_must_be() -> None:
    table = dealt().play("1:5D>??", "2:QS>JS", "3:AS>QS", "0:TD>??")
    rng = Random(5)
    for _ in range(50):
        deal: Any = table.deal.view(1).sample(rng).deal
        assert "5D" in text(deal.hands[0])


def test_even_at_a_large_table_that_never_knocks_a_deal_is_soon_imagined() -> None:
    match, rng = variant("bastard-brag").match(8, "long"), Random(1)
    for _ in range(100):
        seen = match.view(match.seat_to_act or 0)
        match.apply(rng.choice([action for action in seen.legal if action.kind != "knock"]))
    seen = match.view(match.seat_to_act or 0)
    again = seen.sample(rng).view(seen.seat)
    assert (again.hand, again.events, again.known) == (seen.hand, seen.events, seen.known)
