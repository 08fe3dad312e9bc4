"""Code shared by the two wire protocols: JSON lines for programs, msgpack for Python bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from arena.games import View
from arena.play.bot import Info, Limits
from arena.play.faults import BotFailure, FaultKind

MAX_ANSWER_BYTES = 1 << 16
Request = tuple[int, View | None, Any]
"""Match number, view (None for a sync: are all messages processed?), and who gets the answer."""


class FirstMessage(msgspec.Struct):
    """The first message of a Python bot's process: "ready", or "failed" and why."""

    t: str
    words: str = ""


class Ready(msgspec.Struct, frozen=True):
    """A process's first message, once it has loaded its bot."""

    v: int
    events: bool = True
    """True if it wants events as they happen."""
    results: bool | None = None
    """True if it wants the results of deals; by default, if it wants events."""
    many: bool = False
    """True if it answers many requests at once, and so may take the time of all for the first."""


class FailureReport(msgspec.Struct, frozen=True, array_like=True):
    """A failure that a bot's process reports: instead of an answer if `asked`, else unasked.

    One of the kind `note` is no failure, but the bot's note on its next answer in the match.
    """

    m: int
    kind: FaultKind | Literal["note"]
    words: str
    asked: bool
    deal: int
    is_unavailable: bool = False
    """True if the bot raised `arena.Unavailable`, which is a crash if it is confined."""
    retry_after: float | None = None


class MatchAnswer(NamedTuple):
    """An answer that says which match it is for."""

    m: int | None
    action: int | str | BotFailure


Answer = int | str | FailureReport | MatchAnswer | BotFailure


class Oversize(Exception):
    """A process has sent more than it may."""


class WireProtocol(Protocol):
    """The wire protocol of one process. Messages are created at once and sent later, many together."""

    can_sync: bool
    """True if the process answers requests without a view, and so reports failures after the last answer."""
    is_python: bool
    """True if the process runs `arena.play.bot_runtime`, and writes its stack when it is asked to."""

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any], folder: str = "") -> bytes:
        """Encode the first message; `folder` is `Info.folder`, empty for none."""
        ...

    def read_ready(self, data: bytes) -> Ready | None:
        """Return the answer to `hello`; None until it is complete.

        Raises:
            BotFailure: If the bot cannot play.
            Oversize: If the answer is too large.
        """
        ...

    def match(self, m: int, info: Info, encoder: Any) -> Any:
        """Return the message that a match begins; `encoder` is shared by all players of the match."""
        ...

    def event(self, m: int, deal: int, text: str) -> Any:
        """Return the message of an event."""
        ...

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        """Return the message that a deal is over."""
        ...

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        """Return the message that a match is over."""
        ...

    def encode(self, messages: Sequence[Any], requests: Sequence[Request]) -> bytes:
        """Encode messages, and the requests that follow them, for the pipe."""
        ...

    def reading_cost(self, data: bytes) -> int:
        """Return the cost of reading data that nobody may have asked for, in bytes."""
        ...

    def read_answers(self, data: bytes) -> list[Answer]:
        """Return the answers that are complete; ignore unknown messages.

        Raises:
            Oversize: If an answer is too large.
        """
        ...

    def bye(self) -> bytes:
        """Encode the last message."""
        ...

    def restart(self) -> None:
        """Forget what was read from and sent to the process before it restarted."""
        ...
