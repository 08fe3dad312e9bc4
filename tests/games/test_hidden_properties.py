"""Hidden information, for every variant: cards it cannot know change places, and are drawn anew."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from arena.errors import IllegalAction, InvalidNotation
from arena.games import VARIANTS, Deal, Match, Rules, View, variant
from arena.games.cards import Card
from arena.games.stock import Shuffler, Stock
from tests.games.support.random_play import (
    fingerprint,
    play_out,
    positions,
    redeal,
    table_name,
    unseen_stock,
    view_facts,
    view_to_act,
)  # fmt: skip
from tests.games.support.readings import READINGS

PRIVATE = variant("pounce", private_take=True, max_exchange=3)
every_variant = pytest.mark.parametrize("rules", [*VARIANTS, PRIVATE, *READINGS], ids=table_name)


def held_back(deal: Deal, seat: int) -> set[Card]:
    """Cards of which this seat can know no copy: they are in the stock, or never left others' hands.

    Nothing here asks a view what it tells: it goes by where the cards have been.
    """
    moved = {card for event in deal.log for card in event.cards}
    shown = {card for event in deal.view(seat).past if event.seat is None for card in event.cards}
    still = [set(deal.dealt[other]) & set(deal.hands[other]) for other in deal.opening.order if other != seat]
    stock = {deal.opening.rules.whole_pack.card(text) for text in unseen_stock(deal)}
    own = {*deal.dealt[seat], *deal.hands[seat]}
    return stock.union(*still) - moved - shown - own - set(deal.table_dealt)


def exchanged(deal: Deal, seat: int) -> dict[Card, Card]:
    """Cards this seat cannot know, each with another one there are as many of."""
    copies = Counter(deal.opening.rules.whole_pack.cards)
    rng = Random(f"{seat}/{deal.action_indices}")
    others: dict[Card, Card] = {}
    for count in sorted(set(copies.values())):
        alike = [card for card in sorted(held_back(deal, seat), key=str) if copies[card] == count]
        others.update(zip(alike, rng.sample(alike, len(alike)), strict=True))
    return others


def told_openly(view: View) -> list[tuple[Any, ...]]:
    """Return the actions, without the cards."""
    return [(event.seat, event.action.kind, len(event.cards)) for event in view.past]


@every_variant
def test_a_view_tells_nothing_of_cards_the_seat_cannot_know(rules: Rules) -> None:
    """Cards that cannot be known change places, the same is done again: the seat sees no difference."""
    compared = 0
    for players in {2, min(4, rules.players[-1])}:
        for match in positions(rules, players, "hidden", 20):
            for seat in range(players):
                compared += sees_no_difference(match, seat)
    assert compared >= 10


def asked_in(deal: Deal) -> View:
    """The view of the seat that is asked."""
    assert deal.to_act is not None
    return deal.view(deal.to_act)


def done_too(deal: Deal, text: str) -> bool:
    """Does what is written so, if it is legal here."""
    try:
        deal.apply(asked_in(deal).parse(text))
    except (IllegalAction, InvalidNotation):
        return False
    return True


def seen_hands(deal: Deal, seat: int) -> list[str]:
    """Return by seat the hands as this seat has seen them."""
    return [deal.format_seen_hand(other, seat) for other in range(deal.opening.players)]


def sees_no_difference(match: Match, seat: int) -> bool:
    """True if the other deal could be played in the same way; if so, that the seat's views are alike."""
    deal = match.deal
    others = exchanged(deal, seat)
    again = redeal(match, "hidden")
    other = redeal(match, "hidden", lambda card: others.get(card, card))
    for code in deal.action_indices:
        action = again.legal_actions.actions[code]
        if other.to_act != again.to_act or not done_too(other, asked_in(again).text(action)):
            return False
        again.apply(action)
    assert view_facts(again.view(seat)) == view_facts(deal.view(seat))
    if told_openly(other.view(seat)) != told_openly(deal.view(seat)):
        return False
    if seat in (other.to_act, deal.to_act) and other.to_act != deal.to_act:
        return False
    assert view_facts(other.view(seat)) == view_facts(deal.view(seat))
    assert seen_hands(other, seat) == seen_hands(deal, seat)
    return True


# --- samples ---


@every_variant
def test_a_sample_shows_the_same_and_goes_on_to_the_end(rules: Rules) -> None:
    rng = Random(11)
    for players in {2, min(4, rules.players[-1])}:
        for match in positions(rules, players, "samples", 8):
            view = view_to_act(match)
            for _ in range(2):
                drawn = view.sample(rng)
                assert drawn.seat_to_act == match.seat_to_act
                assert view_facts(drawn.view(view.seat)) == view_facts(view)
            for _, _ in zip(range(300), play_out(drawn, rng), strict=False):
                pass


@every_variant
def test_samples_are_deals_as_the_rules_play_them(rules: Rules) -> None:
    """However a sample was made: its cards dealt and its actions done again lead to the same position."""
    compared = 0
    for match in positions(rules, min(4, rules.players[-1]), "replayed", 8):
        for world in view_to_act(match).samples(Random(12), 3):
            deal = world.deal
            if not deal.stock.refills:
                again = Match.from_deal(dealt_again(deal), "again")
                for index in deal.action_indices:
                    again.apply(again.deal.legal_actions.actions[index])
                assert fingerprint(again) == fingerprint(world)
                compared += 1
    assert compared >= 9


def dealt_again(deal: Deal) -> Deal:
    """Deal the same hands, table and stock again."""
    used = {*deal.table_dealt}.union(*deal.dealt)
    coming = [*deal.stock.drawn, *map(deal.opening.rules.whole_pack.card, unseen_stock(deal))]
    rest = tuple(dict.fromkeys([card for card in coming if card not in used]))
    if deal.recorded_stock != tuple(deal.stock.drawn):
        rest = deal.recorded_stock  # of Cox's pack, which has equal cards, all are recorded
    stock = Stock(rest, False, Shuffler(""), b"")
    return deal.opening.rules.deal(deal.opening, deal.dealt, deal.table_dealt, stock)


@every_variant
def test_samples_differ_where_something_is_hidden(rules: Rules) -> None:
    match = rules.match(3, "differ")
    view = view_to_act(match)
    rng = Random(13)
    hands = {str(view.sample(rng).deal.hands) for _ in range(5)}
    assert len(hands) == 5
