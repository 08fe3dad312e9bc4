"""The matches that a bot's process plays at a time, by number."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Any

from arena.play.bot import Info
from arena.play.bot_processes.protocol import WireProtocol
from arena.play.bot_processes.replay_log import Request
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.players import Player


class AttachedMatches:
    """The players of a bot in its matches; the number of a match is free again after its end."""

    def __init__(self) -> None:
        self._matches: dict[int, tuple[Player, Info, MatchEncoder]] = {}
        self._free_numbers: list[int] = []

    def __bool__(self) -> bool:
        return bool(self._matches)

    def __contains__(self, m: int) -> bool:
        return m in self._matches

    def add(self, player: Player, info: Info, encoder: MatchEncoder) -> int:
        """Add a match and return its number."""
        m = heappop(self._free_numbers) if self._free_numbers else len(self._matches)
        self._matches[m] = player, info, encoder
        return m

    def remove(self, m: int) -> None:
        """Remove a match."""
        del self._matches[m]
        heappush(self._free_numbers, m)

    def player(self, m: int) -> Player:
        """Return the bot's player in a match."""
        return self._matches[m][0]

    def drop_note(self, m: int) -> None:
        """Forget the note on a decision that was made again."""
        if m in self._matches:
            self.player(m).noted.clear()

    def add_time(self, answered: Sequence[tuple[Request, Any]], seconds: float) -> None:
        """Add the time that answers took together to the times of the players who decided."""
        share = seconds / len(answered)
        for (m, view, _), _ in answered:
            if view is not None:
                self._matches[m][0].seconds.append(share)

    def opening(self, m: int, protocol: WireProtocol) -> Any:
        """Return the message that a match begins."""
        _, info, encoder = self._matches[m]
        return protocol.match(m, info, encoder)
