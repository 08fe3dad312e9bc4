"""The order of hands of Commerce, against a second evaluator that was written from the rule sheets alone."""

from functools import cmp_to_key
from itertools import combinations, pairwise, permutations
from random import Random

import pytest

from arena.games import Rules, variant
from arena.games.cards import HIDDEN

ORDER = ["four", "tricon", "sequence", "flush", "pair", "point", "nothing"]
WORTH = {"A": 11, "K": 10, "Q": 10, "J": 10, "T": 10}


class Judge:
    """Compares hands given as text, step by step, as somebody at the table would."""

    def __init__(self, ranks: str, alow: bool, by_point: bool, no_pair_point: bool) -> None:
        self.ranks = ranks  # highest first
        self.runs = [ranks[i : i + 3] for i in range(len(ranks) - 2)]
        if alow and ranks.endswith("32"):
            self.runs.append("A32")
        self.by_point = by_point
        self.no_pair_point = no_pair_point

    def category(self, hand: str) -> str:
        ranks, suits = [card[0] for card in hand.split()], {card[1] for card in hand.split()}
        if len(set(ranks)) == 1:
            return "four" if len(ranks) == 4 else "tricon"
        if len(suits) == 1:
            return "sequence" if any(set(run) == set(ranks) for run in self.runs) else "flush"
        if self.no_pair_point:
            return "nothing"
        return "pair" if len(set(ranks)) == 2 else "point"

    def sorted(self, hand: str) -> list[str]:
        return sorted([card[0] for card in hand.split()], key=self.ranks.index)

    def total(self, hand: str) -> int:
        return sum(WORTH[card[0]] if card[0] in WORTH else int(card[0]) for card in hand.split())

    def better(self, first: str, other: str) -> int:
        """1 if the first is the better, -1 if the second is, 0 if they tie."""
        ours, theirs = self.category(first), self.category(other)
        if ours != theirs:
            return 1 if ORDER.index(ours) < ORDER.index(theirs) else -1
        if ours == "sequence":
            return self.earlier(self.run(first), self.run(other))
        if ours == "pair":
            return self.card_by_card(self.pair_first(first), self.pair_first(other))
        if ours in ("point", "nothing") or (ours == "flush" and self.by_point):
            mine, yours = self.total(first), self.total(other)
            if mine != yours:
                return 1 if mine > yours else -1
        return self.card_by_card(self.sorted(first), self.sorted(other))

    def run(self, hand: str) -> int:
        return next(i for i, run in enumerate(self.runs) if set(run) == set(self.sorted(hand)))

    def pair_first(self, hand: str) -> list[str]:
        ranks = self.sorted(hand)
        return sorted(ranks, key=lambda rank: -ranks.count(rank))

    def card_by_card(self, first: list[str], other: list[str]) -> int:
        for mine, yours in zip(first, other, strict=True):
            if mine != yours:
                return self.earlier(self.ranks.index(mine), self.ranks.index(yours))
        return 0

    @staticmethod
    def earlier(mine: int, yours: int) -> int:
        return (mine < yours) - (mine > yours)


def both(alow: bool, flush: str, no_pair_point: bool, pack: int) -> tuple[Rules, Judge]:
    rules = variant("lives", alow=alow, flush=flush, no_pair_point=no_pair_point, pack=pack, pounce=True)
    ranks = {52: "AKQJT98765432", 40: "AKQJ765432", 32: "AKQJT987"}[pack]
    return rules, Judge(ranks, alow, flush == "point", no_pair_point)


KINDS = [
    both(alow, flush, bare, pack)
    for pack in (52, 40, 32)
    for alow in (False, True)
    for flush in ("cards", "point")
    for bare in (False, True)
]


def drawn(rng: Random, rules: Rules) -> list[str]:
    """Eight hands: some of random cards, some of one suit, some of one rank or two, for these are rare."""
    cards = [str(card) for card in rules.whole_pack.cards]
    suit, ranks = rng.choice("SHDC"), rng.sample(rules.whole_pack.ranks, 2)
    suited = [card for card in cards if card[1] == suit]
    paired = [card for card in cards if card[0] in ranks]
    hands = [rng.sample(those, 3) for those in (cards, cards, cards, suited, suited, suited, paired, paired)]
    hands.append([card for card in cards if card[0] == ranks[0]])
    return [" ".join(hand) for hand in hands]


@pytest.mark.parametrize("count", [600, pytest.param(3000, marks=pytest.mark.full)])
def test_hands_compare_as_at_the_table(count: int) -> None:
    rng = Random("at the table")
    for number in range(count):
        rules, judge = KINDS[number % len(KINDS)]
        hands = drawn(rng, rules)
        for first, other in combinations(hands, 2):
            mine, yours = rules.rank(first), rules.rank(other)
            assert (mine > yours) - (mine < yours) == judge.better(first, other), f"{first} against {other}"
        assert [rules.rank(hand).category for hand in hands] == [judge.category(hand) for hand in hands]


@pytest.mark.full
@pytest.mark.parametrize("kind", range(len(KINDS)))
def test_all_hands_stand_in_the_same_order(kind: int) -> None:
    rules, judge = KINDS[kind]
    texts = [" ".join(map(str, hand)) for hand in combinations(rules.whole_pack.cards, 3)]
    texts.sort(key=cmp_to_key(judge.better))
    ranks = [rules.rank(text) for text in texts]
    assert ranks == sorted(ranks)
    for first, other in pairwise(texts):
        assert (judge.better(first, other) == 0) == (rules.rank(first) == rules.rank(other))


def test_the_categories_are_as_many_as_can_be_counted() -> None:
    """Of 22,100 hands: 13 x 4 tricons, 4 x 11 sequences, 4 x 286 flushes in all, 13 x 6 x 48 pairs."""
    rules = variant("lives")
    categories = [rules.rank(hand).category for hand in combinations(rules.whole_pack.cards, 3)]
    counted = {name: categories.count(name) for name in ORDER[1:-1]}
    assert counted == {
        "tricon": 13 * 4,
        "sequence": 4 * 11,
        "flush": 4 * 286 - 4 * 11,
        "pair": 13 * 6 * 48,
        "point": 22100 - 13 * 4 - 4 * 286 - 13 * 6 * 48,
    }


@pytest.mark.parametrize("name", ["lives", "no-pair-or-point", "extended", "thirty-one"])
def test_strengths_compare_as_the_ranks_do(name: str) -> None:
    rules = variant(name)
    hands = [*combinations(rules.whole_pack.cards, 3)][::331]
    assert len(hands) > 60
    strengths = [
        {rules.strengths[a.number][b.number][c.number] for a, b, c in permutations(hand)} for hand in hands
    ]
    assert all(len(strength) == 1 for strength in strengths)
    for (hand, (mine,)), (other, (theirs,)) in combinations(zip(hands, strengths, strict=True), 2):
        assert (mine > theirs, mine == theirs) == (
            rules.rank(hand) > rules.rank(other),
            rules.rank(hand) == rules.rank(other),
        )


def test_a_hand_with_a_card_that_is_not_known_is_weaker_than_any() -> None:
    strengths = variant("lives").strengths
    two, three = (variant("lives").whole_pack.card(text).number for text in ("2S", "3H"))
    assert strengths[two][three][HIDDEN.number] == strengths[HIDDEN.number][two][three] == -1
    assert min(strengths[two][three][1:]) >= 0


@pytest.mark.parametrize("name", ["lives", "schwimmen", "bastard-brag", "whisky-poker"])
def test_best_rank_with_a_card_is_the_best_of_all_hands_with_it(name: str) -> None:
    rules, rng = variant(name), Random(0)
    table = rules.rank_table
    for _ in range(200):
        *hand, card = rng.sample(rules.whole_pack.cards, rules.hand_size + 1)
        made = [(*hand[:slot], card, *hand[slot + 1 :]) for slot in range(len(hand))]
        assert table.best_with(tuple(hand), card) == max(map(rules.rank, made))
