"""Determinization: deals drawn uniformly from all those that one view allows.

Every card that was dealt or drawn came to a slot; slots are numbered, and each is known or hidden. What the
view has seen puts constraints on the hidden ones: the cards a slot may hold, and the slots from which a card
may have been chosen. A sample takes three steps. An assignment gives each hidden slot a card, all assignments
that meet the constraints being equally likely. The deal is replayed from it, action by action. It is accepted
if exactly what was seen has happened, and drawn again otherwise.

What follows from the view alone is worked out once and serves all samples of that view. `ReplayedDeals`
serves any game; families whose constraints can be met at once have a `Determinization` of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

import msgspec

from arena.errors import IllegalAction, RecordError, SamplingError
from arena.games.action import OPENED, Action, Event, merge_events, opened_action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.deal import Deal
from arena.games.match import Match
from arena.games.stock import DecidedShuffler, RecordedStock, Shuffler, Stock, UndecidedCards, UndecidedStock
from arena.games.view import View

V = TypeVar("V", bound=View)


class Assignment(msgspec.Struct, gc=False):
    """The cards of one sampled deal."""

    hands: Sequence[Hand]
    """Hands by seat, as they were dealt."""
    table: Hand
    stock: Stock
    """The stock from which the deal is replayed."""
    left: Hand | None = None
    """The cards left in the stock after the replay, if they lie there in random order."""
    given: Mapping[int, Card] = {}
    """Card given from a position not seen, by the number of the event."""


class Determinization(ABC, Generic[V]):
    """All deals that a view allows."""

    UNSEEN_ANSWERS: ClassVar[frozenset[str]] = frozenset({"leave"})
    """The kinds of actions that decline an offer without the other seats noticing."""

    def __init__(self, view: V) -> None:
        self.view = view
        self.rules: Any = view.opening.rules
        self.past = view.past
        self._event_count = view.public.number + 1 if view.public else 0

    @abstractmethod
    def assign(self, rng: Random) -> Assignment | None:
        """Return a random assignment that meets the constraints; None to draw again."""

    def sample_deal(self, rng: Random) -> Deal:
        """Return a random deal in which all that the view has seen has happened."""
        while True:
            assignment = self.assign(rng)
            if assignment is None:
                continue
            deal: Deal = self.rules.deal(
                self.view.opening, assignment.hands, assignment.table, assignment.stock
            )
            if self.replay(deal, assignment) and self.accept(deal):
                if assignment.left is not None:
                    deal.stock = continue_stock(deal.stock, assignment.left, rng)
                return deal

    def replay(self, deal: Deal, assignment: Assignment) -> bool:
        """Play what was seen, declining offers that others had beside it; return whether all was legal."""
        for event in self.past:
            if event.seat is not None:
                index = None
                while index is None:
                    if deal.to_act == event.seat:
                        action = self.find_action(deal, event, assignment)
                        index = deal.legal_actions.index.get(action) if action else None
                    if index is None and not self._decline(deal):
                        return False
                deal.play(event.seat, action, index)
        while self.view.legal and deal.to_act != self.view.seat:
            if not self._decline(deal):
                return False
        return True

    def _decline(self, deal: Deal) -> bool:
        default = deal.legal_actions.default
        if default.kind not in self.UNSEEN_ANSWERS:
            return False
        deal.apply(default)
        return True

    def find_action(self, deal: Deal, event: Event, assignment: Assignment) -> Action | None:
        """Return the action of an event, with the positions in the hand that were not seen."""
        return event.action

    def accept(self, deal: Deal) -> bool:
        """Return whether the view's seat has seen nothing else in the replayed deal."""
        return deal.event_count == self._event_count


def sample_matches(kind: type[Determinization[Any]], view: View, rng: Random, count: int) -> Iterator[Match]:
    """Yield matches in the middle of random deals that the view allows."""
    determinization = _determinize(kind, view)
    for _ in range(count):
        yield Match.from_deal(determinization.sample_deal(rng), random_seed(rng))


@lru_cache(maxsize=16)
def _determinize(kind: type[Determinization[Any]], view: View) -> Determinization[Any]:
    return kind(view)


def continue_stock(stock: Stock, left: Hand, rng: Random) -> Stock:
    """Return a stock from which the same cards were drawn, with these left in random order."""
    following = Stock(left, True, Shuffler(random_seed(rng)), b"sample")
    following.drawn = stock.drawn[:]
    return following


def random_seed(rng: Random) -> str:
    """Return a seed of which nothing is known."""
    return f"{rng.getrandbits(128):x}"


# --- a trial ---

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
            seen = self._see(deal)
            step = self._compare(action, deal, seen, layers)
            if (step is not None and step.is_exact) or is_replaced:
                return step
            # Also where nothing fits: another card may have ended the turn, and shown more than was seen.
            if not self._replace_drawn(seen, layers, drawn):
                return step
            is_replaced = True

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

    def _see(self, deal: Deal) -> list[Event]:
        """Return the events that the seat saw since the last step."""
        last, seat = self._steps[-1].deal if self._steps else None, self._seat
        return merge_events(
            deal.public,
            deal.private_events[seat],
            last.public if last else None,
            last.private_events[seat] if last else None,
        )

    def _compare(
        self, action: Action | None, deal: Deal, seen: Sequence[Event], layers: Mapping[Card, Hand]
    ) -> _Step | None:
        """Return the step that led to a deal, if the seat saw what it should, maybe with other cards."""
        last = self._steps[-1].deal if self._steps else None
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
        choices: tuple[Event, ...] = deal.hidden_choices
        return all(
            opened is opened_action(choice.seat, choice.action)
            for choice, opened in zip(choices, self._worlds.opened, strict=False)
        )

    def _replace_drawn(self, seen: Sequence[Event], layers: Mapping[Card, Hand], drawn: list[Card]) -> bool:
        """Let cards that the seat saw come from the stock, where others were drawn; return whether any do."""
        is_replaced = False
        for event, other in zip(seen, self._past[self._seen :], strict=False):
            if (event.seat, event.action, len(event.cards)) != (other.seat, other.action, len(other.cards)):
                break
            for card, wanted in zip(event.cards, other.cards, strict=True):
                if card in drawn and card is not wanted and wanted in layers.get(card, ()):
                    place = drawn.index(card)
                    if wanted in drawn:
                        drawn[drawn.index(wanted)] = card
                    drawn[place] = wanted
                    is_replaced = True
        return is_replaced

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


# --- any game ---
# A deal is played again from cards dealt at random. Where an event names a card, that card changes places
# with one of those in whose place it can have been, each equally often, and the deal is played again up to
# there. Cards that have been named stay where they are. Deals in which an action was not legal are dropped.
#
# Where a card named later comes from the hand that a seat was dealt, it is dealt to that seat at first:
# another one in its place could have made an action illegal that was legal with it, as where suit is
# followed.

PAST: Final = frozenset({"opening", "public", "private"})
"""Fields of a view that are equal if its events are."""


class ReplayedDeals(Determinization[View]):
    """All deals that a view allows, found by dealing the cards it has not seen and playing the deal again.

    It serves any game. At each step it chooses among the places from which a card named then can have come,
    and among the actions of the seat to act after which the view's seat has seen exactly what it saw. Where a
    deal leaves fewer choices than others do, it is dropped with the probability that makes all pairs of
    shuffle and choices equally likely.
    """

    MAX_TRIES: ClassVar[int] = 300
    """Limit on deals tried for one sample."""
    TRIAL_DEALS: ClassVar[int] = 5
    """Deals from which the most choices of each step are learned first, and where named cards come from."""
    MAX_TRIAL_DEALS: ClassVar[int] = 40
    """Limit on such deals where they do not reach the last event."""
    MAX_ASSIGNMENTS: ClassVar[int] = 10_000
    """Limit on assignments of cards tried for one deal, where `may_hold` rules some out."""

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._table = self.find_table()
        hands = [self.find_dealt(seat) for seat in view.order]
        self.fixed = [c for hand in (*hands, self._table or ()) for c in hand if c is not HIDDEN]
        """Cards of which it is known that they were dealt, and where."""
        self.copies = {card for card, count in Counter(self.rules.whole_pack.cards).items() if count > 1}
        """Cards that the pack has several times."""
        self.bounds: list[int] = []
        """The most choices at each step, of all deals tried."""
        self.origins: dict[Card, int | None] = {}
        """The seat to which a card was dealt that it has named first; None if it can have come elsewhere."""
        self.opened = [event.action for event in self.past if event.action.kind == OPENED]
        """Choices of seats that `open_choices` has announced, in their order."""
        self.illegal = 0
        """Number of deals dropped because an action was not legal with their cards."""

    def find_table(self) -> Hand | None:
        """Return the cards laid out at the start, if an event before the first action names them."""
        size = self.rules.table_size
        for event in self.past:
            if event.seat is not None:
                break
            if size and len(event.cards) == size and HIDDEN not in event.cards:
                return event.cards
        return None if size else ()

    def assign(self, rng: Random) -> Assignment:
        """Return the own cards as they were dealt, and the others at random.

        Raises:
            SamplingError: `may_hold` leaves none, or almost none.
        """
        view, rules = self.view, self.rules
        dealt, drawn = {seat: self.find_dealt(seat) for seat in view.order}, self.find_drawn()
        away = {*self.fixed, *drawn}
        held = {card: seat for card, seat in self.origins.items() if seat is not None and card not in away}
        left = list(rules.whole_pack.without([*self.fixed, *drawn, *held]))
        for _ in range(self.MAX_ASSIGNMENTS):
            hands, rest = self._fill_hands(dealt, held, left, rng)
            if self._is_allowed(hands):
                break
        else:
            raise SamplingError(
                f"none of {self.MAX_ASSIGNMENTS:,} deals of {self.rules} has cards that `may_hold` of "
                f"{type(self).__name__} allows"
            )
        table = self._table
        if table is None:
            table = tuple([rest.pop() for _ in range(rules.table_size)])
        return Assignment(hands, table, UndecidedStock((*rest, *drawn), DecidedShuffler((), ())))

    def _fill_hands(
        self, dealt: Mapping[int, Hand], held: Mapping[Card, int], left: Sequence[Card], rng: Random
    ) -> tuple[list[Hand], list[Card]]:
        """Return hands with the cards dealt or held to each seat and others at random, and those left."""
        rest = list(left)
        rng.shuffle(rest)
        hands: list[Hand] = [()] * self.view.players
        for seat, hand in dealt.items():
            cards = [card for card, holder in held.items() if holder == seat]
            if cards:
                cards += [rest.pop() for _ in range(hand.count(HIDDEN) - len(cards))]
                rng.shuffle(cards)
            else:
                cards = rest
            hands[seat] = tuple([cards.pop() if c is HIDDEN else c for c in hand])
        return hands, rest

    def _is_allowed(self, hands: Sequence[Hand]) -> bool:
        if type(self).may_hold is ReplayedDeals.may_hold:
            return True
        own = self.view.seat
        return all(
            self.may_hold(seat, card) for seat, hand in enumerate(hands) if seat != own for card in hand
        )

    def find_dealt(self, seat: int) -> Hand:
        """Return the hand dealt to a seat, `??` for cards that the view does not know."""
        return self.view.dealt if seat == self.view.seat else (HIDDEN,) * self.rules.hand_size

    def find_drawn(self) -> Hand:
        """Return cards that the view knows to have come from the stock: none of them was dealt at first.

        A game in which hidden cards come to light can override both, and is sampled faster.
        """
        return ()

    def may_hold(self, seat: int, card: Card) -> bool:
        """Return whether a card can have been dealt to another seat, by what the view has seen.

        A game in which legal actions depend on the hand can override it, and is sampled faster: a seat that
        has not followed suit was dealt no card of that suit but those that it has played before.
        """
        return True

    def sample_deal(self, rng: Random) -> Deal:
        """Return a random deal in which all that the view has seen has happened.

        Raises:
            SamplingError: None was found.
        """
        if not self.bounds:
            self._learn(rng)
        self.illegal = 0
        for _ in range(self.MAX_TRIES):
            deal = self._try(rng)
            if deal is not None:
                deal.stock = _decide_stock(deal.stock, rng)
                return deal
        advice = "the game needs a determinization of its own"
        if self.illegal:
            advice = (
                f"in {self.illegal} of them an action that it has seen was not legal, or hidden choices were "
                "others; where legal actions depend on the hand, write `may_hold` of a subclass of "
                "ReplayedDeals, and open hidden choices by `open_choices`"
            )
        elif self._table is None:
            advice = (
                f"no event before the first action names the {self.rules.table_size} cards laid out at the "
                "start; if they lie face up, announce them in begin_play"
            )
        raise SamplingError(
            f"none of {self.MAX_TRIES} deals of {self.rules} fits what seat {self.view.seat} has seen: "
            f"{advice}"
        )

    def _learn(self, rng: Random) -> None:
        """Learn the most choices of each step, and which cards named were dealt to whom."""
        for number in range(self.MAX_TRIAL_DEALS):
            is_complete = self._try(rng, is_trial=True) is not None
            if is_complete and number >= self.TRIAL_DEALS - 1:
                break

    def add_origin(self, card: Card, seat: int | None) -> None:
        """Note to whom a card was dealt in one deal; None if it was not dealt to the seat that names it."""
        self.origins[card] = seat if self.origins.get(card, seat) == seat else None

    def _try(self, rng: Random, is_trial: bool = False) -> Deal | None:
        """Return a deal that fits the view, or None; a trial is dropped only where nothing fits."""
        return Trial(self, self.assign(rng), rng, is_trial).play()

    def is_complete(self, deal: Deal, seen: int) -> bool:
        """Return whether the seat would have the same view now, if it has seen so many events."""
        if seen < len(self.past):
            return False
        now = deal.view(self.view.seat)
        names = [name for name in now.__struct_fields__ if name not in PAST]
        return all(getattr(now, name) == getattr(self.view, name) for name in names)


def _decide_stock(stock: Stock, rng: Random) -> Stock:
    """Return a stock from which the same cards were drawn, with those left in an order that is possible."""
    assert isinstance(stock, RecordedStock)
    top, *below = [*stock.layers, ()]
    following = continue_stock(stock, top, rng)
    following.refills = stock.refills
    for layer in below:
        following.put_under(tuple(rng.sample(layer, len(layer))))
    return following
