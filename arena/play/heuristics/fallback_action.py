"""The action that stops a deal or passes: what heuristics fall back on."""

from arena.games import View
from arena.games.action import Action

STOPPING = frozenset({"knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"})


def stop_or_pass(view: View) -> Action:
    """Return the action that ends the deal soonest, or else changes least."""
    for action in reversed(view.legal):
        if action.kind in STOPPING:
            return action
    return view.legal[-1]
