"""Samples are uniform: compared with an enumeration, in a game of seven cards."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from arena.errors import ArenaError
from arena.families.cuckoo.rules import CuckooRules
from arena.families.cuckoo.variants import CUCCU
from arena.families.cuckoo.view import CuckooView
from arena.games import Deal
from arena.games.cards import Hand, Pack
from arena.games.stock import RecordedStock

SEVEN = CUCCU.whole_pack.parse("KS KH QS QH 2S 3S 4S")
Way = tuple[tuple[Hand, ...], Hand, Hand]


def tiny(options: dict[str, Any]) -> CuckooRules:
    rules = CUCCU.with_options({"pack": 40, **options})
    vars(rules)["whole_pack"] = Pack("seven-card", SEVEN, "234QKA")
    return rules


def moment(rng: Random, options: dict[str, Any]) -> CuckooView:
    """Return seat 0's view after two or three turns of random play."""
    while True:
        match = tiny(options).match(3, str(rng.random()))
        for _ in range(rng.choice((2, 3))):
            if not match.finished_deals:
                match.apply(rng.choice(match.deal.legal_actions.actions))
        view = match.view(0)
        if not match.finished_deals and any(event.startswith("1:swap") for event in view.events):
            assert isinstance(view, CuckooView)
            return view


def way(deal: Deal) -> Way:
    return deal.dealt, deal.table_dealt, tuple(deal.stock.drawn)


def ways(view: CuckooView) -> Iterator[Way]:
    """Every way the cards can have come to the hands, as often as there are orders of those that did not."""
    rules, further = view.opening.rules, len(view.further)
    for order in permutations(SEVEN):
        hands = [order[:1], order[1:2], order[2:3]]
        table, rest = order[3 : 3 + further], order[3 + further :]
        if hands[0] == view.dealt:
            deal = rules.deal(view.opening, hands, table, RecordedStock(rest, rest))
            if looks_alike(deal, view):
                yield way(deal)


def looks_alike(deal: Deal, view: CuckooView) -> bool:
    """Return whether this seat sees in this deal just what it has seen."""
    try:
        for event in view.past:
            if event.seat is not None:
                deal.apply(deal.view(event.seat).parse(event.action.kind))
    except ArenaError:
        return False
    seen = deal.view(view.seat)
    assert isinstance(seen, CuckooView)
    seen_hands = [[(event.text, event.cards) for event in shown.past] for shown in (seen, view)]
    return seen_hands[0] == seen_hands[1] and (seen.further, seen.hand) == (view.further, view.hand)


OPTIONS: list[dict[str, Any]] = [
    {"horse_passes": True},
    {"expose_kings": True},
    {"dealer_three": True},
    {"stock_king_ok": True, "horse_passes": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", [1, *[pytest.param(seed, marks=pytest.mark.full) for seed in (2, 3)]])
def test_all_possible_deals_are_sampled_equally_often(seed: int, options: dict[str, Any]) -> None:
    rng = Random(f"{seed} {options}")
    view = moment(rng, options)
    possible = Counter(ways(view))
    assert len(set(possible.values())) == 1
    times = 60 * len(possible)
    sampled = Counter([way(sample.deal) for sample in view.samples(rng, times)])
    assert sampled.keys() == possible.keys()
    assert min(sampled.values()) > 25
    assert max(sampled.values()) < 100
