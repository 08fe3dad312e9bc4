"""Precomputed ranks are those of the rules."""

from itertools import combinations

import pytest

from arena.games import VARIANTS, Rules, variant
from arena.games.hand_lookup import UNKNOWN, compute_strengths

PACK_OF_32 = variant("lives", pack=32)
OF_THREE_CARDS = [rules for rules in VARIANTS if rules.hand_size == 3 and rules.family != "cox"]


@pytest.mark.parametrize("rules", [*OF_THREE_CARDS, PACK_OF_32], ids=str)
def test_strengths_are_in_the_order_of_ranks(rules: Rules) -> None:
    strengths, ranks = compute_strengths(rules.ranking, rules.whole_pack)
    assert ranks == sorted(set(ranks))
    for first, second, third in list(combinations(rules.whole_pack.cards, 3))[::7]:
        strength = strengths[first.number][second.number][third.number]
        assert strength == strengths[third.number][first.number][second.number] != UNKNOWN
        rank = rules.rank((second, third, first))
        assert ranks[strength] == rank
        if rules.ranking.ties_share_category:
            assert ranks[strength].category == rank.category
