"""Cambio: deals drawn at random from all those a view allows."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from arena.families.cambio.view import CambioView
from arena.games import Match, variant
from arena.games.action import format_cards
from arena.games.cards import HIDDEN, Card
from tests.games.support.cambio_deals import dealt, seen_by

DRAWS = 2000


def facts(view: CambioView) -> tuple[object, ...]:
    """All that a view says."""
    return (
        *(view.seat, view.hand, view.dealt, view.known, view.discard, view.drawn, view.stock_left),
        *(view.caller, view.events, view.legal, view.holdings, view.opening),
    )


def view_of(match: Match, seat: int) -> CambioView:
    view = match.view(seat)
    assert isinstance(view, CambioView)
    return view


def is_even(counts: Counter[Card], cards: set[Card]) -> bool:
    """Return whether each of these cards, and no other, came about equally often."""
    expected = counts.total() / len(cards)
    squares = sum((counts[card] - expected) ** 2 / expected for card in cards)
    freedom = len(cards) - 1
    return set(counts) <= cards and squares < freedom + 5 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (7, {"pack": 32, "jokers": False}),
        (2, {"snap": True, "pack": 32}),
    ],
)
def test_a_sampled_match_looks_the_same_and_can_be_played_on(players: int, options: dict[str, Any]) -> None:
    rng = Random(players)
    match = variant("cambio", **options).match(players=players, seed="sample")
    for turn in range(250):
        if match.is_over:
            break
        choices, seat = match.deal.legal_actions.actions, match.seat_to_act
        assert seat is not None
        if turn % 3 == 0:
            sampled = match.view(seat).sample(rng)
            assert sampled.seat_to_act == seat
            assert facts(view_of(sampled, seat)) == facts(view_of(match, seat))
            twin = sampled.copy()
            while not twin.finished_deals:
                twin.apply(twin.deal.legal_actions.default)
            assert not sampled.finished_deals
        calm = [action for action in choices if action.kind != "cambio"]
        match.apply(choices[-1] if choices[-1].kind == "leave" and turn % 5 else rng.choice(calm or choices))


def test_every_unseen_card_is_as_likely_in_every_hidden_place() -> None:
    table = dealt("9S 5S JS").play("1:draw stock", "1:discard", "1:peek 0:4", "2:draw stock", "2:place 1")
    view = seen_by(table, 0)
    rng = Random(1)
    places: dict[str, Counter[Card]] = {name: Counter() for name in ("own", "other", "placed", "next")}
    for _ in range(DRAWS):
        deal = view.sample(rng).deal
        places["own"][deal.hands[0][3]] += 1
        places["other"][deal.hands[1][0]] += 1
        places["placed"][deal.hands[2][0]] += 1
        places["next"][deal.stock.copy().draw()] += 1
    seen = {"AS", "2S", "AC", "9S", "6D"}
    unseen = {card for card in table.rules.whole_pack.cards if str(card) not in seen}
    assert [name for name, counts in places.items() if not is_even(counts, unseen)] == []


def test_what_others_know_is_as_it_must_be() -> None:
    table = dealt("9S 5S").play("1:draw stock", "1:discard", "1:peek 0:4", "2:draw stock")
    deal = seen_by(table, 0).sample(Random(2)).deal
    looker = deal.view(1)
    assert looker.known[0] == (HIDDEN, HIDDEN, HIDDEN, deal.hands[0][3])
    assert looker.events[3:] == ("discard 9S", "1:peek 0:4", f"seen 0:4 {deal.hands[0][3]}", "2:draw stock")


def test_a_card_drawn_after_a_reshuffle_is_one_of_the_reshuffled() -> None:
    match = variant("cambio", pack=32, jokers=False).match(players=7, seed="few")
    while "reshuffle" not in match.view(0).events or match.view(0).legal:
        match.apply(match.deal.legal_actions.default)
    drawer = match.seat_to_act
    assert drawer is not None
    reshuffled = next(set(event.cards) for event in match.view(0).past if event.action.kind == "reshuffle")
    assert len(reshuffled) == 3
    match.apply(match.parse("place 1"))
    replaced = view_of(match, 0).discard[-1]
    rng, drawn, dealt_then = Random(3), Counter[Card](), Counter[Card]()
    for _ in range(DRAWS):
        deal = match.view(0).sample(rng).deal
        drawn[deal.hands[drawer][0]] += 1
        dealt_then[deal.dealt[drawer][1]] += 1
        assert deal.dealt[drawer][0] is replaced
    assert is_even(drawn, reshuffled)
    seen = {*view_of(match, 0).dealt, *view_of(match, 0).discard, *reshuffled}
    assert is_even(dealt_then, set(match.rules.whole_pack.cards) - seen)


def test_the_reshuffles_to_come_differ_from_sample_to_sample() -> None:
    match = variant("cambio").match(players=8, seed="later")
    view, rng = match.view(match.deal.opening.order[0]), Random(4)
    orders = set()
    for _ in range(3):
        twin = view.sample(rng)
        while not twin.finished_deals:
            twin.apply(twin.deal.legal_actions.default)
        orders.add(format_cards(twin.finished_deals[0].recorded_stock[21:]))
    assert len(orders) == 3
