"""The protocol of programs in any language: one JSON message a line (docs/protocol.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.play.bot import MAX_NOTE_CHARS, Info, Limits
from arena.play.bot_processes.protocol import (
    MAX_ANSWER_BYTES,
    Answer,
    FailureReport,
    MatchAnswer,
    Oversize,
    Ready,
    Request,
)
from arena.play.bot_runtime.json_views import view_to_json
from arena.play.bot_runtime.wire import VERSION
from arena.play.faults import BotFailure

ENCODE = msgspec.json.Encoder().encode
LINE_COST_BYTES = 256
"""A line, however short, takes longer to decode than this many bytes of a long one."""
MAX_NOTE_BYTES = 12 * MAX_NOTE_CHARS + 2
"""Maximum size of a note that is decoded, in bytes: two escapes of JSON for each character."""
MAX_SHOWN_BYTES = 60
"""Maximum length quoted of a line that cannot be decoded, in bytes."""


class _Message(msgspec.Struct):
    t: str


class _Action(msgspec.Struct):
    m: int
    action: int | str
    note: msgspec.Raw = msgspec.Raw()


class _Unavailable(msgspec.Struct):
    m: int
    reason: str = ""
    retry_after: float | None = None


MESSAGE = msgspec.json.Decoder(_Message).decode
ACTION = msgspec.json.Decoder(_Action).decode
UNAVAILABLE = msgspec.json.Decoder(_Unavailable).decode
TEXT = msgspec.json.Decoder(str).decode
READY = msgspec.json.Decoder(Ready).decode
DECODE_ERRORS = (msgspec.MsgspecError, ValueError, RecursionError)


class JsonProtocol:
    """The `WireProtocol` of one program; messages are their encoded lines."""

    can_sync = False
    is_python = False

    def __init__(self) -> None:
        self._read = bytearray()

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any], folder: str = "") -> bytes:
        own = {"folder": folder} if folder else {}
        return _line(t="hello", v=VERSION, bot=bot, limits=limits, settings=settings, **own)

    def read_ready(self, data: bytes) -> Ready | None:
        for line in self._lines(data):
            try:
                if MESSAGE(line).t == "ready":
                    return READY(line)
            except DECODE_ERRORS as error:
                raise BotFailure("no-start", _describe(line, error)) from None
        return None

    def match(self, m: int, info: Info, encoder: Any) -> Any:
        return _line(
            t="match",
            m=m,
            variant=info.variant,
            options=info.options,
            players=info.players,
            seat=info.seat,
            rng=info.key,
        )

    def event(self, m: int, deal: int, text: str) -> Any:
        return _line(t="event", m=m, event=text)

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        return _line(t="over", m=m, result=result)

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        return _line(t="end", m=m, payoffs=payoffs, placings=placings)

    def encode(self, messages: Sequence[Any], requests: Sequence[Request]) -> bytes:
        questions = [_line(t="act", m=m, view=view_to_json(view)) for m, view, _ in requests if view]
        return b"".join([*messages, *questions])

    def reading_cost(self, data: bytes) -> int:
        return len(data) + LINE_COST_BYTES * data.count(b"\n")

    def read_answers(self, data: bytes) -> list[Answer]:
        answers: list[Answer] = []
        for line in self._lines(data):
            try:
                kind = MESSAGE(line).t
                if kind == "unavailable":
                    lack = UNAVAILABLE(line)
                    text = f"unavailable: {lack.reason}"
                    answers.append(FailureReport(lack.m, "crash", text, True, 0, True, lack.retry_after))
                elif kind == "action":
                    answer = ACTION(line)
                    if note := _decode_note(answer.note):
                        answers.append(FailureReport(answer.m, "note", note, False, 0))
                    answers.append(MatchAnswer(answer.m, answer.action))
            except DECODE_ERRORS as error:
                answers.append(BotFailure("invalid", _describe(line, error)))
        return answers

    def bye(self) -> bytes:
        return _line(t="bye")

    def restart(self) -> None:
        self._read.clear()

    def _lines(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without blank ones."""
        buffer = self._read
        buffer += data
        *lines, rest = bytes(buffer).split(b"\n") if b"\n" in data else (bytes(buffer),)
        if max(map(len, (*lines, rest))) > MAX_ANSWER_BYTES:
            raise Oversize(f"a line of more than {MAX_ANSWER_BYTES} bytes")
        self._read = bytearray(rest)
        return [line for line in lines if line.strip()]


def _line(**message: Any) -> bytes:
    return ENCODE(message) + b"\n"


def _decode_note(note: msgspec.Raw) -> str:
    """Return a note; empty for none, and for what is too large or not a text."""
    if not 0 < len(memoryview(note)) <= MAX_NOTE_BYTES:
        return ""
    try:
        return TEXT(note)[:MAX_NOTE_CHARS]
    except DECODE_ERRORS:
        return ""


def _describe(line: bytes, error: Exception) -> str:
    text = line[:MAX_SHOWN_BYTES].decode(errors="backslashreplace")
    return f"{text!r} cannot be decoded: {error}"
