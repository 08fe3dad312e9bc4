"""The player whose bot runs in a process of its own."""

from __future__ import annotations

from typing import Any

from arena.play.bot import Info
from arena.play.bot_processes.bot_process import BotProcess
from arena.play.bot_processes.view_encoder import MatchEncoder
from arena.play.players import DEFERRED, Player


class RemotePlayer(Player):
    """A seat of one match, played by a bot process; `match_id` is -1 if the process cannot start."""

    __slots__ = ("info", "match_id", "process")

    def __init__(self, info: Info, process: BotProcess, encoder: MatchEncoder) -> None:
        super().__init__(info, process.name)
        self.info, self.process = info, process
        self.match_id = -1
        if process.failure is not None:
            self.fail("no-start", 0, process.failure)
            return
        self.act = DEFERRED
        self.match_id = process.attach(self, info, encoder)
        self.observe = self._observe if process.wants_events else None
        self.deal_over = self._deal_over if process.wants_results else None

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Note a failure; a bot that could not be made is not asked again."""
        super().fail(kind, deal, answer)
        if kind == "no-start":
            self.retire()

    def _observe(self, event: str) -> None:
        self.process.notify(self.match_id, self.process.protocol.event(self.match_id, self.deal, event))

    def _deal_over(self, result: dict[str, Any]) -> None:
        self.process.notify(self.match_id, self.process.protocol.over(self.match_id, self.deal, result))
