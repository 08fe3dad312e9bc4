"""The protocol of Python bots' processes; `arena.play.bot_runtime.wire` documents the messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from arena.play.bot import Info, Limits
from arena.play.bot_processes.protocol import (
    MAX_ANSWER_BYTES,
    Answer,
    FailureReport,
    FirstMessage,
    Oversize,
    Ready,
    Request,
)
from arena.play.bot_processes.view_encoder import (
    ENCODE,
    MatchEncoder,
    SeatEncoder,
    SymbolEncoder,
    ViewBatch,
)
from arena.play.bot_runtime.wire import END, EVENT, HEADER_BYTES, LEGAL, MATCH, OVER, SYNC, VERSION
from arena.play.faults import BotFailure

DECODE = msgspec.msgpack.Decoder(list[int | str | FailureReport]).decode


class MsgpackProtocol:
    """The `WireProtocol` of one Python bot's process."""

    can_sync = True
    is_python = True

    def __init__(self, symbols: SymbolEncoder) -> None:
        self._symbols = symbols
        self._seats: dict[int, SeatEncoder] = {}
        self._read = bytearray()
        self._known: set[int] = set()
        """The symbols that are defined below."""
        self._definitions: list[Any] = []
        self._sent_definitions = 0
        """Number of definitions that this child has."""

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any]) -> bytes:
        message = {"t": "hello", "v": VERSION, "bot": bot, "limits": limits, "settings": settings}
        return frame(ENCODE(message))

    def read_ready(self, data: bytes) -> Ready | None:
        self._read += data
        body = self._next_frame()
        if body is None:
            return None
        try:
            first = msgspec.msgpack.decode(body, type=FirstMessage)
            if first.t == "failed":
                raise BotFailure("no-start", first.words)
            return msgspec.msgpack.decode(body, type=Ready)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BotFailure("no-start", f"its first message cannot be decoded: {error}") from None

    def match(self, m: int, info: Info, encoder: MatchEncoder) -> Any:
        self._seats[m] = SeatEncoder(encoder)
        return [MATCH, m, info.variant, info.options, info.players, info.seat, info.key]

    def event(self, m: int, deal: int, text: str) -> Any:
        return [EVENT, m, deal, text]

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        return [OVER, m, deal, result]

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        self._seats.pop(m, None)
        return [END, m, payoffs, placings]

    def encode(self, messages: Sequence[Any], requests: Sequence[Request]) -> bytes:
        encoded = [*messages]
        batch: ViewBatch | None = None
        for m, view, _ in requests:
            if view is None:
                self._close(batch, encoded)
                batch = None
                encoded.append([SYNC])
                continue
            seat = self._seats[m]
            deal = seat.match.deal(view)
            if batch is None or batch.encoder is not deal.view:
                self._close(batch, encoded)
                batch = ViewBatch(self._symbols, self._known, deal.view)
            seat.add(m, view, deal, batch)
        self._close(batch, encoded)
        new, self._sent_definitions = self._definitions[self._sent_definitions :], len(self._definitions)
        return frame(ENCODE([*new, *encoded] if new else encoded))

    def _close(self, batch: ViewBatch | None, encoded: list[Any]) -> None:
        """Add the message of a batch, if there is one."""
        if batch is not None:
            encoded.append(batch.message())
            self._define(batch.numbers)

    def reading_cost(self, data: bytes) -> int:
        return len(data)

    def read_answers(self, data: bytes) -> list[Answer]:
        self._read += data
        answers: list[Answer] = []
        while (body := self._next_frame()) is not None:
            try:
                answers += DECODE(body)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                answers.append(BotFailure("invalid", f"its answer cannot be decoded: {error}"))
        return answers

    def bye(self) -> bytes:
        return b""  # the end of its input is enough

    def restart(self) -> None:
        self._read.clear()
        self._sent_definitions = 0

    def _next_frame(self) -> bytes | None:
        """Remove the next complete frame from what was read and return its content."""
        buffer = self._read
        if len(buffer) < HEADER_BYTES:
            return None
        end = HEADER_BYTES + int.from_bytes(buffer[:HEADER_BYTES], "big")
        if end > HEADER_BYTES + MAX_ANSWER_BYTES:
            raise Oversize(f"a frame of {end - HEADER_BYTES} bytes")
        if len(buffer) < end:
            return None
        body = bytes(buffer[HEADER_BYTES:end])
        del buffer[:end]
        return body

    def _define(self, numbers: Iterable[int]) -> None:
        """Add the definitions of numbers that the process does not know."""
        if self._known.issuperset(numbers):
            return
        for number in numbers:
            if number not in self._known:
                definition = self._symbols.definitions[number]
                if definition[0] == LEGAL:
                    self._define(definition[2])
                self._known.add(number)
                self._definitions.append(definition)


def frame(body: bytes) -> bytes:
    """Return a frame: the length of the body, and then the body."""
    return len(body).to_bytes(HEADER_BYTES, "big") + body
