"""A bot examined in a process of its own, asked one question at a time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from arena.games import Match, Rules, View
from arena.play.bot import Info, Limits
from arena.play.bot_processes import (
    BotProcess,
    LaunchSpec,
    MatchEncoder,
    ProcessKey,
    ProcessPool,
    RemotePlayer,
)
from arena.play.conformance.environments import FailureCallback
from arena.play.faults import BotFailure
from arena.play.players import Player

TICK_S = 0.01
"""How often deadlines are looked at."""


class HostedEnvironment:
    """A child at one level of isolation."""

    def __init__(self, name: str, lodging: LaunchSpec, limits: Limits) -> None:
        self.level = lodging.level
        self._keeper = ProcessPool({name: lodging}, limits, max_running=1)
        self._most_memory = 0
        begun = time.monotonic()
        found = self._keeper.acquire([ProcessKey(name, 0, 0)], begun)
        assert found is not None
        (self._host,) = found
        while not (self._host.is_ready or self._host.failure):
            self._wait()
        self.start_seconds = time.monotonic() - begun
        self._look_at_memory()

    @property
    def is_gone(self) -> bool:
        """Whether the bot does not start."""
        return self._host.failure is not None

    @property
    def failure(self) -> str:
        """Why the bot does not start; empty if it does."""
        return self._host.failure.detail if self._host.failure else ""

    @property
    def printed(self) -> str:
        """What it has printed since it was started last, as far as it was kept."""
        return self._host.pipes.printed.text() if self._host.pipes else ""

    @property
    def memory_mb(self) -> float | None:
        """The most that one of its processes was seen to use."""
        return self._most_memory / 1024 if self._most_memory else None

    def seat(self, rules: Rules, info: Info, noted: FailureCallback) -> Player:
        """The bot at a seat of a new match."""
        return _AskedSeat(info, noted, self._host, MatchEncoder(self._keeper.symbols), self)

    def leave(self, seat: Player, match: Match | None) -> None:
        """The match is over, or was given up; failures that came after the last decision are noted."""
        assert isinstance(seat, _AskedSeat)
        if seat.match_id < 0:
            return
        if seat.act is not None and self._host.sync(seat.match_id, seat):
            answer = self.answer()
            if isinstance(answer, BotFailure) and seat.act is not None:
                seat.fail(answer.kind, seat.deal, answer)
        nothing = (0,) * seat.info.players
        self._host.detach(
            seat.match_id, match.payoffs if match else nothing, match.placings if match else nothing
        )
        self._look_at_memory()

    def answer(self) -> Any:
        """The answer to what the host was asked last."""
        while not self._host.answered:
            self._host.flush(time.monotonic())
            self._wait()
        ((_, answer),) = self._host.answered
        self._host.answered = []
        return answer

    def close(self) -> None:
        """Ends the child."""
        self._keeper.close()

    def _wait(self) -> None:
        now = self._keeper.wait(TICK_S)
        if (deadline := self._host.deadline) is not None and now > deadline:
            self._host.expire(now)

    def _look_at_memory(self) -> None:
        if self._host.pid is not None:
            self._most_memory = max(self._most_memory, peak_memory(self._host.pid))


class _AskedSeat(RemotePlayer):
    """A bot in a host that answers when it is asked, and tells of its failures."""

    __slots__ = ("noted", "room")

    def __init__(
        self,
        info: Info,
        noted: FailureCallback,
        host: BotProcess,
        tellings: MatchEncoder,
        room: HostedEnvironment,
    ) -> None:
        self.noted, self.room = noted, room
        super().__init__(info, host, tellings)
        if self.act is not None:
            self.act = self._ask

    def fail(self, kind: str, deal: int, answer: object) -> None:
        """Notes a failure; one that was not made for the match does not fail at its decisions too."""
        if self.act is not None or self.match_id < 0:
            self.noted(kind, deal, answer)
            super().fail(kind, deal, answer)

    def _ask(self, view: View) -> Any:
        self.process.ask(self.match_id, view, self)
        answer = self.room.answer()
        if isinstance(answer, BotFailure):
            raise answer
        return answer


def peak_memory(pid: int) -> int:
    """The most kilobytes that a process or one below it has had in memory; 0 where that cannot be known."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    own = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
    return max([*own, *[peak_memory(int(child)) for child in children]], default=0)
