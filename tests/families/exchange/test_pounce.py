"""Pounce: the fourth card of a tricon, taken from the widow. Rulings W24, R2, R3, R26."""

from typing import Any

from arena.games import variant
from arena.games.cards import PACKS
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

NINES = "9H 9C 9D"


def three(middle: str = NINES, widow: str = "JS 4D 3C", **more: Any) -> ScriptedDeal:
    """Seat 1 has three nines; seat 2, whose turn is after his, the fourth."""
    return ScriptedDeal("pounce", ["TD 6C 2H", middle, "9S QS 5H"], widow, **{"stock": "2C"} | more)


DEALS = """
# when it is offered: W24, R2
w24 the fourth that another lays down is offered before the next turn
    three | 1:pass, 2:9S>4D -> asked 1; legal pounce, leave
    1:pounce -> asked 0; hand 1: 9H 9C 9D 9S
w24 the fourth may have lain there when the tricon is completed
    pounce | TD 6C 2H / 9H 9C 4H / KS QS 5H | table 9D 9S 3C | 1:4H>9D -> asked 1; legal pounce, leave
w24 a tricon dealt may take the fourth that is dealt to the widow
    pounce | TD 6C 2H / 9H 9C 9D / KS QS 5H | table JS 9S 3C | stock 2C | -> asked 1; legal pounce, leave
    1:pounce -> asked 2
r2 in pool the first offer comes when the dealer has looked
    pool pounce=True | TD 6C 2H / 9H 9C 9D / KS QS 5H | table JS 9S 3C | -> asked 0; kinds exchange, pass
    0:pass -> legal pounce, leave
    pool pounce=True | TD 6C 2H / 9H 9C 9D / KS QS 5H | table JS 9S 3C
    0:#1>9S -> asked 1; kinds exchange, knock, pass
w24 the fourth that the stock adds is offered before the round
    pool pounce=True | TD 6C 2H / 9H 9C 9D / KS QS 5H | table JS 4D 3C | stock 9S 2C
    0:pass, 1:pass, 2:pass, 0:pass -> asked 1; legal pounce, leave
    1:pounce -> asked 2; table JS 4D 3C 2C
w24 after a knock and for the knocker until the hands are shown
    three | 1:knock, 2:9S>4D -> asked 1; legal pounce, leave
    1:pounce, 0:pass -> over
    pounce dealer=2 | 9H 9C 9D / TD 6C 2H / 9S QS 5H | table JS 4D 3C | stock 2C
    0:pass, 1:knock, 2:9S>4D -> asked 0
    0:pounce -> over
w24 it is offered after the very last exchange
    pounce dealer=1 | 9H 9C 9D / TD 6C 2H / 9S QS 5H | table JS 4D 3C | stock 2C
    2:pass, 0:knock, 1:pass, 2:9S>4D -> asked 0; legal pounce, leave
    0:pounce -> tokens 0 -1 0
# what it does
w24 the stock refills the widow in the same place
    three
    1:pass, 2:9S>4D, 1:pounce -> table JS 2C 3C; heard 0: ... 1:pounce, widow 2C;
        legal TD>JS, TD>2C, TD>3C, 6C>JS, 6C>2C, 6C>3C, 2H>JS, 2H>2C, 2H>3C, pass, knock
w24 a widow of one card can be exchanged with
    # Three cards were taken from it, and the stock had one.
    pounce dealer=11 pack=40 | 7H 7C 7D / 6H 6C 6D / 5H 5C 5D / 2S 3S 4S / JS QS KS / AS 2H 3H / 4H JH QH
        / KH AH 2D / 3D 4D JD / QD KD AD / 2C 3C 4C / JC QC KC | table 7S 6S 5S | stock AC
    0:pounce, 1:pounce, 2:pounce -> table AC; asked 3
    3:2S>AC -> table 2S; hand 3: AC 3S 4S; view table 4: 2S
w24 the four count at the showdown
    pool pounce=True | AS AH AD / 9H 9C 9D / KS QS 5H | table JS 9S 3C | stock 2C 2D 2H
    0:pass, 1:pounce, 2:knock, 0:knock -> chips 0 3 0
# who has pounced: R3, R26
r3 who has pounced is not asked again
    three | 1:pass, 2:9S>4D, 1:pounce, 0:pass -> asked 2
    2:QS>3C, 0:pass -> asked 2
w24 pouncing is standing and no knock
    three | 1:pass, 2:9S>4D, 1:pounce -> may knock; view knocker 0: -
    pool pounce=True | TD 6C 2H / 9H 9C 9D / KS QS 5H | table JS 9S 3C | stock 2C
    0:pass, 1:pounce, 2:knock -> asked 0
r3 the deadlock is of the others
    three | 1:pass, 2:9S>4D, 1:pounce, 0:pass, 2:pass, 0:pass, 2:pass -> over
r3 a pounce begins the count of passes anew
    pounce | TD 6C 2H / 9H 9C 9D / KS QS 5H | table JS 9S 3C | stock 2C
    1:pounce, 2:pass, 0:pass, 2:pass -> asked 0
if all have pounced the hands are shown
    pounce dealer=1 | 8H 8C 8D / 9H 9C 9D | table JS 9S 8S | stock 2C 3D | 0:pounce, 1:pounce -> tokens -1 0
# who leaves it: R3
r3 who leaves it is not asked again while it lies there
    three | 1:pass, 2:9S>4D, 1:leave, 0:2H>JS -> asked 1; kinds exchange, knock, pass
r3 but when it has gone and come again
    three | 1:pass, 2:9S>4D, 1:leave, 0:2H>9S, 1:pass, 2:pass, 0:9S>JS -> asked 1; legal pounce, leave
r3 and when he has broken his tricon and made it again
    three | 1:pass, 2:9S>4D, 1:leave, 0:pass, 1:9H>9S, 2:pass, 0:pass -> kinds exchange, knock, pass
    1:9C>3C, 2:pass, 0:pass, 1:3C>9C -> asked 1; legal pounce, leave
nobody else hears that it was left
    # A declined offer would betray the tricon.
    three
    1:pass, 2:9S>4D, 1:leave -> heard 0 2: 1:pass, 2:9S>4D; heard 1: 1:pass, 2:9S>4D, 1:leave;
        log 1:pass, 2:9S>4D, 1:leave
nobody else can tell that somebody is asked
    three | 1:pass, 2:9S>4D -> view legal 0 2: -; illegal pass
"""
test_deals = scripted_cases(DEALS, three=three)


# --- when it is offered: W24, R2 ---


def test_w24_it_is_no_rule_of_the_games_without_it() -> None:
    for name in ("lives", "pool", "tokens", "extended"):
        table = ScriptedDeal(name, ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C")
        assert "pounce" not in table.kinds
        assert variant(name, pounce=True).overrides == {"pounce": True}


# --- what it does ---


def test_w24_an_empty_stock_refills_nothing() -> None:
    sevens, sixes = ["7H 7C 7D", "6H 6C 6D"], "7S 6S"
    rest = [str(card) for card in PACKS[40].cards if card.rank not in "67"]
    hands = [*sevens, *(" ".join(rest[at : at + 3]) for at in range(0, 30, 3))]
    table = ScriptedDeal("pounce", hands, f"{sixes} {rest[30]}", dealer=11, stock=rest[31], pack=40)
    table.play("0:pounce")
    assert table.widow == f"{rest[31]} 6S {rest[30]}"
    table.play("1:pounce")
    assert table.widow == f"{rest[31]} {rest[30]}"
    assert table.asked == 2
    assert len(table.view.legal) == 3 * 2 + 2
    assert len(table.play(f"2:{table.legal[-3]}").view.table) == 2


test_hands = hand_cases("""
w24 four beat every three and the higher four the lower
    # Sheet B1, test 6.
    pounce | 9H 9C 9D 9S > 8H 8C 8D 8S > 2H 2C 2D 2S > AS AH AD
""")


# --- who has pounced: R3, R26 ---


def test_r26_who_has_pounced_still_counts_for_the_rounds() -> None:
    table = ScriptedDeal("pool", ["TD 6C 2H", NINES, "KS QS 5H"], "JS 9S 3C", pounce=True, stock="2C 2D 3D")
    table.play("0:pass", "1:pounce")
    rounds = 0
    while table.asked is not None:
        table.play("2:pass", "0:pass")
        rounds += 1
    assert rounds == 3
