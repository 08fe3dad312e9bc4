"""Samples are uniform: compared with an enumeration, in a game of seven cards."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest

from arena.errors import ArenaError
from arena.families.draw.rules import DrawRules
from arena.families.draw.variants import THIRTY_ONE
from arena.families.draw.view import DrawView
from arena.games import Deal
from arena.games.cards import Hand, Pack, card
from arena.games.stock import RecordedStock

SEVEN = [card("A", "S", "AS", 11), card("K", "S", "KS", 20), card("Q", "S", "QS", 20)]
SEVEN += [card(pips, "H", f"{pips}H", int(pips)) for pips in "2345"]
Way = tuple[tuple[Hand, ...], Hand]


def tiny() -> DrawRules:
    """Two cards each; the ace and one of the spades of twenty are a 31, the stock is two cards."""
    rules = replace(THIRTY_ONE, hand_size=2)
    vars(rules)["whole_pack"] = Pack("seven-card", SEVEN, "2345QKA")
    return rules


def moment(rng: Random) -> DrawView:
    """Return seat 0's view after some turns of random play, when the stock has been reshuffled."""
    while True:
        match = tiny().match(2, str(rng.random()))
        for _ in range(12):
            if match.finished_deals:
                break
            match.apply(rng.choice(match.deal.legal_actions.actions[:4]))
        view = match.view(0)
        if not match.finished_deals and match.deal.stock.refills:
            assert isinstance(view, DrawView)
            return view


def way(deal: Deal) -> Way:
    return deal.dealt, tuple(deal.stock.drawn)


def ways(view: DrawView) -> Iterator[Way]:
    """Every way the cards can have come to the hands, of which each is as likely."""
    rules = view.opening.rules
    draws = sum(event.text.endswith("draw stock") for event in view.past)
    unseen = [c for c in SEVEN if c not in view.dealt and c is not view.upcard]
    for theirs, stock in ((order[:2], order[2:]) for order in permutations(unseen)):
        for later in product(SEVEN, repeat=draws - len(stock)):
            come = RecordedStock(stock, (*stock, *later))
            deal = rules.deal(view.opening, [view.dealt, theirs], (view.upcard,), come)
            if looks_alike(deal, view):
                yield way(deal)


def looks_alike(deal: Deal, view: DrawView) -> bool:
    """Return whether just what was seen can have happened in this deal."""
    try:
        for text in view.events:
            seat, _, done = text.partition(":")
            if deal.to_act != int(seat):
                return False
            deal.apply(deal.view(int(seat)).parse(done))
    except ArenaError:
        return False
    seen = deal.view(view.seat)
    return seen.events == view.events and seen.hand == view.hand


@pytest.mark.parametrize("seed", [1, 2, 6, 9, pytest.param(11, marks=pytest.mark.full)])
def test_all_possible_deals_are_sampled_equally_often(seed: int) -> None:
    rng = Random(seed)
    view = moment(rng)
    possible = Counter(ways(view))
    assert len(possible) > 3
    assert set(possible.values()) == {1}
    times = 100 * len(possible)
    sampled = Counter([way(sample.deal) for sample in view.samples(rng, times)])
    assert sampled.keys() == possible.keys()
    assert min(sampled.values()) > 60
    assert max(sampled.values()) < 140
