"""The protocol of Python bots' processes; `arena.play.bot_runtime.wire` documents the messages.

What the players of a match have in common is encoded once, and a process is sent each event of a deal once.
"""

# mypyc: compile

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from random import SystemRandom
from typing import Any, Final

import msgspec
from msgspec.structs import astuple

from arena.games import Rules, View
from arena.games.action import SEATS, Action, Event, PrivateEvent
from arena.games.cards import Card
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
from arena.play.bot_runtime.view_schema import (
    HOLDINGS_INDEX,
    LEGAL_INDEX,
    OPENING_INDEX,
    PRIVATE_INDEX,
    PUBLIC_INDEX,
    column_shapes,
)
from arena.play.bot_runtime.views import card_letters, column_writer
from arena.play.bot_runtime.wire import (
    ACTION,
    ASK,
    END,
    EVENT,
    HEADER_BYTES,
    LEGAL,
    MATCH,
    OVER,
    SYNC,
    VERSION,
    VIEW_TYPE,
)
from arena.play.faults import BotFailure

# --- views ---

ENCODE = msgspec.msgpack.Encoder().encode
SYMBOL_BITS = 31
SEAT_TEXTS: Final = [str(seat) for seat in SEATS]


class SymbolEncoder:
    """Numbers for actions, tuples of legal actions and types of views: those of one worker.

    They are random: numbers in sequence would tell a bot how much others have been asked.
    """

    def __init__(self) -> None:
        self.definitions: dict[int, list[Any]] = {}
        """The message that defines a number to a process."""
        self._actions: dict[Action, tuple[int, str]] = {}
        """The number of each action, and the number as text."""
        self._legal: dict[tuple[Action, ...], int] = {}
        self._legal_by_id: dict[int, int] = {}
        """Encoded legal actions, by the ids of the keys of `_legal`, which stay alive there."""
        self._view_types: dict[tuple[type[View], Rules], int] = {}
        self._draw = SystemRandom().getrandbits

    def action(self, action: Action) -> tuple[int, str]:
        """Return the number of an action, and the number as text."""
        symbol = self._actions.get(action)
        if symbol is None:
            number = self._new()
            symbol = self._actions[action] = number, str(number)
            self.definitions[number] = [ACTION, number, pickle.dumps(action)]
        return symbol

    def legal(self, column: Sequence[tuple[Action, ...]]) -> list[int]:
        """Return the numbers of tuples of legal actions."""
        known = self._legal_by_id
        return [known.get(id(actions)) or self._number_of(actions) for actions in column]

    def _number_of(self, actions: tuple[Action, ...]) -> int:
        number = self._legal.get(actions)
        if number is None:
            number = self._legal[actions] = self._legal_by_id[id(actions)] = self._new()
            self.definitions[number] = [LEGAL, number, [self.action(action)[0] for action in actions]]
        return number

    def view_type(self, kind: type[View], rules: Rules) -> int:
        """Return the number of a family's view in a variant."""
        number = self._view_types.get((kind, rules))
        if number is None:
            number = self._view_types[kind, rules] = self._new()
            where = f"{kind.__module__}:{kind.__qualname__}"
            self.definitions[number] = [VIEW_TYPE, number, where, rules.name, dict(rules.overrides)]
        return number

    def _new(self) -> int:
        while (number := self._draw(SYMBOL_BITS)) in self.definitions:
            pass
        return number


class ViewEncoder:
    """The encoding of a family's view fields in a variant."""

    def __init__(self, kind: type[View], rules: Rules) -> None:
        self.kind, self.rules = kind, rules
        self.letters = card_letters(rules)
        writers = [(index, column_writer(shape, rules)) for index, shape in column_shapes(kind).items()]
        self.writers = [(index, write) for index, write in writers if write]
        """Writers by field index, for the fields that are not sent as they are."""


@cache
def view_encoder(kind: type[View], rules: Rules) -> ViewEncoder:
    """Return the encoder of a family's view in a variant."""
    return ViewEncoder(kind, rules)


class EventEncoder:
    """Encodes a deal's public events, each once, as JSON lines."""

    __slots__ = ("_ends", "_last", "_letters", "_lines", "_symbols", "actions")

    def __init__(self, symbols: SymbolEncoder, letters: Mapping[Card | None, str]) -> None:
        self._symbols, self._letters = symbols, letters
        self._last: Any = None
        self._lines = ""
        self._ends = [0]
        """The length of the lines of each number of events."""
        self.actions: list[int] = []
        """The number of each event's action."""

    def extend(self, last: Any) -> bool:
        """Encode the events up to the last one; return False if those known are not among them."""
        if last is self._last:
            return True
        new: list[Any] = []
        event = last
        while event is not None and event is not self._last:
            new.append(event)
            event = event.before
        if event is not self._last:
            return False
        new.reverse()
        lines, end = self._lines, self._ends[-1]
        for event in new:
            line = self._line(event)
            lines += line
            end += len(line)
            self._ends.append(end)
        self._last, self._lines = last, lines
        return True

    def lines_after(self, count: int) -> str:
        """Return the lines of the events after the first `count`."""
        return "" if count == len(self.actions) else self._lines[self._ends[count] :]

    def _line(self, event: Any) -> str:
        return "[" + self._fields(event)

    def _fields(self, event: Event) -> str:
        number, text = self._symbols.action(event.action)
        self.actions.append(number)
        cards = ""
        for card in event.cards:  # few: faster than to join them
            cards += self._letters[card]
        seat = event.seat
        return f'{"null" if seat is None else SEAT_TEXTS[seat]},{text},"{cards}"]\n'


class PrivateEventEncoder(EventEncoder):
    """Encodes what only one seat knows of a deal's events."""

    __slots__ = ()

    def _line(self, event: PrivateEvent) -> str:
        return f"[{int(event.replaces_public)},{event.event.number}," + self._fields(event.event)


class DealEncoder:
    """The encoded fields shared by all views of one deal."""

    __slots__ = ("_symbols", "opening", "opening_data", "private", "public", "view")

    def __init__(self, symbols: SymbolEncoder, view: View) -> None:
        self.opening = opening = view.opening
        self.view = view_encoder(type(view), opening.rules)
        self.opening_data: bytes = ENCODE(
            (opening.players, opening.number, opening.dealer, opening.order, opening.holdings, opening.roles)
        )
        self._symbols = symbols
        self.public = EventEncoder(symbols, self.view.letters)
        self.private: dict[int, PrivateEventEncoder] = {}
        """Encoders of private events, by seat."""

    def extend(self, view: View) -> bool:
        """Encode the events that a view shows; return False if they do not continue those known."""
        own, seat, last = self.private, view.seat, view.private
        if last is not None and seat not in own:
            own[seat] = PrivateEventEncoder(self._symbols, self.view.letters)
        return self.public.extend(view.public) and (seat not in own or own[seat].extend(last))


class MatchEncoder:
    """Holds the encoder of a match's current deal, for all its seats."""

    __slots__ = ("_deal", "_symbols")

    def __init__(self, symbols: SymbolEncoder) -> None:
        self._symbols = symbols
        self._deal: DealEncoder | None = None

    def deal(self, view: View) -> DealEncoder:
        """Return the encoder of the deal that a view shows, with the events of that view.

        It is a new one for another deal, and for a view that does not continue the one before.
        """
        deal = self._deal
        if deal is None or deal.opening is not view.opening or not deal.extend(view):
            self._deal = deal = DealEncoder(self._symbols, view)
            deal.extend(view)
        return deal


class SeatEncoder:
    """Counts the events of a deal that a process has been sent, for one seat of one match."""

    __slots__ = ("_deal", "_private", "_public", "match")

    def __init__(self, match: MatchEncoder) -> None:
        self.match = match
        self._deal: DealEncoder | None = None
        self._public = self._private = 0

    def add(self, m: int, view: View, deal: DealEncoder, batch: ViewBatch) -> None:
        """Add a view to a batch: of the deal's opening and events only what was not sent before."""
        batch.matches.append(m)
        batch.rows.append(astuple(view))
        batch.holdings.append(None if view.holdings is deal.opening.holdings else ENCODE(view.holdings))
        is_new = self._deal is not deal
        if is_new:
            self._deal = deal
            self._public = self._private = 0
        batch.openings.append(deal.opening_data if is_new else None)
        public, private = deal.public, deal.private.get(view.seat)
        batch.public.append(public.lines_after(self._public))
        batch.add_actions(public.actions, self._public)
        self._public = len(public.actions)
        if private is None:
            batch.private.append("")
        else:
            batch.private.append(private.lines_after(self._private))
            batch.add_actions(private.actions, self._private)
            self._private = len(private.actions)


class ViewBatch:
    """Requests whose views are of one type, to be sent as one message."""

    __slots__ = (
        "_known",
        "_symbols",
        "encoder",
        "holdings",
        "matches",
        "numbers",
        "openings",
        "private",
        "public",
        "rows",
    )

    def __init__(self, symbols: SymbolEncoder, known: set[int], encoder: ViewEncoder) -> None:
        self._symbols, self._known, self.encoder = symbols, known, encoder
        self.matches: list[int] = []
        self.rows: list[tuple[Any, ...]] = []
        """The fields of the views."""
        self.openings: list[bytes | None] = []
        self.holdings: list[bytes | None] = []
        self.public: list[str] = []
        self.private: list[str] = []
        self.numbers: set[int] = set()
        """Numbers that the process may not know."""

    def add_actions(self, numbers: list[int], start: int) -> None:
        """Note the numbers of actions from `start` on, if the process does not know all that there are."""
        if len(self._known) < len(self._symbols.definitions):
            self.numbers.update(numbers[start:])

    def message(self) -> list[Any]:
        """Return the message; complete `numbers`."""
        columns: list[Any] = list(zip(*self.rows, strict=True))
        columns[LEGAL_INDEX] = self._symbols.legal(columns[LEGAL_INDEX])
        columns[OPENING_INDEX], columns[HOLDINGS_INDEX] = self.openings, self.holdings
        columns[PUBLIC_INDEX], columns[PRIVATE_INDEX] = self.public, self.private
        for index, write in self.encoder.writers:
            columns[index] = write(columns[index])
        number = self._symbols.view_type(self.encoder.kind, self.encoder.rules)
        if len(self._known) < len(self._symbols.definitions):
            self.numbers.update(columns[LEGAL_INDEX])
            self.numbers.add(number)
        return [ASK, number, self.matches, *columns]


# --- messages ---

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

    def hello(self, bot: str, limits: Limits, settings: dict[str, Any], folder: str = "") -> bytes:
        message = {"t": "hello", "v": VERSION, "bot": bot, "limits": limits, "settings": settings}
        return frame(ENCODE({**message, "folder": folder}))

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
