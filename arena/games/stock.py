"""The stock of a deal, and the shuffles it is drawn from: addressed by seed and deal number."""

# mypyc: compile

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from arena.errors import RecordError
from arena.games.cards import Card, Hand

if TYPE_CHECKING:
    from arena.compiled_classes import i64


S = TypeVar("S", bound="Stock")


def attribute_names(instance: object) -> Iterable[str]:
    """Return the names of the attributes of an instance, whether its class is compiled or not."""
    # compiled objects have a list of their attributes; those of a class derived from theirs a __dict__, too
    names = getattr(type(instance), "__mypyc_attrs__", None)
    if not names:
        return vars(instance)
    own = getattr(instance, "__dict__", None)
    return (*compiled_names(names), *own) if own else compiled_names(names)


@cache
def compiled_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the attributes that are not for the interpreter's own use."""
    return tuple([name for name in names if name != "__dict__"])


def attributes(instance: object) -> dict[str, Any]:
    """Return the attributes of an instance by name."""
    return {name: getattr(instance, name) for name in attribute_names(instance)}


def restore(make: Any, arguments: tuple[object, ...], state: dict[str, Any]) -> Any:
    """Make an instance and set its attributes: unpickling does not set those of compiled objects."""
    instance = make(*arguments)
    for name, value in state.items():
        setattr(instance, name, value)
    return instance


@cache
def find_hash() -> Any:
    """Return the hash function."""
    from hashlib import blake2b  # here, so that a bot's process, where nothing is shuffled, starts sooner

    return blake2b


def key_hash(seed: str) -> Any:
    """Return a hash that has been fed with a seed."""
    text = seed.encode()
    return find_hash()(b"%d:%s" % (len(text), text), digest_size=32)


class Shuffler:
    """Source of one match's randomness: bytes or a number for each thing left to chance."""

    __slots__ = ("_keyed", "_orders", "_seed")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._keyed: Any = None
        """The hash keyed with the seed, once it is needed: most sampled matches never do."""
        self._orders: dict[bytes, PackOrder] = {}
        """The shuffled packs by address: the rotations of a block, which share this, deal from the same."""

    def __reduce__(self) -> tuple[object, ...]:
        return Shuffler, (self._seed,)

    def random_bytes(self, what: bytes) -> bytes:
        """Return thirty-two random bytes for `what`."""
        if self._keyed is None:
            self._keyed = key_hash(self._seed)
        keyed = self._keyed.copy()
        keyed.update(what)
        digest: bytes = keyed.digest()
        return digest

    def random_int(self, what: bytes) -> int:
        """Return a number of 256 bits for `what`; its remainder by a small number is practically uniform."""
        return int.from_bytes(self.random_bytes(what), "big")

    def choose(self, what: bytes, count: int) -> int:
        """Return a number below a small `count` for `what`."""
        return self.random_int(what) % count

    def shuffle(self, cards: Hand, what: bytes) -> Stock:
        """Return a stock of these cards in random order, the same one whenever it is asked for."""
        order = self._orders.get(what)
        if order is None or order.cards is not cards:
            order = self._orders[what] = PackOrder(cards, what, True)
        return Stock(cards, True, self, what, order)


class PackOrder:
    """The order of a pack: as given, or random and then decided only as far as it is needed.

    The cards come in the order in which their places first occur in a stream of random bytes: each byte has
    that of its remainder by the number of cards, unless it is among the last few, which would make some more
    likely.

    Attributes:
        cards: The pack.
        decided: The cards in the order drawn, as far as it is decided. Do not change it: stocks share it.
    """

    def __init__(self, cards: Hand, what: bytes, is_shuffled: bool) -> None:
        self.cards: Final = cards
        self.decided: Final[list[Card]] = [] if is_shuffled else list(cards)
        self._what: Final = what
        self._is_shuffled: Final = is_shuffled
        self._is_placed: Final = [not is_shuffled] * len(cards)
        """Flags by place in the pack: the card is in `decided`."""
        self._bytes = b""
        """The last block of random bytes."""
        self._bytes_read = 0
        self._streamed = 0
        """Blocks of random bytes used."""
        self._hands: tuple[Hand, ...] = ()
        """Last result of `deal_hands`: each rotation of a block asks for the same."""
        self._hands_asked = (0, 0, 0, 0)
        """The arguments it is the result of."""

    def deal_hands(
        self, start: int, players: int, size: int, table: int, shuffler: Shuffler
    ) -> tuple[Hand, ...]:
        """Return the hands dealt from place `start` on by seat, and then the cards of the table."""
        if self._hands_asked != (start, players, size, table):
            self._hands_asked = (start, players, size, table)
            middle = start + players * size
            self.decide(middle + table, shuffler)
            hands = [take_cards(self.decided, start + seat * size, size) for seat in range(players)]
            hands.append(take_cards(self.decided, middle, table))
            self._hands = tuple(hands)
        return self._hands

    def decide(self, length: int, shuffler: Shuffler) -> None:
        """Decide the order of the first `length` cards, if it is not yet; always by the same shuffler."""
        order = self.decided
        missing = length - len(order)
        if missing <= 0:
            return
        cards, is_placed, block = self.cards, self._is_placed, self._bytes
        # numbers of the machine: with Python's, a byte takes compiled code twice as long
        read: i64 = self._bytes_read
        left: i64 = missing
        size: i64 = len(cards)
        fair: i64 = 256 // size * size
        while left:
            if read == len(block):
                self._bytes = block = shuffler.random_bytes(b"%s/%d" % (self._what, self._streamed))
                self._streamed += 1
                read = 0
            byte: i64 = block[read]
            read += 1
            if byte < fair:
                place = byte % size
                if not is_placed[place]:
                    is_placed[place] = True
                    order.append(cards[place])
                    left -= 1
        self._bytes_read = read

    def __reduce__(self) -> tuple[object, ...]:
        return PackOrder, (self.cards, self._what, self._is_shuffled)


def take_cards(cards: list[Card], start: int, count: int) -> Hand:
    """Return `count` cards of a list from place `start` on."""
    if count == 3:  # most hands are: this is faster than a slice
        return (cards[start], cards[start + 1], cards[start + 2])
    return tuple(cards[start : start + count])


class Stock:
    """A pack being dealt, with what was put under it.

    Args:
        cards: The pack.
        shuffled: Its order is random, by the bytes of `shuffler` for `what`; else the order given.
        shuffler: See below.
        what: Address of its order.
        order: That order, where another stock has it already.

    Attributes:
        drawn: The cards drawn since the hands were dealt.
        left: How many cards can still be drawn.
        refills: How often discards were shuffled and put under it.
        shuffler: What decides the order of its cards.
    """

    def __init__(
        self, cards: Hand, shuffled: bool, shuffler: Shuffler, what: bytes, order: PackOrder | None = None
    ) -> None:
        self._cards = cards
        self._order = order or PackOrder(cards, what, shuffled)
        self._next = 0
        self._under: list[Card] = []
        self.shuffler = shuffler
        self._what = what
        self.drawn: list[Card] = []
        self.left = len(cards)
        self.refills = 0

    def deal(self, count: int) -> Hand:
        """Return the next `count` cards; they do not count as drawn."""
        start = self._next
        self._next = end = start + count
        self._order.decide(end, self.shuffler)
        self.left -= count
        return take_cards(self._order.decided, start, count)

    def deal_hands(
        self, players: int, size: int, table: int, order: tuple[int, ...]
    ) -> tuple[list[Hand], Hand]:
        """Return hands by seat and the table's cards; hands of seats not in `order` go under the stock."""
        dealt = self._order.deal_hands(self._next, players, size, table, self.shuffler)
        count = players * size + table
        self._next += count
        self.left -= count
        hands: list[Hand] = [()] * players
        for seat in order:
            hands[seat] = dealt[seat]
        if len(order) < players:
            for seat in range(players):
                if not hands[seat]:
                    self.put_under(dealt[seat])
        return hands, dealt[players]

    def draw(self) -> Card:
        """Remove and return the top card."""
        at = self._next
        if at < len(self._cards):
            self._order.decide(at + 1, self.shuffler)
            top = self._order.decided[at]
            self._next = at + 1
        else:
            top = self._under.pop(0)
        self.left -= 1
        self.drawn.append(top)
        return top

    def draw_bottom(self) -> Card:
        """Remove and return the bottom card, after `shuffle_rest`."""
        bottom = self._under.pop()
        self.left -= 1
        self.drawn.append(bottom)
        return bottom

    def shuffle_rest(self) -> Hand:
        """Decide the order of all that is left and return it, top first."""
        rest = self.deal(len(self._cards) - self._next)
        self._under = [*rest, *self._under]
        self.left += len(rest)
        return tuple(self._under)

    def put_under(self, cards: Hand) -> None:
        """Put cards at the bottom, the first of them uppermost."""
        self._under.extend(cards)
        self.left += len(cards)

    def shuffle_in(self, cards: Hand) -> None:
        """Shuffle `cards` into what is left."""
        rest = self.shuffle_rest()
        self._under, self.left = [], 0
        self.refill((*rest, *cards))

    def refill(self, cards: Hand) -> None:
        """Shuffle `cards` and put them under what is left."""
        self.refills += 1
        fresh = Stock(cards, True, self.shuffler, b"%s/refill/%d" % (self._what, self.refills))
        self.put_under(fresh.deal(len(cards)))

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (Stock, ((), False, self.shuffler, b""), attributes(self))

    def copy(self) -> Stock:
        """Return a stock that will give the same cards."""
        return self._copy_state(Stock(self._cards, True, self.shuffler, self._what, self._order))

    def _copy_state(self, twin: S) -> S:
        twin._order, twin._next = self._order, self._next
        twin._under, twin.drawn = self._under[:], self.drawn[:]
        twin.refills, twin.left = self.refills, self.left
        return twin


class RecordedStock(Stock):
    """A stock that gives the cards a record names, in that order.

    Raises:
        RecordError: A card is drawn that the record does not name or that cannot be there.
    """

    def __init__(self, cards: Hand, coming: Hand) -> None:
        super().__init__((), False, Shuffler(""), b"")
        self.left = len(cards)
        self._coming = coming
        self._layers: tuple[Hand, ...] = (cards,)
        """The cards there, the top layer first; the order within a layer is not known."""

    @property
    def layers(self) -> tuple[Hand, ...]:
        """The cards there that the record does not name, the top layer first, each in no order."""
        return tuple([cards for cards in self._layers if cards])

    def __reduce__(self) -> tuple[object, ...]:
        return restore, (RecordedStock, ((), ()), attributes(self))

    def draw(self) -> Card:
        if not self._coming:
            raise RecordError("the record names fewer cards than come from the stock")
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
        *above, lowest = self.layers
        place = lowest.index(bottom)
        self._layers = (*above, lowest[:place] + lowest[place + 1 :])
        self.left -= 1
        self.drawn.append(bottom)
        return bottom

    def shuffle_rest(self) -> Hand:
        """Return the cards the record names: all there are, from the top to the bottom.

        Raises:
            RecordError: They are others.
        """
        if Counter(self._coming) != Counter(chain.from_iterable(self._layers)):
            raise RecordError("the record does not name the whole stock: it has every card that is not dealt")
        return self._coming

    def shuffle_again(self, seed: str) -> Stock:
        """Return a stock of the cards left, whatever the record names: shuffled where no order is known.

        Args:
            seed: What decides the order, and that of discards which are put under it.
        """
        shuffler = Shuffler(seed)
        layers = [
            Stock(cards, True, shuffler, b"layer %d" % number).deal(len(cards))
            for number, cards in enumerate(self.layers)
        ]
        again = Stock(tuple(chain.from_iterable(layers)), False, shuffler, b"again")
        again.shuffle_rest()
        again.drawn, again.refills = self.drawn[:], self.refills
        return again

    def put_under(self, cards: Hand) -> None:
        self._layers += tuple([(card,) for card in cards])
        self.left += len(cards)

    def shuffle_in(self, cards: Hand) -> None:
        rest = tuple(chain.from_iterable(self._layers))
        self._layers, self.left = (), 0
        self.refill((*rest, *cards))

    def refill(self, cards: Hand) -> None:
        self.refills += 1
        self._layers += (cards,)
        self.left += len(cards)

    def copy(self) -> Stock:
        twin = self._copy_state(RecordedStock((), self._coming))
        twin._layers = self._layers
        return twin


class KnownRefillStock(Stock):
    """A stock whose first refills are known."""

    __slots__ = ("_refills",)

    def __init__(self, cards: Hand, refills: Sequence[Hand], shuffler: Shuffler) -> None:
        super().__init__(cards, False, shuffler, b"sample")
        self._refills = tuple(refills)

    def refill(self, cards: Hand) -> None:
        if self.refills < len(self._refills):
            self.put_under(self._refills[self.refills])
            self.refills += 1
        else:
            super().refill(cards)

    def copy(self) -> Stock:
        return self._copy_state(KnownRefillStock(self._cards, self._refills, self.shuffler))


# --- chance nodes ---
# Matches in which somebody else decides what is left to chance: game trees with a chance node per card.
#
# The shuffler of such a match is a list of decisions. Where the rules need one that is not there yet they
# stop with an exception that says what is to be decided; the caller adds a decision and lets them begin
# again.


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
