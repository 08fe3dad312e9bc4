"""Racks as they were seen to change, and views played again from their events."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random
from typing import Final

from arena.families.cox.actions import DRAW, discard
from arena.families.cox.cards import COX_PACK, HONOURS, WILD, find_card
from arena.families.cox.sets import ADDED, SETS_IN_HAND, SHIFT, count_kinds, has_three_alike, mask_of
from arena.games.action import Action, Event
from arena.games.cards import HIDDEN, Card, Draw, Hand, draw_cards, plan_choices, plan_draws, random_below
from arena.games.deal import Deal

# --- rack history ---
# Each history is drawn in two parts. First, from which slots the known cards came that were put down: that
# depends on no other rack, so each rack's is drawn until it is possible. Then the hidden cards of all racks,
# in the slots left: if one of these histories cannot be with them, all is drawn again. Equal cards are the
# same shuffle whichever of them was put down: a history is kept with a probability of one in the number of
# ways in which the cards put down can be chosen. The first part counts the ways among known cards alone, and
# the second keeps a history with the ratio that the hidden cards leave of it, so together it is the same.

WAYS: Final = [[comb(count, chosen) for count in range(8)] for chosen in range(5)]
"""Ways in which equal cards can be chosen, by the number of cards and the number chosen."""


class RackChange:
    """One change of a rack.

    Attributes:
        taken_from: The slots of the pack from which it took cards in.
        greenbacks: The greenbacks among those cards: they were laid out at once.
        bought: The card that was bought.
        put_down: The cards that were laid or discarded.
        at_once: True if one of the cards put down is the card that had just come.
        is_settled: True if the rack had no three alike after it, as they would have been laid.
    """

    def __init__(
        self,
        taken_from: Sequence[int] = (),
        bought: Card | None = None,
        put_down: Hand = (),
        at_once: bool = False,
    ) -> None:
        self.taken_from = list(taken_from)
        self.greenbacks: Hand = ()
        self.bought = bought
        self.put_down = put_down
        self.at_once = at_once
        self.is_settled = False


class RackHistory:
    """The known changes of another player's rack."""

    def __init__(self, dealt: Sequence[int]) -> None:
        self.changes = [RackChange(dealt)]
        self.size = len(dealt)
        self.known: list[Card] = []
        """Cards that it holds now."""
        self._sets = 0
        """Sets laid."""

    def settle(self) -> None:
        """Note that three alike would be laid by now; not after a buy, nor where no set may be laid."""
        last = self.changes[-1]
        last.is_settled = self._sets < SETS_IN_HAND and last.bought is None

    def take(self, slots: Sequence[int]) -> None:
        """Add cards from these slots of the pack."""
        self.changes.append(RackChange(slots))
        self.size += len(slots)

    def lay_greenbacks(self, cards: Hand) -> None:
        """Take greenbacks away that came with the last change."""
        self.changes[-1].greenbacks = cards
        self.size -= len(cards)

    def buy(self, card: Card) -> None:
        """Add a card that was bought."""
        self.changes.append(RackChange(bought=card))
        self.size += 1
        self.known = [card]

    def put_down(self, cards: Hand, at_once: bool) -> None:
        """Take away cards that were laid or discarded."""
        self._sets += len(cards) >= 3
        self.changes.append(RackChange(put_down=cards, at_once=at_once))
        self.size -= len(cards)
        self.known = [c for c in self.known if c not in cards]


class UndoneStep:
    """A step in which a change of a rack is undone: it puts a card back into a slot, or others into the rack.

    The cards of a rack are numbered: first those known, now or when they were put down, then the hidden ones.

    Attributes:
        is_settled: True if no three alike can have been in the rack before this step.
        completing: The numbers of the cards of which one goes into the slot; empty if it is any of the rack.
        draw: The random number from which this step and some after it choose cards; None to go on with it.
        choices: From how many cards the step chooses; 0 if it puts no card into a slot.
        bought: The card that was bought.
        put_down: The numbers of the cards that were put down.
        added: What these add to the counts of kinds.
        naturals: How many of these are of the kind whose cards are equal.
        shift: The place of that kind in counts.
        mask: Its bits there; 0 if the cards put down can be chosen in one way only.
        known: The counts of the known cards in the rack before this step, as last drawn.
        chosen: The number of the card that went into the slot, as last drawn.
    """

    def __init__(self, is_settled: bool = False, choices: int = 0, bought: Card | None = None) -> None:
        self.is_settled = is_settled
        self.completing: list[int] = []
        self.draw: Draw | None = None
        self.choices = choices
        self.bought = bought
        self.put_down: list[int] = []
        self.added = 0
        self.naturals = 0
        self.shift = 0
        self.mask = 0
        self.known = 0
        self.chosen = 0

    def put_back(self, cards: Hand, numbers: list[int]) -> None:
        """Make it a step that undoes putting down these cards."""
        self.put_down = numbers
        self.added = count_kinds(cards)
        equal = [c for c in cards if c not in WILD and c.suit not in HONOURS]
        if equal:
            self.naturals, self.shift, self.mask = len(equal), SHIFT[equal[0]], mask_of(equal)

    def count_ways(self, counts: int) -> int:
        """Return in how many ways the cards put down can be chosen from a rack with these counts."""
        return WAYS[self.naturals][counts >> self.shift & 7]


class RackDraw:
    """Draws the history of one rack."""

    def __init__(self, rack: RackHistory) -> None:
        self.hidden_count = rack.size - len(rack.known)
        self._cards = [*rack.known]
        """The known cards, by number."""
        self._slots: list[int] = []
        """The slots of the steps that put a card into one."""
        self._greenbacks: list[tuple[int, Card]] = []
        """Slots and the greenbacks put there, unless these are mixed."""
        self._mixed: list[list[int]] = []
        """Slots whose cards came in any order: greenbacks among them."""
        self._now = count_kinds(tuple(rack.known))
        self._steps: list[UndoneStep] = []
        size = rack.size
        completing: list[int] = []
        for change in reversed(rack.changes):
            first = len(self._steps)
            size = self._add_steps(change, size, completing)
            completing = self._steps[-1].put_down if change.at_once else []
            if first < len(self._steps):
                self._steps[first].is_settled = change.is_settled
        self._known_count = len(self._cards)
        hidden = range(self._known_count, self._known_count + self.hidden_count)
        self._held = [*range(len(rack.known)), *hidden]
        choosing = [step for step in self._steps if step.choices]
        for draw in plan_choices([step.choices for step in choosing]):
            choosing[draw.slots[0]].draw = draw

    def _add_steps(self, change: RackChange, size: int, completing: list[int]) -> int:
        """Add the steps that undo a change of a rack of this size; return its size before the change."""
        if change.bought is not None:
            self._steps.append(UndoneStep(bought=change.bought))
            return size - 1
        if change.put_down:
            step = UndoneStep()
            first = len(self._cards)
            self._cards += change.put_down
            step.put_back(change.put_down, [*range(first, len(self._cards))])
            self._steps.append(step)
            return size + len(change.put_down)
        slots, greenbacks = change.taken_from, change.greenbacks
        count = len(slots) - len(greenbacks)
        for slot in slots[:count]:
            step = UndoneStep(choices=len(completing) or size)
            step.completing = completing
            self._slots.append(slot)
            self._steps.append(step)
            size -= 1
        self._greenbacks += [*zip(slots[count:], greenbacks, strict=True)]
        if greenbacks and len(slots) > 1:
            self._mixed.append(slots)
        if not count and change.is_settled:
            self._steps.append(UndoneStep())
        return size

    def draw_known(self, rng: Random) -> bool:
        """Draw which cards, known or hidden, came from the slots; return False to draw again."""
        held = self._held[:]
        counts, number = self._now, 0
        known_count, cards = self._known_count, self._cards
        for step in self._steps:
            step.known = counts
            if step.is_settled and has_three_alike(counts):
                return False
            if step.choices:
                if step.draw is not None:
                    number = step.draw.random_number(rng)
                place = number % step.choices
                number //= step.choices
                if step.completing:
                    chosen = step.completing[place]
                    held.remove(chosen)
                else:
                    chosen = held[place]
                    last = held.pop()
                    if last != chosen:
                        held[place] = last
                step.chosen = chosen
                if chosen < known_count:
                    counts -= ADDED[cards[chosen]]
            elif step.bought is not None:
                counts -= ADDED[step.bought]
                held.remove(self._find_known(held, step.bought))
            else:
                counts += step.added
                held.extend(step.put_down)
                if step.mask:
                    ways = step.count_ways(counts)
                    if ways > 1 and random_below(ways, rng):
                        return False
        return True

    def _find_known(self, held: list[int], card: Card) -> int:
        """Return the number of a card that is known to be held."""
        return next(number for number in held if number < self._known_count and self._cards[number] is card)

    def has_three_alike_now(self, hidden: list[Card]) -> bool:
        """Return whether three alike would have been laid of the rack, as it is with these hidden cards."""
        counts = self._now
        for c in hidden:
            counts += ADDED[c]
        return self._steps[0].is_settled and has_three_alike(counts)

    def allows(self, hidden: list[Card], rng: Random) -> bool:
        """Return whether the history just drawn is kept with these hidden cards."""
        counts = 0
        added = [ADDED[c] for c in hidden]
        for more in added:
            counts += more
        for step in self._steps:
            if not counts:
                break
            if step.is_settled and has_three_alike(step.known + counts):
                return False
            if step.choices:
                if step.chosen >= self._known_count:
                    counts -= added[step.chosen - self._known_count]
            elif counts & step.mask:
                known = step.known + step.added
                if random_below(step.count_ways(known + counts), rng) >= step.count_ways(known):
                    return False
        return True

    def write(self, hidden: list[Card], row: list[Card], rng: Random) -> None:
        """Put the cards into the slots they came from."""
        place = 0
        for step in self._steps:
            if step.choices:
                number = step.chosen - self._known_count
                row[self._slots[place]] = hidden[number] if number >= 0 else self._cards[step.chosen]
                place += 1
        for slot, greenback in self._greenbacks:
            row[slot] = greenback
        for slots in self._mixed:
            came = [row[slot] for slot in slots]
            for slot in slots:
                row[slot] = came.pop(random_below(len(came), rng))


class RacksDraw:
    """The hidden cards of several racks, those with the longest history first.

    A draw that fails at the first rack then costs no more than that.
    """

    def __init__(self, racks: list[RackHistory], cards: list[Card]) -> None:
        self._racks = [RackDraw(rack) for rack in sorted(racks, key=lambda rack: -len(rack.changes))]
        self._cards = cards
        self._draws = []
        count = len(cards)
        for rack in self._racks:
            self._draws.append(plan_draws(list(range(rack.hidden_count)), count))
            count -= rack.hidden_count

    def fill(self, row: list[Card], rng: Random) -> list[Card]:
        """Put random cards into the slots they came from; return those left."""
        while True:
            left = self._cards[:]
            hands = self._draw_hands(left, rng)
            if hands is not None and self._draw_histories(hands, rng):
                for rack, hidden in zip(self._racks, hands, strict=True):
                    rack.write(hidden, row, rng)
                return left

    def _draw_hands(self, left: list[Card], rng: Random) -> list[list[Card]] | None:
        """Draw the hidden cards of the racks from those left; None to draw again."""
        hands: list[list[Card]] = []
        for rack, draws in zip(self._racks, self._draws, strict=True):
            hidden = [HIDDEN] * rack.hidden_count
            draw_cards(draws, left, hidden, rng)
            if rack.has_three_alike_now(hidden):
                return None
            hands.append(hidden)
        return hands

    def _draw_histories(self, hands: list[list[Card]], rng: Random) -> bool:
        """Draw the histories that led to these hidden cards; return False to draw again."""
        for rack, hidden in zip(self._racks, hands, strict=True):
            while not rack.draw_known(rng):
                pass
            if not rack.allows(hidden, rng):
                return False
        return True


# --- view replay ---
# Half the work of a sample is to play again, in sampled cards, what a view has seen.

UNSEEN_ANSWERS: Final = frozenset({"leave", "hold"})
"""The kinds of actions that decline an offer without the other seats noticing."""
DISCARDS: Final = [discard(slot) for slot in range(len(COX_PACK))]


class ReplayStep:
    """The events that the table showed, and the action that followed.

    Attributes:
        shown: The table's events just before, the latest first, as all seats see them.
        number: How many public events came before the action.
        seat: The seat that acted; -1 after the last action.
        kind: The kind of the action.
        cards: Its cards.
    """

    def __init__(self, shown: list[Event], number: int, seat: int, kind: str, cards: Hand) -> None:
        self.shown = [(event.action, see_publicly(event)) for event in reversed(shown)]
        self.number = number
        self.seat = seat
        self.kind = kind
        self.cards = cards

    def is_reached(self, deal: Deal) -> bool:
        """Return whether the table has shown the same cards in a deal."""
        if deal.event_count != self.number:
            return False
        event = deal.public
        for action, cards in self.shown:
            if event is None or event.seat is not None or event.action is not action or event.cards != cards:
                return False
            event = event.before
        return True

    def find_action(self, deal: Deal) -> int:
        """Return the place of the action among the legal ones, -1 if it is none of them."""
        legal = deal.legal_actions
        if self.kind == "draw":
            return 0 if legal is DRAW else -1
        hand = deal.hands[self.seat]
        if self.kind == "discard":
            slot = find_card(hand, self.cards[0])
            place: int = legal.index.get(DISCARDS[slot], -1) if slot >= 0 else -1
            return place
        for place, action in enumerate(legal.actions):
            if action.kind == self.kind and (not action.give or action.cards(hand, ()) == self.cards):
                return place
        return -1


class Replay:
    """Plays what one view has seen in deals of other cards.

    What the table showed is compared on the way, so that most deals that must be rejected are left early.
    """

    def __init__(self, past: Sequence[Event], event_count: int, seat: int, legal: tuple[Action, ...]) -> None:
        self._steps: list[ReplayStep] = []
        self._seat = seat
        self._legal = legal
        shown: list[Event] = []
        for event in past:
            if event.seat is None:
                shown.append(event)
            else:
                self._steps.append(
                    ReplayStep(shown, event.number, event.seat, event.action.kind, event.cards)
                )
                shown = []
        self._end = ReplayStep(shown, event_count, -1, "", ())

    def play(self, deal: Deal) -> bool:
        """Play it, declining offers that others had beside it; return whether the view is the same then.

        The cards that the view's seat has seen must be where it saw them.
        """
        for step in self._steps:
            seat, place = step.seat, -1
            while place < 0:
                if deal.to_act == seat:
                    place = step.find_action(deal)
                if place < 0 and not decline(deal):
                    return False
            if not step.is_reached(deal):
                return False
            deal.play(seat, deal.legal_actions.actions[place], place)
        while self._legal and deal.to_act != self._seat:
            if not decline(deal):
                return False
        legal = deal.legal_actions.actions if deal.to_act == self._seat else ()
        return legal == self._legal and self._end.is_reached(deal)


def decline(deal: Deal) -> bool:
    """Decline an offer in a way that others do not notice; return whether there was one."""
    default = deal.legal_actions.default
    if default.kind not in UNSEEN_ANSWERS:
        return False
    deal.apply(default)
    return True


def see_publicly(event: Event) -> Hand:
    """Return the cards of a table's event as all seats see them: only one sees its replacements."""
    return (HIDDEN,) * len(event.cards) if event.action.kind == "replace" else event.cards
