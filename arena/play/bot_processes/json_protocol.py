"""How programs in any language are talked to: JSON, one message a line. See docs/protocol.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.play.bot import Info, Limits
from arena.play.bot_processes.protocol import LONGEST, VERSION, Addressed, Answer, Oversize, Ready
from arena.play.bot_processes.request import Question
from arena.play.bot_processes.view_json import spelled
from arena.play.faults import Failed

ENCODE = msgspec.json.Encoder().encode


class _Kind(msgspec.Struct):
    t: str


class _Action(msgspec.Struct):
    m: int
    action: int | str


KIND = msgspec.json.Decoder(_Kind).decode
ACTION = msgspec.json.Decoder(_Action).decode
READY = msgspec.json.Decoder(Ready).decode
NOT_UNDERSTOOD = (msgspec.MsgspecError, ValueError, RecursionError)


class Lines:
    """One program that reads and writes lines of JSON."""

    syncs = False

    def __init__(self) -> None:
        self._read = bytearray()

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any]) -> bytes:
        """The first words."""
        return _line({"t": "hello", "v": VERSION, "bot": bot, "limits": limits, "settings": settings})

    def ready(self, data: bytes) -> Ready | None:
        """What the program says to that.

        Raises: Failed; Oversize.
        """
        for line in self._lines(data):
            try:
                if KIND(line).t == "ready":
                    return READY(line)
            except NOT_UNDERSTOOD as error:
                raise Failed("no-start", f"{_shown(line)} is not to be understood: {error}") from None
        return None

    def match(self, m: int, info: Info, tellings: Any) -> Any:
        """A match begins."""
        return _line(
            {
                "t": "match",
                "m": m,
                "variant": info.variant,
                "options": info.options,
                "players": info.players,
                "seat": info.seat,
                "rng": info.key,
            }
        )

    def event(self, m: int, deal: int, text: str) -> Any:
        """Something has happened."""
        return _line({"t": "event", "m": m, "event": text})

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        """A deal is over."""
        return _line({"t": "over", "m": m, "result": result})

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        """The match is over."""
        return _line({"t": "end", "m": m, "payoffs": payoffs, "placings": placings})

    def encode(self, told: Sequence[Any], asked: Sequence[Question]) -> bytes:
        """What is told, and then the questions, as they are written to the pipe."""
        questions = [_line({"t": "act", "m": m, "view": spelled(view)}) for m, view, _ in asked if view]
        return b"".join([*told, *questions])

    def answers(self, data: bytes) -> list[Answer]:
        """The answers that are complete now; other messages are overlooked.

        Raises: Oversize.
        """
        found: list[Answer] = []
        for line in self._lines(data):
            try:
                if KIND(line).t == "action":
                    answer = ACTION(line)
                    found.append(Addressed(answer.m, answer.action))
            except NOT_UNDERSTOOD as error:
                found.append(Failed("invalid", f"{_shown(line)} is not to be understood: {error}"))
        return found

    def bye(self) -> bytes:
        """The last words."""
        return _line({"t": "bye"})

    def restart(self) -> None:
        """The program is begun again."""
        self._read.clear()

    def _lines(self, data: bytes) -> list[bytes]:
        buffer = self._read
        buffer += data
        *lines, rest = bytes(buffer).split(b"\n") if b"\n" in data else (bytes(buffer),)
        if max(map(len, (*lines, rest))) > LONGEST:
            raise Oversize(f"a line of more than {LONGEST} bytes")
        self._read = bytearray(rest)
        return [line for line in lines if line.strip()]


def _line(message: dict[str, Any]) -> bytes:
    return ENCODE(message) + b"\n"


def _shown(line: bytes) -> str:
    return repr(line[:60].decode(errors="backslashreplace"))
