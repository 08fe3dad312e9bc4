"""Shuffles that are addressed, not drawn in sequence: a deal's cards hang on seed and number alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TypeVar

from arena.errors import RecordError
from arena.games.cards import Card, Hand

S = TypeVar("S", bound="Stock")


class Shuffler:
    """Gives the randomness of one match: bytes or a number for each thing that is left to chance."""

    __slots__ = ("_keyed",)

    def __init__(self, seed: str) -> None:
        from hashlib import blake2b  # here, so that a bot's process, where nothing is shuffled, starts sooner

        text = seed.encode()
        self._keyed = blake2b(b"%d:%s" % (len(text), text), digest_size=32)

    def random_bytes(self, what: bytes) -> bytes:
        """Thirty-two random bytes for `what`."""
        keyed = self._keyed.copy()
        keyed.update(what)
        return keyed.digest()

    def random_int(self, what: bytes) -> int:
        """A number of 256 bits for `what`: its remainder by anything small is as good as even."""
        return int.from_bytes(self.random_bytes(what), "big")


@cache
def folding(size: int) -> tuple[bytes, bytes]:
    """How bytes become places below `size`, each as likely: what each byte is, and those to leave out."""
    fair = 256 // size * size
    return bytes([byte % size for byte in range(256)]), bytes(range(fair, 256))


class Stock:
    """A pack being dealt: shuffled only as far as it is drawn, with what was put under it.

    The cards come in the order in which their places first come up in a stream of random bytes; not
    `shuffled` they come as they lie. `drawn` keeps what came from it once the hands are dealt.
    """

    __slots__ = (
        "_at",
        "_blocks",
        "_cards",
        "_come",
        "_order",
        "_shuffler",
        "_under",
        "_what",
        "drawn",
        "left",
        "refills",
    )

    def __init__(self, cards: Hand, shuffled: bool, shuffler: Shuffler, what: bytes) -> None:
        self._cards = cards
        self._order: list[int] = [] if shuffled else [*range(len(cards))]
        """The places that have come up, the first of them first."""
        self._come = [not shuffled] * len(cards)
        """Which places those are."""
        self._at = 0
        self._blocks = 0
        self._under: list[Card] = []
        self._shuffler = shuffler
        self._what = what
        self.drawn: list[Card] = []
        self.left = len(cards)
        """How many cards can still be drawn."""
        self.refills = 0

    def deal(self, count: int) -> Hand:
        """The next `count` cards; they do not count as drawn."""
        start = self._at
        self._at = end = start + count
        while len(self._order) < end:
            self._turn_up()
        self.left -= count
        cards = self._cards
        return tuple([cards[place] for place in self._order[start:end]])

    def deal_hands(
        self, players: int, size: int, table: int, order: Sequence[int]
    ) -> tuple[list[Hand], Hand]:
        """Hands by seat and the table's cards; those of seats not in the `order` go under the stock."""
        dealt = self.deal(players * size + table)
        hands = [dealt[place : place + size] for place in range(0, players * size, size)]
        if len(order) < players:
            for seat in range(players):
                if seat not in order:
                    self.put_under(hands[seat])
                    hands[seat] = ()
        return hands, dealt[players * size :]

    def _turn_up(self) -> None:
        places, left_out = folding(len(self._cards))
        bits = self._shuffler.random_bytes(b"%s/%d" % (self._what, self._blocks))
        self._blocks += 1
        order, come = self._order, self._come
        for place in bits.translate(places, left_out):
            if not come[place]:
                come[place] = True
                order.append(place)

    def draw(self) -> Card:
        """The top card."""
        at = self._at
        if at < len(self._cards):
            while at == len(self._order):
                self._turn_up()
            top = self._cards[self._order[at]]
            self._at = at + 1
        else:
            top = self._under.pop(0)
        self.left -= 1
        self.drawn.append(top)
        return top

    def draw_bottom(self) -> Card:
        """The bottom card. Only for a stock that was shuffled whole (`settle`)."""
        bottom = self._under.pop()
        self.left -= 1
        self.drawn.append(bottom)
        return bottom

    def shuffle_rest(self) -> Hand:
        """Shuffles what is left to the last card and gives it, top first."""
        rest = self.deal(len(self._cards) - self._at)
        self._under = [*rest, *self._under]
        self.left += len(rest)
        return tuple(self._under)

    def put_under(self, cards: Hand) -> None:
        """Puts cards at the bottom, unseen, the first of them uppermost."""
        self._under.extend(cards)
        self.left += len(cards)

    def refill(self, cards: Hand) -> None:
        """Shuffles `cards` and puts them under what is left."""
        self.refills += 1
        fresh = Stock(cards, True, self._shuffler, b"%s/refill/%d" % (self._what, self.refills))
        self.put_under(fresh.deal(len(cards)))

    def copy(self) -> Stock:
        """A stock that will give the same cards."""
        return self._as_it_lies(Stock(self._cards, True, self._shuffler, self._what))

    def _as_it_lies(self, twin: S) -> S:
        """A new stock of the same cards, in which as many have come up, are drawn and left as in this."""
        twin._order, twin._come = self._order[:], self._come[:]
        twin._at, twin._blocks = self._at, self._blocks
        twin._under, twin.drawn = self._under[:], self.drawn[:]
        twin.refills, twin.left = self.refills, self.left
        return twin


class RecordedStock(Stock):
    """A stock that gives the cards a record names, in that order, as long as they can be there.

    Raises: RecordError when a card is drawn that the record does not name or that cannot lie there.
    """

    __slots__ = ("_coming", "_layers")

    def __init__(self, cards: Hand, coming: Hand) -> None:
        super().__init__((), False, Shuffler(""), b"")
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

    def shuffle_rest(self) -> Hand:
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
        twin = self._as_it_lies(RecordedStock((), self._coming))
        twin._layers = self._layers
        return twin


class ForeseenStock(Stock):
    """A stock whose first reshuffles come out as they are foreseen."""

    __slots__ = ("_foreseen",)

    def __init__(self, cards: Hand, foreseen: Sequence[Hand], shuffler: Shuffler) -> None:
        super().__init__(cards, False, shuffler, b"sample")
        self._foreseen = tuple(foreseen)

    def refill(self, cards: Hand) -> None:
        if self.refills < len(self._foreseen):
            self.put_under(self._foreseen[self.refills])
            self.refills += 1
        else:
            super().refill(cards)

    def copy(self) -> Stock:
        return self._as_it_lies(ForeseenStock(self._cards, self._foreseen, self._shuffler))
