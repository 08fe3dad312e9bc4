"""Hands as all know them from the public events of a deal, kept so that each event is followed only once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from arena.games.cards import Hand
from arena.games.events import Event

MAX_KEPT: Final = 1 << 12
"""Deals in progress whose latest state is kept."""


class PublicHands:
    """The cards that all know seats to hold, followed from event to event.

    Args:
        players: Seats at the table.
        follow: Updates the hands by seat with the next event.
    """

    def __init__(self, players: int, follow: Callable[[list[Hand], Event], None]) -> None:
        self._start: Final[tuple[Hand, ...]] = ((),) * players
        self._follow: Final = follow
        self._after: dict[Event | None, tuple[Hand, ...]] = {None: self._start}

    def find(self, latest: Event | None) -> tuple[Hand, ...]:
        """Return the hands by seat after the latest public event of a deal, None before the first."""
        known = self._after
        event, news = latest, []
        while event not in known:
            assert event is not None
            news.append(event)
            event = event.before
        hands = known[event]
        if news:
            held = list(hands)
            for later in reversed(news):
                self._follow(held, later)
            if len(known) > MAX_KEPT:
                known.clear()
                known[None] = self._start
            elif event is not None:
                del known[event]
            hands = known[latest] = tuple(held)
        return hands
