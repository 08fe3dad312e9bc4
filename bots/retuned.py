"""Bot that plays its game's heuristic with constants fitted for the game instead of chosen by hand.

`python -m bots.retuned_training` fits them; they are in `retuned.json`. Where there are none it plays the
heuristic as it is.
"""

from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.games import View
from arena.games.action import Action
from arena.play import Info
from arena.play.heuristics import make_heuristic

CONSTANTS_FILE: Final = Path(__file__).with_name("retuned.json")
FITTED_SEATS: Final = (2, 4)
"""The numbers of seats with constants of their own; those of 4 serve more and 3."""

FittedConstants = dict[str, dict[int, dict[str, float]]]
"""By variant and number of seats, the constants by name."""


@cache
def load_constants() -> FittedConstants:
    """Return the fitted constants."""
    return msgspec.json.decode(CONSTANTS_FILE.read_bytes(), type=FittedConstants)


class Retuned:
    """Plays its game's heuristic with fitted constants."""

    def __init__(self, info: Info) -> None:
        by_seats = load_constants().get(info.variant, {})
        self.heuristic = make_heuristic(info.rules, by_seats.get(2 if info.players == 2 else 4))

    def act(self, view: View) -> Action:
        return self.heuristic.act(view)
