"""Actions and table events of Cox's game."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from arena.games.action import Action, LegalActions, Slots, action
from arena.games.cards import Card, Hand

DRAW: Final = LegalActions((action("draw"),), default=action("draw"))
BUY: Final = action("buy", (), (0,), "buy")
LEAVE: Final = action("leave")
WINDOW: Final = LegalActions((BUY, LEAVE), default=LEAVE)
"""The actions of a player who could use the latest discard."""
HOLD: Final = action("hold")
SELL: Final = LegalActions((action("sell"),), default=action("sell"))
SELL_OR_HOLD: Final = LegalActions((action("sell"), HOLD), default=HOLD)


def lay_actions(rack: Hand, offered: Sequence[Hand], *, may_hold: bool) -> LegalActions:
    """Return the actions that lay one of the `offered` sets or cards of a rack."""
    return _lays(tuple([find_slots(rack, cards) for cards in offered]), may_hold)


def discard_actions(rack: Hand, cards: Sequence[Card], fresh: Card | None) -> LegalActions:
    """Return the discards of these cards of a rack; the default is the fresh one, if it is among them."""
    slots = 0  # as bits: of equal cards the first
    if cards is rack:  # equal cards lie side by side
        before, quiet = None, -1
        for slot, c in enumerate(rack):
            if c is not before:
                slots |= 1 << slot
                if c is fresh:
                    quiet = slot
            before = c
        return _discards(slots, quiet)
    for c in cards:
        slots |= 1 << rack.index(c)
    return _discards(slots, rack.index(fresh) if fresh in cards else -1)


def find_slots(rack: Hand, cards: Sequence[Card]) -> Slots:
    """Return the positions of these cards in a rack: of equal ones, the first."""
    slots: list[int] = []
    for c in cards:
        slot = rack.index(c)
        while slot in slots:
            slot = rack.index(c, slot + 1)
        slots.append(slot)
    return tuple(sorted(slots))


def lay(slots: Slots) -> Action:
    """Return the action that lays these cards of the rack: a set, or a fourth card."""
    return action("lay", slots, (), "lay" + " %s" * len(slots))


@cache
def discard(slot: int) -> Action:
    """Return the action that discards a card of the rack."""
    return action("discard", (slot,), (), "discard %s")


@cache
def _lays(offered: tuple[Slots, ...], may_hold: bool) -> LegalActions:
    actions = [*map(lay, offered), *([HOLD] if may_hold else [])]
    return LegalActions(actions, default=HOLD if may_hold else actions[0])


@cache
def _discards(bits: int, quiet: int) -> LegalActions:
    """Return the discards from slots given as bits; the default is that of slot `quiet`, if not negative."""
    slots = [slot for slot in range(bits.bit_length()) if bits >> slot & 1]
    return LegalActions([discard(slot) for slot in slots], default=discard(quiet if quiet >= 0 else slots[0]))


@cache
def public_action(kind: str, count: int) -> Action:
    """Return a lay or discard in the events, without the positions of its cards."""
    return action(kind, template=kind + " %s" * count)


@cache
def replacement(seat: int, count: int) -> Action:
    """Return the table event of dealing a seat cards from the bottom of the last supply base."""
    return action("replace", template=f"replace {seat}" + " %s" * count)
