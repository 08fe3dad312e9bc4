"""Views after trades and barters. Rulings B3, B15; decision 9."""

from typing import Any

import pytest

from arena.families.barter import FAMILY
from arena.games import Rules, variant
from arena.play import play_match
from tests.games.support.scripted_cases import scripted_cases
from tests.games.support.scripted_deal import ScriptedDeal
from tests.play.simple_bots import Listening

HANDS = ["AH AD 5S", "KH KD 3C", "8S 7S 2D", "QC JC 9C"]


def dealt(name: str = "trade-and-barter", hands: list[str] = HANDS, **options: Any) -> ScriptedDeal:
    """Seat 0 deals."""
    return ScriptedDeal(name, hands, **options)


def known(told: ScriptedDeal, seat: int) -> list[str]:
    """Return by seat the cards of others that a seat knows."""
    return [" ".join(map(str, hand)) for hand in told.deal.view(seat).known]


DEALS = """
a trade is public and its card is known to the trader alone
    dealt | stock 7D | 1:trade 3C -> heard 1: 1:trade 3C; heard 0 2 3: 1:trade ??; knows 0 2 3: - / - / - / -
an offered card is known to the asker alone until the partner has given his
    dealt | 1:barter 3C -> heard 0 2 3: 1:barter ??; heard 1: 1:barter 3C; view asker 0 1 2 3: 1
both partners know both cards of a barter and the others neither
    dealt
    1:barter 3C, 2:give 8S -> heard 1: 1:barter 3C, 2:give 8S; heard 2: 1:barter ??, 2:give 8S, show 1 3C;
        heard 0 3: 1:barter ??, 2:give ??; knows 0 3: - / - / - / -; knows 1: - / - / 3C / -;
        knows 2: - / 8S / - / -
an offered card that is not taken stays unknown
    dealt trade-and-barter-consent
    1:barter 3C, 2:decline -> heard 2: 1:barter ??, 2:decline; heard 1: 1:barter 3C, 2:decline;
        knows 2: - / - / - / -
    dealt ready-money-extended
    1:barter 3C, 2:stand -> heard 2: 1:barter ??, 2:stand; heard 1: 1:barter 3C, 2:stand;
        knows 2: - / - / - / -
a partners card is known until he gives one that is not seen
    dealt | stock 4D | 1:barter 3C, 2:give 8S, 2:trade 2D -> knows 1: - / - / - / -
a partners card stays known when he gives another to this seat
    dealt | AH AD 5S / KH KD 3C
    1:barter 3C, 0:give 5S, 0:barter AD, 1:give KD -> knows 0: - / 5S AD; knows 1: 3C KD / -
a partners card that comes back is no longer his
    dealt | AH AD 5S / KH KD 3C | 1:barter 3C, 0:give 5S, 0:barter 3C, 1:give KD -> knows 1: KD / -
who draws what this seat has put under the stock is known to hold it
    # The fifth trade takes the first one's reject.
    dealt | 2S 3S 4S / 5S 6S 7S / 8S 9S TS / JS QS KS / AS 2H 3H / 4H 5H 6H / 7H 8H 9H / TH JH QH
        / KH AH 2D / 3D 4D 5D / 6D 7D 8D / 9D TD JD / QD KD AD / 2C 3C 4C / 5C 6C 7C / 8C 9C TC
        | stock JC QC KC AC 5S
    1:trade 5S, 2:trade 8S, 3:trade JS, 4:trade AS, 5:trade 4H -> knows 1: - / - / - / - / - / 5S / - / -
        / - / - / - / - / - / - / - / -; hand 5: 5S 5H 6H; knows 0 2 5: - / - / - / - / - / - / - / - / -
        / - / - / - / - / - / - / -
open hands hide nothing but the stock
    dealt trade-and-barter-consent open_hands=True | stock 7D
    1:barter 3C, 2:decline, 1:trade 3C, 2:barter 2D, 3:give 9C -> heard 0 1 2 3: 1:barter 3C, 2:decline,
        1:trade 3C, 2:barter 2D, 3:give 9C; knows 0: - / KH KD 7D / 8S 7S 9C / QC JC 2D;
        knows 1: AH AD 5S / - / 8S 7S 9C / QC JC 2D; knows 2: AH AD 5S / KH KD 7D / - / QC JC 2D;
        knows 3: AH AD 5S / KH KD 7D / 8S 7S 9C / -
no other seat learns from which slot a card came
    dealt | 1:barter 3C, 2:give 8S -> slots 0 3: - / -; slots 1: 2 / -; slots 2: - / 0 / -
what others do with their cards shows no card but to whom it is given
    dealt | stock 7D 4D
    1:trade 3C, 2:barter 2D, 3:give QC, 3:trade JC, 0:barter AH, 1:give KH
        -> cards 1: 3C / ?? / ?? / ?? / ?? / KH / AH; heard 1: 1:trade 3C, 2:barter ??, 3:give ??,
        3:trade ??, 0:barter ??, 1:give KH, show 0 AH
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


# --- each action ---


@pytest.mark.parametrize("rules", FAMILY.rules, ids=str)
def test_observed_events_are_those_of_the_view(rules: Rules) -> None:
    """The bots themselves compare, at every decision."""
    told = play_match(rules, [Listening] * 4, seed="heard")
    assert told["faults"] == []


# --- how long it is known ---


def sixteen(stock: list[int]) -> ScriptedDeal:
    """Sixteen players, who leave four cards: seat 0 has the first three of the pack, seat 1 the next."""
    pack = variant("trade-and-barter").whole_pack.cards
    hands = [" ".join(map(str, pack[start : start + 3])) for start in range(0, 48, 3)]
    return dealt(hands=hands, stock=" ".join([str(pack[place]) for place in stock]))


def test_who_draws_what_a_partner_has_put_under_the_stock_knows_what_he_kept() -> None:
    """Seat 2 has a card of seat 1's and then trades another, which seat 1 draws in its next turn."""
    told = sixteen([48, 49, 50, 51, 7])
    told.deal.apply(told.deal.legal_actions.actions[3])
    told.deal.apply(told.deal.legal_actions.actions[0])
    assert known(told, 1)[2] == "5S"
    for slot in (1, 0, 0, 0):
        told.deal.apply(told.deal.legal_actions.actions[slot])
    assert known(told, 1)[2] == ""
    for seat in (*range(6, 16), 0):
        assert told.asked == seat
        told.deal.apply(told.deal.legal_actions.actions[3])
        told.deal.apply(told.deal.legal_actions.actions[0])
    told.deal.apply(told.deal.legal_actions.actions[0])
    assert known(told, 1)[2] == "5S"
