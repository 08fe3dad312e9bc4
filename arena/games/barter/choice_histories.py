"""The courses a deal can have taken, for all that one seat knows, and one of them drawn at random.

Hidden is which card of a hand was chosen. It only matters for cards this seat has given away: one that comes
back to it must have been chosen wherever that was needed, and a card seen for the first time must be none of
them. These cards carry labels; a state says where the labels are. How many courses lead on from a state is
counted backwards, and then every choice is drawn with the odds of what can follow it: all allowed courses are
equally likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from arena.games.barter.actions import HAND_SIZE
from arena.games.barter.card_tracking import Step, Trail
from arena.games.cards import Card

ANY: Final = "any"
"""Wanted of a step: whichever card was chosen."""
PLAIN: Final = ""
"""The label of all cards nothing depends on."""
GONE: Final = "gone"
"""The label of cards this seat gave away for good: a card it sees for the first time is none of them."""
MAX_EXACT_STATES: Final = 1000
"""States at a step, beyond which the cards gone before are no longer told apart from others."""

State = tuple[tuple[str, int], ...]
"""Labels with their places, sorted."""
Reach = dict[str, frozenset[int]]
"""By label, the places where it still matters; one that is to be seen again must be in one of them."""


class Way(NamedTuple):
    """One outcome of a step."""

    label: str
    """Of the card that goes."""
    weight: int
    """How many courses have it."""
    after: State


class Choice(NamedTuple):
    """A card that was chosen from a hand."""

    label: str
    card: Card | None
    """The card it must be."""
    heeds_gone: bool
    """Whether it was chosen among cards of which some are gone; else those are like any other."""


class Courses:
    """All courses that one view allows, and some more where too much would have to be told apart."""

    def __init__(self, trail: Trail) -> None:
        self.trail = trail
        self.steps = list(trail.steps())
        self.labels = labelled(self.steps)
        crowded = self._grow()
        while crowded:
            self.labels[:crowded] = [PLAIN if label == GONE else label for label in self.labels[:crowded]]
            crowded = self._grow()
        self._weigh()

    def _grow(self) -> int:
        """Finds the states before each step; gives the step, if any, where fewer would do."""
        self.layers: list[dict[State, list[Way]]] = []
        states: dict[State, None] = {(): None}
        for number, reach in enumerate(self._reaches()):
            if len(states) > MAX_EXACT_STATES and GONE in self.labels[:number]:
                return number
            self.layers.append({state: list(self._ways(number, state, reach)) for state in states})
            states = {way.after: None for found in self.layers[-1].values() for way in found}
        self.ends = states
        return 0

    def _reaches(self) -> list[Reach]:
        """Where labels matter after each step."""
        reach: Reach = {}
        found = []
        for step, wanted in zip(reversed(self.steps), reversed(self.labels), strict=True):
            found.append(reach)
            reach = dict(reach)
            source = frozenset((step.source,)) if step.source is not None else frozenset()
            if wanted == ANY:
                for label, places in reach.items():
                    stays = places if self.trail.is_choice(step) else places - source
                    reach[label] = stays | source if step.target in places else stays
            elif wanted == PLAIN:
                reach[GONE] = reach.get(GONE, source) | source
            elif wanted != GONE:
                reach[wanted] = source
        return found[::-1]

    def _ways(self, number: int, state: State, reach: Reach) -> Iterator[Way]:
        """The outcomes of a step from a state, each with the number of cards that make it."""
        step, wanted = self.steps[number], self.labels[number]
        here = [label for label, place in state if place == step.source]
        size = HAND_SIZE if self.trail.is_choice(step) else 1
        if step.source is None:
            yield from moved(Way(wanted, 1, state), step, reach)
            return
        if wanted in (ANY, PLAIN) and size > len(here):
            yield from moved(Way(PLAIN, size - len(here), state), step, reach)
        for label in dict.fromkeys(here):
            if wanted in (ANY, label):
                yield from moved(Way(label, here.count(label), state), step, reach)

    def _weigh(self) -> None:
        """Counts for each way the courses that have it, from the last step back."""
        follow = dict.fromkeys(self.ends, 1)
        for layer in reversed(self.layers):
            for state, found in layer.items():
                layer[state] = [way._replace(weight=way.weight * follow[way.after]) for way in found]
            follow = {state: sum([way.weight for way in found]) for state, found in layer.items()}

    def draw(self, rng: Random) -> Iterator[Choice]:
        """The choices of one course, in the order of the steps."""
        state: State = ()
        for step, layer in zip(self.steps, self.layers, strict=True):
            way = drawn(layer[state], rng)
            if self.trail.is_choice(step):
                yield Choice(way.label, step.card, (GONE, step.source) in state)
            state = way.after


def labelled(steps: list[Step]) -> list[str]:
    """What is wanted of the card that goes with each step, or the label it gets."""
    away: set[Card] = set()
    labels = []
    for step in steps:
        if step.card is None:
            labels.append(ANY)
        elif step.source is None:
            labels.append(step.card.text)
            if step.target is not None:
                away.add(step.card)
        else:
            labels.append(step.card.text if step.card in away else PLAIN)
            away.discard(step.card)
    awaited: set[str] = set()
    others = PLAIN
    for number in reversed(range(len(steps))):
        label = labels[number]
        if steps[number].source is None:
            labels[number] = label if label in awaited else others
            awaited.discard(label)
        elif label == PLAIN:
            others = GONE
        else:
            awaited.add(label)
    return labels


def moved(way: Way, step: Step, reach: Reach) -> Iterator[Way]:
    """The way with the state it leads to, unless a label that is to be seen again is lost by it."""
    label, state = way.label, list(way.after)
    if label != PLAIN:
        if step.source is not None:
            state.remove((label, step.source))
        if step.target is not None:
            state.append((label, step.target))
    kept = [one for one in state if one[1] in reach.get(one[0], ())]
    if all(one in kept or one[0] == GONE for one in state):
        yield way._replace(after=tuple(sorted(kept)))


def drawn(found: list[Way], rng: Random) -> Way:
    """One of these ways, by weight."""
    left = rng.randrange(sum([way.weight for way in found])) if len(found) > 1 else 0
    for way in found:
        if left < way.weight:
            return way
        left -= way.weight
    raise AssertionError("what was seen cannot have happened")
