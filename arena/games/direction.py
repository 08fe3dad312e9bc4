"""Which way the turns and the deal go round the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from arena.games.options import option


class Direction(Protocol):
    """Which way the turns and the deal go."""

    @property
    def step(self) -> int:
        """What is added to a seat for the next one: 1 is clockwise, to the left."""
        ...


@dataclass(frozen=True, kw_only=True)
class Clockwise:
    """Always to the left. Source: ruling R14."""

    @property
    def step(self) -> int:
        return 1


@dataclass(frozen=True, kw_only=True)
class CounterClockwise:
    """Always to the right. Source: S000, ruling R14."""

    @property
    def step(self) -> int:
        return -1


@dataclass(frozen=True, kw_only=True)
class EitherWay:
    """To the left or, as in Italy and France, to the right. Source: rulings R14, R30."""

    direction: str = option("left", "the side of a player whose turn is next", choices=("left", "right"))

    @property
    def step(self) -> int:
        return 1 if self.direction == "left" else -1


CLOCKWISE: Final = Clockwise()
COUNTER_CLOCKWISE: Final = CounterClockwise()
EITHER_WAY: Final = EitherWay()
