"""Shuffles that are addressed, not drawn in sequence: a deal's cards hang on the seed and its number alone."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from itertools import chain

from arena.errors import RecordError
from arena.games.cards import Card, Hand


class Shuffler:
    """Gives the randomness of one match: a big number for each thing that is left to chance."""

    __slots__ = ("_keyed",)

    def __init__(self, seed: str) -> None:
        text = seed.encode()
        self._keyed = blake2b(b"%d:%s" % (len(text), text))

    def number(self, what: bytes) -> int:
        """A number of 512 bits for `what`; 80 cards need 395, so taking remainders biases nothing."""
        keyed = self._keyed.copy()
        keyed.update(what)
        return int.from_bytes(keyed.digest(), "big")


class Stock:
    """A pack being dealt: shuffled only as far as it is drawn (Fisher-Yates), with what was put under it.

    With `number` 0 the cards come as they lie. `drawn` keeps what came from it once the hands are dealt.
    """

    __slots__ = ("_number", "_pile", "_shuffler", "_under", "_what", "drawn", "left", "refills")

    def __init__(self, cards: Hand, number: int, shuffler: Shuffler, what: bytes) -> None:
        self._pile = list(cards[::-1])
        self._number = number
        self._under: list[Card] = []
        self._shuffler = shuffler
        self._what = what
        self.drawn: list[Card] = []
        self.left = len(cards)
        """How many cards can still be drawn."""
        self.refills = 0

    def deal(self, count: int) -> Hand:
        """The next `count` cards; they do not count as drawn."""
        pile, number = self._pile, self._number
        dealt = []
        for left in range(len(pile), len(pile) - count, -1):
            number, place = divmod(number, left)
            chosen = pile.pop()
            if place:
                chosen, pile[-place] = pile[-place], chosen
            dealt.append(chosen)
        self._number = number
        self.left -= count
        return tuple(dealt)

    def draw(self) -> Card:
        """The top card."""
        if self._pile:
            top = self.deal(1)[0]
        else:
            top = self._under.pop(0)
            self.left -= 1
        self.drawn.append(top)
        return top

    def draw_bottom(self) -> Card:
        """The bottom card. Only for a stock that was shuffled whole (`settle`)."""
        bottom = self._under.pop() if self._under else self._pile.pop(0)
        self.left -= 1
        self.drawn.append(bottom)
        return bottom

    def settle(self) -> Hand:
        """Shuffles what is left to the last card and gives it, top first."""
        rest = self.deal(len(self._pile))
        self._pile = list(rest[::-1])
        self._number = 0
        self.left += len(rest)
        return rest + tuple(self._under)

    def put_under(self, cards: Hand) -> None:
        """Puts cards at the bottom, unseen, the first of them uppermost."""
        self._under.extend(cards)
        self.left += len(cards)

    def refill(self, cards: Hand) -> None:
        """Shuffles `cards` and puts them under what is left."""
        self.refills += 1
        number = self._shuffler.number(b"%s/refill/%d" % (self._what, self.refills))
        fresh = Stock(cards, number, self._shuffler, self._what)
        self.put_under(fresh.deal(len(cards)))

    def copy(self) -> Stock:
        """A stock that will give the same cards."""
        twin = object.__new__(type(self))
        twin._pile, twin._under, twin.drawn = self._pile[:], self._under[:], self.drawn[:]
        twin._number, twin.refills = self._number, self.refills
        twin._shuffler, twin._what, twin.left = self._shuffler, self._what, self.left
        return twin


class RecordedStock(Stock):
    """A stock that gives the cards a record names, in that order, as long as they can be there.

    Raises: RecordError when a card is drawn that the record does not name or that cannot lie there.
    """

    __slots__ = ("_coming", "_layers")

    def __init__(self, cards: Hand, coming: Hand) -> None:
        super().__init__((), 0, Shuffler(""), b"")
        self.left = len(cards)
        self._coming = coming
        self._layers: tuple[Hand, ...] = (cards,)
        """What lies there, the top first: cards of one layer in an order that nobody has told."""

    def draw(self) -> Card:
        if not self._coming:
            raise RecordError("the stock has given more cards than are told")
        top, *coming = self._coming
        layer, *below = [cards for cards in self._layers if cards]
        if top not in layer:
            raise RecordError(f"{top} cannot be the next card of the stock")
        place = layer.index(top)
        self._layers = (layer[:place] + layer[place + 1 :], *below)
        self._coming = tuple(coming)
        self.left -= 1
        self.drawn.append(top)
        return top

    def draw_bottom(self) -> Card:
        *coming, bottom = self._coming
        self._coming = tuple(coming)
        self.left -= 1
        self.drawn.append(bottom)
        return bottom

    def settle(self) -> Hand:
        """The cards the record names: all there are, from the top to the bottom.

        Raises: RecordError if they are others.
        """
        if Counter(self._coming) != Counter(chain.from_iterable(self._layers)):
            raise RecordError("the stock is not told whole: it has every card that is not dealt")
        return self._coming

    def put_under(self, cards: Hand) -> None:
        self._layers += tuple([(one,) for one in cards])
        self.left += len(cards)

    def refill(self, cards: Hand) -> None:
        self.refills += 1
        self._layers += (cards,)
        self.left += len(cards)

    def copy(self) -> Stock:
        twin = super().copy()
        assert isinstance(twin, RecordedStock)
        twin._coming, twin._layers = self._coming, self._layers
        return twin
