"""One shuffle, its play and its settlement, as all families share them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

from arena.errors import IllegalAction
from arena.games.action import Action, action
from arena.games.cards import Hand
from arena.games.events import Event, PrivateEvent, show_action, show_actions
from arena.games.hands import NO_HAND, HandRank
from arena.games.legal_actions import LegalActions
from arena.games.notation import format_cards
from arena.games.settlement.base import Changes
from arena.games.stock import Stock
from arena.games.view import Opening, View

NO_ACTIONS = LegalActions((), action("none"))
"""What a seat may do that is not asked."""

Phase = Callable[[Any, Any, Action], None]
"""How a deal goes on when that seat does that: a method, not bound, so that copies can share it."""


class Deal(ABC):
    """One shuffle, its play and its settlement."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "action_indices", "changes", "dealt", "event_count", "hands", "holdings", "legal_actions", "log",
        "opening", "phase", "private_events", "public", "stock", "table_dealt", "to_act",
    )  # fmt: skip
    """What a deal is made of: a family names here what it adds, and a copy has all of it."""
    __slots__ = FIELDS

    def __init__(self, opening: Opening, hands: Sequence[Hand], table: Hand, stock: Stock) -> None:
        self.opening = opening
        self.holdings = opening.holdings
        """What everybody holds now, as the views show it."""
        self.dealt = tuple(hands)
        self.hands = list(hands)
        self.table_dealt = table
        self.stock = stock
        self.to_act: int | None = None
        """The seat that is asked; None when the deal is over."""
        self.legal_actions = NO_ACTIONS
        self.phase: Phase
        """What follows when the seat that is asked does something legal."""
        self.public: Event | None = None
        self.event_count = 0
        self.private_events: list[PrivateEvent | None] = [None] * opening.players
        self.log: list[Event] = []
        """Every action done, offers declined among them, with its cards in full."""
        self.action_indices: list[int] = []
        """Each action's place among those that were legal: with the seed, enough to play the deal again."""
        self.changes: Changes | None = None

    @abstractmethod
    def begin_play(self) -> None:
        """Plays what comes before the first decision, and asks for that."""

    def begin(self) -> Self:
        """The deal itself, once it is begun."""
        self.begin_play()
        return self

    @abstractmethod
    def view(self, seat: int) -> View:
        """All that a seat may know now."""

    def apply(self, done: Action) -> None:
        """Does an action for the seat that is asked.

        Raises: IllegalAction if it is not legal; nothing is changed then.
        """
        code = self.legal_actions.index.get(done) if isinstance(done, Action) else None
        if code is None:
            raise IllegalAction(
                f"{done!r} is not legal" if self.legal_actions.actions else "the deal is over"
            )
        self.play(self.to_act, done, code)

    def play(self, seat: Any, done: Any, code: int) -> None:
        """Does what is known to be legal: the seat that is asked and the action's place among the choices."""
        self.action_indices.append(code)
        self.phase(self, seat, done)

    def ask(self, seat: int, choices: LegalActions) -> None:
        """Makes it that seat's decision."""
        self.to_act = seat
        self.legal_actions = choices

    def announce(self, seat: int | None, done: Action, cards: Hand) -> None:
        """Lets everybody know what was done."""
        self.public = Event(self.public, self.event_count, seat, done, cards)
        self.event_count += 1

    def record(self, seat: int, done: Action, cards: Hand = ()) -> None:
        """Writes down what a seat did, for all to know."""
        self.public = event = Event(self.public, self.event_count, seat, done, cards)
        self.event_count += 1
        self.log.append(event)

    def record_partial(
        self, seat: int, done: Action, cards: Hand, told: Hand, knowers: tuple[int, ...]
    ) -> None:
        """Writes down what a seat did: the knowers hear its cards, others what is `told` replaces_public."""
        event = Event(None, self.event_count, seat, done, cards)
        self.log.append(event)
        self.announce(seat, done, told)
        for knower in knowers:
            self.private_events[knower] = PrivateEvent(self.private_events[knower], event, True)

    def announce_to(self, seat: int, event: Event, *, replaces_public: bool) -> None:
        """Lets one seat know what nobody else may, or (`replaces_public`) what others were told in part."""
        self.private_events[seat] = PrivateEvent(self.private_events[seat], event, replaces_public)

    def show(self, seat: int) -> None:
        """Shows a seat's hand to all."""
        hand = self.hands[seat]
        self.announce(None, show_action(seat, len(hand)), hand)

    def show_all(self) -> None:
        """Shows all hands, in the order of turns."""
        public, said, size = self.public, self.event_count, -1
        for seat in self.opening.order:
            hand = self.hands[seat]
            if len(hand) != size:
                size = len(hand)
                shown_by = show_actions(size)
            public = Event(public, said, None, shown_by[seat], hand)
            said += 1
        self.public, self.event_count = public, said

    def format_hand(self, seat: int) -> str:
        """A seat's hand as it lies, in notation."""
        return format_cards(self.hands[seat])

    def hand_ranks(self) -> list[HandRank]:
        """By seat, what its hand is worth; NO_HAND for a seat that is not in the deal."""
        table = self.opening.rules.rank_table
        return [table[hand] if hand else NO_HAND for hand in self.hands]

    def rank_hand(self, seat: int) -> HandRank:
        """What a seat's hand is worth as it lies.

        Raises: InvalidNotation in a game that does not compare such hands.
        """
        return self.opening.rules.rank(self.hands[seat])

    def end(self, changes: Changes) -> None:
        """Ends the deal."""
        self.to_act = None
        self.legal_actions = NO_ACTIONS
        self.changes = changes

    @property
    def recorded_stock(self) -> Hand:
        """The stock as a record tells it: the cards that came from it, in the order drawn."""
        return tuple(self.stock.drawn)

    @property
    def recorded_roles(self) -> dict[str, dict[str, int]]:
        """What else a record of the deal must say, beside its cards."""
        opening = self.opening
        return {"roles": dict(zip(opening.rules.roles, opening.roles, strict=True))} if opening.roles else {}

    def copy(self) -> Self:
        """A deal that goes on by itself. All families make theirs of their rules and the same things."""
        make: Any = type(self)
        twin = make(self.opening.rules, self.opening, self.dealt, self.table_dealt, self.stock.copy())
        for kind in make.__mro__:
            for name in vars(kind).get("FIELDS", ()):
                if name != "stock":
                    value = getattr(self, name)
                    setattr(twin, name, value.copy() if isinstance(value, list | dict) else value)
        deal: Self = twin
        return deal
