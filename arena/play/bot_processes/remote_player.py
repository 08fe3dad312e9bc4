"""A seat whose bot lives in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.play.bot import Info
from arena.play.players import DEFERRED, Player

if TYPE_CHECKING:
    from arena.play.bot_processes.bot_process import BotProcess
    from arena.play.bot_processes.view_encoder import MatchEncoder


class RemotePlayer(Player):
    """A bot in a host at one seat of one match."""

    __slots__ = ("info", "match_id", "process", "tellings")

    def __init__(self, info: Info, host: BotProcess, tellings: MatchEncoder) -> None:
        super().__init__(info, host.name)
        self.info, self.process, self.tellings = info, host, tellings
        self.match_id = -1
        if host.failure is not None:
            self.fail("no-start", 0, host.failure)
            return
        self.act = DEFERRED
        self.match_id = host.attach(self)
        self.observe = self._observe if host.hears_events else None
        self.deal_over = self._deal_over if host.hears_results else None

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Notes a failure; a bot that could not be made plays no more."""
        super().fail(kind, deal, answer)
        if kind == "no-start":
            self.retire()

    def _observe(self, event: str) -> None:
        self.process.tell(self.match_id, self.process.protocol.event(self.match_id, self.deal, event))

    def _deal_over(self, result: dict[str, Any]) -> None:
        self.process.tell(self.match_id, self.process.protocol.over(self.match_id, self.deal, result))
