"""The tables at which people play: each belongs to a visitor and is closed when nobody plays there."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from arena.errors import ArenaError
from arena.interactive.match_series import MatchSeries, SeriesSetup
from arena.tournament.scheduling.seeds import make_seed

MAX_BOTS: Final = 64
"""Limit on the bots at all tables: each may have a process."""
MAX_BOTS_OF_ADDRESS: Final = 40
"""Limit on the bots at all tables of one address, which a class may share: others keep room."""
MAX_BOTS_OF_VISITOR: Final = 20
"""Limit on the bots at the tables of one visitor; when another table needs more, the oldest ones close."""
QUIET_S: Final = 300.0
"""Seconds without a move after which a table closes when others need its bots."""
IDLE_S: Final = 1800.0
"""Seconds without a move after which a table is closed."""
TOKEN_BYTES: Final = 16


class TooManyTables(ArenaError):
    """No further person can sit down now."""


@dataclass
class _Table:
    visitor: str
    address: str
    series: MatchSeries
    moved: float
    """Time of the last move of the person; requests that change nothing do not count."""


class Tables:
    """All tables of a server, by their numbers in addresses; several threads may open and close them.

    Args:
        clock: Returns seconds that never run back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._tables: dict[str, _Table] = {}
        self._clock = clock
        self._changing = threading.Lock()

    def open(
        self,
        visitor: str,
        setup: SeriesSetup,
        seed: str = "",
        save: Callable[[int, bytes], object] | None = None,
        address: str = "",
    ) -> str:
        """Begin a series of matches for a visitor, who comes from an address, and return its number.

        Raises:
            TooManyTables: If there is no room.
            InvalidRules: If the match cannot begin.
            PluginError: If the match cannot begin.
        """
        self.close_idle()
        bots = len(setup.opponents)
        number = secrets.token_urlsafe(9)
        closing: list[_Table] = []
        try:
            with self._changing:
                self._make_room(visitor, address, bots, closing)
                series = MatchSeries(setup, make_seed(seed), save)
                self._tables[number] = _Table(visitor, address, series, self._clock())
        finally:
            for table in closing:
                table.series.close()
        return number

    def _make_room(self, visitor: str, address: str, bots: int, closing: list[_Table]) -> None:
        """Remove the tables that close for further bots of a visitor; the caller holds the lock.

        Raises:
            TooManyTables: If there is no room.
        """
        own = [number for number, table in self._tables.items() if table.visitor == visitor]
        while own and self._count_bots(own) + bots > MAX_BOTS_OF_VISITOR:
            closing.append(self._tables.pop(own.pop(0)))
        if not self._has_room(self._of_address(address), bots, MAX_BOTS_OF_ADDRESS, closing):
            raise TooManyTables(
                "Too many play from your address: close a table, or try again in a few minutes."
            )
        if not self._has_room(list(self._tables), bots, MAX_BOTS, closing):
            raise TooManyTables("All tables are taken: try again in a few minutes.")

    def _has_room(self, numbers: list[str], bots: int, limit: int, closing: list[_Table]) -> bool:
        """Return whether these tables leave room for further bots, once quiet ones among them are removed."""
        quiet = [number for number in self._unmoved_for(QUIET_S) if number in numbers]
        quiet.sort(key=lambda number: self._tables[number].moved)
        while quiet and self._count_bots(numbers) + bots > limit:
            number = quiet.pop(0)
            numbers.remove(number)
            closing.append(self._tables.pop(number))
        return self._count_bots(numbers) + bots <= limit

    def find(self, visitor: str, number: str) -> MatchSeries | None:
        """Return the series of a table; None if there is none, or it is another visitor's."""
        table = self._tables.get(number)
        own = table is not None and secrets.compare_digest(table.visitor.encode(), visitor.encode())
        if table is None or not visitor or not own:
            return None
        return table.series

    def note_move(self, number: str) -> None:
        """Remember that the person at a table has just moved."""
        if table := self._tables.get(number):
            table.moved = self._clock()

    def close_idle(self) -> None:
        """Close the tables at which nobody has played for long."""
        with self._changing:
            closing = [self._tables.pop(number) for number in self._unmoved_for(IDLE_S)]
        for table in closing:
            table.series.close()

    def close(self) -> None:
        """Close all tables, without blaming those who play there."""
        with self._changing:
            closing = [self._tables.pop(number) for number in list(self._tables)]
        for table in closing:
            table.series.close(is_left=False)

    def _of_address(self, address: str) -> list[str]:
        return [number for number, table in self._tables.items() if table.address == address]

    def _unmoved_for(self, seconds: float) -> list[str]:
        latest = self._clock() - seconds
        return [number for number, table in self._tables.items() if table.moved < latest]

    def _count_bots(self, numbers: Iterable[str]) -> int:
        return sum([len(self._tables[number].series.setup.opponents) for number in numbers])


def make_token() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)
