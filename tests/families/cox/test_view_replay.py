"""Deals are replayed as by the general way, which looks for each action and compares all at the end."""

from random import Random

import pytest

from arena.families.cox.actions import discard
from arena.families.cox.view import CoxDeterminization, CoxView
from arena.games import Match, View
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.determinization import Assignment, Determinization
from arena.games.stock import Shuffler, Stock
from tests.games.support.cox_deals import COX, played


class GeneralWay(CoxDeterminization):
    """Replays by what all families share."""

    def replay(self, deal: Deal, assignment: Assignment) -> bool:
        return Determinization.replay(self, deal, assignment)

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action | None:
        assert event.seat is not None
        hand = deal.hands[event.seat]
        if event.action.kind == "discard":
            (card,) = event.cards
            return discard(hand.index(card)) if card in hand else None
        for action in deal.legal_actions.actions:
            is_same = not action.give or action.cards(hand, ()) == event.cards
            if is_same and action.kind == event.action.kind:
                return action
        return None

    def accept(self, deal: Deal) -> bool:
        reached = deal.view(self.view.seat)
        return reached.legal == self.view.legal and contents(reached) == contents(self.view)


def contents(seen: View) -> list[tuple[int | None, Action, Hand]]:
    return [(event.seat, event.action, event.cards) for event in seen.past]


def exchange_hidden(way: CoxDeterminization, assignment: Assignment, rng: Random) -> Assignment:
    """Return an assignment in which two cards that the view has not seen in their slots change places."""
    row = [*[c for hand in assignment.hands for c in hand], *assignment.stock.copy().shuffle_rest()]
    hidden = [slot for slot, c in enumerate(way._row) if c is HIDDEN]
    first, other = rng.choice(hidden[: len(hidden) // 2]), rng.choice(hidden)
    row[first], row[other] = row[other], row[first]
    return assign(way.view, row)


def assign(seen: CoxView, row: list[Card]) -> Assignment:
    cards = tuple(row)
    size = COX.hand_size
    end = size * seen.players
    hands = [cards[place : place + size] for place in range(0, end, size)]
    return Assignment(hands, (), Stock(cards[end:], False, Shuffler(""), b""))


def outcome(way: CoxDeterminization, assignment: Assignment) -> tuple[object, ...] | None:
    """Return what came of a replay; None if it was rejected."""
    cards = assignment.stock.copy().shuffle_rest()
    deal = COX.deal(way.view.opening, assignment.hands, (), Stock(cards, False, Shuffler(""), b""))
    if not (way.replay(deal, assignment) and way.accept(deal)):
        return None
    events = [(event.seat, event.action, event.cards) for event in deal.log]
    return (events, deal.action_indices, deal.hands, deal.to_act, deal.legal_actions.actions)


def observed(match: Match, seat: int) -> CoxView:
    seen = match.view(seat)
    assert isinstance(seen, CoxView)
    return seen


@pytest.mark.parametrize("players", [2, 3, 4])
def test_replays_and_rejections_are_those_of_the_general_way(players: int) -> None:
    rng = Random(players)
    accepted = rejected = 0
    for number, match in enumerate(played("replayed", players)):
        if number % 13 == 0:
            seen = observed(match, number % players)
            short, general = CoxDeterminization(seen), GeneralWay(seen)
            assignment = short.assign(rng)
            for _ in range(4):
                replayed = outcome(short, assignment)
                assert replayed == outcome(general, assignment)
                accepted += replayed is not None
                rejected += replayed is None
                assignment = exchange_hidden(short, assignment, rng)
    assert accepted > 20
    assert rejected > 5
