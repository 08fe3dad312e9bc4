"""All pairs of a shuffle and others' choices that lead to one seat's view, found by trying each."""

from collections.abc import Iterator
from itertools import permutations

from arena.families.exchange.view import ExchangeView
from arena.games import Deal, Match, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.stock import Shuffler, Stock

Content = tuple[int | None, Action, Hand]
Way = tuple[tuple[Hand, ...], Hand, Hand, tuple[int, ...]]
"""The hands as dealt, the table's cards, those drawn, and the places of all actions among the legal ones."""


def describe(deal: Deal) -> Way:
    """Return what distinguishes a deal from others that one seat cannot tell from it."""
    return deal.dealt, deal.table_dealt, tuple(deal.stock.drawn), tuple(deal.action_indices)


def contents(view: View) -> list[Content]:
    """Return the events that a view shows."""
    return [(event.seat, event.action, event.cards) for event in view.past]


def enumerate_ways(match: Match, seat: int) -> Iterator[Way]:
    """Yield the ways to what the seat sees, each as often as there are orders of the cards not drawn."""
    deal, view = match.deal, match.view(seat)
    own = [event.action for event in deal.log if event.seat == seat]
    sizes = [0 if one == seat else len(hand) for one, hand in enumerate(deal.dealt)]
    mine = deal.dealt[seat]
    laid = view.widow_dealt if isinstance(view, ExchangeView) else deal.table_dealt
    unseen = [c for c in match.rules.whole_pack.cards if c not in mine and c not in laid]
    for order in permutations(unseen):
        cards = list(order)
        hands = [mine if one == seat else take(cards, size) for one, size in enumerate(sizes)]
        table = tuple([take(cards, 1)[0] if c is HIDDEN else c for c in laid])
        stock = Stock(tuple(cards), False, Shuffler(""), b"")
        again = match.rules.deal(deal.opening, hands, table, stock)
        yield from explore(again, view, contents(view), own)


def take(cards: list[Card], count: int) -> Hand:
    """Remove the first cards and return them."""
    taken = tuple(cards[:count])
    del cards[:count]
    return taken


def explore(deal: Deal, view: View, seen: list[Content], own: list[Action]) -> Iterator[Way]:
    """Yield the ways in which the deal can go on until the view's seat sees just what it has seen."""
    now = deal.view(view.seat)
    past = contents(now)
    if past == seen and not own and now.legal == view.legal and now.hand == view.hand:
        yield describe(deal)
        return
    if past != seen[: len(past)] or deal.to_act is None:
        return
    mine = deal.to_act == view.seat
    if mine and not own:
        return
    for action in own[:1] if mine else deal.legal_actions.actions:
        if action in deal.legal_actions.index:
            following = deal.copy()
            following.apply(action)
            yield from explore(following, view, seen, own[1:] if mine else own)
