"""Bot that plays its game's heuristic with constants fitted for the game instead of chosen by hand.

`python -m bots.fitting constants` fits the heuristic's own constants, in `retuned.json`. In some games it
also leaves the heuristic's action for one with a higher weighted score: `python -m bots.fitting weights` fits
those weights, in `retuned_weights.json`. Where there are neither it plays the heuristic as it is.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.games import View
from arena.games.action import Action
from arena.play import Info
from arena.play.heuristics import Heuristic, make_heuristic
from arena.play.heuristics.weighted_heuristic import WeightedHeuristic

CONSTANTS_FILE: Final = Path(__file__).with_name("retuned.json")
WEIGHTS_FILE: Final = Path(__file__).with_name("retuned_weights.json")
FITTED_SEATS: Final = (2, 4)
"""Numbers of seats with fitted constants; other numbers use those of the next larger, or of the largest."""
FITTED_SEATS_CUCKOO: Final = (2, 3, 4)
"""Numbers of seats with fitted constants in the cuckoo family, where seats drop out during a match."""

FittedConstants = dict[str, dict[int, dict[str, float]]]
"""Constants by name, by variant and number of seats."""


@cache
def load_constants(file: Path = CONSTANTS_FILE) -> FittedConstants:
    """Return the fitted constants in a file."""
    return msgspec.json.decode(file.read_bytes(), type=FittedConstants)


def save_constants(fitted: Mapping[Any, object], file: Path) -> None:
    """Write constants as JSON."""
    file.write_bytes(msgspec.json.format(msgspec.json.encode(fitted)) + b"\n")


def choose_constants(file: Path, variant: str, seats: int) -> dict[str, float]:
    """Return the constants of a game fitted for the number of seats, or for the next that has some."""
    by_seats = load_constants(file).get(variant, {})
    fitted = min([seat for seat in by_seats if seat >= seats], default=max(by_seats, default=0))
    return by_seats.get(fitted, {})


class Retuned:
    """Bot that plays its game's heuristic with fitted constants, and other actions by fitted weights."""

    def __init__(self, info: Info) -> None:
        weights = choose_constants(WEIGHTS_FILE, info.variant, info.players)
        self.weighted = WeightedHeuristic(info.rules, weights) if weights else None
        self.heuristics: dict[int, Heuristic] = {
            seats: make_heuristic(info.rules, choose_constants(CONSTANTS_FILE, info.variant, seats))
            for seats in range(2, info.players + 1)
        }
        """Heuristics by the number of seats in the deal."""

    def act(self, view: View) -> Action:
        return (self.weighted or self.heuristics[len(view.order)]).act(view)
