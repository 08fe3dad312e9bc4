"""The known changes of other players' racks, and racks drawn at random to undo them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random

from arena.games.card_pool import draw_cards, plan_draws, random_below
from arena.games.cards import Card, Hand


class RackChange:
    """One change of a rack.

    Attributes:
        taken_from: the slots of the pack from which it took cards in.
        greenbacks: the greenbacks among those cards: they were laid out at once.
        bought: the card that was bought.
        put_down: the cards that were laid or discarded.
        at_once: True if one of the cards put down is the card that had just come.
    """

    def __init__(
        self,
        taken_from: Sequence[int] = (),
        bought: Card | None = None,
        put_down: Hand = (),
        at_once: bool = False,
    ) -> None:
        self.taken_from = list(taken_from)
        self.greenbacks: Hand = ()
        self.bought = bought
        self.put_down = put_down
        self.at_once = at_once


class RackHistory:
    """The known changes of another player's rack."""

    def __init__(self, dealt: Sequence[int]) -> None:
        self.changes = [RackChange(dealt)]
        self.size = len(dealt)
        self.known: list[Card] = []
        """Cards that it holds now."""

    def take(self, slots: Sequence[int]) -> None:
        """Add cards from these slots of the pack."""
        self.changes.append(RackChange(slots))
        self.size += len(slots)

    def lay_greenbacks(self, cards: Hand) -> None:
        """Take greenbacks away that came with the last change."""
        self.changes[-1].greenbacks = cards
        self.size -= len(cards)

    def buy(self, card: Card) -> None:
        """Add a card that was bought."""
        self.changes.append(RackChange(bought=card))
        self.size += 1
        self.known = [card]

    def put_down(self, cards: Hand, at_once: bool) -> None:
        """Take away cards that were laid or discarded."""
        self.changes.append(RackChange(put_down=cards, at_once=at_once))
        self.size -= len(cards)
        self.known = [c for c in self.known if c not in cards]

    def undo(self, held: list[Card], row: list[Card], rng: Random) -> bool:
        """Put the cards `held` now back into the slots they came from; return False to draw again."""
        completing: Hand = ()
        for change in reversed(self.changes):
            slots = change.taken_from
            if slots:
                came = [*change.greenbacks]
                choices = list(completing) if completing else held
                for _ in range(len(slots) - len(came)):
                    chosen = choices.pop(random_below(len(choices), rng))
                    came.append(chosen)
                    if completing:
                        held.remove(chosen)
                completing = ()
                for slot in slots:
                    row[slot] = came.pop(random_below(len(came), rng))
            bought = change.bought
            if bought is not None:
                held.remove(bought)
            gone = change.put_down
            if gone:
                held.extend(gone)
                ways = count_ways(held, gone)
                if ways > 1 and random_below(ways, rng):
                    return False
                if change.at_once:
                    completing = gone
        return True


def count_ways(held: list[Card], gone: Hand) -> int:
    """Return in how many ways these cards can be chosen from those held, equal cards told apart."""
    if len(gone) == 1:
        return held.count(gone[0])
    ways = 1
    for c in set(gone):
        ways *= comb(held.count(c), gone.count(c))
    return ways


class RacksDraw:
    """The hidden cards of several racks, drawn one rack after the other, the longest history first.

    A draw that fails at the first rack then costs no more than that.
    """

    def __init__(self, racks: list[RackHistory], cards: list[Card]) -> None:
        self._racks = sorted(racks, key=lambda rack: -len(rack.changes))
        self._cards = cards
        self._draws = []
        count = len(cards)
        for rack in self._racks:
            hidden = rack.size - len(rack.known)
            self._draws.append(plan_draws(list(range(hidden)), count))
            count -= hidden

    def fill(self, row: list[Card], rng: Random) -> list[Card] | None:
        """Put random cards into the slots they came from; return those left, or None to draw again."""
        left = self._cards[:]
        for rack, draws in zip(self._racks, self._draws, strict=True):
            held = rack.known + left[: rack.size - len(rack.known)]
            hidden = held[len(rack.known) :]
            draw_cards(draws, left, hidden, rng)
            held[len(rack.known) :] = hidden
            if not rack.undo(held, row, rng):
                return None
        return left
