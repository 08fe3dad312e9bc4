"""Sampling what one seat has not seen of a deal with a widow: where cards came from, and hidden choices."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, permutations
from random import Random
from typing import Final

from arena.families.exchange.view import ExchangeView, Move, State, find_moves
from arena.games.action import Event, Slots, show_action
from arena.games.cards import HIDDEN, Card, Hand, Pool

# --- origins of cards ---
# Cards are followed through slots: each has the card that was dealt into it, as far as the seat can tell.


class CardTracker:
    """The slots all cards of a deal came from, as far as a view shows."""

    def __init__(self, view: ExchangeView, choices: Iterator[Slots] | None) -> None:
        self._pack = view.opening.rules.whole_pack.cards
        self._choices = choices
        """Positions in the hand from which each exchange gave, where they were not seen."""
        order, size = view.order, view.opening.rules.hand_size
        self._row: list[Card] = []
        """The card in each slot."""
        self.dealt = [
            self._add(view.dealt if seat == view.seat else (HIDDEN,) * size if seat in order else ())
            for seat in range(view.players)
        ]
        self.table = self._add(view.widow_dealt)
        self._hands = [slots[:] for slots in self.dealt]
        self._widow = self.table[:]
        self.drawn: Hand = ()
        self.given: dict[int, int] = {}
        """Slot of the card given from a position not seen, by the number of the event."""
        self._tricons: list[tuple[list[int], list[Card]]] = []
        """The hidden slots of hands that pounced, and the cards of which they can be."""
        self._pools: list[Pool] = []
        self.is_possible = True
        """True if no slot was seen to hold two different cards."""
        self._gap: int | None = None
        """The position in the widow that a pounce has left empty."""
        self._shows = {show_action(seat, count): seat for seat in order for count in (size, size + 1)}
        for event in view.past:
            self._follow(event)
        for slots, hand in zip(self._hands, view.open_hands, strict=False):
            self._see(slots, hand)

    def _add(self, cards: Hand) -> list[int]:
        start = len(self._row)
        self._row += cards
        return [*range(start, len(self._row))]

    def _follow(self, event: Event) -> None:
        kind = event.action.kind
        if event.action.take:
            self._exchange(event)
        elif kind == "pounce":
            self._pounce(event)
        elif kind == "widow":
            self._lay(event.cards)
        elif kind == "turned-up":
            self._see(self._widow, event.cards)
        elif kind == "show":
            self._see(self._hands[self._shows[event.action]], event.cards)

    def _see(self, slots: Iterable[int], cards: Iterable[Card]) -> None:
        row = self._row
        for slot, card in zip(slots, cards, strict=True):
            if row[slot] is HIDDEN:
                row[slot] = card
            elif card is not HIDDEN and card is not row[slot]:
                self.is_possible = False

    def _exchange(self, event: Event) -> None:
        seat, take = event.seat, event.action.take
        assert seat is not None
        hand, positions = self._hands[seat], event.action.give
        if self._choices:
            positions = next(self._choices) or positions or (self._find(hand, event.cards[0]),)
        if not event.action.give:
            self.given[event.number] = hand[positions[0]]
        if len(positions) == len(hand):
            hand[:] = [hand[position] for position in positions]
            self.dealt[seat] = [self.dealt[seat][position] for position in positions]
            positions = tuple(range(len(hand)))
        self._see([hand[position] for position in positions], event.cards[: len(take)])
        self._see([self._widow[position] for position in take], event.cards[len(take) :])
        for position, taken in zip(positions, take, strict=True):
            hand[position], self._widow[taken] = self._widow[taken], hand[position]

    def _find(self, slots: list[int], card: Card) -> int:
        return [self._row[slot] for slot in slots].index(card)

    def _pounce(self, event: Event) -> None:
        """Move the fourth card to the hand, whose other cards can only be the rest of its rank."""
        assert event.seat is not None
        (fourth,) = event.cards
        hand = self._hands[event.seat]
        hidden = [slot for slot in hand if self._row[slot] is HIDDEN]
        self._tricons.append((hidden, [c for c in self._pack if c.rank == fourth.rank]))
        self._gap = self._find(self._widow, fourth)
        hand.append(self._widow.pop(self._gap))

    def _lay(self, cards: Hand) -> None:
        """Lay cards from the stock into the gap, if there is one, as a new widow, or behind the widow."""
        self.drawn += cards
        slots = self._add(cards)
        if self._gap is not None:
            self._widow[self._gap : self._gap] = slots
            self._gap = None
        elif len(slots) == len(self._widow):
            self._widow = slots
        else:
            self._widow += slots

    def _find_pools(self) -> list[Pool]:
        """The pools of hidden slots, that of the stock last."""
        hidden = {slot for slot, card in enumerate(self._row) if card is HIDDEN}
        seen = set(self._row)
        unseen = dict.fromkeys([c for c in self._pack if c not in seen])
        pools = []
        for slots, rank in self._tricons:
            rest = [c for c in rank if c in unseen]
            if hidden.intersection(slots):
                pools.append(Pool(hidden.intersection(slots), rest))
                hidden.difference_update(slots)
                for c in rest:
                    del unseen[c]
        return [*pools, Pool(hidden, unseen)]

    def fill(self, rng: Random) -> tuple[list[Card], Hand]:
        """Return the card in each slot, the hidden ones at random, and those left for the stock."""
        row = self._row[:]
        if not self._pools:
            self._pools = self._find_pools()
        for pool in self._pools:
            left = pool.assign(row, rng)
        return row, tuple(left)

    def find_hidden_hands(self) -> list[tuple[int, list[int], list[int]]] | None:
        """Return the hands with hidden cards: seat, slots as dealt, slots now.

        None if a hidden card has moved: then it is in the events of the deal, too.
        """
        row, own = self._row, []
        for seat, (dealt, held) in enumerate(zip(self.dealt, self._hands, strict=True)):
            hidden = {slot for slot in dealt if row[slot] is HIDDEN}
            if hidden != {slot for slot in held if row[slot] is HIDDEN}:
                return None
            if hidden:
                own.append((seat, dealt, held))
        return None if any(row[slot] is HIDDEN for slot in self.table) else own


# --- hidden choices ---
# A seat has seen a sequence of moves. For each move of another seat a history says from which positions of
# the hand its cards came. The histories are counted backwards, so that all are equally likely to be drawn.

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
