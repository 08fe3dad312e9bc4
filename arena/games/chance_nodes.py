"""Matches in which somebody else decides what is left to chance: game trees with a chance node per card.

The shuffler of such a match is a list of decisions. Where the rules need one that is not there yet they stop
with an exception that says what is to be decided; the caller adds a decision and lets them begin again.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.cards import Card, Hand
from arena.games.stock import RecordedStock, Shuffler, Stock, attributes, restore


class UndecidedNumber(Exception):
    """A number below `count` is to be decided, all being equally likely.

    Attributes:
        what: The address of the number, as for a `Shuffler`.
        count: How many there are to choose from.
    """

    def __init__(self, what: bytes, count: int) -> None:
        super().__init__(f"undecided: {what!r}, one of {count}")
        self.what = what
        self.count = count


class UndecidedCards(Exception):
    """Cards are to be drawn one after the other, those left being equally likely each time.

    Attributes:
        cards: The cards to draw from.
        count: How many of them are drawn.
    """

    def __init__(self, cards: Hand, count: int) -> None:
        super().__init__(f"undecided: {count} of {len(cards)} cards")
        self.cards = cards
        self.count = count


class DecidedShuffler(Shuffler):
    """A shuffler whose numbers and cards were decided by somebody else.

    Args:
        numbers: The numbers, in the order in which the rules ask for them.
        cards: The cards, in the order in which they leave the stock.
    """

    def __init__(self, numbers: Sequence[int], cards: Sequence[Card]) -> None:
        super().__init__("")
        self._numbers = tuple(numbers)
        self._cards = tuple(cards)

    def choose(self, what: bytes, count: int) -> int:
        """Return the next number.

        Raises:
            UndecidedNumber: It is not decided yet.
        """
        if not self._numbers:
            raise UndecidedNumber(what, count)
        number, self._numbers = self._numbers[0], self._numbers[1:]
        return number

    def shuffle(self, cards: Hand, what: bytes) -> Stock:
        """Return a stock of these cards whose order is decided as they are drawn."""
        return UndecidedStock(cards, self)

    def draw(self, cards: Hand, count: int) -> Hand:
        """Return the next `count` cards, where `cards` can come next.

        Raises:
            UndecidedCards: They are not decided yet.
        """
        if len(self._cards) < count:
            raise UndecidedCards(cards, count)
        drawn, self._cards = self._cards[:count], self._cards[count:]
        return drawn

    def __reduce__(self) -> tuple[object, ...]:
        return DecidedShuffler, (self._numbers, self._cards)


class UndecidedStock(RecordedStock):
    """A stock whose cards are decided by a `DecidedShuffler` when they are dealt or drawn."""

    def __init__(self, cards: Hand, shuffler: DecidedShuffler) -> None:
        super().__init__(cards, ())
        self.shuffler = shuffler

    def _decide(self, count: int) -> Hand:
        shuffler = self.shuffler
        assert isinstance(shuffler, DecidedShuffler)
        return shuffler.draw(next(layer for layer in self._layers if layer), count)

    def deal_hands(
        self, players: int, size: int, table: int, order: tuple[int, ...]
    ) -> tuple[list[Hand], Hand]:
        """Return hands by seat and the table's cards; () for seats not in `order`."""
        dealt = self._decide(len(order) * size + table)
        (pack,) = self._layers
        left = list(pack)
        for card in dealt:
            left.remove(card)
        self._layers = (tuple(left),)
        self.left = len(left)
        starts = {seat: place * size for place, seat in enumerate(sorted(order))}
        hands = [
            dealt[starts[seat] : starts[seat] + size] if seat in starts else () for seat in range(players)
        ]
        return hands, dealt[len(dealt) - table :]

    def draw(self) -> Card:
        if not self._coming:
            self._coming = self._decide(1)
        return super().draw()

    def shuffle_rest(self) -> Hand:
        self._coming = self._decide(self.left)
        return super().shuffle_rest()

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (UndecidedStock, ((), self.shuffler), attributes(self))

    def copy(self) -> Stock:
        shuffler = self.shuffler
        assert isinstance(shuffler, DecidedShuffler)
        twin = self._copy_state(UndecidedStock((), shuffler))
        twin._layers, twin._coming = self._layers, self._coming
        return twin
