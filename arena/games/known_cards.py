"""Cards that a seat knows others to hold, followed through a deal from its events and the moves of cards.

A card is known to be in a hand if an event has named it as it came there, or later, and the hand has given up
no card unseen since. Of a card that moved unseen only that one moved is used, not which.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from arena.games.cards import HIDDEN, Card, Hand, Pack
from arena.games.events import Event


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
