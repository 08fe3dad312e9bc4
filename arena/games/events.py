"""Events: what was done in a deal, as each seat may know it.

A deal keeps them as chains, newest first, so that a view takes its past with it by holding one link and
nothing can be added to what it saw. The public chain is the same for everybody; a seat's own chain holds what
it alone may know: the same event with the cards shown, or one that is nobody else's to know of (an offer
declined).
"""

from __future__ import annotations

from functools import cache

import msgspec

from arena.games.action import Action, action
from arena.games.cards import Hand
from arena.games.notation import SEATS, format_event


class Event(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One link: an action by a seat (None: by the table), with the cards that were given and taken."""

    before: Event | None
    number: int
    """How many public events there were before it."""
    seat: int | None
    action: Action
    cards: Hand

    @property
    def text(self) -> str:
        """The event in notation: `1:4D>9D`, `widow 9D`."""
        return format_event(self.seat, self.action, self.cards)


class PrivateEvent(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One link of what a seat alone may know."""

    before: PrivateEvent | None
    event: Event
    replaces_public: bool
    """Whether it stands in place of the public event of its number, with the cards this seat knows."""


def merge_events(
    public: Event | None,
    private: PrivateEvent | None,
    heard: Event | None = None,
    overheard: PrivateEvent | None = None,
) -> list[Event]:
    """Both chains as one list, oldest first, from after what was `heard` and `overheard`."""
    merged: list[Event] = []
    while public is not heard or private is not overheard:
        if (
            private is not overheard
            and private
            and (
                public is heard
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
    """The table's own action of laying so many cards for all to see."""
    return action("widow", template="widow " + " ".join(["%s"] * count))


@cache
def turn_up_action(count: int) -> Action:
    """The table's own action of turning up so many cards that lay face down."""
    return action("turned-up", template="widow " + " ".join(["%s"] * count))


@cache
def show_actions(count: int) -> tuple[Action, ...]:
    """By seat, the showing of so many of its cards: a refused king, 31, a hand at the showdown."""
    return tuple([action("show", template=" ".join(["show", str(seat), *["%s"] * count])) for seat in SEATS])


def show_action(seat: int, count: int) -> Action:
    """The showing of so many of one seat's cards."""
    return show_actions(count)[seat]
