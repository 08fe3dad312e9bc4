"""What a player does who is content with anything."""

from arena.games import View
from arena.games.action import Action

CONTENT = frozenset({"knock", "stand", "cambio", "sell", "pass", "keep", "horse", "pounce"})


def content(view: View) -> Action:
    """What ends the deal soonest, or leaves things as they are."""
    for action in reversed(view.legal):
        if action.kind in CONTENT:
            return action
    return view.legal[-1]


class StandPat:
    """Ends the deal as soon as it may, whatever it holds."""

    def act(self, view: View) -> Action:
        return content(view)
