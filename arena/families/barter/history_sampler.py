"""Count the histories of hidden choices that a view allows, and draw one of them uniformly.

Hidden is which card of a hand was chosen. It matters only for cards this seat has given away: one that comes
back to it must have been chosen wherever that was needed, and a card seen for the first time can be none of
them. These cards carry labels, and a state says where the labels are. The histories that lead on from each
state are counted backwards; then every choice is drawn with the odds of all that can follow it, so that all
histories are equally likely.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from arena.families.barter.view import HAND_SIZE, Choice, Exchange, Move, Outcome, State, is_seen
from arena.games.action import Event
from arena.games.cards import HIDDEN, Card, Hand

ANY: Final = "any"
"""Required of a move: any card."""
PLAIN: Final = ""
"""The label of all cards that nothing depends on."""
GONE: Final = "gone"
"""The label of cards this seat gave away for good: a card it sees for the first time is none of them."""
MAX_EXACT_STATES = 1000
"""The most states of a move; with more, cards given away for good are treated like any others."""

Reach = dict[str, frozenset[int]]
"""Places where a card still matters, by label; one that is to be seen again must be in one of them."""


class ChoiceHistories:
    """All histories that one view allows, and some more where there are too many states."""

    def __init__(self, moves: Iterator[Move]) -> None:
        self._moves = list(moves)
        self._labels = find_labels(self._moves)
        too_many = self._expand()
        while too_many:
            self._labels[:too_many] = [PLAIN if label == GONE else label for label in self._labels[:too_many]]
            too_many = self._expand()
        self._weigh()

    def _expand(self) -> int:
        """Find the states before each move; return the number of a move that has too many, or 0."""
        self._layers: list[dict[State, list[Outcome]]] = []
        states: dict[State, None] = {(): None}
        for number, reach in enumerate(self._find_reaches()):
            if len(states) > MAX_EXACT_STATES and GONE in self._labels[:number]:
                return number
            self._layers.append({state: list(self._find_outcomes(number, state, reach)) for state in states})
            states = {way.after: None for ways in self._layers[-1].values() for way in ways}
        self._ends = states
        return 0

    def _find_reaches(self) -> list[Reach]:
        """Return where labels matter after each move."""
        reach: Reach = {}
        reaches = []
        for move, required in zip(reversed(self._moves), reversed(self._labels), strict=True):
            reaches.append(reach)
            reach = dict(reach)
            source = frozenset((move.source,)) if move.source is not None else frozenset()
            if required == ANY:
                for label, places in reach.items():
                    stays = places if move.is_choice else places - source
                    reach[label] = stays | source if move.target in places else stays
            elif required == PLAIN:
                reach[GONE] = reach.get(GONE, source) | source
            elif required != GONE:
                reach[required] = source
        return reaches[::-1]

    def _find_outcomes(self, number: int, state: State, reach: Reach) -> Iterator[Outcome]:
        """Yield the outcomes of a move, each weighted by the number of cards that can make it."""
        move, required = self._moves[number], self._labels[number]
        if move.source is None:
            yield from follow(Outcome(required, 1, state), move, reach)
            return
        here = [label for label, place in state if place == move.source]
        size = HAND_SIZE if move.is_choice else 1
        if required in (ANY, PLAIN) and size > len(here):
            yield from follow(Outcome(PLAIN, size - len(here), state), move, reach)
        for label in dict.fromkeys(here):
            if required in (ANY, label):
                yield from follow(Outcome(label, here.count(label), state), move, reach)

    def _weigh(self) -> None:
        """Count the histories of each outcome, from the last move back."""
        following = dict.fromkeys(self._ends, 1)
        for layer in reversed(self._layers):
            for state, ways in layer.items():
                layer[state] = [way._replace(weight=way.weight * following[way.after]) for way in ways]
            following = {state: sum([way.weight for way in ways]) for state, ways in layer.items()}

    def draw(self, rng: Random) -> Iterator[Choice]:
        """Yield the choices of a random history, in the order of the moves."""
        state: State = ()
        for move, layer in zip(self._moves, self._layers, strict=True):
            way = choose(layer[state], rng)
            if move.is_choice:
                yield Choice(way.label, move.card, (GONE, move.source) in state)
            state = way.after


def find_labels(moves: list[Move]) -> list[str]:
    """Return by move the label required of its card, or the one it gets on leaving an open hand."""
    away: set[Card] = set()
    labels = []
    for move in moves:
        if move.card is None:
            labels.append(ANY)
        elif move.source is None:
            labels.append(move.card.text)
            if move.target is not None:
                away.add(move.card)
        else:
            labels.append(move.card.text if move.card in away else PLAIN)
            away.discard(move.card)
    awaited: set[str] = set()
    others = PLAIN
    for number in reversed(range(len(moves))):
        label = labels[number]
        if moves[number].source is None:
            labels[number] = label if label in awaited else others
            awaited.discard(label)
        elif label == PLAIN:
            others = GONE
        else:
            awaited.add(label)
    return labels


def follow(way: Outcome, move: Move, reach: Reach) -> Iterator[Outcome]:
    """Yield the outcome with the state it leads to, unless that loses a label that is to be seen again."""
    label, state = way.label, list(way.after)
    if label != PLAIN:
        if move.source is not None:
            state.remove((label, move.source))
        if move.target is not None:
            state.append((label, move.target))
    kept = [card for card in state if card[1] in reach.get(card[0], ())]
    if all(card in kept or card[0] == GONE for card in state):
        yield way._replace(after=tuple(sorted(kept)))


def choose(outcomes: list[Outcome], rng: Random) -> Outcome:
    """Return a random outcome by weight."""
    left = rng.randrange(sum([way.weight for way in outcomes])) if len(outcomes) > 1 else 0
    for way in outcomes:
        if left < way.weight:
            return way
        left -= way.weight
    raise AssertionError("what was seen cannot have happened")


class SampledHistory:
    """One history of hidden choices, followed with cards of which only some are known."""

    def __init__(
        self,
        row: list[Card],
        hands: list[list[int]],
        stock_start: int,
        steps: list[Exchange | Event],
        choices: Iterator[Choice],
        rng: Random,
    ) -> None:
        self._rng = rng
        self.row = row[:]
        self._labels = [PLAIN] * len(self.row)
        """The label of the card in each slot."""
        self._hands = [slots[:] for slots in hands]
        self.given: dict[int, int] = {}
        """Slot of the card given from a hidden hand, by the number of the event."""
        self.is_possible = True
        """True if no card came for the first time that this seat had given away before."""
        self._follow(stock_start, steps, choices)

    def _follow(self, stock_start: int, steps: list[Exchange | Event], choices: Iterator[Choice]) -> None:
        stock = [*range(stock_start, len(self.row))]
        for step in steps:
            if isinstance(step, Event):
                assert step.seat is not None
                self.given[step.number] = self._rng.choice(self._hands[step.seat])
                continue
            places = [self._give(event, next(choices)) for event in step.given]
            hand, position = places[0]
            if step.answered:
                other, place = places[1]
                hand[position], other[place] = other[place], hand[position]
            else:
                stock.append(hand[position])
                hand[position] = stock.pop(0)

    def _give(self, event: Event, choice: Choice) -> tuple[list[int], int]:
        """Return the hand and the position from which a card is given."""
        assert event.seat is not None
        hand, labels = self._hands[event.seat], self._labels
        if is_seen(event):
            (position,) = event.action.give
            labels[hand[position]] = choice.label
            return hand, position
        if not choice.tells_gone_apart:
            for slot in hand:
                labels[slot] = PLAIN if labels[slot] == GONE else labels[slot]
        slot = self._rng.choice([slot for slot in hand if labels[slot] == choice.label])
        if choice.card:
            self.is_possible &= self.row[slot] in (HIDDEN, choice.card)
            self.row[slot] = choice.card
        self.given[event.number] = slot
        return hand, hand.index(slot)

    def see(self, shown: Mapping[int, Hand]) -> None:
        """Note the hands that were shown: no card can be in two slots, nor a slot have had two cards."""
        for seat, cards in shown.items():
            for slot, card in zip(self._hands[seat], cards, strict=True):
                self.is_possible &= self.row[slot] in (HIDDEN, card)
                self.row[slot] = card
        known = [card for card in self.row if card is not HIDDEN]
        self.is_possible &= len(set(known)) == len(known)
