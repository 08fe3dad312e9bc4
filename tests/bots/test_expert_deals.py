"""The search of `expert` in other games than `lives`, on the arena's compiled rules."""

from random import Random
from typing import Any

import pytest

from arena.families.exchange.view import ExchangeView
from arena.games import Rules, variant
from arena.play import Info, play_match
from bots.expert import SERVED_VARIANTS, ExchangeSearcher, Expert
from bots.tuned import Tuned
from tests.bots.random_turns import copy_cards, play_random_turns

SEARCH = "bots.exchange_search"
pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

DEALS = 30
SCHWIMMEN = variant("schwimmen")


def make_searcher(rules: Rules, players: int, **settings: Any) -> ExchangeSearcher:
    return ExchangeSearcher(Info.of(rules, seat=0, players=players, key="deals", settings=settings))


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("name", sorted(SERVED_VARIANTS))
def test_the_deal_that_a_view_tells_goes_as_the_rules_say(search: Any, name: str, players: int) -> None:
    rules, rng, compared = variant(name), Random(players), 0
    searcher, deals = make_searcher(rules, players), search.CompiledSearch(rules, players, players)
    for number in range(DEALS):
        view = play_random_turns(rules.match(players=players, seed=f"deal/{number}"), rng, 14)
        if view is None:
            continue
        searcher.write_deal(view, deals)
        deal = deals.worlds[0]
        search.replay(deals.tables, deals.past, deals.actions, deal)
        assert_it_is_what_the_view_tells(search, searcher, deals, view)
        world = view.sample(rng)
        copy_cards(searcher.places, world, deal)
        while not world.finished_deals:
            seat = world.seat_to_act or 0
            assert deal["to_act"] == view.order.index(seat)
            chosen = rng.choice(world.view(seat).legal)
            world.apply(chosen)
            search.apply_action(deals.tables.game, deal, deals.numbers[chosen], deals.tables.room)
        assert deal["is_over"]
        changes = world.finished_deals[0].changes
        assert changes is not None
        assert changes.tokens is not None
        changed = deal["tokens"] - deal["held"]
        assert [int(changed[view.order.index(seat)]) for seat in range(players)] == list(changes.tokens)
        compared += 1
    assert compared > DEALS // 4


def assert_it_is_what_the_view_tells(
    search: Any, searcher: ExchangeSearcher, deals: Any, view: ExchangeView
) -> None:
    deal, places = deals.worlds[0], searcher.places
    assert view.order[deal["to_act"]] == view.seat
    legal = [search.legal_action(deals.tables.game, deal["legal"], place) for place in range(len(view.legal))]
    assert legal == [deals.numbers[action] for action in view.legal]
    assert [int(card) for card in deal["hands"][deal["to_act"]]] == [places[card] for card in view.hand]
    known = [card for card in view.widow if card.text != "??"]
    assert [int(card) for card in deal["widow"][: len(known)]] == [places[card] for card in known]
    for seat, cards in enumerate(view.known):
        if seat != view.seat:
            assert int(deal["known"][view.order.index(seat)]) == sum(1 << places[card] for card in cards)
    assert deals.tables.rules["pack"] - deal["next_card"] == view.stock_left


@pytest.mark.full
@pytest.mark.parametrize("players", [2, 4, 9])
def test_worlds_have_each_card_once_and_those_known_in_their_places(search: Any, players: int) -> None:
    rng, searcher, deals = (
        Random(1),
        make_searcher(SCHWIMMEN, players),
        search.CompiledSearch(SCHWIMMEN, players, players),
    )
    hands = set()
    for number in range(DEALS):
        view = play_random_turns(SCHWIMMEN.match(players=players, seed=f"world/{number}"), rng, 14)
        if view is None or view.down:
            continue
        searcher.write_deal(view, deals)
        match, memory, past, actions = deals.worlds[0], deals.memory, deals.past, deals.actions
        search.replay(deals.tables, past, actions, match)
        search.find_hidden(deals.tables, match, memory)
        for seat in range(players):
            search.sample_hands(deals.tables, past, actions, match, seat, memory)
        for _ in range(20):
            search.draw_world(deals.tables, match, match["to_act"], memory)
            dealt = [int(card) for card in match["hands"][:players].ravel()]
            cards = [*dealt, *match["widow"][:3], *match["order"][match["next_card"] : 32]]
            gone = {
                searcher.places[card] for event in view.past for card in event.cards if event.seat is None
            }
            assert len(cards) == len(set(cards))
            assert set(range(32)) - set(map(int, cards)) <= gone
            for seat, known in enumerate(view.known):
                held = match["hands"][view.order.index(seat)]
                assert {searcher.places[card] for card in known} <= set(map(int, held))
            hands.add(tuple(dealt))
    assert len(hands) > DEALS


@pytest.mark.parametrize(
    ("name", "players", "models"),
    [
        ("schwimmen", 2, 2),
        ("schwimmen", 4, 1),
        ("stop-the-bus", 2, 2),
        ("stop-the-bus", 4, 1),
        ("trentuno", 2, 1),
    ],
)
def test_playouts_have_constants_of_their_own_in_matches_of_two_at_two_games(
    search: Any, name: str, players: int, models: int
) -> None:
    """Those with two of four left in the deal have not."""
    own, others = search.choose_constants(variant(name), 2, players)
    assert others == [search.START, own][:models]
    assert (own.knock < 0.5) == (models == 2)


@pytest.mark.full
@pytest.mark.parametrize(("players", "models"), [(2, {0, 1}), (4, {0})])
def test_each_model_of_the_others_plays_in_worlds_and_weighs_turns(
    search: Any, players: int, models: set[int]
) -> None:
    """A turn is as likely as it is on average by the models."""
    rng, rules = Random(1), variant("stop-the-bus")
    searcher, deals = make_searcher(rules, players), search.CompiledSearch(rules, players, players)
    drawn, likelihoods = set(), set()
    for number in range(DEALS):
        view = play_random_turns(rules.match(players=players, seed=f"model/{number}"), rng, 14)
        if view is None:
            continue
        searcher.write_deal(view, deals)
        tables, match, memory, past = deals.tables, deals.worlds[0], deals.memory, deals.past
        search.replay(tables, past, deals.actions, match)
        search.find_hidden(tables, match, memory)
        for before, action in zip(past, deals.actions, strict=True):
            by_model = [
                search.weigh_turn(tables._replace(others=row[None]), before, action, memory)
                for row in tables.others
            ]
            assert search.weigh_turn(tables, before, action, memory) == sum(by_model) / len(by_model)
            likelihoods.add(len(set(by_model)))
        for _ in range(20):
            search.draw_world_and_model(tables, match, match["to_act"], memory)
            drawn.add(int(memory["model"]))
    assert drawn == models
    assert max(likelihoods) == len(models)


@pytest.mark.full
def test_it_leaves_the_action_of_tuned_only_for_a_better_one(search: Any) -> None:
    """Without worlds none is: the compiled `tuned` decides as the bot."""

    class Never(Expert):
        def __init__(self, info: Info) -> None:
            super().__init__(info)
            assert isinstance(self.searcher, ExchangeSearcher)
            self.searcher.worlds = 0

    for seed in range(5):
        seats = [[player, "counter", "greedy"] for player in (Never, Tuned, Expert)]
        never, tuned, expert = [play_match(SCHWIMMEN, bots, seed=f"never/{seed}") for bots in seats]
        assert never["deals"] == tuned["deals"] != expert["deals"]
        assert expert["faults"] == []
