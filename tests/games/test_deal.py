"""The ranks of hands, as all deals have them."""

import pytest

from arena.errors import InvalidNotation
from arena.games import VARIANTS, Deal, Rules, variant

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


def describe_state(deal: Deal) -> tuple[object, ...]:
    return deal.to_act, tuple(deal.hands), deal.event_count, deal.legal_actions.actions


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_deal_is_replayed_as_far_as_it_went(rules: Rules) -> None:
    deal = rules.match(players=3, seed="replay").deal
    states = [describe_state(deal)]
    while len(states) < 8 and deal.to_act is not None:
        deal.apply(deal.legal_actions.actions[-1])
        states.append(describe_state(deal))
    assert [describe_state(again) for again in deal.replay()] == states


def test_a_hand_in_the_middle_of_a_turn_has_no_rank() -> None:
    deal = variant("thirty-one").match(players=2, seed="ranks").deal
    seat = deal.to_act
    assert seat is not None
    deal.apply(deal.legal_actions.actions[0])
    assert len(deal.hands[seat]) == 4
    with pytest.raises(InvalidNotation):
        deal.rank_hand(seat)
