"""The tables at which people play: each belongs to a visitor and is closed when nobody plays there."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from time import monotonic
from typing import Final

from arena.errors import ArenaError
from arena.interactive.duplicate_text import ComparedMatch
from arena.interactive.match_series import MatchSeries, SeriesSetup
from arena.tournament.schedule import make_seed

MAX_BOTS: Final = 64
"""Limit on the bots at all tables, each in a process, until those of closed tables are gone."""
MAX_BOTS_OF_CLIENT: Final = 40
"""Limit on those of one account or address, which a class may share: others keep room."""
QUIET_S: Final = 300.0
"""Seconds without a move after which a table closes when others need its bots."""
IDLE_S: Final = 1800.0
"""Seconds without a move after which a table is closed."""
END_TIMEOUT_S: Final = 5.0
"""Seconds that all bots may take to end when the server stops."""
TOKEN_BYTES: Final = 16
MAX_COMPARED: Final = 50
"""Limit on matches of a visitor that are compared with those of a bot, the latest."""
MAX_VISITORS_REMEMBERED: Final = 1000
"""Limit on visitors whose matches at closed tables are remembered."""


class TooManyTables(ArenaError):
    """No further person can sit down now."""


@dataclass
class _Table:
    visitor: str
    client: str
    series: MatchSeries
    moved: float
    """Time of the last move of the person; requests that change nothing do not count."""

    @property
    def bots(self) -> int:
        """The number of bots that play here at the same time, at most."""
        return self.series.setup.max_bots


class Tables:
    """All tables of a server, by their numbers in addresses; several threads may open and close them.

    Args:
        clock: Returns seconds that never run back.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._tables: dict[str, _Table] = {}
        self._ending: list[MatchSeries] = []
        """Those of closed tables whose bots may not be gone."""
        self._compared: dict[str, list[ComparedMatch]] = {}
        """Matches at closed tables that a bot has played, too, by visitor; the latest visitor is last."""
        self._clock = clock
        self._changing = threading.Lock()

    def open(
        self,
        visitor: str,
        setup: SeriesSetup,
        seed: str = "",
        save: Callable[[int, bytes], object] | None = None,
        client: str = "",
    ) -> str:
        """Begin a series of matches for a visitor and return its number.

        Args:
            visitor: Secret of the browser.
            setup: Settings of the series.
            seed: Seed of its first match; empty for a new one.
            save: Is given the finished matches, see `MatchSeries`.
            client: Account or address that the bots are counted for.

        Raises:
            TooManyTables: If there is no room.
            InvalidRules: If the match cannot begin.
            PluginError: If the match cannot begin.
        """
        self.close_idle()
        number = secrets.token_urlsafe(9)
        with self._changing:
            self._make_room(visitor, client, setup.max_bots)
            ending = [series.session.match for series in self._ending]
            series = MatchSeries(setup, make_seed(seed), save, ending)
            self._tables[number] = _Table(visitor, client, series, self._clock())
        return number

    def _make_room(self, visitor: str, client: str, bots: int) -> None:
        """Close tables until there is room for further bots; the caller holds the lock.

        The visitor's own tables close first, then those that nobody has used for long. The bots of a new
        table start once those of closed tables are gone, so that there are never more than the limits say.

        Raises:
            TooManyTables: If there is no room.
        """
        latest = self._clock() - QUIET_S
        for of_client, limit, problem in (
            (client, MAX_BOTS_OF_CLIENT, "Too many play from your address: close a table, or try"),
            (None, MAX_BOTS, "All tables are taken: try"),
        ):
            group = {
                number: table for number, table in self._tables.items() if of_client in (None, table.client)
            }
            may_close = [
                number for number, table in group.items() if table.visitor == visitor or table.moved < latest
            ]
            may_close.sort(key=lambda number: (group[number].visitor != visitor, group[number].moved))
            excess = sum([table.bots for table in group.values()]) + bots - limit
            if excess > sum([group[number].bots for number in may_close]):
                raise TooManyTables(f"{problem} again in a few minutes.")
            for number in may_close:
                if excess <= 0:
                    break
                excess -= group[number].bots
                self._end(number)

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
            latest = self._clock() - IDLE_S
            for number in [number for number, table in self._tables.items() if table.moved < latest]:
                self._end(number)

    def close(self) -> None:
        """Close all tables, and wait a moment until their bots are gone."""
        with self._changing:
            for number in list(self._tables):
                self._end(number)
            until = monotonic() + END_TIMEOUT_S
            for series in self._ending:
                series.session.match.join(max(until - monotonic(), 0.0))

    def list_compared(self, visitor: str) -> list[ComparedMatch]:
        """Return the last matches of a visitor that a bot has played on the same cards."""
        with self._changing:
            own = [table.series for table in self._tables.values() if table.visitor == visitor]
            matches = [
                *self._compared.get(visitor, ()),
                *chain.from_iterable([s.list_compared() for s in own]),
            ]
            return matches[-MAX_COMPARED:]

    def _end(self, number: str) -> None:
        """Close a table; the caller holds the lock."""
        table = self._tables.pop(number)
        series = table.series
        series.close()
        if matches := series.list_compared():
            before = self._compared.pop(table.visitor, [])
            self._compared[table.visitor] = [*before, *matches][-MAX_COMPARED:]
            if len(self._compared) > MAX_VISITORS_REMEMBERED:
                del self._compared[next(iter(self._compared))]
        self._ending = [ending for ending in (*self._ending, series) if ending.session.match.is_alive()]


def make_token() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)
