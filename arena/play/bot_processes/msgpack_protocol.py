"""How Python hosts are talked to: see `arena.play.bot_runtime.wire` for the messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.play.bot import Info, Limits
from arena.play.bot_processes.protocol import LONGEST, VERSION, Answer, FailureReport, First, Oversize, Ready
from arena.play.bot_processes.request import Request
from arena.play.bot_processes.view_encoder import ENCODE, DealEncoder, Form, MatchEncoder, SymbolEncoder, held
from arena.play.bot_runtime.view_schema import AT_ASIDE, AT_HOLDINGS, AT_LEGAL, AT_OPENING, AT_PUBLIC
from arena.play.bot_runtime.wire import ASK, END, EVENT, HEAD, LEGAL, MATCH, OVER, SYNC
from arena.play.faults import BotFailure

DECODE = msgspec.msgpack.Decoder(list[int | str | FailureReport]).decode


class MsgpackProtocol:
    """One Python host."""

    syncs = True

    def __init__(self, symbols: SymbolEncoder) -> None:
        self._symbols = symbols
        self._known: set[int] = set()
        self._tellings: dict[int, MatchEncoder] = {}
        self._read = bytearray()
        self._definitions: list[Any] = []
        self._defined = 0
        """How many of them have been sent."""

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any]) -> bytes:
        """The first words."""
        return framed(
            ENCODE({"t": "hello", "v": VERSION, "bot": bot, "limits": limits, "settings": settings})
        )

    def ready(self, data: bytes) -> Ready | None:
        """What the host says to that.

        Raises: Failed; Oversize.
        """
        self._read += data
        frame = self._frame()
        if frame is None:
            return None
        try:
            first = msgspec.msgpack.decode(frame, type=First)
            if first.t == "failed":
                raise BotFailure("no-start", first.words)
            return msgspec.msgpack.decode(frame, type=Ready)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise BotFailure("no-start", f"its first words are not to be understood: {error}") from None

    def match(self, m: int, info: Info, tellings: MatchEncoder) -> Any:
        """A match begins."""
        self._tellings[m] = tellings
        return [MATCH, m, info.variant, info.options, info.players, info.seat, info.key]

    def event(self, m: int, deal: int, text: str) -> Any:
        """Something has happened."""
        return [EVENT, m, deal, text]

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        """A deal is over."""
        return [OVER, m, deal, result]

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        """The match is over."""
        self._tellings.pop(m, None)
        return [END, m, payoffs, placings]

    def encode(self, told: Sequence[Any], asked: Sequence[Request]) -> bytes:
        """What is told, and then the questions, as they are written to the pipe."""
        messages = [*told]
        deals = [None if view is None else self._tellings[m].of(view) for m, view, _ in asked]
        place = 0
        for form, run in groupby(deals, _form):
            about: list[Any] = list(run)
            questions, place = asked[place : place + len(about)], place + len(about)
            messages += [self._ask(form, questions, about)] if form else [[SYNC]] * len(about)
        fresh, self._defined = self._definitions[self._defined :], len(self._definitions)
        return framed(ENCODE([*fresh, *messages] if fresh else messages))

    def _ask(self, form: Form, questions: Sequence[Request], deals: Sequence[DealEncoder]) -> list[Any]:
        """Questions about views of one form."""
        matches, views, _ = zip(*questions, strict=True)
        columns: list[Any] = list(zip(*map(astuple, views), strict=True))
        columns[AT_LEGAL] = self._symbols.legal(columns[AT_LEGAL])
        columns[AT_OPENING] = [deal.written for deal in deals]
        columns[AT_HOLDINGS] = [
            None if view.holdings is deal.opening.holdings else held(view.holdings)
            for view, deal in zip(views, deals, strict=True)
        ]
        columns[AT_PUBLIC] = [deal.public.up_to(view.public) for view, deal in zip(views, deals, strict=True)]
        alone = [view.private and deal.alone(view.seat) for view, deal in zip(views, deals, strict=True)]
        columns[AT_ASIDE] = [
            chain.up_to(view.private) if chain else "" for view, chain in zip(views, alone, strict=True)
        ]
        for place, write in form.writers:
            columns[place] = write(columns[place])
        number = self._symbols.form(form.kind, form.rules)
        if len(self._known) < len(self._symbols.meaning):
            actions = [chain.actions for chain in (*[deal.public for deal in deals], *filter(None, alone))]
            self._define({number, *columns[AT_LEGAL]}.union(*actions))
        return [ASK, number, matches, *columns]

    def answers(self, data: bytes) -> list[Answer]:
        """The answers that are complete now.

        Raises: Oversize.
        """
        self._read += data
        found: list[Answer] = []
        while (frame := self._frame()) is not None:
            try:
                found += DECODE(frame)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                found.append(BotFailure("invalid", f"its answer is not to be understood: {error}"))
        return found

    def bye(self) -> bytes:
        """None: the end of its input says enough."""
        return b""

    def restart(self) -> None:
        """The host is begun again."""
        self._read.clear()
        self._defined = 0

    def _frame(self) -> bytes | None:
        buffer = self._read
        if len(buffer) < HEAD:
            return None
        end = HEAD + int.from_bytes(buffer[:HEAD], "big")
        if end > HEAD + LONGEST:
            raise Oversize(f"a frame of {end - HEAD} bytes")
        if len(buffer) < end:
            return None
        frame = bytes(buffer[HEAD:end])
        del buffer[:end]
        return frame

    def _define(self, numbers: Iterable[int]) -> None:
        """Says what numbers mean that the host does not know."""
        if self._known.issuperset(numbers):
            return
        for number in numbers:
            if number not in self._known:
                meaning = self._symbols.meaning[number]
                if meaning[0] == LEGAL:
                    self._define(meaning[2])
                self._known.add(number)
                self._definitions.append(meaning)


def _form(deal: DealEncoder | None) -> Form | None:
    return None if deal is None else deal.form


def framed(data: bytes) -> bytes:
    """A frame: the length, and then the data."""
    return len(data).to_bytes(HEAD, "big") + data
