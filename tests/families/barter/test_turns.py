"""Trade and barter: turns, answers, ends. Sheets B2, B3, rulings B1-B7, B15-B17, B22, B23."""

from typing import Any

import pytest

from arena.games import variant
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal

HANDS = ["AH AD 5S", "KH KD 3C", "8S 7S 2D", "QC JC 9C"]
ALL = [
    "ready-money",
    "ready-money-extended",
    "trade-and-barter",
    "trade-and-barter-tokens",
    "trade-and-barter-consent",
]


def dealt(name: str, hands: list[str | None] | list[str] = HANDS, **options: Any) -> ScriptedDeal:
    """Seat 0 deals."""
    return ScriptedDeal(name, hands, **options)


DEALS = """
# one's own turn
b5 a turn is a trade a barter or the word that one is content
    dealt ready-money,ready-money-extended | AH KH 5S / KD QD 3C / 8S 7S 2D / QC JC 9C
    -> asked 1; legal trade KD, trade QD, trade 3C, barter KD, barter QD, barter 3C, stand
    dealt trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent
        | AH KH 5S / KD QD 3C / 8S 7S 2D / QC JC 9C
    -> asked 1; legal trade KD, trade QD, trade 3C, barter KD, barter QD, barter 3C, knock
b17 one exchange is the whole turn
    dealt trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent | stock 7D | 1:trade 3C -> asked 2
    dealt trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent
    1:barter 3C, 2:give 2D -> asked 2
b6 in ready money one may stand right after ones own exchange
    dealt ready-money,ready-money-extended | stock 7D | 1:trade 3C -> asked 1; legal stand, continue
    1:continue -> asked 2
    dealt ready-money,ready-money-extended | stock 7D
    1:barter 3C, 2:give 2D -> asked 1; legal stand, continue
    1:continue -> asked 2
what is traded or bartered keeps its place in the hand
    dealt ready-money,ready-money-extended,trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent
    1:barter KD, 2:give 8S -> hand 1: KH 8S 3C; hand 2: KD 7S 2D
# the partner
decision 2 the neighbour is the next who is still in
    dealt trade-and-barter-tokens | AH AD 5S / KH QH 3C / - / QC JC 9C | 1:barter 3C -> asked 3
    dealt trade-and-barter-tokens | AH AD 5S / - / 8S 7S 2D / QC JC 9C | -> asked 2
b2 what a partner may answer
    dealt ready-money,ready-money-extended | 1:barter 3C -> legal give 8S, give 7S, give 2D, stand
    dealt trade-and-barter,trade-and-barter-tokens | 1:barter 3C -> legal give 8S, give 7S, give 2D
    dealt trade-and-barter-consent | 1:barter 3C -> legal give 8S, give 7S, give 2D, decline
b2 who was declined must trade or knock and cannot ask again
    dealt trade-and-barter-consent
    1:barter 3C, 2:decline -> asked 1; legal trade KH, trade KD, trade 3C, knock;
        hands AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C
b22 r25 a partner who stands when asked ends the deal without an exchange
    dealt ready-money | 1:barter 3C, 2:stand -> over; hands AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C
b3 the asker commits his card before the partner chooses
    dealt trade-and-barter
    1:barter 3C -> heard 2: 1:barter ??; hands AH AD 5S / KH KD 3C / 8S 7S 2D / QC JC 9C
# the end
b7 a stand or knock ends the deal at once
    dealt ready-money | 1:stand -> over
    dealt trade-and-barter | 1:knock -> over
    dealt trade-and-barter-consent
    1:knock -> heard 3: 1:knock, show 1 KH KD 3C, show 2 8S 7S 2D, show 3 QC JC 9C, show 0 AH AD 5S
b6 in trade and barter one knocks on ones own turn alone
    dealt trade-and-barter | stock 7D | 1:trade 3C -> asked 2
    2:barter 2D -> may not knock
b6 r17 sheet b3 test 4 only for tokens a hand that is nothing may not knock
    dealt trade-and-barter-tokens | AH AD 5C / 7C 7D KH / 8S 7S 2D / QC JC 9C | -> may not knock
    dealt trade-and-barter,trade-and-barter-consent | AH AD 5C / 7C 7D KH / 8S 7S 2D / QC JC 9C | -> may knock
    dealt trade-and-barter-tokens,trade-and-barter,trade-and-barter-consent
        | AH AD 5C / 7H 6H 5S / 8S 7S 2D / QC JC 9C
    -> may knock
    dealt trade-and-barter-tokens,trade-and-barter,trade-and-barter-consent
        | AH AD 5C / 7C 7D 7H / 8S 7S 2D / QC JC 9C
    -> may knock
# the extended form
w26 extended who stands drops out and the others go on until all are satisfied
    dealt ready-money-extended | stock 7D 8D
    1:stand, 2:trade 2D, 2:continue, 3:stand, 0:stand -> asked 2; view satisfied 2: 1 3 0
    2:trade 7S, 2:stand -> over
b23 the satisfied are not asked and the last can only trade or stand
    dealt ready-money-extended | 1:barter 3C, 2:stand, 1:barter 3C -> asked 3
    3:stand, 1:barter 3C -> asked 0
    0:stand -> asked 1; legal trade KH, trade KD, trade 3C, stand
r16 a partner who stands is satisfied and the asker chooses again
    dealt ready-money-extended | 1:barter 3C, 2:stand -> asked 1; kinds barter, stand, trade
    1:stand -> asked 3
b23 with the neighbour on the other side the satisfied are passed over too
    dealt ready-money-extended barter_dir=right | 1:barter 3C, 0:stand, 1:barter 3C -> asked 3
b16 extended rounds go on when the eldest is satisfied
    dealt ready-money-extended rounds=2 | stock 4C 5C
    1:stand, 2:stand, 3:stand, 0:trade 5S, 0:continue -> asked 0
    0:trade 4C, 0:continue -> over
# what is played for a seat that failed, and notation
a seat that failed ends no deal and asks nobody
    dealt ready-money,trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent | -> default trade KH
    dealt ready-money,trade-and-barter,trade-and-barter-tokens | 1:barter 3C -> default give 8S
    dealt ready-money-extended | -> default stand
    dealt ready-money-extended | 1:barter 3C -> default stand
    dealt trade-and-barter-consent | 1:barter 3C -> default decline
a seat that failed after its exchange goes on
    dealt ready-money | stock 7D | 1:trade 3C -> default continue
texts that are not actions here are refused
    dealt ready-money | -> unread '', pass, trade, trade 5S, trade #1, barter KH KD, Stand, buy 3C
what is not legal now is refused
    dealt ready-money | -> illegal give KH, decline, knock, continue
# the stock, and with whom one barters
b15 a trade takes the top card and puts the reject under the stock
    dealt ready-money,ready-money-extended,trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent
        | stock 7D | 1:trade 3C -> hand 1: KH KD 7D; stock 40
b1 one barters with the next or by the option with the one before
    dealt ready-money,ready-money-extended,trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent
    1:barter 3C -> asked 2
    dealt ready-money,ready-money-extended,trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent
        barter_dir=right | 1:barter 3C -> asked 0
    dealt trade-and-barter,trade-and-barter-tokens,trade-and-barter-consent | stock 4D 5D 6D
    1:trade 3C, 2:trade 2D, 3:trade 9C, 0:barter 5S -> asked 1
    dealt ready-money,ready-money-extended | stock 4D 5D 6D
    1:trade 3C, 1:continue, 2:trade 2D, 2:continue, 3:trade 9C, 3:continue, 0:barter 5S -> asked 1
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


# --- one's own turn ---


def test_b15_sheet_b2_test_6_any_number_of_trades_leaves_the_stock_as_large_and_no_card_is_lost() -> None:
    match = variant("trade-and-barter").match(4, "conserved")
    deal = match.deal
    for _ in range(79):
        match.apply(match.deal.legal_actions.actions[0])
        assert deal.stock.left == 52 - 3 * 4
    seen = {*deal.recorded_stock, *(card for hand in deal.dealt for card in hand)}
    assert len(seen) == 52


def test_b15_what_was_put_under_the_stock_comes_again_in_its_order() -> None:
    """Sixteen players leave four cards of stock."""
    match = variant("trade-and-barter").match(16, "deep")
    deal = match.deal
    first = deal.hands[deal.opening.order[0]][0]
    for _ in range(4):
        match.apply(deal.legal_actions.actions[0])
    taker = deal.to_act
    match.apply(deal.legal_actions.actions[0])
    assert taker is not None
    assert deal.hands[taker][0] is first


# --- the end ---


@pytest.mark.parametrize("name", ALL)
def test_b16_r31_after_the_last_round_the_hands_are_shown_without_a_stander(name: str) -> None:
    told = dealt(name, rounds=2, stock="4C 5C 6C 8C TC 2C 4D 6D")
    for _ in range(2):
        for seat in (1, 2, 3, 0):
            assert told.asked == seat
            told.deal.apply(told.deal.legal_actions.actions[2])
            if told.asked == seat:
                told.play(f"{seat}:continue")
    assert told.asked is None


def test_b16_twenty_rounds_are_the_most_there_are() -> None:
    match = variant("trade-and-barter").match(2, "for ever")
    turns = 0
    while not match.finished_deals:
        match.apply(match.deal.legal_actions.actions[0])
        turns += 1
    assert turns == 40
