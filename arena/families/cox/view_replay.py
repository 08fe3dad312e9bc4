"""Replaying what a view has seen in a deal of sampled cards: half the work of a sample."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.families.cox.actions import DRAW, discard
from arena.families.cox.cards import COX_PACK, find_card
from arena.games.action import Action
from arena.games.cards import HIDDEN, Hand
from arena.games.deal import Deal
from arena.games.events import Event

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
