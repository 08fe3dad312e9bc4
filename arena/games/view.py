"""Everything one seat may know at a decision, and the cards of others that it knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from arena.errors import IllegalAction
from arena.games.action import Action, Event, PrivateEvent, merge_events
from arena.games.cards import HIDDEN, Card, Hand, Pack
from arena.games.opening import Opening
from arena.games.settlement.holdings import Holdings

if TYPE_CHECKING:
    from arena.games.match import Match


class View(msgspec.Struct, frozen=True, eq=False, gc=False):
    """All that one seat may know at a decision. Families add fields of their own.

    >>> from arena.games import variant
    >>> match = variant("lives").match(players=3, seed="view")
    >>> view = match.view(match.seat_to_act)
    >>> [str(card) for card in view.hand]
    ['5C', 'KS', '7H']
    >>> [view.text(action) for action in view.legal[-2:]]
    ['pass', 'knock']

    Attributes:
        opening: How the deal began.
        seat: The seat whose view it is.
        hand: Its cards, `??` for those it may not see.
        legal: The actions to choose from; () for a seat that is not to act.
        holdings: What everybody holds now.
        public: The latest event that everybody knows of.
        private: The latest event that only this seat knows of.
        dealt: Its hand as it was dealt, `??` where it was not looked at.
    """

    opening: Opening
    seat: int
    hand: Hand
    legal: tuple[Action, ...]
    holdings: Holdings
    public: Event | None
    private: PrivateEvent | None
    dealt: Hand

    @property
    def players(self) -> int:
        """The number of seats at the table."""
        return self.opening.players

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.opening.dealer

    @property
    def deal(self) -> int:
        """The number of the deal in its match, from 0."""
        return self.opening.number

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in this deal: the eldest first, the dealer last."""
        return self.opening.order

    @property
    def table(self) -> Hand:
        """The cards that an action's `take` slots refer to."""
        return ()

    @property
    def past(self) -> list[Event]:
        """The events of this deal, oldest first."""
        return merge_events(self.public, self.private)

    @property
    def events(self) -> tuple[str, ...]:
        """The events of this deal in notation, oldest first."""
        return tuple([event.text for event in self.past])

    @property
    def known(self) -> tuple[Hand, ...]:
        """By seat, the cards of others this seat knows them to hold, in the order it came to know them."""
        return ()

    def __repr__(self) -> str:
        name, cards = self.opening.rules, " ".join(map(str, self.hand))
        return (
            f"<view of {name}: seat {self.seat}, deal {self.deal}, {cards}, {len(self.legal)} legal actions>"
        )

    def text(self, action: Action) -> str:
        """Return an action in notation."""
        return action.text(action.cards(self.hand, self.table))

    def after(self, action: Action) -> Hand:
        """Return the hand as an action would leave it, `??` for each card that cannot be known before.

        By default a card taken from the table comes into the slot of the card given for it, or to the end.
        """
        give, table = action.give, self.table
        taken = [table[slot] if slot < len(table) else HIDDEN for slot in action.take]
        hand = list(self.hand)
        for slot, card in zip(give, taken, strict=False):
            hand[slot] = card
        left = give[len(taken) :]
        return (*[card for slot, card in enumerate(hand) if slot not in left], *taken[len(give) :])

    def hands_after(self) -> list[Hand]:
        """Return the hand after each of the legal actions, in their order."""
        return [self.after(action) for action in self.legal]

    def parse(self, text: str) -> Action:
        """Return the legal action written as `text`, its cards and pairs in any order.

        Raises:
            InvalidNotation: No action is written so.
            IllegalAction: The action is not legal now.
        """
        action = self.opening.rules.parse_action(text, self)
        if action not in self.legal:
            raise IllegalAction(f"{text!r} is not legal now")
        return action

    def sample(self, rng: Random) -> Match:
        """Draw a match uniformly from all those in which this seat would have the same view.

        Args:
            rng: What decides the hidden cards, and keys the deals that follow.

        Returns:
            A match of its own, at the same decision, for bots that search.
        """
        return next(self.samples(rng, 1))

    def samples(self, rng: Random, count: int) -> Iterator[Match]:
        """Draw matches as `sample` does, one after the other; what they have in common is done only once.

        >>> from random import Random
        >>> from arena.games import variant
        >>> view = variant("lives").match(players=3, seed="view").view(1)
        >>> worlds = list(view.samples(Random(1), 100))
        >>> all(world.view(1).hand == view.hand for world in worlds)
        True

        Args:
            rng: What decides the hidden cards, and keys the deals that follow.
            count: How many to draw.

        Yields:
            Matches, each drawn uniformly and independently when it is asked for, at the same decision.
        """
        return self.opening.rules.samples(self, rng, count)


# --- known cards ---
# Cards that a seat knows others to hold, followed through a deal from its events and the moves of cards.
#
# A card is known to be in a hand if an event has named it as it came there, or later, and the hand has given
# up no card unseen since. Of a card that moved unseen only that one moved is used, not which.


class CardMoves(NamedTuple):
    """The moves of cards into hands and out of them, by the number of the event that follows.

    Hands change before or after an event is recorded: a move belongs to the event that follows and the one
    before.
    """

    hands: tuple[Hand, ...]
    """The hands now."""
    arrivals: Mapping[Card, int] = {}
    departures: tuple[tuple[int, Card, int], ...] = ()
    """Seat, card and number of the event that follows."""

    def follow(self, hands: Sequence[Hand], number: int) -> CardMoves:
        """Return the moves with those that led to these hands, before the event of a number."""
        changed = [seat for seat, hand in enumerate(hands) if hand is not self.hands[seat]]
        if not changed:
            return self
        came = [card for seat in changed for card in hands[seat] if card not in self.hands[seat]]
        left = [
            (seat, card, number) for seat in changed for card in self.hands[seat] if card not in hands[seat]
        ]
        arrivals = {**self.arrivals, **dict.fromkeys(came, number)}
        return CardMoves(tuple(hands), arrivals, (*self.departures, *left))

    def find_known(self, seat: int, past: Sequence[Event], pack: Pack) -> tuple[Hand, ...]:
        """Return by seat the cards of others that a seat knows, given the events as it has seen them.

        Of cards that the pack has several times nothing is known.
        """
        named = {card: event.number for event in past for card in event.cards}
        seen = {(card, event.number) for event in past for card in event.cards}
        hidden = {event.number for event in past if HIDDEN in event.cards}
        unseen_since = [-1] * len(self.hands)
        for holder, card, number in self.departures:
            if (card, number) not in seen and (card, number - 1) not in seen:
                unseen_since[holder] = number
        copies = find_copies(pack)
        known: list[Hand] = []
        for holder, hand in enumerate(self.hands):
            cards = []
            for card in hand if holder != seat else ():
                came = self.arrivals.get(card, 0)
                first = max(came if came in hidden else came - 1, unseen_since[holder])
                if named.get(card, -1) >= max(first, 0) and card not in copies:
                    cards.append(card)
            known.append(tuple(cards))
        return tuple(known)


@lru_cache(maxsize=16)
def find_copies(pack: Pack) -> frozenset[Card]:
    """Return the cards that a pack has several times."""
    return frozenset([card for card, count in Counter(pack.cards).items() if count > 1])
