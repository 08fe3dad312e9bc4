"""The search of `expert` in games whose widow grows: its deals, its values, and where it does not search."""

from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.families.exchange.actions import POUNCE
from arena.families.exchange.view import ExchangeView
from arena.games import variant
from arena.games.action import Event
from arena.play import Info
from bots.expert import PoolSearcher, PounceSearcher
from tests.bots.random_turns import copy_cards, play_random_turns

SEARCH = "bots.pool_search"
pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

DEALS = 40


@pytest.mark.parametrize(("name", "players"), [("tokens", 4), ("no-pair-or-point", 2)])
def test_deals_and_values_are_those_of_the_rules(search: Any, name: str, players: int) -> None:
    """A deal goes from what a view tells to its end; an exchange is worth what its hand is."""
    rules, rng, compared = variant(name), Random(players), 0
    searcher = PoolSearcher(Info.of(rules, seat=0, players=players, key="deals"))
    deals, places = search.CompiledSearch(rules, players), searcher.places
    for number in range(DEALS):
        view = play_random_turns(rules.match(players=players, seed=f"deal/{number}"), rng, 10)
        if view is None:
            continue
        searcher.write_deal(view, deals)
        deal, tables = deals.worlds[0], deals.tables
        search.replay(tables, deals.past, deals.actions, deal)
        assert view.order[deal["to_act"]] == view.seat
        assert [int(card) for card in deal["widow"][: deal["widow_size"]]] == [places[c] for c in view.widow]
        values = deals.memory["values"]
        _, knock, _ = search.assess(tables, deal, search.OTHERS, values)
        is_locked = len(view.legal) < 9
        for place, (action, hand) in enumerate(zip(view.legal, view.hands_after(), strict=True)):
            stays = is_locked or len(action.give) == 3
            table = tables.final if stays else tables.worth
            if place != knock:
                worth = table[(search.OTHERS, *[places[card] for card in hand])]
                assert values[place] == pytest.approx(worth)
        world = view.sample(rng)
        copy_cards(places, world, deal)
        while not world.finished_deals:
            seat = world.seat_to_act or 0
            assert deal["to_act"] == view.order.index(seat)
            chosen = rng.choice(world.view(seat).legal)
            world.apply(chosen)
            search.apply_action(tables.game, deal, deals.numbers[chosen], tables.room)
        changes = world.finished_deals[0].changes
        assert changes is not None
        assert changes.tokens is not None
        gained = deal["tokens"] - deal["held"]
        assert [int(gained[view.order.index(seat)]) for seat in range(players)] == list(changes.tokens)
        compared += 1
    assert compared > DEALS // 4


def test_in_its_last_turn_it_makes_the_best_hand(search: Any) -> None:
    rules = variant("tokens")
    searcher = PoolSearcher(Info.of(rules, seat=0, players=2, key="last"))
    decided = 0
    for seed in range(10):
        match = rules.match(players=2, seed=f"last/{seed}")
        match.apply(match.parse("pass"))  # the dealer's, before it looks
        for _ in range(3):
            match.apply(match.parse("pass"))
        view = match.view(match.seat_to_act or 0)
        assert isinstance(view, ExchangeView)
        chosen = searcher.act(view)
        assert chosen is not None
        ranks = [rules.rank_table[hand] for hand in view.hands_after()]
        decided += rules.rank_table[view.after(chosen)] == max(ranks)
    assert decided == 10


def test_when_somebody_pounces_or_may_it_plays_as_tuned(search: Any) -> None:
    """The search knows no fourth card in a hand."""
    match = variant("pounce").match(players=2, seed="pounce")
    match.apply(match.parse("pass"))
    view = match.view(match.seat_to_act or 0)
    assert isinstance(view, ExchangeView)
    searcher = PounceSearcher(Info.of(match.rules, seat=view.seat, players=2, key="pounce"))
    assert searcher.act(view) in view.legal
    passed = view.past[0]
    pounced = Event(passed.before, passed.number, passed.seat, POUNCE.actions[0], passed.cards)
    for changed in ({"legal": POUNCE.actions, "past": ()}, {"legal": view.legal, "past": (pounced,)}):
        assert searcher.act(SimpleNamespace(**changed)) is None  # type: ignore[arg-type]
