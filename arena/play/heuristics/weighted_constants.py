"""The constants of an exploiter in a game: their names, where a search begins, and its first steps."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from arena.games import Rules
from arena.play.heuristics import constants_type, heuristic_type, make_heuristic
from arena.play.heuristics.fallback_action import STOPPING
from arena.play.heuristics.weighted_heuristic import HEURISTIC, LAST

SAMPLE_MATCHES: Final = 20
"""Number of the heuristic's matches that are searched for kinds of actions."""
KIND_STEP: Final = 0.5
CHANCE_STEP: Final = 2.0
TURNS_STEP: Final = 0.5
HAND_STEP: Final = 2.0
MIN_HEURISTIC_STEP: Final = 0.1
HEURISTIC_STEP: Final = 0.15
"""Step of a constant of the heuristic, as a share of its value."""
MAX_SHARE: Final = 0.99
FARSIGHTED: Final = {"now": 3.0, "later": 12.0}
"""Weights of a start that prefers hands that can become good; `LAST_CHANCES` is part of it."""
LAST_WEIGHT: Final = 20.0
LAST_CHANCES: Final = (0.6, 0.85)
"""Chances of the hand at which such a start ends the deal."""


class Constant(NamedTuple):
    """A constant of an exploiter."""

    name: str
    start: float
    """The value with which it plays its game's heuristic."""
    step: float
    """Standard deviation in the first generation."""
    is_share: bool = False
    """True for a share, at least 0 and below 1."""

    def limit(self, value: float) -> float:
        """Return the allowed value nearest to `value`."""
        return min(max(value, 0.0), MAX_SHARE) if self.is_share else value


def list_constants(rules: Rules, players: int, own: Mapping[str, float] | None = None) -> list[Constant]:
    """Return the constants that are fitted in a game; `own` are those of the player to begin with, if any.

    Without them it begins with the game's heuristic.
    """
    kinds = find_kinds(rules, players)
    is_judging = heuristic_type(rules).cards_seen is not None
    usual = [make_constant(name, value) for name, value in own.items()] if own else None
    constants = [
        *(usual or list_heuristic_constants(rules)),
        *[Constant(kind, 0, KIND_STEP) for kind in kinds],
    ]
    for kind in kinds:
        if kind in STOPPING:
            constants.append(Constant(f"{kind}.turns", 0, TURNS_STEP))
            if is_judging:
                constants.append(Constant(f"{kind}.chance", 0, CHANCE_STEP))
    if is_judging:
        constants.append(Constant("now", 0, HAND_STEP))
    if is_judging and rules.hand_size == 3:
        constants.append(Constant("later", 0, HAND_STEP))
    return constants


def list_heuristic_constants(rules: Rules) -> list[Constant]:
    """Return the constants of the game's heuristic, if it has any."""
    constants = constants_type(rules)
    values = msgspec.structs.asdict(constants()) if constants else {}
    return [make_constant(name, value)._replace(is_share=0 < value < 1) for name, value in values.items()]


def make_constant(name: str, value: float) -> Constant:
    """Return a constant of the heuristic, or of the player in its place."""
    return Constant(HEURISTIC + name, value, max(abs(value) * HEURISTIC_STEP, MIN_HEURISTIC_STEP))


def find_kinds(rules: Rules, players: int) -> list[str]:
    """Return the kinds of actions that the heuristic may choose from in a few matches, in order of name."""
    heuristic, kinds = make_heuristic(rules), set()
    for number in range(SAMPLE_MATCHES):
        match = rules.match(players, f"kinds {number}")
        while match.seat_to_act is not None:
            view = match.view(match.seat_to_act)
            if len(view.legal) > 1:
                kinds.update([action.kind for action in view.legal])
            match.apply(heuristic.act(view))
    return sorted(kinds)


def list_starts(constants: Sequence[Constant]) -> list[list[float]]:
    """Return the values at which a search may begin: the heuristic, and bots that weigh what may come."""
    starts = [[constant.start for constant in constants]]
    names = {constant.name for constant in constants}
    if FARSIGHTED.keys() <= names:
        for chance in LAST_CHANCES:
            changed = dict(FARSIGHTED)
            for kind in LAST & names:
                changed |= {kind: LAST_WEIGHT * (0.5 - chance), f"{kind}.chance": LAST_WEIGHT}
            starts.append([changed.get(constant.name, constant.start) for constant in constants])
    return starts
