"""Hands of five as at poker, against a second evaluator that goes by the words of sheet B9."""

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from arena.games import variant
from arena.games.cards import Hand
from tests.games.support.hand_cases import hand_cases

NAMES = ["high", "pair", "two-pair", "three", "straight", "flush", "full-house", "four", "straight-flush"]
ORDER = "23456789TJQKA"
RULES = variant("whisky-poker")


def judged(cards: Hand) -> tuple[int, list[int]]:
    """The place of the hand's name, and what decides between two of that name."""
    ranks = sorted([ORDER.index(card.rank) for card in cards], reverse=True)
    often = Counter(ranks)
    groups = sorted(often, key=lambda rank: (often[rank], rank), reverse=True)
    shape = sorted(often.values(), reverse=True)
    flush = len({card.suit for card in cards}) == 1
    tops = [top for top in range(4, 13) if set(ranks) == set(range(top - 4, top + 1))]
    tops += [3] if set(ranks) == {12, 0, 1, 2, 3} else []
    if tops:
        return NAMES.index("straight-flush" if flush else "straight"), tops
    if flush:
        return NAMES.index("flush"), ranks
    names = {(4, 1): "four", (3, 2): "full-house", (3, 1, 1): "three", (2, 2, 1): "two-pair"}
    return NAMES.index(names.get(tuple(shape), "pair" if shape[0] == 2 else "high")), groups


def drawn(seed: int) -> list[Hand]:
    """Two hands of few ranks and suits, so that they are seldom of no interest."""
    rng = Random(seed)
    ranks = rng.sample(ORDER, rng.randrange(2, 8))
    suits = rng.choice(["SHDC", "SH", "SHD"]) if len(ranks) < 5 else rng.choice(["S", "SH", "SHDC"])
    few = [card for card in RULES.whole_pack.cards if card.rank in ranks and card.suit in suits]
    return [tuple(rng.sample(few if len(few) > 9 else RULES.whole_pack.cards, 5)) for _ in range(2)]


def test_two_hands_compare_as_the_judge_has_it() -> None:
    for seed in range(600):
        hand, other = drawn(seed)
        first, second = RULES.rank(hand), RULES.rank(other)
        assert first.category == NAMES[judged(hand)[0]], seed
        as_judged = (judged(hand) > judged(other), judged(hand) == judged(other))
        assert (first > second, first == second) == as_judged, seed


test_hands = hand_cases("""
b9 test 1
    whisky-poker | AS KS QS JS TS > 9S 9H 9D 9C 2S > 8C 8D 8H KS KC > AH 9H 7H 4H 2H > 5C 4D 3H 2S AC
    whisky-poker | 5C 4D 3H 2S AC > KC KD 9H 9S 3C
b9 test 2
    whisky-poker | KC KD 9H 9S 3C > QC QD 9H 9S AC
b9 test 3
    whisky-poker | JC JD 8H 5S 3C > TC TD AH 7S 2C > AC QD 9H 5S 3C
straights stand in order
    whisky-poker | AC KD QH JS TC > 6C 5D 4H 3S 2C > 5C 4D 3H 2S AC
b9 no straight goes round the corner
    whisky-poker | 3C 2D AH KS QC is high
w2 the low straight wants its twos
    whisky-poker pack=32 | AS 7D 8H 9C TS is high
    whisky-poker pack=40 | AS 2D 3H 4C 5S is straight
""")


def test_a_hand_has_five_cards() -> None:
    with pytest.raises(ValueError, match="has 5 cards"):
        RULES.rank("AS KS QS JS")


def test_the_table_remembers_a_rank_for_each_set_of_ranks_not_for_each_hand() -> None:
    table = RULES.rank_table
    few = [card for card in RULES.whole_pack.cards if card.rank in "AKQJT"]
    by_ranks: dict[object, set[int]] = {}
    for hand in combinations(few, 5):
        assert table[hand] == RULES.ranking.rank(hand, RULES.whole_pack)
        key = ("".join(sorted(card.rank for card in hand)), len({card.suit for card in hand}) == 1)
        by_ranks.setdefault(key, set()).add(id(table[hand]))
    assert {len(ranks) for ranks in by_ranks.values()} == {1}
