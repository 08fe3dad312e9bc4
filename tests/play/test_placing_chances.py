"""Chances to be placed ahead: sums, the end of the match, an exact case; the stock that is shuffled again."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from arena.games import VARIANTS, Deal, Match, Rules, variant
from arena.games.stock import RecordedStock, Shuffler, Stock
from arena.play import play_match
from arena.play.chances import Chances, estimate_chances, find_costly_steps, make_playout_policies
from arena.play.heuristics import make_heuristic
from arena.plugins import parse_bot
from arena.tournament.record_search import read_records, replay_deals


def play(rules: Rules, players: int = 3, bot: str = "random") -> tuple[list[Deal], Sequence[int]]:
    """Return the deals of a match as replayed from its record, and the placings."""
    record = play_match(rules, [bot] * players, seed="any text")
    [read] = read_records("it", [msgspec.json.encode(record)])
    return list(replay_deals("it", read)), record["placings"]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_chances_sum_to_half_a_seat_each_and_end_at_the_placings(rules: Rules) -> None:
    deals, placings = play(rules)
    chances = estimate_chances([deals[0], deals[-1]] if len(deals) > 1 else deals, playouts=2)
    for step in chain.from_iterable(chances):
        assert sum(step.by_seat) == pytest.approx(len(placings) / 2)
    expected = [
        (sum(own < other for other in placings) + (placings.count(own) - 1) / 2) / 2 for own in placings
    ]
    assert chances[-1][-1].by_seat == pytest.approx(expected)
    assert set(chances[-1][-1].errors) == {0.0}


def test_every_action_has_its_chances_and_they_are_always_the_same() -> None:
    deals, _ = play(variant("lives", tokens=1))
    chances = estimate_chances(deals, playouts=5)
    assert [len(steps) for steps in chances] == [len(deal.action_indices) + 1 for deal in deals]
    assert estimate_chances(deals, playouts=5) == chances


def test_chances_agree_with_all_cards_that_can_come_in_a_deal_that_ends_the_match() -> None:
    """In Cuccu for two with one token each only the card that the dealer may draw is not known."""
    rules = variant("cuccu", tokens=1)
    policy = make_heuristic(rules).act
    deals, _ = play(rules, 2, "stand-pat")
    [estimated, *_] = estimate_chances(deals, playouts=400)[0]
    start = next(deals[0].replay())
    assert isinstance(start.stock, RecordedStock)
    [left] = start.stock.layers
    scores = []
    for top in left:
        stock = Stock((top, *[card for card in left if card is not top]), False, Shuffler("any"), b"any")
        match = Match.from_deal(start.copy_with(start.dealt, start.hands[:], stock), "any")
        match.playout([policy] * 2, until="match")
        own, other = match.placings
        scores.append((own < other) + (own == other) / 2)
    exact = sum(scores) / len(scores)
    assert 0 < exact < 1
    assert abs(estimated.by_seat[0] - exact) < 4 * estimated.errors[0]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_stock_that_is_shuffled_again_has_the_cards_that_are_left(rules: Rules) -> None:
    deals, _ = play(rules)
    for state in deals[0].replay():
        stock = state.stock
        assert isinstance(stock, RecordedStock)
        again = stock.shuffle_again("a seed")
        left = Counter(chain.from_iterable(stock.layers))
        assert (again.left, again.drawn, again.refills) == (stock.left, stock.drawn, stock.refills)
        assert sum(left.values()) == stock.left
        assert Counter([again.draw() for _ in range(again.left)]) == left


def test_cards_put_under_the_stock_stay_there_when_it_is_shuffled_again() -> None:
    pack = variant("lives").whole_pack.cards
    stock = RecordedStock(pack[:10], ())
    stock.put_under(pack[10:12])
    again = stock.shuffle_again("a seed")
    cards = [again.draw() for _ in range(12)]
    assert Counter(cards[:10]) == Counter(pack[:10])
    assert tuple(cards[10:]) == pack[10:12]
    assert tuple(cards[:10]) != pack[:10]


def test_actions_after_which_the_chance_of_their_seat_falls_by_more_than_the_errors_are_costly() -> None:
    def at(chance: float) -> Chances:
        return Chances((chance, 1 - chance), (0.05, 0.05))

    deal: Any = SimpleNamespace(log=[SimpleNamespace(seat=seat) for seat in (0, 0, 1)])
    costly = find_costly_steps([deal], [[at(0.5), at(0.3), at(0.2), at(0.9)]])
    assert [(step.step, round(step.fall, 9)) for step in costly] == [(3, 0.7), (1, 0.2)]


def test_another_bot_can_play_the_playouts() -> None:
    rules = variant("cuccu", tokens=1)
    deals, _ = play(rules)
    by = {
        name: estimate_chances(
            deals, 4, make_policies=make_playout_policies(parse_bot(name, Path()), rules, 3)
        )
        for name in ("random", "stand-pat")
    }
    assert by["random"] != by["stand-pat"]
    assert by["random"][-1][-1] == by["stand-pat"][-1][-1], "the match is over"
