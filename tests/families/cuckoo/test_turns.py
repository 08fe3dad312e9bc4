"""The cuckoo family: turns, refusals and settlement. Sheet B10; rulings R14, R30, W22."""

from collections.abc import Sequence
from typing import Any

import pytest

from arena.games import variant
from tests.games.support.hand_cases import hand_cases
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

FOUR = ["9S", "4D", "2H", "7C"]


def cuccu(hands: Sequence[str | None] = FOUR, **options: Any) -> ScriptedDeal:
    """Cards by seat; seat 0 deals."""
    return ScriptedDeal("cuccu", hands, **options)


def kept(hands: Sequence[str | None], **options: Any) -> ScriptedDeal:
    """The deal when everybody keeps."""
    table = cuccu(hands, **options)
    return table.play(*[f"{seat}:keep" for seat in table.deal.opening.order])


DEALS = """
# a turn
b10 the next player must swap
    cuccu | 1:swap -> hands 9S / 2H / 4D / 7C
    2:swap -> hand 2: 7C; hand 3: 4D
b10 test 6 a swap cannot be undone
    cuccu | 1:swap, 2:keep, 3:keep, 0:keep -> hand 1: 2H; tokens 0 -1 0 0
b10 a seat that failed keeps
    cuccu | -> default keep
texts that are not actions here are refused
    cuccu | -> unread '', pass, swap 1, keep 4D, KEEP
r14 r30 turns go to the left or to the right
    cuccu dealer=1 | 2:swap -> hands 9S / 4D / 7C / 2H
    cuccu dealer=1 direction=right | 0:swap -> hands 7C / 4D / 2H / 9S
    3:keep -> asked 2
# kings
b10 a king refuses is shown and ends its holders turn
    cuccu | 9S / 4D / KH / 7C | 1:swap -> hands 9S / 4D / KH / 7C; heard 0: 1:swap, show 2 KH; asked 3
b10 a king refused by the dealer ends the deal
    cuccu | KS / 4D / 2H / 7C | 1:keep, 2:keep, 3:swap -> over; tokens 0 0 -1 0
b10 a king may be given away
    cuccu | 9S / KD / 2H / 7C | 1:swap -> hands 9S / 2H / KD / 7C
b10 before a king that was shown one can only keep
    # Seat 1's demand was passed on by the horse of seat 2 to the king of seat 3.
    cuccu horse_passes=True | 9S / 4D / QH / KC | 1:swap -> asked 2; legal keep
b10 kings may be shown as soon as they are dealt
    cuccu expose_kings=True | KS / 4D / KH / 7C | -> heard 3: show 2 KH, show 0 KS; asked 1; legal keep
    1:keep -> asked 3; legal keep
    3:keep -> tokens 0 -1 0 0
b10 where all have kings there are no turns
    cuccu expose_kings=True | KS / KD | -> tokens -1 -1
b10 with the ace high it is the ace that refuses
    cuccu ace_high=True | 9S / KD / AH / 2C | 1:swap -> heard 0: 1:swap, show 2 AH
    3:keep, 0:keep -> tokens 0 0 0 -1
    cuccu ace_high=True | 9S / 4D / KH / 7C | 1:swap -> hands 9S / KH / 4D / 7C
# the dealer and the stock
b10 the dealer takes the top card of the stock
    cuccu | stock 5D
    1:keep, 2:keep, 3:keep, 0:swap -> hand 0: 5D; heard 1: ... 0:swap, show 1 4D, show 2 2H, show 3 7C,
        show 0 5D
b10 a king from the stock is void
    cuccu | stock KD
    1:keep, 2:keep, 3:keep, 0:swap -> hand 0: 9S; heard 1: ... 0:swap, show 0 KD, show 1 4D ...
b10 or is kept
    cuccu stock_king_ok=True | stock KD | 1:keep, 2:keep, 3:keep, 0:swap -> hand 0: KD
# horses
b10 a horse may pass the swap on
    cuccu horse_passes=True | 9S / 4D / QH / 7C
    1:swap -> hands 9S / 7C / QH / 4D; heard 0: 1:swap, show 2 QH; asked 2; legal keep, swap
    cuccu | 9S / 4D / QH / 7C | 1:swap -> hands 9S / QH / 4D / 7C
b10 several horses pass it on from the dealer to the stock
    cuccu horse_passes=True | QD / 4D / QH / QC | stock 5H 6H
    1:swap -> hands QD / 5H / QH / QC; heard 0: 1:swap, show 2 QH, show 3 QC, show 0 QD
    cuccu horse_passes=True | QD / 7C | stock KH
    1:swap -> heard 0: 1:swap, show 0 QD, show 1 KH; hands QD / 7C; asked 0
# who loses
b10 test 4 two aces both lose
    kept | AS / 4D / AH / 7C | -> tokens -1 0 -1 0
b10 or only the first of them in turn
    kept tie=first | AS / 4D / AH / 7C | -> tokens 0 0 -1 0
    kept tie=first dealer=2 | AS / 4D / AH / 7C | -> tokens -1 0 0 0
b10 test 5 where all are equal all lose or none
    kept | 7S / 7D / 7H / 7C | -> tokens -1 -1 -1 -1
    kept tie_all=none | 7S / 7D / 7H / 7C | -> tokens 0 0 0 0
    kept tie_all=none | 7S / 7D / 7H / 8C | -> tokens -1 -1 -1 0
b10 a card equal to anothers may be safe
    kept pairs_safe=True | AS / 4D / AH / 7C | -> tokens 0 -1 0 0
    kept pairs_safe=True | AS / 4D / AH / 4C | -> tokens 0 0 0 0
w22 if nobody would be left in nobody loses
    kept start.tokens=1,1,0 | AS / AD / - | -> tokens 0 0 0
    kept start.tokens=1,2,0 | AS / AD / - | -> tokens -1 -1 0
b10 who has lost all tokens is out
    kept start.tokens=3,3,1,3 | 9S / 4D / 2H / 7C | -> left 3 3 0 3; out - - 0 -
"""
test_deals = scripted_cases(DEALS, cuccu=cuccu, kept=kept)


# --- a turn ---


@pytest.mark.parametrize("name", ["cuccu", "ranter-go-round"])
def test_b10_each_in_turn_keeps_or_swaps_the_dealer_last(name: str) -> None:
    table = ScriptedDeal(name, FOUR)
    for seat in (1, 2, 3, 0):
        assert (table.asked, table.legal) == (seat, ["keep", "swap"])
        table.play(f"{seat}:keep")
    assert table.asked is None
    assert table.deal.view(0).events[4:] == ("show 1 4D", "show 2 2H", "show 3 7C", "show 0 9S")


# --- the dealer and the stock ---


def test_b10_the_dealer_may_be_dealt_three_cards_and_keep_the_best() -> None:
    table = cuccu(table="JD AC", dealer_three=True)
    assert table.hands[0] == "JD"
    assert variant("cuccu", dealer_three=True, pack=32).players[-1] == 20


# --- horses ---


@pytest.mark.parametrize("pack", [8, 12, 40])
def test_the_stock_has_a_card_for_everyone_who_comes_to_draw_where_horses_pass(pack: int) -> None:
    """The last before a row of horses draws, then their holders, each behind the others' horses."""
    rules = variant("cuccu", pack=pack, horse_passes=True)
    horses = sum(card.rank == "Q" for card in rules.whole_pack.cards)
    assert horses > 0
    assert rules.players[-1] == min(20, pack - horses - 1)
    assert variant("cuccu", pack=pack).players[-1] == min(20, pack - 1)
    for seed in range(60):
        match = rules.match(rules.players[-1], str(seed))
        while not match.is_over and len(match.finished_deals) < 30:
            match.apply(match.deal.legal_actions.actions[-1])


# --- who loses ---


test_hands = hand_cases("""
b10 the ace is low and the king high
    cuccu | KH = KC > QH > JH = JD > TH = TD > 9H > 8H > 7H > 6H > 5H > 4H > 3H > 2H = 2S > AH = AS;
        KC is card
b10 a hand is one card
    cuccu | 4D 5D is none
b10 twenty can play
    cuccu | players 2-20
    cuccu dealer_three=True pack=32 | players 2-20
""")
