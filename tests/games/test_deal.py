"""The ranks of hands, as all deals have them."""

import pytest

from arena.errors import InvalidNotation
from arena.games import VARIANTS, Rules, variant

RANKED = [rules for rules in VARIANTS if rules.family != "cox"]  # which ranks a hand with what is laid out
WITH_TIES = [variant(name, three_alike="30") for name in ("schwimmen", "thirty-one")]


@pytest.mark.parametrize("rules", RANKED + WITH_TIES, ids=str)
def test_a_deal_ranks_hands_as_its_rules_do(rules: Rules) -> None:
    for number in range(20):
        deal = rules.match(players=3, seed=f"ranks {number}").deal
        for seat, hand in enumerate(deal.hands):
            assert tuple(deal.rank_hand(seat)) == tuple(rules.rank(hand))  # with the category


@pytest.mark.parametrize("rules", WITH_TIES, ids=str)
def test_three_alike_have_their_own_category_where_they_equal_a_suited_30(rules: Rules) -> None:
    deal = rules.match(players=2, seed="ranks").deal
    deal.hands[:] = [rules.whole_pack.parse(hand) for hand in ("7S 7H 7D", "TS KS JS")]
    three_alike, suited = deal.rank_hand(0), deal.rank_hand(1)
    assert three_alike == suited
    assert (three_alike.category, suited.category) == ("three-alike", "points")


def test_a_hand_in_the_middle_of_a_turn_has_no_rank() -> None:
    deal = variant("thirty-one").match(players=2, seed="ranks").deal
    seat = deal.to_act
    assert seat is not None
    deal.apply(deal.legal_actions.actions[0])
    assert len(deal.hands[seat]) == 4
    with pytest.raises(InvalidNotation):
        deal.rank_hand(seat)
