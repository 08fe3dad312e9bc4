"""Views of Cox's game."""

from __future__ import annotations

from arena.families.cox.cards import remove_cards, sort_rack
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.view import View


class CoxView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of Cox's game; `hand` is its rack."""

    sets: tuple[tuple[Hand, ...], ...]
    """Sets laid in front of the rack of each seat."""
    greenbacks: tuple[Hand, ...]
    """Greenbacks laid in front of the rack of each seat."""
    discards: Hand
    """The discards that nobody has bought, the latest last."""
    discard: Card | None
    """The latest discard, until a player buys it, draws or sells out."""
    stock_left: int
    replaced: int
    """The number of cards drawn from the bottom of the last supply base."""

    @property
    def table(self) -> Hand:
        return (self.discard,) if self.discard else ()

    @property
    def retailer(self) -> int:
        """The seat that dealt and played first."""
        return self.opening.roles[0]

    @property
    def wholesaler(self) -> int:
        """The seat that cut the pack into supply bases."""
        return self.opening.roles[1]

    @property
    def numbers(self) -> tuple[int, ...]:
        """By seat, the number of the supply base in front of it."""
        return supply_base_numbers(self.opening.players, self.opening.dealer)

    @property
    def bases(self) -> tuple[int, ...]:
        """The number of cards left in each supply base."""
        drawn = 80 - self.stock_left - self.replaced
        left = [20 - min(max(drawn - 20 * base, 0), 20) for base in range(4)]
        return (*left[:3], left[3] - self.replaced)

    @property
    def known(self) -> tuple[Hand, ...]:
        laid = [tuple([c for laid_set in sets for c in laid_set]) for sets in self.sets]
        return tuple(
            [() if seat == self.seat else cards + self.greenbacks[seat] for seat, cards in enumerate(laid)]
        )

    def after(self, action: Action) -> Hand:
        if action.take:
            return sort_rack(self.hand + self.table)
        if action.kind == "draw":
            return (*self.hand, HIDDEN)
        gone = [self.hand[slot] for slot in action.give]
        new = (HIDDEN,) if len(gone) == 1 and action.kind == "lay" and self.stock_left else ()
        return remove_cards(self.hand, gone) + new


def supply_base_numbers(players: int, retailer: int) -> tuple[int, ...]:
    """Return by seat the number of the supply base in front of it: the Retailer's is 1, then to its right.

    Two sit opposite each other, at 1 and 3. Source: S000 "Rules for two or three players", ruling C4.
    """
    apart = 2 if players == 2 else 1
    return tuple([1 + (retailer - seat) % players * apart for seat in range(players)])
