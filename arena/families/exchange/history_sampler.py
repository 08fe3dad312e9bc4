"""Count the histories of hidden choices that explain a view of a covered widow, and draw one uniformly.

A seat has seen a sequence of moves. For each move of another seat a history says from which positions of the
hand its cards came. The histories are counted backwards, so that all are equally likely to be drawn.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, permutations
from random import Random
from typing import TYPE_CHECKING, Final

from arena.families.exchange.seen_exchanges import Move, State, find_moves
from arena.games.action import Slots
from arena.games.cards import HIDDEN, Card

if TYPE_CHECKING:
    from arena.families.exchange.view import ExchangeView

UNKNOWN: Final = "?"
"""A card that has not been seen yet."""
DOWN: Final = -1
"""The place of the card that lies face down; the other places are hands, by seat."""
ANYWHERE: Final = frozenset(range(DOWN, 16))
FORGOTTEN: Final = "-"
"""A card that will not be seen again."""


class ChoiceHistories:
    """All histories of hidden choices that lead to what one seat has seen."""

    def __init__(self, view: ExchangeView) -> None:
        self._moves = list(find_moves(view))
        self._own = view.seat
        self._size = size = view.opening.rules.hand_size
        others = [seat in view.order and seat != view.seat for seat in range(view.players)]
        self._start = State(UNKNOWN, tuple([(UNKNOWN,) * size if other else () for other in others]))
        self._seen = _find_seen(view, self._moves)
        self._prospects = _find_prospects(self._moves, self._seen, view.seat)
        self._last_move = {move.seat: number for number, move in enumerate(self._moves)}
        whole = [(move.seat, number) for number, move in enumerate(self._moves) if len(move.given) == size]
        self._first_whole, self._last_whole = dict(reversed(whole)), dict(whole)
        covered = [number for number, move in enumerate(self._moves) if move.covered is not None]
        self._last_covered = covered[-1] if covered else -1
        self._counts = self._count()
        self._weighted: dict[tuple[int, State], tuple[list[tuple[Slots, State]], list[int]]] = {}

    def _count(self) -> list[dict[State, int]]:
        """Return by number of moves made, for each reduced state, how many histories go on from it."""
        states = self._reduce(0, self._start)
        layers: list[dict[State, list[State]]] = []
        for number in range(len(self._moves)):
            layers.append({})
            for before in states:
                reduced = [self._reduce(number + 1, after) for _, after in self._find_options(number, before)]
                layers[-1][before] = list(chain.from_iterable(reduced))
            states = list(dict.fromkeys(chain.from_iterable(layers[-1].values())))
        counts = [dict.fromkeys(states, 1)]
        for layer in reversed(layers):
            following = counts[-1]
            counts.append({before: sum([following[state] for state in layer[before]]) for before in layer})
        return counts[::-1]

    def draw(self, rng: Random) -> Iterator[Slots]:
        """Yield by move the positions its cards came from, in a random history; () for this seat's own moves.

        The cards of a hand are in no order until it is first given whole: that move yields their order.
        """
        state = self._start
        for number in range(len(self._moves)):
            known = self._weighted.get((number, state))
            if known is None:
                known = self._weighted[number, state] = self._weigh_options(number, state)
            options, weights = known
            ((positions, state),) = rng.choices(options, weights)
            yield positions

    def _weigh_options(self, number: int, state: State) -> tuple[list[tuple[Slots, State]], list[int]]:
        """Return the options of a move, and how many histories go on from each."""
        options, counts = list(self._find_options(number, state)), self._counts[number + 1]
        reduced = [self._reduce(number + 1, after) for _, after in options]
        return options, [sum([counts[following] for following in states]) for states in reduced]

    def _find_options(self, place: int, state: State) -> Iterator[tuple[Slots, State]]:
        """Yield the positions that a move's cards can have come from, each with the state after it."""
        move, seen = self._moves[place], self._seen[place]
        seat, covered, down = move.seat, move.covered, state.down
        if covered is not None and not _fits(down, move.taken[covered], seen):
            return
        taken = [down if c is HIDDEN else c.text for c in move.taken]
        if seat == self._own:
            yield (), State(down if covered is None else move.given[covered].text, state.hands)
            return
        hand = state.hands[seat]
        for slots in self._find_positions(place, move):
            given = [hand[slot] for slot in slots]
            if all(_fits(text, c, seen) for text, c in zip(given, move.given, strict=True)):
                given = [text if c is HIDDEN else c.text for text, c in zip(given, move.given, strict=True)]
                after = tuple(taken) if len(slots) > 1 else (*hand[: slots[0]], *taken, *hand[slots[0] + 1 :])
                hands = (*state.hands[:seat], after, *state.hands[seat + 1 :])
                yield slots, State(down if covered is None else given[covered], hands)

    def _find_positions(self, place: int, move: Move) -> Iterable[Slots]:
        """Return the positions that can be given in a move, whatever lies there."""
        slots = range(self._size)
        if len(move.given) == 1:
            return [(slot,) for slot in slots]
        return permutations(slots) if place == self._first_whole[move.seat] else [tuple(slots)]

    def _reduce(self, made: int, state: State) -> list[State]:
        """Return the state without what no longer matters after `made` moves; [] if it cannot go on."""
        prospects = self._prospects[made]
        for place, cards in ((DOWN, (state.down,)), *enumerate(state.hands)):
            if any(place not in prospects.get(card, ANYWHERE) for card in cards):
                return []
        down = state.down if state.down in prospects and made <= self._last_covered else FORGOTTEN
        return [
            State(down, tuple([self._reduce_hand(made, *numbered) for numbered in enumerate(state.hands)]))
        ]

    def _reduce_hand(self, made: int, seat: int, hand: tuple[str, ...]) -> tuple[str, ...]:
        if self._last_move.get(seat, -1) < made:
            return ()
        prospects = self._prospects[made]
        symbols = [symbol if symbol in prospects else FORGOTTEN for symbol in hand]
        ordered = self._first_whole.get(seat, made) < made <= self._last_whole.get(seat, -1)
        return tuple(symbols if ordered else sorted(symbols))


def _fits(symbol: str, c: Card, seen: frozenset[Card]) -> bool:
    """Return whether a symbol of a state can be the card that is seen to leave its place."""
    return c is HIDDEN or symbol == (c.text if c in seen else UNKNOWN)


def _find_seen(view: ExchangeView, moves: list[Move]) -> list[frozenset[Card]]:
    """Return by move the cards that this seat had seen before it."""
    seen = frozenset((*view.dealt, *view.widow_dealt))
    before = []
    for move in moves:
        before.append(seen)
        seen = seen.union(move.given, move.taken)
    return before


def _find_prospects(
    moves: list[Move], seen: list[frozenset[Card]], own: int
) -> list[dict[str, frozenset[int]]]:
    """Return by number of moves made the cards still to be seen leaving, with the places where each may be.

    `?` is among them as long as a card is to come that was never seen: it may be anywhere.
    """
    ahead: dict[str, frozenset[int]] = {}
    rows = [ahead]
    for move, known in zip(reversed(moves), reversed(seen), strict=True):
        ahead = {symbol: _find_places_before(move, places, own) for symbol, places in ahead.items()}
        leaving = [(c, move.seat) for c in move.given if move.seat != own]
        if move.covered is not None:
            leaving.append((move.taken[move.covered], DOWN))
        for c, place in leaving:
            if c is not HIDDEN:
                ahead |= {c.text: frozenset((place,))} if c in known else {UNKNOWN: ANYWHERE}
        rows.append(ahead)
    return rows[::-1]


def _find_places_before(move: Move, places: frozenset[int], own: int) -> frozenset[int]:
    """Return where a card may have been before a move that leaves it in one of these places unseen."""
    if move.covered is None or places is ANYWHERE:
        return places
    before = places - {move.seat, DOWN}
    if move.seat in places:
        before |= {DOWN, move.seat} if len(move.given) == 1 else {DOWN}
    if DOWN in places and move.seat != own:
        before |= {move.seat}
    return before
