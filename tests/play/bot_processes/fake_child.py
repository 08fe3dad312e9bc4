"""A bot process whose child is played by the test: it holds the other ends of the pipes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from subprocess import TimeoutExpired
from typing import Any

from arena.games import variant
from arena.play import Info, Limits
from arena.play.bot_processes.bot_process import BotHealth, BotProcess, RemotePlayer
from arena.play.bot_processes.msgpack_protocol import MatchEncoder, SymbolEncoder
from arena.play.bot_processes.pipes import PipeSelector
from arena.play.bot_processes.protocol import Answer, FailureReport, Ready, Request
from tests.play.bot_processes.hosted_matches import make_info

RULES = variant("lives")
VIEW = RULES.match(2, "a deal").view(1)


class FakeChild:
    """Stands in for `Popen`."""

    def __init__(self) -> None:
        self.pid = 0  # no such process
        self.returncode: int | None = None
        ends = [os.pipe() for _ in range(3)]
        self._read, self._out, self._error = ends[0][0], ends[1][1], ends[2][1]
        self.stdin = os.fdopen(ends[0][1], "wb", 0)
        self.stdout, self.stderr = os.fdopen(ends[1][0], "rb", 0), os.fdopen(ends[2][0], "rb", 0)
        os.set_blocking(self._read, False)

    def received(self) -> list[str]:
        """Return the batches that were sent since the last call."""
        try:
            return os.read(self._read, 1 << 16).decode().splitlines()
        except BlockingIOError:
            return []

    def answer(self, *answers: Answer) -> None:
        for answer in answers:
            text = str(answer)
            if isinstance(answer, FailureReport):
                text = f"fail {answer.m} {answer.deal} {answer.kind} {answer.words}"
            os.write(self._out, f"{text}\n".encode())

    def exit(self, status: int) -> None:
        self.returncode = status
        os.close(self._out)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            raise TimeoutExpired("fake", timeout or 0.0)
        return self.returncode

    def close(self) -> None:
        """Do what `stop` does."""
        for pipe in (self.stdin, self.stdout, self.stderr):
            pipe.close()

    def close_all(self) -> None:
        """Close the test's ends as well."""
        self.close()
        for end in (self._read, self._error, *([] if self.returncode is not None else [self._out])):
            os.close(end)


class FakeProtocol:
    """Writes a line of words for a batch; answers are indices, a line each."""

    can_sync = True
    is_python = False

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any], folder: str = "") -> bytes:
        return b"hello\n"

    def read_ready(self, data: bytes) -> Ready | None:
        return Ready(v=1)

    def match(self, m: int, info: Info, encoder: Any) -> Any:
        return f"match{m}"

    def event(self, m: int, deal: int, text: str) -> Any:
        return f"event{m}"

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        return f"over{m}"

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        return f"end{m}"

    def encode(self, messages: Sequence[Any], requests: Sequence[Request]) -> bytes:
        asked = [f"act{m}" if view else f"sync{m}" for m, view, _ in requests]
        return " ".join([*messages, *asked]).encode() + b"\n"

    def reading_cost(self, data: bytes) -> int:
        return len(data)

    def read_answers(self, data: bytes) -> list[Answer]:
        lines = [line.split() for line in data.decode().splitlines()]
        return [
            FailureReport(int(line[1]), line[3], " ".join(line[4:]), False, int(line[2]))  # type: ignore[arg-type]
            if line[0] == "fail"
            else int(line[0])
            for line in lines
        ]

    def bye(self) -> bytes:
        return b"bye\n"

    def restart(self) -> None:
        pass


class FakeProcess:
    """A bot process, the children it has had, and players attached to it; the time is given in each step."""

    def __init__(self, limits: Limits) -> None:
        self.children: list[FakeChild] = []
        launch: Any = self._launch
        self.health = BotHealth(limits)
        self.process = BotProcess("fake", launch, FakeProtocol(), limits, {}, PipeSelector(), self.health)
        self._limits = limits
        self.players: list[RemotePlayer] = []

    def _launch(self) -> FakeChild:
        self.children.append(FakeChild())
        return self.children[-1]

    @property
    def child(self) -> FakeChild:
        return self.children[-1]

    def make_ready(self, now: float = 0.0) -> None:
        """Answer the greeting of the latest child."""
        assert self.child.received() == ["hello"]
        self.child.answer(0)
        self.process.receive(now)

    def attach(self, count: int) -> None:
        """Begin that many matches."""
        encoder = MatchEncoder(SymbolEncoder())
        for number in range(count):
            info = make_info(RULES, 2, number, 1, self._limits)
            self.players.append(RemotePlayer(info, self.process, encoder))

    def warm_up(self, now: float = 0.0) -> None:
        """Let the child answer its first decision."""
        self.ask(0)
        self.send(now)
        self.answer(0, now=now)

    def ask(self, *matches: int) -> None:
        """Ask for decisions, the asker being the word `asker`, and send what can be sent."""
        for m in matches:
            self.process.ask(m, RULES.match(2, "a deal").view(1), "asker")

    def send(self, now: float = 0.0) -> list[str]:
        """Send what can be sent; return the batches as the child receives them."""
        self.process.flush(now)
        return self.child.received()

    def answer(self, *answers: Answer, now: float = 0.0) -> list[tuple[int, Any]]:
        """Let the child answer; return the answers by match."""
        self.child.answer(*answers)
        self.process.receive(now)
        return self.take()

    def crash(self, status: int = -9, now: float = 0.0) -> list[tuple[int, Any]]:
        """Let the child end; return what is answered thereby."""
        self.child.exit(status)
        self.process.receive(now)
        return self.take()

    def take(self) -> list[tuple[int, Any]]:
        """Return the answers by match: the action's index, or the kind of failure."""
        answered, self.process.answered = self.process.answered, []
        return [(request[0], simplify(answer)) for request, answer in answered]


def simplify(answer: Any) -> Any:
    """Return an action's index, or the kind of a failure."""
    return VIEW.legal.index(answer) if answer in VIEW.legal else getattr(answer, "kind", answer)
