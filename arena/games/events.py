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
from arena.games.notation import SEATS, event_text


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
        return event_text(self.seat, self.action, self.cards)


class Aside(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One link of what a seat alone may know."""

    before: Aside | None
    event: Event
    instead: bool
    """Whether it stands in place of the public event of its number, with the cards this seat knows."""


def told(
    public: Event | None, aside: Aside | None, heard: Event | None = None, overheard: Aside | None = None
) -> list[Event]:
    """Both chains as one list, oldest first, from after what was `heard` and `overheard`."""
    merged: list[Event] = []
    while public is not heard or aside is not overheard:
        if (
            aside is not overheard
            and aside
            and (
                public is heard or public is None or aside.event.number >= public.number + (not aside.instead)
            )
        ):
            merged.append(aside.event)
            if aside.instead and public:
                public = public.before
            aside = aside.before
        else:
            assert public
            merged.append(public)
            public = public.before
    merged.reverse()
    return merged


@cache
def laid(count: int) -> Action:
    """The table's own action of laying so many cards for all to see."""
    return action("widow", form="widow " + " ".join(["%s"] * count))


@cache
def turned_up(count: int) -> Action:
    """The table's own action of turning up so many cards that lay face down."""
    return action("turned-up", form="widow " + " ".join(["%s"] * count))


@cache
def showings(count: int) -> tuple[Action, ...]:
    """By seat, the showing of so many of its cards: a refused king, 31, a hand at the showdown."""
    return tuple([action("show", form=" ".join(["show", str(seat), *["%s"] * count])) for seat in SEATS])


def shown(seat: int, count: int) -> Action:
    """The showing of so many of one seat's cards."""
    return showings(count)[seat]
