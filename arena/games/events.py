"""Events: what was done in a deal, as each seat may know it.

A deal keeps them as linked lists, newest first, so that a view holds the past by one reference and nothing
can be added to what it saw. The public list is the same for everybody; a seat's private list holds what only
that seat may know: a public event with its cards shown, or one that concerns nobody else (an offer declined).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from arena.games.action import Action, action
from arena.games.cards import Hand
from arena.games.frozen_attributes import make_struct
from arena.games.notation_writer import SEATS, format_event

OPENED: Final = "opened-choice"
"""Kind of the table's actions that open choices."""


class Event:
    """An action by a seat (None: by the table), with the cards that were given and taken.

    Attributes:
        before: The event before it in its list.
        number: Number of public events before it.
        seat: The seat; None for the table.
        action: The action.
        cards: The cards given and then those taken.
    """

    __slots__ = ("action", "before", "cards", "number", "seat")

    def __init__(
        self, before: Event | None, number: int, seat: int | None, action: Action, cards: Hand
    ) -> None:
        self.before: Final = before
        self.number: Final = number
        self.seat: Final = seat
        self.action: Final = action
        self.cards: Final = cards

    def __reduce__(self) -> tuple[object, ...]:
        return Event, (self.before, self.number, self.seat, self.action, self.cards)

    @property
    def text(self) -> str:
        """The event in notation: `1:4D>9D`, `widow 9D`."""
        return format_event(self.seat, self.action, self.cards)


class PrivateEvent:
    """An event that only one seat may know.

    Attributes:
        before: The event before it in its list.
        event: The event.
        replaces_public: It replaces the public event of its number, with the cards that this seat knows.
    """

    __slots__ = ("before", "event", "replaces_public")

    def __init__(self, before: PrivateEvent | None, event: Event, replaces_public: bool) -> None:
        self.before: Final = before
        self.event: Final = event
        self.replaces_public: Final = replaces_public

    def __reduce__(self) -> tuple[object, ...]:
        return PrivateEvent, (self.before, self.event, self.replaces_public)


Event = make_struct(Event)  # type: ignore[misc]
PrivateEvent = make_struct(PrivateEvent)  # type: ignore[misc]


def merge_events(
    public: Event | None,
    private: PrivateEvent | None,
    seen_public: Event | None = None,
    seen_private: PrivateEvent | None = None,
) -> list[Event]:
    """Return the events of both lists after `seen_public` and `seen_private`, oldest first."""
    merged: list[Event] = []
    while public is not seen_public or private is not seen_private:
        if (
            private is not seen_private
            and private
            and (
                public is seen_public
                or public is None
                or private.event.number >= public.number + (not private.replaces_public)
            )
        ):
            merged.append(private.event)
            if private.replaces_public and public:
                public = public.before
            private = private.before
        else:
            assert public
            merged.append(public)
            public = public.before
    merged.reverse()
    return merged


@cache
def widow_action(count: int) -> Action:
    """Return the table's action of laying `count` cards face up."""
    return action("widow", template="widow " + " ".join(["%s"] * count))


@cache
def turn_up_action(count: int) -> Action:
    """Return the table's action of turning up `count` cards that lay face down."""
    return action("turned-up", template="widow " + " ".join(["%s"] * count))


@cache
def show_actions(count: int) -> tuple[Action, ...]:
    """Return by seat the showing of `count` of its cards: a refused king, 31, a hand at the showdown."""
    return tuple([action("show", template=" ".join(["show", str(seat), *["%s"] * count])) for seat in SEATS])


def show_action(seat: int, count: int) -> Action:
    """Return the showing of `count` of one seat's cards."""
    return show_actions(count)[seat]


@cache
def opened_action(seat: int, choice: Action) -> Action:
    """Return the table's action of opening a choice that a seat has made: `opened 1 bid 3`."""
    return action(OPENED, template=f"opened {seat} {choice.template}")
