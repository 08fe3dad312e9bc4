"""One deal that is played again until a seat has seen in it what it saw: a trial of a sampler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

from arena.errors import IllegalAction, RecordError
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.chance_nodes import DecidedShuffler, UndecidedCards, UndecidedStock
from arena.games.deal import Deal
from arena.games.determinization import Assignment
from arena.games.events import Event, merge_events, opened_action
from arena.games.stock import RecordedStock, Stock

T = TypeVar("T")


class _Step(NamedTuple):
    """The result of an action, or of beginning the deal."""

    action: Action | None
    deal: Deal
    drawn: Hand
    """The cards that came from the stock."""
    layers: Mapping[Card, Hand]
    """The cards that could have come instead of each of them."""
    seen: tuple[Event, ...]
    """Events that the view's seat saw."""
    is_exact: bool
    """True if it has seen the very same cards."""


class Trial:
    """One deal that is played until the view's seat has seen everything.

    Args:
        worlds: The `ReplayedDeals` of the view: what is learned from one deal serves the others.
        assignment: The cards to begin with.
        rng: What decides everything.
        is_trial: Drop it only where nothing fits, to learn.
    """

    def __init__(self, worlds: Any, assignment: Assignment, rng: Random, is_trial: bool) -> None:
        self._worlds, self._past, self._rng, self._is_trial = worlds, worlds.past, rng, is_trial
        self._seat = worlds.view.seat
        self._hands, self._table = list(assignment.hands), assignment.table
        self._stock = assignment.stock
        self._steps: list[_Step] = []
        self._seen = 0
        """Number of events seen in these steps."""
        self._bound = set(worlds.fixed)
        """Cards that are known to have been where they are: they do not change places."""
        self._refill: dict[Card, int] = {}
        """The refill of the stock with which a card was shuffled last; 0 without an entry."""
        self._key = 0
        """Key of the random numbers that decide the cards drawn in this step."""
        self._choices = 0

    def play(self) -> Deal | None:
        """Return the deal, or None if it does not fit."""
        while not (self._steps and self._worlds.is_complete(self._steps[-1].deal, self._seen)):
            self._key = self._rng.getrandbits(32)
            if not self._take_step():
                return None
        return self._steps[-1].deal

    def _take_step(self) -> bool:
        """Do an action after which the seat has seen what it saw; return False if there is none."""
        while True:
            steps = list(self._list_steps())
            missing = self._find_missing(steps)
            if missing is None:
                step = self._choose([step for step in steps if step.is_exact])
                if step is not None:
                    self._add(step)
                else:
                    self._worlds.illegal += not any(step.is_exact for step in steps)
                return step is not None
            card = self._choose(self._find_places(steps, *missing))
            if card is None:
                return False
            event, place = missing
            named = self._past[event].cards[place]
            if card is not named and not self._exchange(card, named):
                return False
            self._bound.add(named)

    def _choose(self, choices: Sequence[T]) -> T | None:
        """Return one of the choices, each with the same probability in all deals; None to drop this one."""
        bounds = self._worlds.bounds
        if self._choices == len(bounds):
            bounds.append(1)
        bound = bounds[self._choices] = max(bounds[self._choices], len(choices))
        self._choices += 1
        place = self._rng.randrange(len(choices) or 1 if self._is_trial else bound)
        return choices[place] if place < len(choices) else None

    # --- steps ---

    def _list_steps(self) -> Iterator[_Step]:
        """Yield what can come next, if the seat saw the same kinds of events."""
        actions = self._steps[-1].deal.legal_actions.actions if self._steps else (None,)
        for action in actions:
            if step := self._make_step(action):
                yield step

    def _make_step(self, action: Action | None, coming: Hand = ()) -> _Step | None:
        """Return the result of an action, for which these cards come from the stock, if it fits."""
        layers: dict[Card, Hand] = {}
        drawn, is_replaced = list(coming), False
        while True:
            try:
                deal = self._apply(action, tuple(drawn))
            except UndecidedCards as undecided:
                cards = Random(self._key + len(drawn)).sample(undecided.cards, undecided.count)
                layers.update(dict.fromkeys(cards, undecided.cards))
                drawn += cards
                continue
            except (RecordError, IllegalAction):
                return None  # a card that has changed places is not in the stock now, or in the hand
            step = self._compare(action, deal, layers)
            if step is None or step.is_exact or is_replaced:
                return step
            is_replaced = True
            self._replace_drawn(step, drawn)

    def _apply(self, action: Action | None, coming: Hand) -> Deal:
        shuffler = DecidedShuffler((), coming)
        if action is None:
            stock = self._stock.copy()
            stock.shuffler = shuffler
            rules = self._worlds.rules
            deal: Deal = rules.deal(self._worlds.view.opening, tuple(self._hands), self._table, stock)
            return deal
        deal = self._steps[-1].deal.copy()
        deal.stock.shuffler = shuffler
        deal.apply(action)
        return deal

    def _compare(self, action: Action | None, deal: Deal, layers: Mapping[Card, Hand]) -> _Step | None:
        """Return the step that led to a deal, if the seat saw what it should, maybe with other cards."""
        last, seat = self._steps[-1].deal if self._steps else None, self._seat
        seen = merge_events(
            deal.public,
            deal.private_events[seat],
            last.public if last else None,
            last.private_events[seat] if last else None,
        )
        expected = self._past[self._seen : self._seen + len(seen)]
        if len(seen) > len(expected):
            return None
        if not self._is_opened(deal):
            return None
        is_exact = True
        for event, other in zip(seen, expected, strict=True):
            if (event.seat, event.action, len(event.cards)) != (other.seat, other.action, len(other.cards)):
                return None
            for card, wanted in zip(event.cards, other.cards, strict=True):
                if card is not wanted:
                    is_exact = False
                    if HIDDEN in (card, wanted):
                        return None
        drawn = tuple(deal.stock.drawn[len(last.stock.drawn) if last else 0 :])
        return _Step(action, deal, drawn, layers, tuple(seen), is_exact)

    def _is_opened(self, deal: Deal) -> bool:
        """Return whether the hidden choices of a deal are those that were opened later."""
        choices: tuple[Event, ...] = getattr(deal, "hidden_choices", ())
        return all(
            opened is opened_action(choice.seat, choice.action)
            for choice, opened in zip(choices, self._worlds.opened, strict=False)
        )

    def _replace_drawn(self, step: _Step, drawn: list[Card]) -> None:
        """Let cards that the seat saw come from the stock, where others were drawn that it did not see."""
        expected = self._past[self._seen :]
        for event, other in zip(step.seen, expected, strict=False):
            for card, wanted in zip(event.cards, other.cards, strict=True):
                if card in drawn and card is not wanted and wanted in step.layers.get(card, ()):
                    place = drawn.index(card)
                    if wanted in drawn:
                        drawn[drawn.index(wanted)] = card
                    drawn[place] = wanted

    def _add(self, step: _Step) -> None:
        """Go on from a step."""
        before = self._steps[-1].deal.stock.refills if self._steps else 0
        self._steps.append(step)
        self._seen += len(step.seen)
        self._bound.update(card for event in step.seen for card in event.cards)
        stock = step.deal.stock
        if stock.refills > before:  # discards lie in the stock again, in an order that nobody knows
            assert isinstance(stock, RecordedStock)
            under = {*stock.layers[-1]} if stock.layers else set()
            fresh = under.union(card for card, layer in step.layers.items() if under.issubset(layer))
            self._bound -= fresh
            self._refill.update(dict.fromkeys(fresh, stock.refills))

    # --- cards that are named now ---

    def _find_missing(self, steps: Sequence[_Step]) -> tuple[int, int] | None:
        """Return the event, and the place in it, of the first card named next that could be anywhere."""
        end = self._seen + max([len(step.seen) for step in steps], default=0)
        if not steps:  # the action is not legal with these cards: those that it shows come first
            end = min(self._seen + 1, len(self._past))
            while end < len(self._past) and self._past[end].seat is None:
                end += 1
        for number in range(self._seen, end):
            for place, card in enumerate(self._past[number].cards):
                if self._is_movable(card):
                    return number, place
        return None

    def _is_movable(self, card: Card) -> bool:
        return card is not HIDDEN and card not in self._bound and card not in self._worlds.copies

    def _find_places(self, steps: Sequence[_Step], number: int, place: int) -> list[Card]:
        """Return the cards in whose place the one named by an event can have been."""
        event, named = self._past[number], self._past[number].cards[place]
        seen = [
            step.seen[number - self._seen].cards[place]
            for step in steps
            if len(step.seen) > number - self._seen
        ]
        last = self._steps[-1].deal if self._steps else None
        seat = event.seat if event.seat is not None or not last else last.to_act
        hand = last.hands[seat] if last and seat is not None else ()
        if not seen or any(card in hand for card in seen):
            seen = list(hand)
        refill = self._refill.get(named, 0)
        cards = [c for c in dict.fromkeys(seen) if self._is_movable(c) and self._refill.get(c, 0) == refill]
        if seat is not None and seat != self._seat:
            dealt = self._hands[seat]
            is_dealt = seen == list(hand) and not refill and all(card in dealt for card in cards)
            self._worlds.add_origin(named, seat if is_dealt else None)
        return cards

    def _exchange(self, first: Card, other: Card) -> bool:
        """Let two cards change places, and play again from there; return whether that shows the same."""
        refill, steps = self._refill.get(first, 0), self._steps
        places = {first: other, other: first}
        if not refill:
            dealt = [card for hand in (*self._hands, self._table) for card in hand]
            is_dealt = first in dealt or other in dealt
            self._hands = [tuple([places.get(c, c) for c in hand]) for hand in self._hands]
            self._table = tuple([places.get(c, c) for c in self._table])
            self._stock = _make_stock(self._worlds.rules, self._hands, self._table)
        else:
            is_dealt = False
        drawn_at = [
            number
            for number, step in enumerate(steps)
            if (first in step.drawn or other in step.drawn) and step.deal.stock.refills >= refill
        ]
        start = 0 if is_dealt else min(drawn_at, default=len(steps))
        self._steps = steps[:start]
        self._seen = sum([len(step.seen) for step in self._steps])
        for step in steps[start:]:
            coming = step.drawn
            if step.deal.stock.refills >= refill:
                coming = tuple([places.get(c, c) for c in coming])
            again = self._make_step(step.action, coming)
            if again is None or not again.is_exact:
                again = next((exact for exact in self._list_steps() if exact.is_exact), None)
            if again is None:
                return False
            self._steps.append(again)
            self._seen += len(again.seen)
        return True


def _make_stock(rules: Any, hands: Sequence[Hand], table: Hand) -> Stock:
    """Return the stock when these hands and cards of the table have been dealt."""
    left = rules.whole_pack.without([card for hand in (*hands, table) for card in hand])
    return UndecidedStock(left, DecidedShuffler((), ()))
