"""Direction of turns and deal round the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.games.option_fields import Part, option


@dataclass(frozen=True, kw_only=True)
class Direction(Part):
    """Side on which the next player sits; in Italy and France either. Source: S000, rulings R14, R30."""

    direction: str = option("left", "the side of a player whose turn is next", choices=("left", "right"))

    @property
    def step(self) -> int:
        """The step from a seat to the next: 1 clockwise, -1 counter-clockwise."""
        return 1 if self.direction == "left" else -1


CLOCKWISE: Final = Direction()
COUNTER_CLOCKWISE: Final = Direction(direction="right")
EITHER_WAY: Final = Direction(offers=("direction",))
