"""The known changes of other players' racks, and racks drawn at random to undo them."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random

from arena.games.card_pool import draw_cards, plan_draws, random_below
from arena.games.cards import Card, Hand
from arena.games.cox.cards import BLACK, WILD
from arena.games.cox.kind_counts import ADDED, count_kinds, count_of_kind, has_three_alike
from arena.games.cox.sets import SETS_IN_HAND


class RackChange:
    """One change of a rack.

    Attributes:
        taken_from: the slots of the pack from which it took cards in.
        greenbacks: the greenbacks among those cards: they were laid out at once.
        bought: the card that was bought.
        put_down: the cards that were laid or discarded.
        put_down_counts: the counts of their kinds.
        at_once: True if one of the cards put down is the card that had just come.
        is_settled: True if the rack had no three alike after it, as they would have been laid.
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
        self.put_down_counts = count_kinds(put_down)
        self.at_once = at_once
        self.is_settled = False

    def take_out(self, completing: list[Card], held: list[Card], row: list[Card], rng: Random) -> int:
        """Put cards back into the slots they came from: some of the `completing`, else of those held.

        Returns the counts of their kinds.
        """
        slots, greenbacks = self.taken_from, self.greenbacks
        if len(slots) == 1 and not completing:
            if greenbacks:
                row[slots[0]] = greenbacks[0]
                return 0
            row[slots[0]] = chosen = held.pop(random_below(len(held), rng))
            return ADDED[chosen]
        came = [*greenbacks]
        choices = completing or held
        counts = 0
        for _ in range(len(slots) - len(came)):
            chosen = choices.pop(random_below(len(choices), rng))
            counts += ADDED[chosen]
            came.append(chosen)
            if completing:
                held.remove(chosen)
        for slot in slots:
            row[slot] = came.pop(random_below(len(came), rng))
        return counts


class RackHistory:
    """The known changes of another player's rack."""

    def __init__(self, dealt: Sequence[int]) -> None:
        self.changes = [RackChange(dealt)]
        self.size = len(dealt)
        self.known: list[Card] = []
        """Cards that it holds now."""
        self._sets = 0
        """Sets laid."""

    def settle(self) -> None:
        """Note that three alike would be laid by now; not after a buy, nor where no set may be laid."""
        last = self.changes[-1]
        last.is_settled = self._sets < SETS_IN_HAND and last.bought is None

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
        self._sets += len(cards) >= 3
        self.changes.append(RackChange(put_down=cards, at_once=at_once))
        self.size -= len(cards)
        self.known = [c for c in self.known if c not in cards]

    def undo(self, held: list[Card], row: list[Card], rng: Random) -> bool:
        """Put the cards `held` now back into the slots they came from; return False to draw again."""
        completing: Hand = ()
        counts = count_kinds(tuple(held))
        for change in reversed(self.changes):
            if change.is_settled and has_three_alike(counts):
                return False
            if change.taken_from:
                counts -= change.take_out(list(completing), held, row, rng)
                completing = ()
            elif change.bought is not None:
                held.remove(change.bought)
                counts -= ADDED[change.bought]
            else:
                gone = change.put_down
                held.extend(gone)
                counts += change.put_down_counts
                ways = count_ways(counts, held, gone)
                if ways > 1 and random_below(ways, rng):
                    return False
                if change.at_once:
                    completing = gone
        return True


def count_ways(counts: int, held: list[Card], gone: Hand) -> int:
    """Return in how many ways these cards can be chosen from those held, equal cards told apart.

    `counts` are those of the cards held. Honours and wild cards have no equals.
    """
    if len(gone) == 1:
        return count_of_kind(counts, gone[0]) if gone[0].suit in BLACK and gone[0] not in WILD else 1
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

    def fill(self, row: list[Card], rng: Random) -> list[Card]:
        """Put random cards into the slots they came from; return those left."""
        while True:
            left = self._cards[:]
            if self._try(row, left, rng):
                return left

    def _try(self, row: list[Card], left: list[Card], rng: Random) -> bool:
        """Draw the racks from the cards left and undo their changes; return False to draw again."""
        for rack, draws in zip(self._racks, self._draws, strict=True):
            held = left[: rack.size - len(rack.known)]
            draw_cards(draws, left, held, rng)
            held.extend(rack.known)
            if not rack.undo(held, row, rng):
                return False
        return True
