"""Bot that plays its game's heuristic with constants fitted for the game instead of chosen by hand.

`python -m bots.retuned_training` fits the heuristic's own constants, in `retuned.json`. In some games it also
leaves the heuristic's action for one with a higher weighted score: `python -m bots.weights_training` fits
those weights, in `retuned_weights.json`. Where there are neither it plays the heuristic as it is.
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.games import View
from arena.games.action import Action
from arena.play import Info
from arena.play.heuristics import Heuristic, make_heuristic
from arena.play.heuristics.weighted_heuristic import WeightedHeuristic

CONSTANTS_FILE: Final = Path(__file__).with_name("retuned.json")
WEIGHTS_FILE: Final = Path(__file__).with_name("retuned_weights.json")
FITTED_SEATS: Final = (2, 4)
"""The numbers of seats with constants of their own; those of 4 serve more and 3."""

FittedConstants = dict[str, dict[int, dict[str, float]]]
"""By variant and number of seats, the constants by name."""


@cache
def load_constants(file: Path = CONSTANTS_FILE) -> FittedConstants:
    """Return the fitted constants in a file."""
    return msgspec.json.decode(file.read_bytes(), type=FittedConstants)


class Retuned:
    """Plays its game's heuristic with fitted constants, and other actions by fitted weights."""

    def __init__(self, info: Info) -> None:
        seats = 2 if info.players == 2 else 4
        weights = load_constants(WEIGHTS_FILE).get(info.variant, {}).get(seats)
        constants = load_constants().get(info.variant, {}).get(seats)
        self.heuristic: Heuristic = (
            WeightedHeuristic(info.rules, weights) if weights else make_heuristic(info.rules, constants)
        )

    def act(self, view: View) -> Action:
        return self.heuristic.act(view)
