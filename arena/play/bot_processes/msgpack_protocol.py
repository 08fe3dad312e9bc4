"""The protocol of Python bots' processes; `arena.play.bot_runtime.wire` documents the messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.play.bot import Info, Limits
from arena.play.bot_processes.protocol import (
    MAX_ANSWER_BYTES,
    Answer,
    FailureReport,
    FirstMessage,
    Oversize,
    Ready,
)
from arena.play.bot_processes.replay_log import Request
from arena.play.bot_processes.view_encoder import (
    ENCODE,
    DealEncoder,
    MatchEncoder,
    SymbolEncoder,
    ViewEncoder,
)
from arena.play.bot_runtime.view_schema import (
    HOLDINGS_INDEX,
    LEGAL_INDEX,
    OPENING_INDEX,
    PRIVATE_INDEX,
    PUBLIC_INDEX,
)
from arena.play.bot_runtime.wire import ASK, END, EVENT, HEADER_BYTES, LEGAL, MATCH, OVER, SYNC, VERSION
from arena.play.faults import BotFailure

DECODE = msgspec.msgpack.Decoder(list[int | str | FailureReport]).decode


class MsgpackProtocol:
    """The `WireProtocol` of one Python bot's process."""

    can_sync = True
    is_python = True

    def __init__(self, symbols: SymbolEncoder) -> None:
        self._symbols = symbols
        self._encoders: dict[int, MatchEncoder] = {}
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
        self._encoders[m] = encoder
        return [MATCH, m, info.variant, info.options, info.players, info.seat, info.key]

    def event(self, m: int, deal: int, text: str) -> Any:
        return [EVENT, m, deal, text]

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        return [OVER, m, deal, result]

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        self._encoders.pop(m, None)
        return [END, m, payoffs, placings]

    def encode(self, messages: Sequence[Any], requests: Sequence[Request]) -> bytes:
        encoded = [*messages]
        deals = [None if view is None else self._encoders[m].deal(view) for m, view, _ in requests]
        start = 0
        for encoder, group in groupby(deals, _view_encoder):
            own: list[Any] = list(group)
            same, start = requests[start : start + len(own)], start + len(own)
            encoded += [self._ask(encoder, same, own)] if encoder else [[SYNC]] * len(own)
        new, self._sent_definitions = self._definitions[self._sent_definitions :], len(self._definitions)
        return frame(ENCODE([*new, *encoded] if new else encoded))

    def _ask(
        self, encoder: ViewEncoder, requests: Sequence[Request], deals: Sequence[DealEncoder]
    ) -> list[Any]:
        """Return one message for requests whose views are of one type."""
        matches, views, _ = zip(*requests, strict=True)
        columns: list[Any] = list(zip(*map(astuple, views), strict=True))
        columns[LEGAL_INDEX] = self._symbols.legal(columns[LEGAL_INDEX])
        columns[OPENING_INDEX] = [deal.opening_data for deal in deals]
        columns[HOLDINGS_INDEX] = [
            None if view.holdings is deal.opening.holdings else ENCODE(astuple(view.holdings))
            for view, deal in zip(views, deals, strict=True)
        ]
        columns[PUBLIC_INDEX] = [
            deal.public.encode(view.public) for view, deal in zip(views, deals, strict=True)
        ]
        private = [view.private and deal.private(view.seat) for view, deal in zip(views, deals, strict=True)]
        columns[PRIVATE_INDEX] = [
            events.encode(view.private) if events else "" for view, events in zip(views, private, strict=True)
        ]
        for index, write in encoder.writers:
            columns[index] = write(columns[index])
        number = self._symbols.view_type(encoder.kind, encoder.rules)
        if len(self._known) < len(self._symbols.definitions):
            actions = [
                events.actions for events in (*[deal.public for deal in deals], *filter(None, private))
            ]
            self._define({number, *columns[LEGAL_INDEX]}.union(*actions))
        return [ASK, number, matches, *columns]

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


def _view_encoder(deal: DealEncoder | None) -> ViewEncoder | None:
    return None if deal is None else deal.view


def frame(body: bytes) -> bytes:
    """Return a frame: the length of the body, and then the body."""
    return len(body).to_bytes(HEADER_BYTES, "big") + body
