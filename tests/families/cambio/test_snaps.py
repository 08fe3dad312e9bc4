"""Cambio: cards of the discard's rank thrown on it out of turn. Sheet B11."""

from typing import Any

from tests.games.support.cambio_deals import dealt, seen_by
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

SIXES = ("6S 2S 3S 4S", "AH 6H 3H 4H", "AC 2C 3C 6C")


def six_discarded(stock: str = "", **options: Any) -> ScriptedDeal:
    """Seat 1 has discarded the six of diamonds straight from the stock."""
    table = dealt(f"6D {stock}", top="9D", hands=SIXES, snap=True, **options)
    return table.play("1:draw stock", "1:discard")


def without_cards() -> ScriptedDeal:
    """Seat 1 has thrown all it had."""
    table = dealt(
        "6D 5D 4D 3D 2D TD", top="KC", hands=("AS 9S 8S 7S", "6H 5H 4H 3H", "AC 9C 8C 7C"), snap=True
    )
    for slot, seat in enumerate((1, 2, 0, 1)):
        table.play(f"{seat}:draw stock", f"{seat}:discard")
        while table.asked != 1 or table.kinds != {"snap", "leave"}:
            table.play(f"{table.asked}:leave")
        table.play("1:snap 1:1")
        assert len(table.hands[1].split()) == 3 - slot
    return table


DEALS = """
b11 there are no snaps by default
    dealt | 6S 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C | stock 6D | top 9D
    1:draw stock, 1:discard -> kinds cambio, draw
b11 after a discard any card on the table may be thrown
    six_discarded
    -> legal snap 0:1, snap 0:2, snap 0:3, snap 0:4, snap 1:1, snap 1:2, snap 1:3, snap 1:4, snap 2:1,
        snap 2:2, snap 2:3, snap 2:4, leave
a card replaced from the hand may be snapped too
    dealt snap=True | 6S 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C | stock 5D
    1:draw stock, 1:place 2, 2:snap 2:4 -> hand 2: AC 2C 3C
b11 who throws his own has a card fewer and the others move up
    six_discarded
    2:leave, 0:snap 0:1 -> hands 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C; view discard 1: 9D 6D 6S;
        knows 0: 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??
b11 one succeeds and the others are not asked
    six_discarded | 2:snap 2:4 -> asked 2; kinds cambio, draw
b11 who throws anothers gives him one of his own in its place
    six_discarded | 2:snap 1:2 -> asked 2; legal give 1, give 2, give 3, give 4
    2:give 1 -> hands 6S 2S 3S 4S / AH AC 3H 4H / 2C 3C 6C; asked 2; kinds cambio, draw
what is known of a given card goes with it
    six_discarded
    2:snap 1:2, 2:give 1 -> knows 2: ?? ?? ?? ?? / ?? AC ?? ?? / 2C ?? ??;
        knows 1: ?? ?? ?? ?? / AH ?? ?? ?? / ?? ?? ??
a card may be given for the last one of a hand
    six_discarded | 2:leave, 0:snap 2:4, 0:give 2 -> hands 6S 3S 4S / AH 6H 3H 4H / AC 2C 3C 2S
b11 a wrong card is seen by all and costs a card nobody has seen
    six_discarded | stock KS
    2:snap 0:2 -> hands 6S 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C KS;
        knows 0: 6S 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ?? ??; knows 1: ?? 2S ?? ?? / AH 6H ?? ??
        / ?? ?? ?? ?? ??; knows 2: ?? 2S ?? ?? / ?? ?? ?? ?? / AC 2C ?? ?? ??;
        heard 1: ... 2:snap 0:2, seen 0:2 2S, penalty 2:5
a wrong card leaves the chance to the next
    six_discarded | stock KS | 2:snap 0:2 -> asked 0
    0:snap 0:1 -> hand 0: 2S 3S 4S
what is played for a seat that failed is to let it go by
    six_discarded | -> default leave
b11 the power is used after the snap
    dealt snap=True | 7S 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C | stock 7D
    1:draw stock, 1:discard, 2:leave, 0:snap 0:1 -> asked 1; kinds peek, skip
a thrown card has no power and is not snapped on
    dealt snap=True | 7S 2S 3S 4S / 7H AH 2H 3H / 7C AC 2C 3C | stock 5D
    1:draw stock, 1:place 1, 2:snap 2:1 -> asked 2; kinds cambio, draw
b11 the callers cards are frozen and he is not asked
    dealt snap=True | 6S 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C | stock 6D | top 9D
    1:cambio, 2:draw stock, 2:discard -> asked 0; legal snap 0:1, snap 0:2, snap 0:3, snap 0:4, snap 2:1,
        snap 2:2, snap 2:3, snap 2:4, leave
    0:leave -> asked 2
two jokers are of one rank
    dealt snap=True | R2 2S 3S 4S / AH 6H 3H 4H / AC 2C 3C 6C | stock R1
    1:draw stock, 1:discard, 2:leave, 0:snap 0:1 -> hand 0: 2S 3S 4S
after the move come the snaps and then the call
    six_discarded call_after=True | 2:leave, 0:leave, 1:leave -> legal cambio, continue
a player without cards may draw and discard or call
    without_cards
    2:draw stock, 2:discard, 0:leave, 1:leave, 2:leave, 0:draw stock, 0:discard, 1:leave, 2:leave, 0:leave,
        0:skip -> asked 1; legal draw stock, cambio
"""
test_deals = scripted_cases(DEALS, dealt=dealt, six_discarded=six_discarded, without_cards=without_cards)


def test_b11_the_seat_after_the_discarder_is_asked_first_and_the_discarder_last() -> None:
    table = six_discarded()
    asked = []
    while table.kinds == {"snap", "leave"}:
        asked.append(table.asked)
        table.play(f"{table.asked}:leave")
    assert asked == [2, 0, 1]
    assert table.asked == 2
    assert table.kinds == {"draw", "cambio"}


def test_a_declined_snap_is_not_public() -> None:
    table = six_discarded().play("2:leave")
    assert seen_by(table, 2).events[-1] == "2:leave"
    assert seen_by(table, 0).events[-1] == seen_by(table, 1).events[-1] == "discard 6D"
    assert [event.action.kind for event in table.deal.log] == ["draw", "discard", "leave"]


def test_b11_no_cards_left_count_nothing() -> None:
    table = without_cards()
    table.play("2:cambio", "0:draw stock", "0:discard", "1:leave", "0:leave")
    table.play("1:draw stock", "1:discard", "0:leave", "1:leave", "1:skip")
    assert table.result == {"points": [25, 0, 25]}
    assert "show 1" in seen_by(table, 0).events
