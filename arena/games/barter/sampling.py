"""Deals drawn at random from all those a view allows, the hidden choices of others among them.

Of the hidden choices only those matter that move a card this seat has held before: it must come back to it from the
hand it did come from, and a card seen for the first time must be none of those it once gave away. Such cards carry a
label. How many ways the choices can go on is counted for each set of labelled places, and each choice is then drawn
with the odds of what follows it: every allowed course of the deal is equally likely, and none has to be rejected.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from arena.games.barter.actions import GIVING, HAND_SIZE
from arena.games.barter.trail import Dealing, Step, Trail, by_sight, seen
from arena.games.cards import Card, Hand
from arena.games.core import Deal
from arena.games.deck import Shuffler, Stock
from arena.games.events import Event

if TYPE_CHECKING:
    from arena.games.barter.view import BarterView

ANY = "any"
"""On a step: whichever card was chosen."""
NEW = ""
"""The label of all cards that nothing depends on."""
GONE = "gone"
"""The label of cards this seat gave away and has not seen since: a card it sees for the first time is none of them."""

Places = tuple[tuple[str, int], ...]
"""The labels and where they are, sorted."""


class Way(NamedTuple):
    """One outcome of a step: the label of the card that goes, and in how many ways the deal comes there from it."""

    label: str
    weight: int
    places: Places


def retraced(view: BarterView, rng: Random) -> Deal:
    """A deal in which all that the view has seen happens."""
    trail = Trail(view)
    steps = list(trail.steps())
    labels = drawn_course(steps, labelled(steps), trail, rng)
    course = Course(view, trail, rng)
    course.follow([(step, label) for step, label in zip(steps, labels, strict=True) if trail.is_choice(step)])
    return course.deal()


def labelled(steps: list[Step]) -> list[str]:
    """The label of the card that goes with each step, or ANY."""
    away: set[str] = set()
    labels = []
    for step in steps:
        text = step.card.text if step.card else ANY
        if step.source is None:
            labels.append(text)
            if step.target is not None:
                away.add(text)
        else:
            labels.append(text if text == ANY or text in away else NEW)
            away.discard(text)
    awaited: set[str] = set()
    idle = NEW
    for number in reversed(range(len(steps))):
        label = labels[number]
        if steps[number].source is None:
            labels[number] = label if label in awaited else idle
            awaited.discard(label)
        elif label == NEW:
            idle = GONE
        elif label != ANY:
            awaited.add(label)
    return labels


def ways(step: Step, wanted: str, places: Places, trail: Trail) -> Iterator[Way]:
    """What a step can be, given where the labels are."""
    source, target = step.source, step.target
    if source is None:
        moved = places if wanted == NEW or target is None else tuple(sorted([*places, (wanted, target)]))
        yield Way(wanted, 1, moved)
        return
    here = [label for label, place in places if place == source]
    size = HAND_SIZE if trail.is_choice(step) else 1
    if wanted in (ANY, NEW) and size > len(here):
        yield Way(NEW, size - len(here), places)
    if wanted != NEW:
        for label in dict.fromkeys(here):
            if wanted in (ANY, label):
                left = list(places)
                left.remove((label, source))
                if wanted == ANY and target is not None:
                    left.append((label, target))
                yield Way(label, here.count(label), tuple(sorted(left)))


def drawn_course(steps: list[Step], wanted: list[str], trail: Trail, rng: Random) -> list[str]:
    """The label of the card that goes with each step, all allowed courses being equally likely."""
    layers: list[dict[Places, list[Way]]] = []
    reached: dict[Places, int] = {(): 1}
    for step, label in zip(steps, wanted, strict=True):
        layers.append({places: list(ways(step, label, places, trail)) for places in reached})
        reached = {way.places: 1 for found in layers[-1].values() for way in found}
    for layer in reversed(layers):
        for places, found in layer.items():
            layer[places] = [Way(way.label, way.weight * reached[way.places], way.places) for way in found]
        reached = {places: sum([way.weight for way in found]) for places, found in layer.items()}
    places: Places = ()
    labels = []
    for layer in layers:
        way = one_of(layer[places], rng)
        labels.append(way.label)
        places = way.places
    return labels


def one_of(found: list[Way], rng: Random) -> Way:
    """A way, drawn by weight."""
    left = rng.randrange(sum([way.weight for way in found])) if len(found) > 1 else 0
    for way in found:
        if left < way.weight:
            return way
        left -= way.weight
    raise AssertionError("no course of the deal leads to what was seen")


class Unknown:
    """A card that lies somewhere: which it is may become clear later."""

    __slots__ = ("card", "label")

    def __init__(self, card: Card | None = None) -> None:
        self.card = card
        self.label = NEW


class Course:
    """One course of a deal, with cards of which only some are known."""

    def __init__(self, view: BarterView, trail: Trail, rng: Random) -> None:
        self._view, self._trail, self._rng = view, trail, rng
        dealt = [
            [Unknown() for _ in range(HAND_SIZE)] if seat in view.order else []
            for seat in range(view.players)
        ]
        for seat, hand in trail.hands.items():
            dealt[seat] = [Unknown(c) for c in hand]
        self._dealt = dealt
        self._hands = [list(hand) for hand in dealt]
        self._stock = [Unknown(trail.drawn.get(place)) for place in range(trail.stock_size)]
        self._slots: dict[int, int] = {}
        """By the number of the event, the slot that a card was given from."""

    def follow(self, choices: list[tuple[Step, str]]) -> None:
        """Moves the cards as all saw it, choosing what was hidden by these labels."""
        coming = iter(choices)
        queue = self._stock[:]
        for dealing in self._trail.dealings:
            if dealing.answered is None:
                hand, slot = self._given(dealing.asked, coming)
                queue.append(hand[slot])
                hand[slot] = queue.pop(0)
            else:
                (hand, slot), (other, place) = self._bartered(dealing, coming)
                hand[slot], other[place] = other[place], hand[slot]

    def _bartered(
        self, dealing: Dealing, coming: Iterator[tuple[Step, str]]
    ) -> list[tuple[list[Unknown], int]]:
        first, second = by_sight(dealing)
        if seen(first):
            coming = iter(())
        return [self._given(event, coming) for event in (first, second)]

    def _given(self, event: Event, coming: Iterator[tuple[Step, str]]) -> tuple[list[Unknown], int]:
        """The hand and the slot that a card is given from."""
        assert event.seat is not None
        hand = self._hands[event.seat]
        step, label = next(coming, (None, NEW))
        if seen(event):
            (slot,) = event.action.give
            hand[slot].label = label
        else:
            slot = self._rng.choice([slot for slot, one in enumerate(hand) if one.label == label])
            if step and step.card:
                hand[slot].card = step.card
                hand[slot].label = NEW
        self._slots[event.number] = slot
        return hand, slot

    def deal(self) -> Deal:
        """The deal itself, the cards still unknown dealt at random."""
        rules = self._view.opening.rules
        everywhere = [one for pile in (*self._dealt, self._stock) for one in pile]
        clear = {one.card for one in everywhere}
        unseen = [c for c in rules.whole_pack.cards if c not in clear]
        self._rng.shuffle(unseen)
        for one in everywhere:
            one.card = one.card or unseen.pop()
        shuffler = Shuffler(str(self._rng.getrandbits(64)))
        stock = Stock(cards(self._stock), 0, shuffler, b"sample")
        deal = rules.deal(self._view.opening, [cards(hand) for hand in self._dealt], (), stock)
        for event in self._trail.past:
            if event.action.kind in GIVING and not seen(event):
                slot = self._slots.get(event.number, self._rng.randrange(HAND_SIZE))
                deal.apply(GIVING[event.action.kind][slot])
            else:
                deal.apply(event.action)
        return deal


def cards(pile: list[Unknown]) -> Hand:
    """The cards of a pile once all of them are clear."""
    return tuple([one.card for one in pile if one.card])
