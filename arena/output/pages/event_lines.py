"""Lines of the replay viewer: the events of a match, in notation and in words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.games import Rules
from arena.games.action import Action, Event
from arena.games.cards import Hand
from arena.output.words.family_text import get_family_text
from arena.output.words.seat_names import SeatNames


class FrameLine(NamedTuple):
    """An event: the seat it is about (None: no seat), its notation, its words."""

    seat: int | None
    notation: str
    words: str


class EventLines:
    """The lines of a match: each event is described once, as most are the same to several seats or recur."""

    def __init__(self, rules: Rules, bots: Sequence[str]) -> None:
        self.names = SeatNames(tuple(bots))
        self._text = get_family_text(rules)
        self._known: dict[tuple[int | None, Action, Hand], FrameLine] = {}

    def describe(self, events: Iterable[Event]) -> list[FrameLine]:
        """Return events as lines; equal events as the same line."""
        lines, known = [], self._known
        for event in events:
            key = (event.seat, event.action, event.cards)
            line = known.get(key)
            if line is None:
                seat, words = self._text.describe(event, self.names)
                line = known[key] = FrameLine(seat, event.action.text(event.cards), words)
            lines.append(line)
        return lines
