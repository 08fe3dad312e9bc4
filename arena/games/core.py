"""What all families share: how a deal opens, the view of a seat, and the deal itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Self

import msgspec

from arena.errors import IllegalAction
from arena.games.action import Action, Choices, action
from arena.games.cards import Hand, write
from arena.games.deck import Stock
from arena.games.events import Aside, Event, shown, told
from arena.games.hands import HandRank
from arena.games.settle import Changes, Holdings

if TYPE_CHECKING:
    from arena.games.match import Match
    from arena.games.rules import Rules

NOTHING = Choices((), action("none"))
"""What a seat may do that is not asked."""


class Opening(msgspec.Struct, frozen=True, eq=False, gc=False):
    """How a deal begins, as everybody may know it."""

    rules: Rules
    players: int
    number: int
    """Of the deal in its match, from 0."""
    dealer: int
    order: tuple[int, ...]
    """The seats dealt in: the eldest first, the dealer last."""
    holdings: Holdings
    roles: tuple[int, ...] = ()
    """The seats that have the roles of the rules, where such are drawn."""


class View(msgspec.Struct, frozen=True, eq=False, gc=False):
    """All that one seat may know at a decision."""

    opening: Opening
    seat: int
    hand: Hand
    legal: tuple[Action, ...]
    """The actions to choose from; () for a seat that is not asked."""
    holdings: Holdings
    public: Event | None
    aside: Aside | None
    dealt: Hand
    """This seat's hand as it was dealt, `??` where it was not looked at."""

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return self.opening.players

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self.opening.dealer

    @property
    def deal(self) -> int:
        """The number of the deal in its match, from 0."""
        return self.opening.number

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in this deal: the eldest first, the dealer last."""
        return self.opening.order

    @property
    def table(self) -> Hand:
        """The cards an action's `take` slots mean."""
        return ()

    @property
    def past(self) -> list[Event]:
        """What has happened in this deal, oldest first."""
        return told(self.public, self.aside)

    @property
    def events(self) -> tuple[str, ...]:
        """What has happened in this deal, in notation, oldest first."""
        return tuple([event.text for event in self.past])

    @property
    def known(self) -> tuple[Hand, ...]:
        """By seat, the cards of others this seat knows them to hold, in the order it came to know them."""
        return ()

    def text(self, action: Action) -> str:
        """An action in notation."""
        return action.text(action.cards(self.hand, self.table))

    def after(self, action: Action) -> Hand:
        """The hand as an action would leave it, `??` for each card that cannot be known before."""
        return self.hand

    def hands_after(self) -> list[Hand]:
        """The hand after each of the legal actions, in their order."""
        return [self.after(action) for action in self.legal]

    def parse(self, text: str) -> Action:
        """The legal action that is written so; cards and pairs in any order.

        Raises: InvalidNotation if no action is; IllegalAction if it is not legal now.
        """
        read = self.opening.rules.read(text, self)
        if read not in self.legal:
            raise IllegalAction(f"{text!r} is not legal now")
        return read

    def sample(self, rng: Random) -> Match:
        """A match drawn at random from all those this view allows, for bots that search."""
        return self.opening.rules.sample(self, rng)


Phase = Callable[[Any, Any, Action], None]
"""How a deal goes on when that seat does that: a method, not bound, so that copies can share it."""


class Deal(ABC):
    """One shuffle, its play and its settlement."""

    __slots__ = (
        "asides", "changes", "choices", "codes", "dealt", "hands", "holdings", "log", "opening",
        "phase", "public", "said", "stock", "table_dealt", "to_act",
    )  # fmt: skip

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
        self.choices = NOTHING
        self.phase: Phase
        """What follows when the seat that is asked does something legal."""
        self.public: Event | None = None
        self.said = 0
        self.asides: list[Aside | None] = [None] * opening.players
        self.log: list[Event] = []
        """Every action done, offers declined among them, with its cards in full."""
        self.codes: list[int] = []
        """Each action's place among those that were legal: with the seed, enough to play the deal again."""
        self.changes: Changes | None = None

    @abstractmethod
    def view(self, seat: int) -> View:
        """All that a seat may know now."""

    def apply(self, done: Action) -> None:
        """Does an action for the seat that is asked.

        Raises: IllegalAction if it is not legal; nothing is changed then.
        """
        code = self.choices.code.get(done) if isinstance(done, Action) else None
        if code is None:
            raise IllegalAction(f"{done!r} is not legal" if self.choices.actions else "the deal is over")
        self.play(self.to_act, done, code)

    def play(self, seat: Any, done: Any, code: int) -> None:
        """Does what is known to be legal: the seat that is asked and the action's place among the choices."""
        self.codes.append(code)
        self.phase(self, seat, done)

    def ask(self, seat: int, choices: Choices) -> None:
        """Makes it that seat's decision."""
        self.to_act = seat
        self.choices = choices

    def tell(self, seat: int | None, done: Action, cards: Hand) -> None:
        """Lets everybody know what was done."""
        self.public = Event(self.public, self.said, seat, done, cards)
        self.said += 1

    def note(self, seat: int, done: Action, cards: Hand = ()) -> None:
        """Writes down what a seat did, for all to know."""
        self.public = event = Event(self.public, self.said, seat, done, cards)
        self.said += 1
        self.log.append(event)

    def note_in_part(
        self, seat: int, done: Action, cards: Hand, told: Hand, knowers: tuple[int, ...]
    ) -> None:
        """Writes down what a seat did: the knowers hear its cards, others what is `told` instead."""
        event = Event(None, self.said, seat, done, cards)
        self.log.append(event)
        self.tell(seat, done, told)
        for knower in knowers:
            self.asides[knower] = Aside(self.asides[knower], event, True)

    def tell_alone(self, seat: int, event: Event, *, instead: bool) -> None:
        """Lets one seat know what nobody else may, or (`instead`) what others were told in part."""
        self.asides[seat] = Aside(self.asides[seat], event, instead)

    def show(self, seat: int) -> None:
        """Shows a seat's hand to all."""
        hand = self.hands[seat]
        self.tell(None, shown(seat, len(hand)), hand)

    def show_all(self) -> None:
        """Shows all hands, in the order of turns."""
        public, said, hands = self.public, self.said, self.hands
        for seat in self.opening.order:
            hand = hands[seat]
            public = Event(public, said, None, shown(seat, len(hand)), hand)
            said += 1
        self.public, self.said = public, said

    def hand_text(self, seat: int) -> str:
        """A seat's hand as it lies, in notation."""
        return write(self.hands[seat])

    def rank(self, seat: int) -> HandRank:
        """What a seat's hand is worth as it lies.

        Raises: InvalidNotation in a game that does not compare such hands.
        """
        return self.opening.rules.rank(self.hands[seat])

    def end(self, changes: Changes) -> None:
        """Ends the deal."""
        self.to_act = None
        self.choices = NOTHING
        self.changes = changes

    @property
    def stock_told(self) -> Hand:
        """The stock as a record tells it: the cards that came from it, in the order drawn."""
        return tuple(self.stock.drawn)

    @property
    def roles(self) -> dict[str, dict[str, int]]:
        """What else a record of the deal must say, beside its cards."""
        opening = self.opening
        return {"roles": dict(zip(opening.rules.roles, opening.roles, strict=True))} if opening.roles else {}

    def copy(self) -> Self:
        """A deal that goes on by itself."""
        twin = object.__new__(type(self))
        for kind in type(self).__mro__:
            for name in getattr(kind, "__slots__", ()):
                value = getattr(self, name)
                twin_value = value.copy() if isinstance(value, list | dict | set | Stock) else value
                setattr(twin, name, twin_value)
        return twin
