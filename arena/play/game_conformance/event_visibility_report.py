"""Cards that other seats see in each kind of event, for the author to compare with the rules."""

from __future__ import annotations

from arena.games import View
from arena.games.cards import HIDDEN


class EventVisibility:
    """Collects, by kind of event, whether its cards were shown to other seats, and which action it was."""

    def __init__(self) -> None:
        self._found: dict[str, set[str]] = {}
        self._texts: dict[str, set[str]] = {}

    def add(self, view: View) -> None:
        """Add what a view after a deal shows of the events of others and of the table."""
        for event in view.past:
            if event.seat != view.seat:
                visibility = self._found.setdefault(event.action.kind, set())
                self._texts.setdefault(event.action.kind, set()).add(event.action.template)
                visibility.update("hidden" if card is HIDDEN else "shown" for card in event.cards)

    def lines(self) -> tuple[str, ...]:
        """Return a text for each kind of event."""
        return tuple(
            f"{kind}: {_describe(visibility, len(self._texts[kind]))}"
            for kind, visibility in sorted(self._found.items())
        )


def _describe(visibility: set[str], texts: int) -> str:
    if len(visibility) == 2:
        return "some cards shown, some hidden"
    if visibility:
        return f"cards {min(visibility)}"
    return "no cards" if texts == 1 else f"which of {texts} is shown"
