"""A seat whose bot lives in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arena.play.bot import Info
from arena.play.players import ELSEWHERE, Chair

if TYPE_CHECKING:
    from arena.play.bot_processes.bot_process import Host
    from arena.play.bot_processes.view_encoder import Tellings


class HostedSeat(Chair):
    """A bot in a host at one seat of one match."""

    __slots__ = ("host", "info", "m", "tellings")

    def __init__(self, info: Info, host: Host, tellings: Tellings) -> None:
        super().__init__(info, host.name)
        self.info, self.host, self.tellings = info, host, tellings
        self.m = -1
        if host.failed is not None:
            self.fail("no-start", 0, host.failed)
            return
        self.act = ELSEWHERE
        self.m = host.seat(self)
        self.observe = self._observe if host.hears_events else None
        self.deal_over = self._deal_over if host.hears_results else None

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Notes a failure; a bot that could not be made plays no more."""
        super().fail(kind, deal, answer)
        if kind == "no-start":
            self.retire()

    def _observe(self, event: str) -> None:
        self.host.tell(self.m, self.host.dialect.event(self.m, self.deal, event))

    def _deal_over(self, result: dict[str, Any]) -> None:
        self.host.tell(self.m, self.host.dialect.over(self.m, self.deal, result))
