"""The view of a seat with a perfect memory in Cambio, and sampling of the deals that fit it.

A seat knows every card that it has seen, wherever it lies now. So what has happened is undone, from the
cards as they lie now back to the deal: that gives the known slots of the deal and of each reshuffled stock.
What was legal never depended on a card that was not seen, so no assignment is rejected.
"""

from __future__ import annotations

from random import Random

from arena.families.cambio.actions import DRAW_DISCARD, SpotAction
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Hand, Pool
from arena.games.determinization import Assignment, Determinization
from arena.games.stock import KnownRefillStock, Shuffler
from arena.games.view import View


class CambioView(View, frozen=True, eq=False):
    """All that one seat may know at a decision of Cambio; `hand` has `??` for cards it has not seen."""

    known: tuple[Hand, ...]
    """Cards of each seat, this one included, in slot order; `??` for each that this seat has not seen."""
    discard: Hand
    """The discard pile, its top card last."""
    drawn: Card | None
    """The card drawn and not yet put down, `??` if this seat has not seen it."""
    stock_left: int
    caller: int | None
    """The seat that has called, whose cards are frozen; None if none has."""

    def after(self, action: Action) -> Hand:
        if action.kind != "place" or self.drawn is None:
            return super().after(action)
        first, *others = action.give
        hand = [self.drawn if slot == first else card for slot, card in enumerate(self.hand)]
        return tuple([card for slot, card in enumerate(hand) if slot not in others])


class Batch:
    """The cards of the pack or of one shuffled stock, and the slots they filled.

    Args:
        row: The card in each slot, as far as it is known.
        cards: The cards to fill them from; with `takes_left` beside those that an earlier batch left over.
        takes_left: The stock was what was left, and cards shuffled into it.
    """

    def __init__(self, row: list[Card], cards: Hand, takes_left: bool = False) -> None:
        self.row = row
        self.takes_left = takes_left
        self._hidden = [slot for slot, card in enumerate(row) if card is HIDDEN]
        seen = set(row)
        self._cards = [c for c in cards if c not in seen]
        self._pool = None if takes_left else Pool(self._hidden, self._cards)

    def assign(self, left: Hand, rng: Random) -> tuple[list[Card], Hand]:
        """Return the card in each slot, and those left over in no order."""
        row, pool = self.row[:], self._pool or Pool(self._hidden, [*left, *self._cards])
        return row, tuple(pool.assign(row, rng))


class CambioDeterminization(Determinization[CambioView]):
    """All deals of Cambio that a view allows."""

    def __init__(self, view: CambioView) -> None:
        super().__init__(view)
        self._hands = [list(hand) for hand in view.known]
        self._discards = list(view.discard)
        self._moving = view.drawn or HIDDEN
        """The card that was taken up last, and not yet put down."""
        self._was_added = False
        """True if that card was kept beside cards that were not equal."""
        self._laid: list[Card] = []
        """The cards laid on the discards since, the latest first."""
        self._drawn: list[Card] = []
        """The cards drawn since from the same stock, the latest first."""
        later: list[Batch] = []
        for event in reversed(self.past):
            if event.action.kind == "reshuffle":
                later.append(Batch(self._drawn[::-1], event.cards))
                self._drawn = []
                self._discards[:0] = event.cards
            elif event.action.kind == "returned":
                self._drawn.append(self._laid.pop())
                later.append(Batch(self._drawn[::-1], event.cards, takes_left=True))
                self._drawn = []
                self._discards = [*event.cards]
            else:
                self._undo(event)
        dealt = [c for hand in self._hands for c in hand]
        row = [*dealt, *self._discards, *self._drawn[::-1]]
        seen_later = {c for batch in later if batch.takes_left for c in batch.row}
        pack: Hand = self.rules.whole_pack.cards
        self._pack = Batch(row, tuple([c for c in pack if c not in seen_later]))
        self._reshuffled = later[::-1]

    def _undo(self, event: Event) -> None:
        hands, done = self._hands, event.action
        spots = done.spots if isinstance(done, SpotAction) else ()
        match done.kind:
            case "laid":
                self._laid.append(self._discards.pop())
            case "place":
                assert event.seat is not None
                self._undo_placing(hands[event.seat], done.give)
            case "added":
                ((seat, _),) = spots
                self._moving, self._was_added = hands[seat].pop(), True
            case "discard":
                self._moving = self._laid.pop()
            case "draw":
                (self._discards if done is DRAW_DISCARD else self._drawn).append(self._moving)
            case "swap":
                (seat, slot), (other, place) = spots
                hands[seat][slot], hands[other][place] = hands[other][place], hands[seat][slot]
            case "snap" if self._laid:
                ((seat, slot),) = spots
                hands[seat].insert(slot, self._laid.pop())
            case "give":
                (seat, slot), (other, gap) = spots
                hands[seat].insert(slot, hands[other].pop(gap))
            case "penalty":
                ((seat, _),) = spots
                self._drawn.append(hands[seat].pop())

    def _undo_placing(self, hand: list[Card], slots: tuple[int, ...]) -> None:
        """Undo that the card drawn came in the place of others, or beside them if those were not equal."""
        if self._was_added:
            self._was_added = False
            return
        first, *others = slots
        hand[first], self._moving = self._laid.pop(), hand[first]
        for slot in others:
            hand.insert(slot, self._laid.pop())

    def assign(self, rng: Random) -> Assignment:
        row, left = self._pack.assign((), rng)
        coming = iter(row)
        hands = [tuple([next(coming) for _ in hand]) for hand in self._hands]
        table = tuple([next(coming) for _ in self._discards])
        first, foreseen = (*coming, *left), []
        for batch in self._reshuffled:
            drawn, left = batch.assign(left, rng)
            foreseen.append((*drawn, *left))
        return Assignment(hands, table, KnownRefillStock(first, foreseen, Shuffler("")), left)
