"""Play of the cambio family for points: what each action gains, by beliefs about the face-down cards.

A seat that knows its card keeps it only if it is low: each card that the seat lays, instead of a card it
knows, is an upper bound on that card. A draw from the stock is worth the mean over the unseen cards of the
best that can be done with each: put it down, or use its power. A call is weighed by numbers of the deal;
`python -m bots.fitting expert` fits the weights.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from itertools import accumulate
from math import erf, inf, prod, sqrt
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from arena.families.cambio.actions import (
    CAMBIO,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    LAID,
    MAX_HAND_FOR_SEVERAL,
    PowerStep,
    Spot,
    SpotAction,
    draw_again,
    peek_any,
    peek_other,
    peek_own,
)
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import CaboSettlement, CambioSettlement, LowestSum
from arena.families.cambio.view import CambioView
from arena.games import View
from arena.games.action import Action, Slots
from arena.games.cards import HIDDEN, Card
from arena.games.rules import Rules
from arena.play import Info
from bots.retuned import choose_constants

CONSTANTS_FILE: Final = Path(__file__).with_name("cambio.json")
MAX_ROUND: Final = 8
"""Largest number of rounds that counts for a call."""
TIE: Final = 0.5
"""Points added to a lead, as the lowest sum may be shared."""
LAST_VARIANCE: Final = 4.0
"""Variance of a sum by a last turn."""


class CambioConstants(msgspec.Struct, frozen=True):
    """The constants of `CambioPlayer`, in points of a hand unless said otherwise.

    Attributes:
        knowledge: Worth of knowing one more card of its own.
        spying: Worth of knowing one more card of another.
        informed: Worth of a swap after peeks, above that of a swap without.
        public: Loss from taking a card that all have seen.
        harm: Share of what a swap costs another that counts as a gain.
        call: Gain of a call over playing on, before the numbers below are weighed.
        call_sum: Weight of its expected sum in that gain.
        call_square: Weight of a tenth of the square of that sum.
        call_hidden: Weight of the number of its cards that it does not know.
        call_lead: Weight of its expected lead over the best other after a call.
        call_mean_lead: Weight of its expected lead over all others on average.
        call_turn: Weight of the gain of its best other action.
        call_round: Weight of the number of rounds so far, at most `MAX_ROUND`.
        call_chance: Weight of the chance to have the lowest sum after a call.
        call_saved: Weight of that chance times its expected sum.
        pair: Share of the points of a card that it saves beside an equal one, where both may be replaced.
        fresh: See `CambioBeliefs`.
        given: See `CambioBeliefs`.
    """

    knowledge: float = 1.2
    spying: float = 0.1
    informed: float = 0.6
    public: float = 0.8
    harm: float = 0.8
    call: float = -0.254
    call_sum: float = 0.198
    call_square: float = -0.044
    call_hidden: float = 0.048
    call_lead: float = 0.125
    call_mean_lead: float = 0.125
    call_turn: float = -1.229
    call_round: float = 0.02
    call_chance: float = 0
    call_saved: float = 0
    pair: float = 0
    fresh: float = 5
    given: float = 1


class CambioPlayer:
    """Player without snaps for the least sum; it remembers nothing between decisions."""

    def __init__(self, rules: Rules, constants: CambioConstants | None = None) -> None:
        assert isinstance(rules, CambioRules)
        self.rules = rules
        self.constants = constants or CambioConstants()

    @cached_property
    def counts(self) -> dict[Card, float]:
        """Points of each card of the pack; of one that counts nothing the mean of the others."""
        rules = self.rules
        points = {card: -rules.rank((card,)).grade for card in rules.whole_pack.cards}
        counting = [value for card, value in points.items() if card.rank not in rules.valueless]
        mean = fmean(counting)
        return {card: mean if card.rank in rules.valueless else value for card, value in points.items()}

    def act(self, view: View) -> Action:
        assert isinstance(view, CambioView)
        decision = CambioDecision(self.rules, self.constants, self.counts, view)
        return max(view.legal, key=decision.gain)


def is_served(rules: Rules) -> bool:
    """Return whether `CambioPlayer` plays a variant: one without snaps, decided by sums of points."""
    if not isinstance(rules, CambioRules) or rules.snaps.snap:
        return False
    settlement = rules.settlement
    is_by_sum = isinstance(settlement, CambioSettlement) and settlement.scoring == "sum"
    return isinstance(rules.ranking, LowestSum) and (is_by_sum or isinstance(settlement, CaboSettlement))


def find_constants(rules: Rules, seats: int) -> CambioConstants:
    """Return the constants fitted for the number of seats."""
    return msgspec.convert(choose_constants(CONSTANTS_FILE, rules.name, seats), CambioConstants)


def make_player(info: Info) -> CambioPlayer:
    """Return a player with the constants fitted for the number of seats, or those of the settings."""
    given = info.settings.get("constants")
    constants = msgspec.convert(given, CambioConstants) if given else find_constants(info.rules, info.players)
    return CambioPlayer(info.rules, constants)


# --- beliefs about face-down cards ---


class FaceDownCard:
    """A card on the table, as the seats know it.

    Attributes:
        known_by: Seats that know the card, as bits.
        bound: Highest points that its owners' choices allow.
        is_given: True if a seat gave it away in a swap of its own.
    """

    __slots__ = ("bound", "is_given", "known_by")

    def __init__(self, known_by: int, bound: float = inf) -> None:
        self.known_by = known_by
        self.bound = bound
        self.is_given = False


class CambioBeliefs:
    """Expected points of the cards of a deal, for one seat.

    Args:
        view: The seat's view of a deal without snaps.
        counts: Points of each card of the pack.
        fresh: Highest points of a card that another seat puts in place of one it does not know.
        given: Points by which a card given away in a swap is above the average.
    """

    def __init__(self, view: CambioView, counts: Mapping[Card, float], fresh: float, given: float) -> None:
        self.view = view
        self.counts = counts
        self.fresh = fresh
        self.given = given
        seen = {*view.discard, view.drawn}.union(*view.known)
        self.unseen = [(points, card) for card, points in counts.items() if card not in seen]
        self.points = sorted([points for points, _ in self.unseen])
        self.sums = [0, *accumulate(self.points)]
        self.average = self.sums[-1] / max(len(self.points), 1)
        self.hands = self.follow_events()

    def expect(self, seat: int) -> list[float]:
        """Return the expected points of a seat's cards, by slot."""
        cards = zip(self.view.known[seat], self.hands[seat], strict=True)
        return [self.estimate(card) if known is HIDDEN else self.counts[known] for known, card in cards]

    def estimate(self, card: FaceDownCard) -> float:
        """Return the mean points of the unseen cards that a hidden card can be."""
        if card.is_given and card.bound == inf:
            return self.average + self.given
        count = bisect_right(self.points, card.bound)
        return self.sums[count] / count if count else min(self.average, card.bound)

    def find_variance(self, seat: int) -> float:
        """Return the variance of the sum of a seat's cards."""
        cards = zip(self.view.known[seat], self.hands[seat], strict=True)
        return sum([self.spread(card) for known, card in cards if known is HIDDEN])

    def spread(self, card: FaceDownCard) -> float:
        """Return the variance of the points of the unseen cards that a hidden card can be."""
        count = bisect_right(self.points, card.bound)
        return self.squares[count] / count - (self.sums[count] / count) ** 2 if count else 0.0

    @cached_property
    def squares(self) -> list[float]:
        """The sums of the squares of the points of unseen cards, the lowest first."""
        return [0, *accumulate([points * points for points in self.points])]

    def follow_events(self) -> list[list[FaceDownCard]]:
        """Return the cards of all seats, by seat and slot, as the events of the deal leave them."""
        view, rules = self.view, self.view.opening.rules
        assert isinstance(rules, CambioRules)
        hands = [
            [FaceDownCard((slot in rules.peeked) << seat) for slot in range(rules.hand_size)]
            for seat in range(view.players)
        ]
        everybody = (1 << view.players) - 1
        drawer, is_public = 0, False
        slots: Slots | None = None  # those of the drawn card, None once it is down
        for event in view.past:
            done, seat = event.action, event.seat
            known_by = everybody if is_public else 1 << drawer
            if done is LAID:
                if slots is not None:
                    self.add_bounds(hands[drawer], 1 << drawer, slots, self.counts[event.cards[0]], known_by)
                slots = None
            elif seat is None:
                if slots and isinstance(done, SpotAction):  # cards that were to be replaced are not equal
                    ((owner, slot),) = done.spots
                    if slot == len(hands[owner]):
                        hands[owner].append(FaceDownCard(known_by))
                        slots = None
                    else:
                        hands[owner][slot].known_by = everybody
            elif done.kind == "draw":
                is_public = done is DRAW_DISCARD
            elif done.kind in ("place", "discard"):
                drawer, slots = seat, done.give
            elif isinstance(done, SpotAction):
                follow_power(hands, seat, done.spots)
        return hands

    def add_bounds(
        self, hand: list[FaceDownCard], bit: int, slots: Slots, points: float, known_by: int
    ) -> None:
        """Put a drawn card down, and bound the cards that its drawer knew by the points of the one laid."""
        bound = points
        if slots:
            placed, *others = slots
            if not hand[placed].known_by & bit:
                bound = self.fresh
            hand[placed] = FaceDownCard(known_by, bound)
            for slot in reversed(others):
                del hand[slot]
            bound = max(bound, points * len(slots))
        for card in hand:
            if card.known_by & bit:
                card.bound = min(card.bound, bound)


def follow_power(hands: list[list[FaceDownCard]], seat: int, spots: tuple[Spot, ...]) -> None:
    """Note a peek or a swap by a seat."""
    (owner, slot), *target = spots
    if not target:
        hands[owner][slot].known_by |= 1 << seat
        return
    ((other, place),) = target
    given = hands[owner][slot]
    given.is_given = given.is_given or owner == seat
    hands[owner][slot], hands[other][place] = hands[other][place], given


# --- a decision ---


class CambioDecision:
    """One decision: the expected gain of each legal action, in points."""

    def __init__(
        self, rules: CambioRules, constants: CambioConstants, counts: dict[Card, float], view: CambioView
    ) -> None:
        self.rules = rules
        self.constants = constants
        self.counts = counts
        self.view = view
        self.columns = rules.ranking.columns if isinstance(rules.ranking, LowestSum) else ()
        self.beliefs = CambioBeliefs(view, counts, constants.fresh, constants.given)
        self.hands = [self.expect(seat) for seat in range(view.players)]
        self.own = self.hands[view.seat]
        is_last = view.caller is not None
        self.knowledge = 0 if is_last else constants.knowledge
        self.spying = 0 if is_last else constants.spying
        self.pair = 0 if is_last or not rules.several else constants.pair

    def expect(self, seat: int) -> list[float]:
        """Return the expected points of a seat's cards, by slot; known cards that cancel have none."""
        points, hand = self.beliefs.expect(seat), self.view.known[seat]
        for slot, other in self.columns:
            if HIDDEN is not hand[slot] and hand[slot].rank == hand[other].rank:
                points[slot] = points[other] = 0
        return points

    def gain(self, action: Action) -> float:
        """Return the points that an action is expected to gain over doing nothing."""
        if action is DRAW_STOCK:
            return self.stock_gain
        if action is DRAW_DISCARD:
            return self.discard_gain
        if action is CAMBIO:
            return self.call_gain
        if isinstance(action, SpotAction):
            return self.gain_at_spots(action)
        drawn = self.view.drawn
        if action.kind == "place" and drawn:
            return self.gain_of_placing(action.give, drawn)
        if action is DISCARD and drawn:
            return self.discarding_gain(drawn)
        return 0

    def discarding_gain(self, drawn: Card) -> float:
        """Return the gain of discarding a card drawn from the stock."""
        steps = self.rules.powers.get(drawn, ())
        return self.power_gain(steps) if steps or not self.may_draw_again else self.single_gain

    @cached_property
    def may_draw_again(self) -> bool:
        """True if a power allows a further draw after this one: its card is the last that was laid."""
        past, powers = self.view.past, self.rules.powers
        laid = next((place for place in range(len(past) - 1, 0, -1) if past[place].action is LAID), 0)
        before = past[laid - 1] if laid and self.is_drawing_again else None
        is_own = before is not None and before.action is DISCARD and before.seat == self.view.seat
        return is_own and draw_again in powers.get(past[laid].cards[0], ())

    @cached_property
    def is_drawing_again(self) -> bool:
        """True if a card's power is to draw again."""
        return any(draw_again in steps for steps in self.rules.powers.values())

    def gain_of_placing(self, slots: Slots, card: Card) -> float:
        """Return the points that a card gains in the place of cards of its own."""
        hand, points = self.view.hand, self.counts[card]
        slot, *others = slots
        if others:
            ranks = {hand[place].rank for place in slots}
            if len(ranks) > 1 or HIDDEN.rank in ranks:
                return -points - self.beliefs.average
            return sum([self.own[place] for place in slots]) - points
        replaced = hand[slot]
        gain = self.own[slot] + self.knowledge * (replaced is HIDDEN)
        if self.pair:
            kept = [other.rank for place, other in enumerate(hand) if place != slot]
            if card.rank in kept:
                gain += self.pair * points
            if replaced is not HIDDEN and replaced.rank in kept:
                gain -= self.pair * self.own[slot]
        for column in self.columns:
            if slot in column:
                other = column[column[0] == slot]
                partner = hand[other]
                if partner is HIDDEN:
                    continue
                if partner.rank == card.rank:
                    return gain + self.own[other]
                if partner.rank == replaced.rank:
                    gain -= self.counts[partner]
        return gain - points

    @cached_property
    def places(self) -> list[Slots]:
        """The slots in whose place a card may be put: each, and those of equal cards together."""
        hand = self.view.hand
        places: list[Slots] = [(slot,) for slot in range(len(hand))]
        if self.rules.several and len(hand) <= MAX_HAND_FOR_SEVERAL:
            by_rank: dict[str, Slots] = {}
            for slot, card in enumerate(hand):
                if card is not HIDDEN:
                    by_rank[card.rank] = (*by_rank.get(card.rank, ()), slot)
            places += [slots for slots in by_rank.values() if len(slots) > 1]
        return places

    def best_placing(self, card: Card) -> float:
        """Return the points that a card gains in its best place."""
        return max([self.gain_of_placing(slots, card) for slots in self.places], default=-self.counts[card])

    @cached_property
    def kinds(self) -> list[tuple[float, tuple[PowerStep, ...], int]]:
        """The gain of placing, the power and the number of each kind of unseen cards."""
        unseen, powers = self.beliefs.unseen, self.rules.powers
        cards = {(card.rank, points): card for points, card in unseen}
        numbers = Counter([(card.rank, points) for points, card in unseen])
        return [
            (self.best_placing(card), powers.get(card, ()), numbers[kind]) for kind, card in cards.items()
        ]

    def draw_gain(self, plain: float, again: float) -> float:
        """Return the mean gain over the cards that may be drawn from the stock.

        Args:
            plain: The gain of discarding a card without a power.
            again: The gain of discarding one whose power is to draw again.
        """
        kinds = self.kinds
        gains = {steps: again if draw_again in steps else self.power_gain(steps) for _, steps, _ in kinds}
        gains[()] = plain
        total = sum([number * max(placing, gains[steps]) for placing, steps, number in kinds])
        return total / max(len(self.beliefs.unseen), 1)

    @cached_property
    def single_gain(self) -> float:
        """The gain of a draw without the draws that a power may add."""
        return self.draw_gain(0, 0)

    @cached_property
    def double_gain(self) -> float:
        """The gain of the power to draw again, a second time if the first card is discarded."""
        return self.draw_gain(self.single_gain, self.single_gain)

    @cached_property
    def stock_gain(self) -> float:
        """The gain of a draw from the stock."""
        return self.draw_gain(0, self.double_gain) if self.is_drawing_again else self.single_gain

    @cached_property
    def discard_gain(self) -> float:
        """The gain of taking the top of the discard pile."""
        return self.best_placing(self.view.discard[-1]) - self.constants.public

    def power_gain(self, steps: tuple[PowerStep, ...]) -> float:
        """Return the gain of using a power."""
        if not steps:
            return 0
        if draw_again in steps:
            return self.double_gain
        *peeks, last = steps
        if last in (peek_own, peek_other, peek_any):
            return self.peek_gain(last)
        return sum(map(self.peek_gain, peeks)) + self.swap_gain + self.constants.informed * bool(peeks)

    def peek_gain(self, step: PowerStep) -> float:
        """Return the gain of a peek that a power allows."""
        view = self.view
        gain = self.knowledge if step is not peek_other and HIDDEN in view.hand else 0.0
        others = [hand for seat, hand in enumerate(view.known) if seat != view.seat]
        if step is not peek_own and any(HIDDEN in hand for hand in others):
            gain = max(gain, self.spying)
        return gain

    @cached_property
    def swap_gain(self) -> float:
        """The gain of the best swap of an own card with another's, at least 0."""
        view = self.view
        gains = [
            self.gain_of_swap((view.seat, slot), (seat, place))
            for seat in range(view.players)
            if seat not in (view.seat, view.caller)
            for place in range(len(self.hands[seat]))
            for slot in range(len(self.own))
        ]
        return max([0.0, *gains])

    def gain_of_swap(self, given: Spot, taken: Spot) -> float:
        """Return the gain of a swap of an own card with another's."""
        known, (seat, slot), (other, place) = self.view.known, given, taken
        saved = self.own[slot] - self.hands[other][place]
        learnt = (known[seat][slot] is HIDDEN) - (known[other][place] is HIDDEN)
        return saved * (1 + self.constants.harm) + self.knowledge * learnt

    def gain_at_spots(self, action: SpotAction) -> float:
        """Return the gain of a peek or a swap."""
        view, (spot, *target) = self.view, action.spots
        seat, slot = spot
        if target:
            return self.gain_of_swap(spot, target[0]) if seat == view.seat else -1.0
        if view.known[seat][slot] is not HIDDEN:
            return -1.0
        return self.knowledge + 1 if seat == view.seat else self.spying + 1 - self.hands[seat][slot] / 100

    # --- the call ---

    @cached_property
    def call_gain(self) -> float:
        """The gain of a call: that of the best other action, and what a call is expected to gain over it."""
        weights: dict[str, float] = msgspec.structs.asdict(self.constants)
        gains = [weights[name] * value for name, value in self.call_features.items()]
        return self.other_gain + sum(gains)

    @cached_property
    def other_gain(self) -> float:
        """The gain of the best action but a call."""
        return max([self.gain(action) for action in self.view.legal if action is not CAMBIO], default=0)

    @cached_property
    def leads_after_call(self) -> list[float]:
        """The expected leads over the other seats after a call."""
        own = sum(self.own)
        others = [hand for seat, hand in enumerate(self.hands) if seat != self.view.seat]
        return [sum(hand) - self.last_gain(hand) - own for hand in others]

    def last_gain(self, hand: list[float]) -> float:
        """Return the points that a last draw from the stock saves a hand on average."""
        points, highest = self.beliefs.points, max(hand, default=0)
        return sum([highest - point for point in points if point < highest]) / max(len(points), 1)

    @cached_property
    def chance_after_call(self) -> float:
        """The chance to have the lowest sum after a call, if sums are normal and independent."""
        variances = [self.beliefs.find_variance(seat) for seat in range(self.view.players)]
        own = variances.pop(self.view.seat)
        chances = [
            (1 + erf((lead + TIE) / sqrt(2 * (variance + own + LAST_VARIANCE)))) / 2
            for lead, variance in zip(self.leads_after_call, variances, strict=True)
        ]
        return prod(chances)

    @cached_property
    def call_features(self) -> dict[str, float]:
        """The numbers by which a call is weighed, by the constants that they are multiplied with."""
        view, own = self.view, sum(self.own)
        leads, chance = self.leads_after_call, self.chance_after_call
        return {
            "call": 1,
            "call_sum": own,
            "call_square": own * own / 10,
            "call_hidden": view.hand.count(HIDDEN),
            "call_lead": min(leads),
            "call_mean_lead": sum(leads) / len(leads),
            "call_turn": self.stock_gain if self.rules.call_after else self.other_gain,
            "call_round": min(self.count_rounds(), MAX_ROUND),
            "call_chance": chance,
            "call_saved": chance * own,
        }

    def count_rounds(self) -> float:
        """Return the number of turns so far for each seat."""
        turns = [event for event in self.view.past if event.seat is not None and event.action.kind == "draw"]
        return len(turns) / self.view.players
