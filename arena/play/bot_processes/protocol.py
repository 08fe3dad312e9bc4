"""What both ways of talking to a host share: JSON lines with programs, msgpack with Python hosts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from arena.play.bot import Info, Limits
from arena.play.faults import BotFailure, FaultKind

if TYPE_CHECKING:
    from arena.play.bot_processes.request import Request

VERSION = 1
LONGEST = 1 << 16
"""Bytes of an answer; more are not read into anything."""


class First(msgspec.Struct):
    """A Python host's first frame: that it is ready, or why not."""

    t: str
    v: int = 0
    words: str = ""


class Ready(msgspec.Struct, frozen=True):
    """What a host says once it has loaded its bot."""

    v: int
    events: bool = True
    """Whether it wants to hear of events as they happen."""
    results: bool | None = None
    """Whether it wants to hear how deals end; without a word, as with events."""
    many: bool = False
    """Whether it answers many questions at once, and so may take the time of all for the first."""


class FailureReport(msgspec.Struct, frozen=True, array_like=True):
    """A failure as a Python host tells it: of an answer, or where it was not `asked` of listening."""

    m: int
    kind: FaultKind
    words: str
    asked: bool
    deal: int


class MatchAnswer(NamedTuple):
    """An answer that says which match it is for."""

    m: int | None
    action: int | str | BotFailure


Answer = int | str | FailureReport | MatchAnswer | BotFailure


class Oversize(Exception):
    """A host has sent more than may be read."""


class WireProtocol(Protocol):
    """How one host is talked to. Messages are made when something happens and sent later, many at once."""

    syncs: bool
    """Whether it says at the end of a match what else has failed."""

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any]) -> bytes:
        """The first words."""
        ...

    def ready(self, data: bytes) -> Ready | None:
        """What the host says to that; None as long as it is not all there.

        Raises: Failed, if it is not ready or of another version; Oversize.
        """
        ...

    def match(self, m: int, info: Info, tellings: Any) -> Any:
        """A match begins; `tellings` is what all its seats share."""
        ...

    def event(self, m: int, deal: int, text: str) -> Any:
        """Something has happened."""
        ...

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        """A deal is over."""
        ...

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        """The match is over."""
        ...

    def encode(self, told: Sequence[Any], asked: Sequence[Request]) -> bytes:
        """What is told, and then the questions, as they are written to the pipe."""
        ...

    def answers(self, data: bytes) -> list[Answer]:
        """The answers that are complete now. What is no answer but none of ours to understand is left out.

        Raises: Oversize.
        """
        ...

    def bye(self) -> bytes:
        """The last words."""
        ...

    def restart(self) -> None:
        """The host is begun again: what it had begun to say is void."""
        ...
