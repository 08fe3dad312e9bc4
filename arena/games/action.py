"""Actions and events: what a seat may do at a decision, what was done, and their notation.

Actions are interned values of slots, not of cards. An event is an action with its cards, as each seat may
know it.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

from arena.compiled_classes import make_struct
from arena.games.cards import Card, Hand, Interned

if TYPE_CHECKING:
    from arena.compiled_classes import i64


Slots = tuple[int, ...]
T = TypeVar("T")
SWAP_TEMPLATE: Final = "%s>%s"
"""Template of most actions that name cards."""


class Action(Interned):
    """An action by its kind and the slots it is about.

    Attributes:
        kind: The word it is named by: `exchange`, `pass`, `draw` …
        give: Slots of the hand whose cards are given.
        take: Slots of the table whose cards are taken.
        template: Its notation, with `%s` for each card it names.
        named_count: The number of cards the notation names.
        is_card_swap: Its notation is that of one card for one.
    """

    __slots__ = ("give", "is_card_swap", "kind", "named_count", "take", "template")

    def __init__(self, kind: str, give: Slots, take: Slots, template: str) -> None:
        self.kind: Final = kind
        self.give: Final = give
        self.take: Final = take
        self.template: Final = template
        self.named_count: Final = template.count("%s")
        self.is_card_swap: Final = template == SWAP_TEMPLATE

    def cards(self, hand: Sequence[Card], table: Sequence[Card]) -> tuple[Card, ...]:
        """Return the cards given and then those taken, from the hand and table before the action."""
        return tuple([hand[slot] for slot in self.give] + [table[slot] for slot in self.take])

    def text(self, cards: Sequence[object]) -> str:
        """Return the notation, given the cards it gives and takes."""
        return self.template % tuple(self.named_cards(cards)) if self.named_count else self.template

    def named_cards(self, cards: Sequence[T]) -> Sequence[T]:
        """Return those of the cards given and taken that the notation names: the last of them."""
        return cards[-self.named_count :]

    def __repr__(self) -> str:
        slots = [f"[{slot}]" for slot in self.give + self.take]
        return f"<{self.text(slots) if len(slots) >= self.named_count else self.template}>"

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return action, (self.kind, self.give, self.take, self.template)


def action(kind: str, give: Slots = (), take: Slots = (), template: str = "") -> Action:
    """Return the interned action; without a `template` its notation is its kind."""
    return _interned(kind, give, take, template or kind)


@cache
def _interned(kind: str, give: Slots, take: Slots, template: str) -> Action:
    return Action(kind, give, take, template)


class LegalActions:
    """Legal actions of a decision, shared by all decisions that offer the same."""

    __slots__ = ("actions", "default", "index", "is_forced")

    def __init__(self, actions: Sequence[Action], default: Action) -> None:
        self.actions: Final = tuple(actions)
        self.is_forced: Final = len(self.actions) == 1
        self.default: Final = default
        """The quiet action: played for a seat that failed."""
        self.index: Final = {legal: place for place, legal in enumerate(self.actions)}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return LegalActions, (self.actions, self.default)


NO_ACTIONS: Final = LegalActions((), action("none"))
"""Legal actions of a seat that is not to act."""
HORSE: Final = LegalActions((action("horse"), action("no-horse")), default=action("no-horse"))
"""The offer to the first who lose all counters, to buy a horse. Source: S002, ruling W6."""


# --- notation ---

SEATS: Final = range(64)
"""More seats than any pack is dealt to."""
PREFIXES: Final = [f"{seat}:" for seat in SEATS]
"""Start of the events of each seat."""


class PairTexts:
    """Two cards in notation, with a text before, between and after them; each pair is written once."""

    __slots__ = ("_after", "_before", "_between", "_rows")

    def __init__(self, before: str, between: str, after: str) -> None:
        self._before = before
        self._between = between
        self._after = after
        self._rows: list[list[str]] = []
        """Texts by the numbers of the first card and the second; empty where none is written yet."""

    def text(self, first: Card, second: Card) -> str:
        """Return the text of two cards."""
        rows = self._rows
        number: i64 = first.number
        while len(rows) <= number:
            rows.append([])
        row = rows[number]
        number = second.number
        while len(row) <= number:
            row.append("")
        text = row[number]
        if not text:
            text = row[number] = self._before + first.text + self._between + second.text + self._after
        return text


SWAPS: Final = [PairTexts(prefix, ">", "") for prefix in PREFIXES]
"""Exchanges of one card for one, by seat: most events of many games."""
FIRST_TWO: Final = PairTexts("", " ", " ")
"""The first two cards of three."""


def format_cards(cards: Hand) -> str:
    """Return cards as text, with spaces between."""
    if len(cards) == 3:
        return FIRST_TWO.text(cards[0], cards[1]) + cards[2].text
    return " ".join([c.text for c in cards])


def format_event(seat: int | None, action: Action, cards: Hand) -> str:
    """Return an action by a seat (None: by the table) in notation, given the cards given and taken."""
    template = action.template
    if action.is_card_swap and seat is not None and len(cards) == 2:
        return SWAPS[seat].text(cards[0], cards[1])
    prefix = "" if seat is None else PREFIXES[seat]
    if not cards or not action.named_count:
        return prefix + template
    if len(cards) == 1:
        return prefix + template.replace("%s", cards[0].text)
    return prefix + template % tuple([c.text for c in action.named_cards(cards)])


# --- events ---
# A deal keeps them as linked lists, newest first, so that a view holds the past by one reference and nothing
# can be added to what it saw. The public list is the same for everybody; a seat's private list holds what
# only that seat may know: a public event with its cards shown, or one that concerns nobody else (an offer
# declined).

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
