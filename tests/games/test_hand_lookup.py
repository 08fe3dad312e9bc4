"""Precomputed ranks are those of the rules."""

from itertools import combinations
from random import Random

import pytest

from arena.games import VARIANTS, Rules, variant
from arena.games.cards import HIDDEN
from arena.games.hand_lookup import UNKNOWN, compute_strengths
from arena.games.seat_calculations import find_worst

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


@pytest.mark.parametrize("rules", [*OF_THREE_CARDS, PACK_OF_32], ids=str)
def test_the_worst_hands_by_their_strengths_are_those_by_their_ranks(rules: Rules) -> None:
    cards, table, rng, ties = rules.whole_pack.cards, rules.rank_table, Random(str(rules)), 0
    for _ in range(500):
        dealt = rng.choices(cards[:6], k=12)  # few cards: some hands tie
        hands = [tuple(dealt[first : first + 3]) for first in range(0, 12, 3)]
        among = (2, 3, 0) if rng.random() < 0.5 else (1, 2, 3, 0)
        worst = table.find_worst(hands, among)
        assert worst == find_worst([table[hand] for hand in hands], among)
        ties += len(worst) > 1
    assert ties


def test_hands_without_a_strength_are_not_compared() -> None:
    first, second, third, *rest = PACK_OF_32.whole_pack.cards
    table, hand = PACK_OF_32.rank_table, (first, second, third)
    assert table.find_worst([hand, tuple(rest[:2])], (0, 1)) == []
    assert table.find_worst([hand, (first, second, HIDDEN)], (0, 1)) == []
