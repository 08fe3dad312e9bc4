"""The tables at which people play: each belongs to a visitor and is closed when nobody plays there."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from arena.errors import ArenaError
from arena.interactive.match_series import MatchSeries, SeriesSetup
from arena.tournament.scheduling.seeds import make_seed

MAX_BOTS: Final = 64
"""Limit on the bots at all tables: each may have a process."""
MAX_BOTS_OF_VISITOR: Final = 20
"""Limit on the bots at the tables of one visitor; when another table needs more, the oldest ones close."""
IDLE_S: Final = 1800.0
"""Seconds without a request after which a table is closed."""
TOKEN_BYTES: Final = 16


class TooManyTables(ArenaError):
    """No further person can sit down now."""


@dataclass
class _Table:
    visitor: str
    series: MatchSeries
    used: float


class Tables:
    """All tables of a server, by their numbers in addresses.

    Args:
        clock: Returns seconds that never run back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._tables: dict[str, _Table] = {}
        self._clock = clock

    def open(
        self,
        visitor: str,
        setup: SeriesSetup,
        seed: str = "",
        save: Callable[[int, bytes], object] | None = None,
    ) -> str:
        """Begin a series of matches for a visitor and return its number.

        Raises: TooManyTables; InvalidRules or PluginError, if the match cannot begin.
        """
        self.close_idle()
        bots = len(setup.opponents)
        own = [number for number, table in self._tables.items() if table.visitor == visitor]
        while own and self._count_bots(own) + bots > MAX_BOTS_OF_VISITOR:
            self._close(own.pop(0))
        if self._count_bots(self._tables) + bots > MAX_BOTS:
            raise TooManyTables("All tables are taken: try again in a few minutes.")
        number = secrets.token_urlsafe(9)
        series = MatchSeries(setup, make_seed(seed), save)
        self._tables[number] = _Table(visitor, series, self._clock())
        return number

    def find(self, visitor: str, number: str) -> MatchSeries | None:
        """Return the series of a table; None if there is none, or it is another visitor's."""
        table = self._tables.get(number)
        if table is None or not visitor or not secrets.compare_digest(table.visitor, visitor):
            return None
        table.used = self._clock()
        return table.series

    def close_idle(self) -> None:
        """Close the tables at which nobody has played for long."""
        latest = self._clock() - IDLE_S
        for number in [number for number, table in self._tables.items() if table.used < latest]:
            self._close(number)

    def close(self) -> None:
        """Close all tables."""
        for number in list(self._tables):
            self._close(number)

    def _count_bots(self, numbers: Iterable[str]) -> int:
        return sum([len(self._tables[number].series.setup.opponents) for number in numbers])

    def _close(self, number: str) -> None:
        self._tables.pop(number).series.close()


def make_token() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)
