"""The view of a seat in the barter family, and the moves of cards as far as it can follow them.

A card lies in a hand, at a place in the stock, or on the table between asker and partner. The order of the
trades says which place in the stock each of them empties and fills; only which card of a hand was chosen is
hidden. Open hands (one's own, or all where they lie face up) are no places: cards are lost to sight or come
into sight there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from arena.games.action import Action, Event, show_actions
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.view import View

HAND_SIZE: Final = 3
OFFERED: Final = -1
"""The place of an offered card. A seat's hand has the seat's number; the places of the stock follow them."""
ENDING: Final = frozenset({"show", "horse", "no-horse"})
"""Kinds of public events that follow the last exchange of a deal."""


class BarterView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of trade and barter."""

    stock_left: int
    asker: int | None
    """The seat whose barter has not been answered yet; None if there is none."""
    satisfied: tuple[int, ...]
    """The seats that stand and trade no more."""
    open_hands: tuple[Hand, ...]
    """All hands by seat where they lie face up; else ()."""

    def after(self, action: Action) -> Hand:
        return tuple([HIDDEN if position in action.give else c for position, c in enumerate(self.hand)])

    @property
    def known(self) -> tuple[Hand, ...]:
        if self.open_hands:
            return tuple([() if seat == self.seat else hand for seat, hand in enumerate(self.open_hands)])
        if self.public and self.public.action.kind in ENDING:
            shown = find_shown(self.public)
            return tuple([() if seat == self.seat else shown.get(seat, ()) for seat in range(self.players)])
        if self.public is None or self.public.number < self.stock_left:  # no card of the stock comes again
            return find_bartered(self)
        held = CardTracker(self, self.stock_left, self.open_hands).find_known()
        return tuple([tuple(held.get(seat, ())) for seat in range(self.players)])


# --- moves of cards ---


class Move(NamedTuple):
    """A card that goes from one place to another."""

    source: int | None
    """None: an open hand."""
    target: int | None
    """None: an open hand, or a place that no longer matters."""
    card: Card | None
    """The card, if this seat ever learns which it was."""
    is_choice: bool
    """True if the card was chosen from a hand."""


class Exchange(NamedTuple):
    """A trade, or a barter that came about: the events in which cards were given."""

    asked: Event
    answered: Event | None

    @property
    def given(self) -> tuple[Event, ...]:
        """The events, those of hidden hands first."""
        if not self.answered:
            return (self.asked,)
        if is_seen(self.asked) and not is_seen(self.answered):
            return (self.answered, self.asked)
        return (self.asked, self.answered)


State = tuple[tuple[str, int], ...]
"""Labels with their places, sorted."""


class Outcome(NamedTuple):
    """A way in which a move can go on from a state."""

    label: str
    """The label of the card that moves."""
    weight: int
    """The number of histories that go this way."""
    after: State


class Choice(NamedTuple):
    """A card that was chosen from a hand."""

    label: str
    card: Card | None
    """The card it must be."""
    tells_gone_apart: bool
    """True if the label `GONE` counted in this choice."""


class CardTracker:
    """All that one view shows of the moves of cards in its deal.

    Args:
        view: The view of a seat.
        stock_left: How many cards the stock has.
        open_hands: All hands by seat where they lie face up; else ().
    """

    def __init__(self, view: View, stock_left: int, open_hands: tuple[Hand, ...]) -> None:
        self.players = view.players
        self.stock_size = stock_left
        self.actions = [event for event in view.past if event.seat is not None]
        self.exchanges = list(find_exchanges(self.actions))
        self.trades = [exchange.asked for exchange in self.exchanges if not exchange.answered]
        self._taken: dict[int, Card] = {}
        """Card that an open hand got for the one it gave, by the number of the event."""
        self.open_hands = self._undo(view, open_hands)
        """The open hands by seat, as they were dealt."""

    def _undo(self, view: View, open_hands: tuple[Hand, ...]) -> dict[int, list[Card]]:
        hands = {seat: list(hand) for seat, hand in enumerate(open_hands) if hand}
        hands = hands or {view.seat: list(view.hand)}
        for exchange in reversed(self.exchanges):
            for event in exchange.given:
                if is_seen(event):
                    (position,) = event.action.give
                    assert event.seat is not None
                    self._taken[event.number] = hands[event.seat][position]
                    hands[event.seat][position] = event.cards[0]
        return hands

    def find_drawn(self, trade: int) -> Card | None:
        """Return the card that a trade took from the stock, if an open hand got it."""
        return self._taken.get(self.trades[trade].number) if trade < len(self.trades) else None

    def find_moves(self) -> Iterator[Move]:
        """Yield the moves of all cards that may pass through a hidden hand, in order."""
        trade = 0
        for exchange in self.exchanges:
            if exchange.answered:
                yield from self._find_barter_moves(*exchange.given)
            else:
                yield from self._find_trade_moves(trade, exchange.asked)
                trade += 1

    def _find_trade_moves(self, number: int, event: Event) -> Iterator[Move]:
        """Trade `number` takes the stock's card of that number, and puts one behind all there are."""
        end = self.stock_size + number
        comes_again = end < len(self.trades) and not is_seen(self.trades[end])
        target = self.players + end if comes_again else None
        if is_seen(event):
            yield Move(None, target, event.cards[0], True)
        else:
            yield Move(event.seat, target, self.find_drawn(end), True)
            yield Move(self.players + number, event.seat, None, False)

    def _find_barter_moves(self, first: Event, second: Event) -> Iterator[Move]:
        """The two cards of a barter, that of a hidden hand first."""
        if is_seen(first):
            yield Move(None, None, first.cards[0], True)
            yield Move(None, None, second.cards[0], True)
        elif is_seen(second):
            yield Move(first.seat, None, self._taken[second.number], True)
            yield Move(None, first.seat, second.cards[0], True)
        else:
            yield Move(first.seat, OFFERED, None, True)
            yield Move(second.seat, first.seat, None, True)
            yield Move(OFFERED, second.seat, None, False)

    def find_known(self) -> dict[int, list[Card]]:
        """Return by place the cards that must still be there, in the order this seat came to know them."""
        held: dict[int, list[Card]] = {}
        for move in self.find_moves():
            if move.source is None:
                moved = [move.card] if move.card else []
            elif move.card:
                moved = []
                held[move.source] = [c for c in held.get(move.source, ()) if c is not move.card]
            else:
                moved = held.pop(move.source, [])
                if move.is_choice:
                    moved = []
            if move.target is not None:
                held.setdefault(move.target, []).extend(moved)
        return held


def find_bartered(view: View) -> tuple[Hand, ...]:
    """Return what `CardTracker.find_known` does of the other hands, faster.

    Only for hidden hands, and while no card that went under the stock can have been drawn: then a seat knows
    a card of another only if it gave it in a barter, until that seat gives a card away unseen.
    """
    own = view.seat
    held: list[Hand] = [()] * view.players
    private = view.private
    while private and private.event.action.give:
        private = private.before
    if private is None:  # it has not seen the card of another
        return tuple(held)
    offer: Event | None = None
    for event in view.past:
        seat, kind = event.seat, event.action.kind
        if seat is None:
            if len(event.cards) == 1:  # the card it got for its own answer; a showdown shows whole hands
                held = [tuple([c for c in hand if c is not event.cards[0]]) for hand in held]
        elif kind == "barter":
            offer = event
        elif kind == "trade" and seat != own:
            held[seat] = ()
        elif kind == "give":
            assert offer
            assert offer.seat is not None
            if seat == own:
                held[offer.seat] += event.cards
            elif offer.seat == own:
                held[seat] = (*[c for c in held[seat] if c is not event.cards[0]], *offer.cards)
            else:
                held[seat] = held[offer.seat] = ()
    return tuple(held)


def find_exchanges(actions: list[Event]) -> Iterator[Exchange]:
    """Yield the trades and the barters that came about, in order."""
    offer = None
    for event in actions:
        if event.action.kind == "trade":
            yield Exchange(event, None)
        elif event.action.kind == "barter":
            offer = event
        elif event.action.kind == "give":
            assert offer
            yield Exchange(offer, event)


def is_seen(event: Event) -> bool:
    """Return whether the position a card was given from is known: the hand is open."""
    return bool(event.action.give)


def find_shown(latest: Event | None) -> dict[int, Hand]:
    """Return the hands shown at the end of a deal, by seat; none before that.

    Args:
        latest: The latest public event: the last hand shown, or an answer to the offer of a horse.
    """
    shown: dict[int, Hand] = {}
    while latest and latest.action.kind in ENDING:
        if latest.seat is None:
            shown[show_actions(HAND_SIZE).index(latest.action)] = latest.cards
        latest = latest.before
    return shown
