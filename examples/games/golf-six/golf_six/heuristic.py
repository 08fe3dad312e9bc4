"""A player that counts unseen cards at their average, and collects equal cards in columns."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

import msgspec

from arena.games.authoring import HIDDEN, Action, Card, Hand, Rules, View
from arena.play.heuristics import Heuristic
from golf_six.actions import DISCARD, DRAW_DISCARD
from golf_six.rules import GridRules
from golf_six.scoring import SkyjoPoints
from golf_six.view import GridView


class Constants(msgspec.Struct, frozen=True):
    """The constants of `Columns`.

    Attributes:
        saving: Points that the top discard must save to be better than a card from the stock.
        uncover: Points it is worth to have one more card face up.
        hope: Share of its equal cards that a column is expected to save if one card is missing.
        lead: Share of the lead in expected sums that counts when the last card is turned up.
    """

    saving: float = 2.5
    uncover: float = 1
    hope: float = 0.3
    lead: float = 0.5


class Columns(Heuristic):
    """Player of six-card Golf and Skyjo that does what lowers its expected sum most."""

    playouts: ClassVar = 60

    def __init__(self, rules: Rules, constants: Constants | None = None) -> None:
        assert isinstance(rules, GridRules)
        self.rules = rules
        self.constants = constants or Constants()
        self.rows = rules.rows
        self.doubles = isinstance(rules.settlement, SkyjoPoints)
        self.average = 0.0

    @cached_property
    def total(self) -> int:
        """The sum of the whole pack."""
        return sum([self.rules.ranking.value(card) for card in self.rules.whole_pack.cards])

    def act(self, view: View) -> Action:
        assert isinstance(view, GridView)
        if len(view.legal) == 1:
            return view.legal[0]
        self.average = self.find_average(view)
        return max(view.legal, key=lambda action: self.gain(view, action))

    def find_average(self, view: GridView) -> float:
        """Return what an unseen card counts on average."""
        value = self.rules.ranking.value
        seen = [card for hand in (*view.known, view.discard) for card in hand if card is not HIDDEN]
        if view.drawn is not None and view.drawn is not HIDDEN:
            seen.append(view.drawn)
        unseen = len(self.rules.whole_pack) - len(seen)
        return (self.total - sum([value(card) for card in seen])) / max(unseen, 1)

    def gain(self, view: GridView, action: Action) -> float:
        """Return by how many points an action is expected to lower the sum."""
        constants = self.constants
        if action.kind == "place":
            assert view.drawn
            return self.gain_of_placing(view, view.drawn, action.give[0])
        if action is DRAW_DISCARD:
            top, slots = view.discard[-1], range(len(view.hand))
            return max([self.gain_of_placing(view, top, slot) for slot in slots]) - constants.saving
        if action.kind == "turn":
            return self.gain_of_turning(view, action.give[0])
        if action is DISCARD and self.rules.turning == "must":
            slots = range(len(view.hand))
            return max(
                [self.gain_of_turning(view, slot) for slot in slots if view.hand[slot] is HIDDEN], default=0
            )
        return 0

    def gain_of_placing(self, view: GridView, card: Card, slot: int) -> float:
        """Return the gain of putting a card in a place."""
        hand = view.hand
        after = (*hand[:slot], card, *hand[slot + 1 :])
        start = slot - slot % self.rows
        end = start + self.rows
        saved = self.cost(hand[start:end]) - self.cost(after[start:end])
        if hand[slot] is not HIDDEN:
            return saved
        return saved + self.constants.uncover + self.gain_of_closing(view, after)

    def gain_of_turning(self, view: GridView, slot: int) -> float:
        """Return the gain of turning up a card: rather in a column where none is face up."""
        hand = view.hand
        start = slot - slot % self.rows
        faces = self.rows - hand[start : start + self.rows].count(HIDDEN)
        closing = self.gain_of_closing(view, hand) if hand.count(HIDDEN) == 1 else 0
        return self.constants.uncover - faces / 100 + closing

    def gain_of_closing(self, view: GridView, after: Hand) -> float:
        """Return the gain of ending the deal with a hand; 0 if it has cards face down or others ended it."""
        if view.closer is not None or after.count(HIDDEN) > (after == view.hand):
            return 0
        own = self.expect(after)
        lead = min([self.expect(view.known[seat]) for seat in view.order if seat != view.seat]) - own
        doubled = own if self.doubles and lead <= 0 < own else 0
        return self.constants.lead * lead - doubled

    def expect(self, hand: Hand) -> float:
        """Return the expected sum of a hand."""
        rows = self.rows
        return sum([self.cost(hand[start : start + rows]) for start in range(0, len(hand), rows)])

    def cost(self, column: Hand) -> float:
        """Return what a column is expected to count."""
        value = self.rules.ranking.value
        faces = [card for card in column if card is not HIDDEN]
        hidden = len(column) - len(faces)
        total = sum([value(card) for card in faces]) + hidden * self.average
        if not faces or hidden > 1 or any(card.rank != faces[0].rank for card in faces):
            return total
        return total - self.constants.hope * max(value(faces[0]), 0) * len(faces) if hidden else 0
