"""Samples of trade and barter: they show the same, and all possible choices are as likely."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from arena.families.barter import history_sampler
from arena.families.barter.deal import GIVE_ACTIONS
from arena.families.barter.view import BarterView
from arena.games import Match, variant
from arena.games.action import Event
from arena.games.cards import Card, Hand
from arena.games.stock import Shuffler, Stock

Choices = tuple[int, ...]
Trace = list[Hand]
"""The hands of one seat, after each action."""


def trading(
    rng: Random, players: int, actions: int, name: str = "trade-and-barter", standing: int = 0
) -> Match:
    """Return a match in which `standing` seats stand at once, and none in the next `actions` actions."""
    match = variant(name).match(players, str(rng.random()))
    for number in range(standing + actions):
        content = [action for action in match.deal.legal_actions.actions if action.kind in ("stand", "knock")]
        others = [action for action in match.deal.legal_actions.actions if action not in content]
        match.apply(rng.choice(content if number < standing else others))
    assert not match.finished_deals
    return match


def hidden(view: BarterView) -> list[Event]:
    """The events in which others gave a card of their choice."""
    return [
        event
        for event in view.past
        if event.seat not in (None, view.seat) and event.action.kind in GIVE_ACTIONS
    ]


def trace(view: BarterView, dealt: list[Hand], stock: Hand, choices: Choices) -> Trace:
    """Return the hands of the view's seat after each action, if the others choose these slots."""
    deal = view.opening.rules.deal(view.opening, dealt, (), Stock(stock, False, Shuffler(""), b""))
    chosen = dict(zip([event.number for event in hidden(view)], choices, strict=True))
    held = []
    for event in view.past:
        if event.seat is not None:
            done = event.action
            deal.apply(GIVE_ACTIONS[done.kind][chosen[event.number]] if event.number in chosen else done)
            held.append(deal.hands[view.seat])
    return held


def is_same(seen_hands: Trace, tried: Trace, own: Hand) -> bool:
    """Return whether the traces agree once the cards that this seat was not dealt are renamed."""
    faces: dict[Card, Card] = {card: card for card in own}
    for mine, theirs in zip(seen_hands, tried, strict=True):
        for card, other in zip(mine, theirs, strict=True):
            if faces.setdefault(other, card) is not card:
                return False
    return len(set(faces.values())) == len(faces)


def possible(match: Match, seat: int) -> list[Choices]:
    """Every way in which the others can have chosen; each leaves as many ways to deal the cards not seen."""
    view, deal = match.view(seat), match.deal
    assert isinstance(view, BarterView)
    real = [event.action.give[0] for event in deal.log if event.seat != seat and event.action.give]
    dealt = list(deal.dealt)
    used = {card for hand in dealt for card in hand}
    pile = (*deal.recorded_stock, *[card for card in match.rules.whole_pack.cards if card not in used])
    stock = tuple(dict.fromkeys(card for card in pile if card not in used))
    seen_hands = trace(view, dealt, stock, tuple(real))
    return [
        choices
        for choices in product(range(3), repeat=len(real))
        if is_same(seen_hands, trace(view, dealt, stock, choices), view.dealt)
    ]


def chosen(match: Match, seat: int) -> Choices:
    return tuple(
        [event.action.give[0] for event in match.deal.log if event.seat != seat and event.action.give]
    )


@pytest.mark.parametrize(
    ("players", "standing", "actions", "seed", "seat", "number"),
    [
        (2, 0, 14, 0, 0, 6),
        (2, 0, 15, 4, 0, 108),
        (3, 0, 9, 0, 0, 54),
        (3, 0, 9, 7, 1, 162),
        pytest.param(3, 0, 8, 5, 2, 216, marks=pytest.mark.full),
        (16, 14, 12, 3, 13, 18),  # four cards of stock: what was put there comes again
        (16, 14, 20, 7, 4, 81),
        pytest.param(16, 14, 20, 5, 10, 162, marks=pytest.mark.full),
        pytest.param(16, 13, 16, 1, 0, 162, marks=pytest.mark.full),
    ],
)
def test_all_possible_choices_are_sampled_equally_often(
    players: int, standing: int, actions: int, seed: int, seat: int, number: int
) -> None:
    """Chi squared against equal odds: its mean is one less than the cases, its variance twice that."""
    rng = Random(seed)
    match = trading(
        rng, players, actions, "ready-money-extended" if standing else "trade-and-barter", standing
    )
    allowed = possible(match, seat)
    assert len(allowed) == number < 3 ** len(chosen(match, seat))
    each = 20
    drawn = Counter(chosen(world, seat) for world in match.view(seat).samples(rng, each * number))
    assert set(drawn) <= set(allowed)
    squares = sum((drawn[place] - each) ** 2 / each for place in allowed)
    assert squares < number + 5 * (2 * number) ** 0.5


@pytest.mark.parametrize("name", ["trade-and-barter", "trade-and-barter-consent"])
@pytest.mark.parametrize(("players", "actions"), [(2, 50), (3, 60), (5, 60), (10, 70), (16, 90)])
def test_a_sample_of_a_long_deal_shows_all_that_was_seen(name: str, players: int, actions: int) -> None:
    rng = Random(players)
    match = trading(rng, players, actions, name)
    for seat in range(players):
        view = match.view(seat)
        for _ in range(3):
            other = view.sample(rng)
            same = other.view(seat)
            assert (same.hand, same.events, same.legal) == (view.hand, view.events, view.legal)
            assert same.holdings == view.holdings
            for holder, cards in enumerate(view.known):
                assert set(cards) <= set(other.deal.hands[holder])


def test_a_sample_with_too_many_states_still_shows_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(5)
    match = trading(rng, 4, 40)
    monkeypatch.setattr(history_sampler, "MAX_EXACT_STATES", 1)
    for seat in range(4):
        view = match.view(seat)
        same = view.sample(rng).view(seat)
        assert (same.hand, same.events) == (view.hand, view.events)


def test_a_card_known_to_a_partner_is_still_there_as_often_as_he_may_have_kept_it() -> None:
    """He has traded one of three since: two times in three."""
    rng = Random(1)
    match = variant("trade-and-barter").match(3, "kept")
    asker = match.seat_to_act
    assert asker is not None
    for choice in (3, 0, 0):
        match.apply(match.deal.legal_actions.actions[choice])
    given = match.deal.log[0].cards[0]
    partner = match.deal.log[1].seat
    assert partner is not None
    kept = sum(given in match.view(asker).sample(rng).deal.hands[partner] for _ in range(900))
    assert 550 < kept < 650


def test_with_open_hands_only_the_stock_is_sampled() -> None:
    rng = Random(1)
    match = variant("trade-and-barter", open_hands=True).match(4, "open")
    for _ in range(12):
        match.apply(rng.choice(match.deal.legal_actions.actions[:6]))
    others = [match.view(0).sample(rng) for _ in range(5)]
    assert all(other.deal.hands == match.deal.hands for other in others)
    assert all(other.deal.dealt == match.deal.dealt for other in others)
    assert len({other.deal.stock.draw() for other in others}) > 1
