"""The exchanges of a deal as one seat has seen them, and what it does not see between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from arena.games.cards import Hand

if TYPE_CHECKING:
    from arena.families.exchange.view import ExchangeView


class State(NamedTuple):
    """The cards that this seat does not see: the one face down, and the others' hands by seat.

    A card is written as itself once it was seen, else as `?`.
    """

    down: str
    hands: tuple[tuple[str, ...], ...]


class Move(NamedTuple):
    """An exchange as this seat has seen it, with `??` for each card it did not see."""

    seat: int
    given: Hand
    taken: Hand
    covered: int | None
    """The index of the card taken that lay face down; None if all lay face up."""


def find_moves(view: ExchangeView) -> Iterator[Move]:
    """Yield the exchanges of a deal, in order."""
    for event in view.past:
        if event.seat is not None and event.action.take:
            size = len(event.action.take)
            covered = [place for place, taken in enumerate(event.action.take) if taken in view.down]
            yield Move(event.seat, event.cards[:size], event.cards[size:], covered[0] if covered else None)
