"""What everybody may know of how a deal opens, and all that one seat may know at a decision."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import msgspec

from arena.errors import IllegalAction
from arena.games.action import Action
from arena.games.cards import Hand
from arena.games.events import Event, PrivateEvent, merge_events
from arena.games.settlement.base import Holdings

if TYPE_CHECKING:
    from arena.games.match import Match
    from arena.games.rules import Rules


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
    private: PrivateEvent | None
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
        return merge_events(self.public, self.private)

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
        read = self.opening.rules.parse_action(text, self)
        if read not in self.legal:
            raise IllegalAction(f"{text!r} is not legal now")
        return read

    def sample(self, rng: Random) -> Match:
        """A match drawn at random from all those this view allows, for bots that search."""
        return self.opening.rules.sample(self, rng)
