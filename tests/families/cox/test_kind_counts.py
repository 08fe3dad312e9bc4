"""Counts of the kinds in a rack answer as its cards do, and follow the racks of a deal."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.families.cox.cards import COX_PACK, GREEN, KIND, WILD
from arena.families.cox.deal import CoxDeal
from arena.families.cox.sets import (
    PARTNERS,
    count_kinds,
    count_of_kind,
    count_wild,
    has_greenback,
    has_three_alike,
    has_wild_set,
    has_wild_set_with,
    mask_of,
)
from arena.games import Rules, variant
from arena.games.cards import Card

IN_RACKS = [c for c in COX_PACK.cards if c.suit != GREEN]


@given(st.permutations(IN_RACKS), st.integers(0, 20))
def test_counts_answer_as_the_cards_do(shuffled: list[Card], size: int) -> None:
    cards = shuffled[:size]
    counts = count_kinds(tuple(cards))
    alike = Counter(KIND[c] for c in cards if c not in WILD)
    most = max(alike.values(), default=0)
    assert has_three_alike(counts) == (most >= 3)
    assert count_wild(counts) == len(WILD.intersection(cards))
    twice = [c for c in cards if c not in WILD and alike[KIND[c]] >= 2]
    for wild in WILD:
        assert has_wild_set_with(counts, wild) == any(c in PARTNERS[wild] for c in twice)
    assert has_wild_set(counts) == any(has_wild_set_with(counts, wild) for wild in WILD.intersection(cards))
    for c in IN_RACKS:
        assert c in WILD or count_of_kind(counts, c) == alike[KIND[c]]
        assert bool(counts & mask_of([c])) == any(KIND[c] == KIND[other] for other in cards)


def test_the_whole_pack_can_be_counted_and_greenbacks_are_not() -> None:
    counts = count_kinds(COX_PACK.cards)
    assert all(count_of_kind(counts, c) == 4 for c in IN_RACKS if c not in WILD)
    assert count_wild(counts) == 4
    assert counts == count_kinds(tuple(IN_RACKS))
    assert has_greenback(COX_PACK.cards)
    assert not has_greenback(tuple(IN_RACKS))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_counts_of_a_deal_are_those_of_its_racks(players: int) -> None:
    rules: Rules = variant("cox")
    rng = Random(players)
    for number in range(5):
        match = rules.match(players, f"counts/{number}")
        while not match.is_over:
            deal = match.deal
            assert isinstance(deal, CoxDeal)
            assert deal.kind_counts == [count_kinds(hand) for hand in deal.hands]
            match.apply(rng.choice(deal.legal_actions.actions))
