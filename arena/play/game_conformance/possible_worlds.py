"""The information set of a view: all worlds that it allows, each deal and choice of others tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import perm
from typing import Any, Final, NamedTuple

from arena.games import Deal, Match, View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.chance_nodes import DecidedShuffler, UndecidedCards, UndecidedStock
from arena.play.game_conformance.deadline import NO_DEADLINE, Deadline
from arena.play.game_conformance.hidden_cards import redeal
from arena.play.game_conformance.view_comparison import cards_in, view_facts

MAX_DEALS: Final = 20_160
"""Maximum number of deals of hands and table that are tried for a position."""
MAX_TRIALS: Final = 40_000
"""Maximum number of courses of play that are tried for a position."""

World = tuple[tuple[Hand, ...], Hand, Hand, tuple[int, ...]]
"""The hands as dealt, the table's cards, those drawn, and the places of all actions among the legal ones."""


class TooManyWorlds(Exception):
    """A view allows more worlds than can be tried."""


class Course(NamedTuple):
    """A course of play that is tried."""

    hands: tuple[Hand, ...]
    table: Hand
    drawn: Hand
    actions: tuple[Action, ...]
    own: int
    """Number of those actions that are the viewing seat's."""
    weight: float


def describe_world(deal: Deal) -> World:
    """Return what distinguishes a deal from others that one seat cannot tell from it."""
    return deal.dealt, deal.table_dealt, tuple(deal.stock.drawn), tuple(deal.action_indices)


def enumerate_worlds(match: Match, seat: int, deadline: Deadline = NO_DEADLINE) -> dict[World, float]:
    """Return the worlds that a seat's view allows, with their probabilities: shuffles are equally likely.

    Raises:
        TooManyWorlds: If there are too many to enumerate.
        OutOfTime: After the deadline.
    """
    search = _Search(match, seat, deadline)
    weights: Counter[World] = Counter()
    for hands, table in _deals(match, seat, search.first):
        for world, weight in search.explore(Course(hands, table, (), (), 0, 1.0)):
            weights[world] += weight  # type: ignore[assignment]
    total = sum(weights.values())
    return {world: weight / total for world, weight in weights.items()}


class _Search:
    """A search for courses of play that lead to a view."""

    def __init__(self, match: Match, seat: int, deadline: Deadline) -> None:
        self.rules, self.opening, self.seat = match.rules, match.deal.opening, seat
        self.view = match.view(seat)
        self.facts, self.seen = view_facts(self.view), _contents(self.view)
        again = redeal(match)
        self.first = again.view(seat)
        self.own: list[Action] = []
        for index in match.deal.action_indices:
            action = again.legal_actions.actions[index]
            if again.to_act == seat:
                self.own.append(action)
            again.apply(action)
        self.trials = 0
        self._deadline = deadline

    def explore(self, course: Course) -> Iterator[tuple[World, float]]:
        """Yield the worlds to which a course of play can lead, with their weights."""
        self.trials += 1
        if self.trials > MAX_TRIALS:
            raise TooManyWorlds
        self._deadline.check()
        left = self.rules.whole_pack.without(
            [*(card for hand in course.hands for card in hand), *course.table]
        )
        stock = UndecidedStock(left, DecidedShuffler((), course.drawn))
        try:
            deal = self.rules.deal(self.opening, course.hands, course.table, stock)
            for action in course.actions:
                deal.apply(action)
        except UndecidedCards as undecided:
            for card, count in Counter(undecided.cards).items():
                weight = course.weight * count / len(undecided.cards)
                yield from self.explore(course._replace(drawn=(*course.drawn, card), weight=weight))
            return
        yield from self._go_on(course, deal)

    def _go_on(self, course: Course, deal: Deal) -> Iterator[tuple[World, float]]:
        now = deal.view(self.seat)
        past = _contents(now)
        if past == self.seen and course.own == len(self.own) and view_facts(now) == self.facts:
            yield describe_world(deal), course.weight
            return
        if past != self.seen[: len(past)] or deal.to_act is None:
            return
        choices: Sequence[Action] = deal.legal_actions.actions
        is_own = deal.to_act == self.seat
        if is_own:
            choices = self.own[course.own : course.own + 1]
        for action in choices:
            if action in deal.legal_actions.index:
                actions = (*course.actions, action)
                yield from self.explore(course._replace(actions=actions, own=course.own + is_own))


def _contents(view: View) -> list[tuple[Any, ...]]:
    return [(event.seat, event.action, event.cards) for event in view.past]


def _deals(match: Match, seat: int, first: View) -> Iterator[tuple[tuple[Hand, ...], Hand]]:
    """Yield the hands and table cards that can have been dealt, where the seat has not seen them.

    Raises:
        TooManyWorlds: If there are too many to enumerate.
    """
    deal, shown = match.deal, {*cards_in(view_facts(first))}
    sizes = [len(hand) for hand in deal.dealt]
    row = [
        seen
        for other, hand in enumerate(deal.dealt)
        for seen in (first.dealt if other == seat else (HIDDEN,) * len(hand))
    ]
    row += [card if card in shown else HIDDEN for card in deal.table_dealt]
    places = [place for place, card in enumerate(row) if card is HIDDEN]
    unseen = match.rules.whole_pack.without([card for card in row if card is not HIDDEN])
    if perm(len(unseen), len(places)) > MAX_DEALS:
        raise TooManyWorlds
    for cards in permutations(unseen, len(places)):
        filled: list[Card] = row[:]
        for place, card in zip(places, cards, strict=True):
            filled[place] = card
        hands, start = [], 0
        for size in sizes:
            hands.append(tuple(filled[start : start + size]))
            start += size
        yield tuple(hands), tuple(filled[start:])
