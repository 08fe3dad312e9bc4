"""The histories of a deal where a card of the widow lies face down: who gave which card for it.

What a seat has seen is a row of moves. For each move of another seat a course says from which slots the cards
came. The courses are counted from their end, so that one can be drawn with all of them as likely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from arena.games.action import Slots
from arena.games.cards import HIDDEN, Card, Hand

if TYPE_CHECKING:
    from arena.games.exchange.view import ExchangeView

UNKNOWN: Final = "?"
"""A card that was not yet seen."""
DOWN: Final = -1
"""The place of the card that lies face down; the others are hands, by seat."""
ANYWHERE: Final = frozenset(range(DOWN, 16))
FORGOTTEN: Final = "-"
"""A card that is not heard of again."""


class State(NamedTuple):
    """Where the cards lie that this seat does not see: the one face down, and the others' hands by seat.

    A card stands for itself once it was seen, else there is a `?`.
    """

    down: str
    hands: tuple[tuple[str, ...], ...]


class Move(NamedTuple):
    """An exchange as this seat has seen it: the cards given and taken, `??` for each it did not see."""

    seat: int
    given: Hand
    taken: Hand
    covered: int | None
    """Which of the cards taken lay face down."""


def moves(view: ExchangeView) -> Iterator[Move]:
    """The exchanges of a deal, in order."""
    for event in view.past:
        if event.seat is not None and event.action.take:
            size = len(event.action.take)
            covered = [place for place, taken in enumerate(event.action.take) if taken in view.down]
            yield Move(event.seat, event.cards[:size], event.cards[size:], covered[0] if covered else None)


class ChoiceHistories:
    """All courses that lead to what one seat has seen."""

    def __init__(self, view: ExchangeView) -> None:
        self.moves = list(moves(view))
        self._own = view.seat
        self._size = size = view.opening.rules.hand_size
        others = [seat in view.order and seat != view.seat for seat in range(view.players)]
        self._start = State(UNKNOWN, tuple([(UNKNOWN,) * size if other else () for other in others]))
        self._seen = _seen_before(view, self.moves)
        self._prospects = _prospects(self.moves, self._seen, view.seat)
        self._last_move = {move.seat: place for place, move in enumerate(self.moves)}
        whole = [(move.seat, place) for place, move in enumerate(self.moves) if len(move.given) == size]
        self._first_whole, self._last_whole = dict(reversed(whole)), dict(whole)
        covered = [place for place, move in enumerate(self.moves) if move.covered is not None]
        self._last_covered = covered[-1] if covered else -1
        self._ways = self._count()

    def _count(self) -> list[dict[State, int]]:
        """For each number of moves made, in how many ways each state that can go on does so."""
        ways = [dict.fromkeys(self._plain(0, self._start), 1)]
        for place in range(len(self.moves)):
            after = [state for before in ways[place] for state in self._following(place, before)]
            ways.append(dict.fromkeys(after, 1))
        for place in reversed(range(len(self.moves))):
            for before in ways[place]:
                ways[place][before] = sum([ways[place + 1][one] for one in self._following(place, before)])
        return ways

    def _following(self, place: int, before: State) -> list[State]:
        """The states that can follow from a move, each as often as there are ways to it."""
        return [plain for _, after in self._options(place, before) for plain in self._plain(place + 1, after)]

    def draw(self, rng: Random) -> Iterator[Slots]:
        """For each move the slots its cards came from, in one course of all; () for this seat's own moves.

        The slots of a hand are in no order until it is first given whole: then it is said in which they were.
        """
        state = self._start
        for place in range(len(self.moves)):
            options = list(self._options(place, state))
            ways = self._ways[place + 1]
            weights = [sum([ways[plain] for plain in self._plain(place + 1, after)]) for _, after in options]
            ((slots, state),) = rng.choices(options, weights)
            yield slots

    def _options(self, place: int, state: State) -> Iterator[tuple[Slots, State]]:
        """The slots that a move's cards can have come from, each with what follows."""
        move, seen = self.moves[place], self._seen[place]
        seat, covered, down = move.seat, move.covered, state.down
        if covered is not None and not _fits(down, move.taken[covered], seen):
            return
        taken = [down if c is HIDDEN else c.text for c in move.taken]
        if seat == self._own:
            yield (), State(down if covered is None else move.given[covered].text, state.hands)
            return
        hand = state.hands[seat]
        for slots in self._orders(place, move):
            given = [hand[slot] for slot in slots]
            if all(_fits(one, c, seen) for one, c in zip(given, move.given, strict=True)):
                given = [one if c is HIDDEN else c.text for one, c in zip(given, move.given, strict=True)]
                after = tuple(taken) if len(slots) > 1 else (*hand[: slots[0]], *taken, *hand[slots[0] + 1 :])
                hands = (*state.hands[:seat], after, *state.hands[seat + 1 :])
                yield slots, State(down if covered is None else given[covered], hands)

    def _orders(self, place: int, move: Move) -> Iterable[Slots]:
        """The slots that can be given in a move, whatever lies in them."""
        slots = range(self._size)
        if len(move.given) == 1:
            return [(slot,) for slot in slots]
        return permutations(slots) if place == self._first_whole[move.seat] else [tuple(slots)]

    def _plain(self, made: int, state: State) -> list[State]:
        """The state after so many moves, without what makes no more difference; none if it cannot go on."""
        prospects = self._prospects[made]
        for place, cards in ((DOWN, (state.down,)), *enumerate(state.hands)):
            if any(place not in prospects.get(one, ANYWHERE) for one in cards):
                return []
        down = state.down if state.down in prospects and made <= self._last_covered else FORGOTTEN
        return [State(down, tuple([self._plain_hand(made, *one) for one in enumerate(state.hands)]))]

    def _plain_hand(self, made: int, seat: int, hand: tuple[str, ...]) -> tuple[str, ...]:
        if self._last_move.get(seat, -1) < made:
            return ()
        prospects = self._prospects[made]
        symbols = [one if one in prospects else FORGOTTEN for one in hand]
        ordered = self._first_whole.get(seat, made) < made <= self._last_whole.get(seat, -1)
        return tuple(symbols if ordered else sorted(symbols))


def _fits(symbol: str, c: Card, seen: frozenset[Card]) -> bool:
    """Whether what lies somewhere can be the card that is seen to leave there."""
    return c is HIDDEN or symbol == (c.text if c in seen else UNKNOWN)


def _seen_before(view: ExchangeView, moves: list[Move]) -> list[frozenset[Card]]:
    """For each move, the cards that this seat had seen before it."""
    seen = frozenset((*view.dealt, *view.widow_dealt))
    before = []
    for move in moves:
        before.append(seen)
        seen = seen.union(move.given, move.taken)
    return before


def _prospects(moves: list[Move], seen: list[frozenset[Card]], own: int) -> list[dict[str, frozenset[int]]]:
    """For each number of moves made, the cards still to be seen leaving, and from where each can get there.

    `?` is among them as long as a card is to come that was never seen: it can be anywhere.
    """
    ahead: dict[str, frozenset[int]] = {}
    rows = [ahead]
    for move, known in zip(reversed(moves), reversed(seen), strict=True):
        ahead = {one: _before(move, places, own) for one, places in ahead.items()}
        leaving = [(c, move.seat) for c in move.given if move.seat != own]
        if move.covered is not None:
            leaving.append((move.taken[move.covered], DOWN))
        for c, place in leaving:
            if c is not HIDDEN:
                ahead |= {c.text: frozenset((place,))} if c in known else {UNKNOWN: ANYWHERE}
        rows.append(ahead)
    return rows[::-1]


def _before(move: Move, places: frozenset[int], own: int) -> frozenset[int]:
    """Where a card can have been before a move that leaves it in one of these places unseen."""
    if move.covered is None or places is ANYWHERE:
        return places
    before = places - {move.seat, DOWN}
    if move.seat in places:
        before |= {DOWN, move.seat} if len(move.given) == 1 else {DOWN}
    if DOWN in places and move.seat != own:
        before |= {move.seat}
    return before
