"""Play of Cambio for points: what each action is expected to gain, by beliefs about the face-down cards.

A draw from the stock is worth the mean over the unseen cards of the best that can be done with each: put it
down, or use its power. A call is weighed by what it gave up and gained in played-out deals: see
`bots.cambio_training`.
"""

from functools import cached_property
from pathlib import Path
from typing import Final

import msgspec

from arena.families.cambio.actions import (
    CAMBIO,
    DISCARD,
    DRAW_DISCARD,
    DRAW_STOCK,
    PowerStep,
    Spot,
    SpotAction,
    peek_any,
    peek_other,
    peek_own,
)
from arena.families.cambio.decks import CambioPowers
from arena.families.cambio.rules import CambioRules
from arena.families.cambio.scoring import CambioSettlement, SumRanking
from arena.families.cambio.view import CambioView
from arena.games import View
from arena.games.action import Action
from arena.games.cards import HIDDEN, Card
from arena.games.rules import Rules
from bots.cambio_beliefs import CambioBeliefs
from bots.retuned import choose_constants

CONSTANTS_FILE: Final = Path(__file__).with_name("cambio.json")
MAX_ROUND: Final = 8
"""Largest number of rounds that counts for a call."""


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
    fresh: float = 5
    given: float = 1


class CambioPlayer:
    """Player of Cambio by sums without snaps; it remembers nothing between decisions."""

    def __init__(self, rules: Rules, constants: CambioConstants | None = None) -> None:
        assert isinstance(rules, CambioRules)
        self.rules = rules
        self.constants = constants or CambioConstants()

    @cached_property
    def counts(self) -> dict[Card, int]:
        """Points of each card of the pack."""
        return {card: -self.rules.rank((card,)).grade for card in self.rules.whole_pack.cards}

    def act(self, view: View) -> Action:
        assert isinstance(view, CambioView)
        decision = CambioDecision(self.rules, self.constants, self.counts, view)
        return max(view.legal, key=decision.gain)


def is_served(rules: Rules) -> bool:
    """Return whether `CambioPlayer` plays a variant: Cambio without snaps, decided by sums of points."""
    return (
        isinstance(rules, CambioRules)
        and not (rules.snaps.snap or rules.several or rules.valueless)
        and rules.peeked == CambioRules.peeked
        and type(rules.power_cards) is CambioPowers
        and type(rules.ranking) is SumRanking
        and type(rules.settlement) is CambioSettlement
        and rules.settlement.scoring == "sum"
    )


def make_player(rules: Rules, seats: int) -> CambioPlayer:
    """Return a player with the constants fitted for the number of seats."""
    fitted = choose_constants(CONSTANTS_FILE, rules.name, seats)
    return CambioPlayer(rules, msgspec.convert(fitted, CambioConstants))


class CambioDecision:
    """One decision: the expected gain of each legal action, in points."""

    def __init__(
        self, rules: CambioRules, constants: CambioConstants, counts: dict[Card, int], view: CambioView
    ) -> None:
        self.rules = rules
        self.constants = constants
        self.counts = counts
        self.view = view
        self.beliefs = CambioBeliefs(view, counts, constants.fresh, constants.given)
        self.hands = [self.beliefs.expect(seat) for seat in range(view.players)]
        self.own = self.hands[view.seat]
        is_last = view.caller is not None
        self.knowledge = 0 if is_last else constants.knowledge
        self.spying = 0 if is_last else constants.spying

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
            (slot,) = action.give
            return self.worth_of_replacing(slot) - self.counts[drawn]
        if action is DISCARD and drawn:
            return self.power_gain(self.rules.powers.get(drawn, ()))
        return 0

    def worth_of_replacing(self, slot: int) -> float:
        """Return the points that a card of 0 points gains in a slot of its own."""
        return self.own[slot] + self.knowledge * (self.view.hand[slot] is HIDDEN)

    @cached_property
    def best_replacement(self) -> float:
        """The points that a card of 0 points gains in the best slot."""
        return max([self.worth_of_replacing(slot) for slot in range(len(self.own))], default=0)

    @cached_property
    def stock_gain(self) -> float:
        """The mean gain over the cards that may be drawn from the stock."""
        powers, best = self.rules.powers, self.best_replacement
        unseen = self.beliefs.unseen
        gains = {steps: self.power_gain(steps) for steps in {(), *powers.values()}}
        total = sum([max(best - points, gains[powers.get(card, ())]) for points, card in unseen])
        return total / len(unseen) if unseen else 0.0

    @cached_property
    def discard_gain(self) -> float:
        """The gain of taking the top of the discard pile."""
        return self.best_replacement - self.counts[self.view.discard[-1]] - self.constants.public

    def power_gain(self, steps: tuple[PowerStep, ...]) -> float:
        """Return the gain of using a power."""
        if not steps:
            return 0
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
        return self.turn_gain + sum(gains)

    @cached_property
    def turn_gain(self) -> float:
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
    def call_features(self) -> dict[str, float]:
        """The numbers by which a call is weighed, by the constants that they are multiplied with."""
        view, own = self.view, sum(self.own)
        leads = self.leads_after_call
        return {
            "call": 1,
            "call_sum": own,
            "call_square": own * own / 10,
            "call_hidden": view.hand.count(HIDDEN),
            "call_lead": min(leads),
            "call_mean_lead": sum(leads) / len(leads),
            "call_turn": self.turn_gain,
            "call_round": min(self.count_rounds(), MAX_ROUND),
        }

    def count_rounds(self) -> float:
        """Return the number of turns so far for each seat."""
        turns = [event for event in self.view.past if event.seat is not None and event.action.kind == "draw"]
        return len(turns) / self.view.players
