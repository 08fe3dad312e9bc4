"""The search of `expert` at `bastard-brag` and `whisky-poker`: its deals, its strengths, its worlds."""

from importlib import import_module
from itertools import combinations_with_replacement
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from arena.families.exchange.view import ExchangeView
from arena.games import variant
from arena.games.cards import HIDDEN
from arena.play import Info
from bots.expert import FaceDownSearcher
from tests.bots.random_turns import play_random_turns

pytestmark = pytest.mark.xdist_group("kernel")  # compiled once a worker

DEALS = 40
GAMES = ("bastard-brag", "whisky-poker")


@pytest.fixture
def search() -> Any:
    pytest.importorskip("numba")
    module = import_module("bots.face_down_search")
    deals = import_module("bots.face_down_deals")
    return SimpleNamespace(**{**vars(deals), **vars(module)})


def make_searcher(name: str, players: int) -> FaceDownSearcher:
    return FaceDownSearcher(Info.of(variant(name), seat=0, players=players, key="deals"))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("name", GAMES)
def test_the_deal_that_a_view_tells_goes_as_the_rules_say(search: Any, name: str, players: int) -> None:
    rules, rng, compared = variant(name), Random(players), 0
    searcher, deals = make_searcher(name, players), search.CompiledSearch(rules, players)
    for number in range(DEALS):
        view = play_random_turns(rules.match(players=players, seed=f"deal/{number}"), rng, 14)
        if view is None:
            continue
        state = searcher.rng.getstate()
        searcher.write_deal(view, deals)
        searcher.rng.setstate(state)
        world = view.sample(searcher.rng)  # the same one
        deal = deals.worlds[0]
        search.begin(deals.tables, deal)
        for action in deals.actions:
            search.apply_action(deals.tables, deal, int(action))
        while not world.finished_deals:
            assert_the_deals_are_the_same(search, deals, world.view(world.seat_to_act or 0), searcher.places)
            chosen = rng.choice(world.view(world.seat_to_act or 0).legal)
            world.apply(chosen)
            search.apply_action(deals.tables, deal, deals.find_number(chosen))
        assert deal["is_over"]
        finished = world.finished_deals[0]
        changes = finished.changes
        assert changes is not None
        gains = changes.chips or changes.tokens
        assert gains is not None
        for seat in range(players):
            others = [gain for other, gain in enumerate(gains) if other != seat]
            value = search.find_value(deals.tables, deal, view.order.index(seat))
            assert value == pytest.approx(gains[seat] - sum(others) / len(others))
        compared += 1
    assert compared > DEALS // 4


def assert_the_deals_are_the_same(search: Any, deals: Any, view: Any, places: dict[Any, int]) -> None:
    """Compare what a seat sees and may do, and the value of each exchange whose cards it knows."""
    deal = deals.worlds[0]
    size, seat = deals.size, view.order.index(view.seat)
    assert isinstance(view, ExchangeView)
    assert deal["to_act"] == seat
    assert [int(card) for card in deal["hands"][seat][:size]] == [places[card] for card in view.hand]
    for slot, card in enumerate(view.widow):
        assert card is HIDDEN or int(deal["widow"][slot]) == places[card]
    values = deals.memory["values"]
    best, knock, _ = search.assess(deals.tables, deal, values)
    legal = {deals.find_number(action): action for action in view.legal}
    written = {number for number, value in enumerate(values) if value != search.NOT_EVALUATED}
    assert legal.keys() == written | ({knock} if knock != search.NO_ACTION else set())
    assert best in legal
    hand = search.np.zeros(search.MAX_HAND, search.np.int64)
    for number in written:
        made = view.after(legal[number])
        if HIDDEN not in made:
            hand[:size] = [places[card] for card in made]
            assert values[number] == pytest.approx(search.evaluate_hand(deals.tables, hand))


@pytest.mark.parametrize("name", GAMES)
def test_strengths_are_in_the_order_of_the_ranks(search: Any, name: str) -> None:
    rules, rng = variant(name), Random(0)
    tables = search.prepare(rules, 2).tables
    cards = rules.whole_pack.cards
    for _ in range(300):
        hands = [rng.sample(range(len(cards)), rules.hand_size) for _ in range(2)]
        ranks = [rules.rank_table[tuple([cards[place] for place in hand])] for hand in hands]
        strengths = [search.find_strength(tables, search.np.array(hand)) for hand in hands]
        assert (ranks[0] > ranks[1]) == (strengths[0] > strengths[1])
        assert (ranks[0] == ranks[1]) == (strengths[0] == strengths[1])


def test_sums_tell_the_ranks_of_five_cards(search: Any) -> None:
    values = search.RANK_VALUES
    hands = [hand for hand in combinations_with_replacement(range(13), 5) if len(set(hand)) > 1]
    assert len({sum(values[rank] for rank in hand) for hand in hands}) == len(hands)


def test_a_card_known_to_lie_face_down_or_in_a_hand_is_in_every_world(search: Any) -> None:
    """A seat that takes the middle card knows the card it left there, and later who holds it."""
    match = variant("bastard-brag").match(players=2, seed="known")
    first = match.seat_to_act or 0
    laid = match.view(first).hand[0]
    match.apply(match.parse(f"{laid}>??"))
    deals = search.CompiledSearch(match.rules, 2)
    searcher = make_searcher("bastard-brag", 2)
    for text in (f"{match.view(1 - first).hand[0]}>??", ""):
        view = match.view(match.seat_to_act or 0)
        searcher.write_deal(view, deals)  # type: ignore[arg-type]
        if view.seat == first:
            place = view.order.index(1 - first)
            assert deals.memory["is_hidden"][place].sum() == 2
            assert searcher.places[laid] not in deals.memory["unseen"][: deals.memory["unseen_size"]]
        assert deals.memory["is_covered"].tolist()[:3] == [0, 1, 0]
        if text:
            match.apply(match.parse(text))
