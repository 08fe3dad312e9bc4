"""Direction of turns and deal round the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.games.option_fields import option


@dataclass(frozen=True, kw_only=True)
class Direction:
    """Side of a player on which the next one sits. Source: S000, ruling R14."""

    direction: str = "left"

    @property
    def step(self) -> int:
        """The step from a seat to the next: 1 clockwise, -1 counter-clockwise."""
        return 1 if self.direction == "left" else -1


@dataclass(frozen=True, kw_only=True)
class EitherWay(Direction):
    """To the left or, as in Italy and France, to the right. Source: rulings R14, R30."""

    direction: str = option("left", "the side of a player whose turn is next", choices=("left", "right"))


CLOCKWISE: Final = Direction()
COUNTER_CLOCKWISE: Final = Direction(direction="right")
EITHER_WAY: Final = EitherWay()
