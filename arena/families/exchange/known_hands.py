"""The cards that observers of exchanges know others to hold."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.games.action import Event, show_actions
from arena.games.cards import HIDDEN, Hand, Pack


def follow_hands(held: list[Hand], events: Iterable[Event], pack: Pack) -> None:
    """Update the cards by seat that an observer of `events` knew to be held before them."""
    for event in events:
        cards = event.cards
        if not cards:
            continue
        seat, done = event.seat, event.action
        if done.kind == "show":
            held[show_actions(len(cards)).index(done)] = cards
        elif seat is None:
            continue
        elif done.kind == "pounce":  # on the last card of the rank that the hand is of
            held[seat] = tuple([card for card in pack.cards if card.rank == cards[0].rank])
        else:
            taken = len(done.take)
            gone = len(cards) - taken if taken else 0
            held[seat] = _pass_on(held[seat], cards[:gone], cards[gone:])


def follow_all_seats(
    known: Sequence[tuple[Hand, ...]], news: Sequence[Sequence[Event]], pack: Pack
) -> Sequence[tuple[Hand, ...]]:
    """Return what each seat knows of the others' hands, given what it knew before some events.

    Args:
        known: By observer and seat, the cards it knew that seat to hold; () for itself.
        news: By observer, the events since, with the cards that it may know.
        pack: All cards.

    Returns:
        The same of now: `known` itself, if no event had cards.
    """
    if not any(event.cards for events in news for event in events):
        return known
    hands = []
    for observer, events in enumerate(news):
        held = list(known[observer])
        follow_hands(held, events, pack)
        held[observer] = ()
        hands.append(tuple(held))
    return hands


def _pass_on(held: Hand, given: Hand, taken: Hand) -> Hand:
    """Return the known cards of a hand that has given and taken these: none once it gave a hidden card."""
    for card in given:
        if card is HIDDEN:
            held = ()
        elif card in held:
            slot = held.index(card)
            held = held[:slot] + held[slot + 1 :]
    return held + (tuple([card for card in taken if card is not HIDDEN]) if HIDDEN in taken else taken)
