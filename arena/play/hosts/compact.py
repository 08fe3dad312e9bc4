"""How Python hosts are talked to: see `arena.play.botside.wire` for the messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

import msgspec
from msgspec.structs import astuple

from arena.games import Opening, Rules, View
from arena.games.cards import HIDDEN, Card, Hand
from arena.games.events import Aside, Event
from arena.games.settle import Holdings
from arena.play.bot import Info, Limits
from arena.play.botside.shapes import blanks, picker, seen_fields, shapes
from arena.play.botside.wire import ACT, DEAL, END, EVENT, HEAD, HIDDEN_CODE, LEGAL, MATCH, OVER, SYNC
from arena.play.faults import Failed
from arena.play.hosts.dialect import LONGEST, VERSION, Answer, Complaint, Oversize, Ready
from arena.play.hosts.numbering import Numbering

DECODE = msgspec.msgpack.Decoder(list[int | str | Complaint]).decode
ENCODE = msgspec.msgpack.Encoder().encode


class _First(msgspec.Struct):
    """A host's first frame: that it is ready, or why not."""

    t: str
    v: int = 0
    words: str = ""


@cache
def codes_of(rules: Rules) -> dict[Card, int]:
    """The codes of a variant's cards."""
    pack = dict.fromkeys(rules.whole_pack.cards)
    return {**{card: code for code, card in enumerate(pack)}, HIDDEN: HIDDEN_CODE}


@cache
def coder(rules: Rules) -> Callable[[Hand], Sequence[int]]:
    """What gives the codes of a variant's hands."""
    return picker(codes_of(rules))


@lru_cache(maxsize=1 << 12)
def held(holdings: Holdings) -> bytes:
    """Holdings as they are sent."""
    return ENCODE(astuple(holdings))


class Form:
    """How the views of a family in a variant are written down: those fields that are not told otherwise."""

    def __init__(self, kind: type[View], rules: Rules) -> None:
        self.coded = hand = coder(rules)
        own = shapes(kind)
        writers: dict[str, Callable[[Any], Any] | None] = {"hand": hand, "dealt": hand, "holdings": held}
        writers |= {name: shape.writer(codes_of(rules).__getitem__, hand) for name, shape in own.items()}
        names = kind.__struct_fields__
        self.writers = [(names.index(name), writers[name]) for name in seen_fields(kind)]
        self.blanks = blanks(kind)
        self.holdings = names.index("holdings")


@cache
def form_of(kind: type[View], rules: Rules) -> Form:
    """How the views of a family in a variant are written down."""
    return Form(kind, rules)


class Tellings:
    """The public events of a match's deal as they are sent: written once for all its seats."""

    __slots__ = ("_lines", "_numbering", "_opening", "deal")

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._opening: Opening | None = None
        self._lines: list[tuple[int | None, int, Sequence[int]]] = []
        self.deal: tuple[Any, ...] = ()
        """How the deal opens, as it is sent."""

    def open(self, opening: Opening) -> None:
        """A deal begins, unless it has."""
        if opening is not self._opening:
            self._opening, self._lines = opening, []
            number, dealer, order = opening.number, opening.dealer, opening.order
            self.deal = (number, dealer, order, held(opening.holdings), opening.roles)

    def since(self, heard: int, last: Event, coded: Callable[[Hand], Sequence[int]]) -> list[Any]:
        """The events of the deal from number `heard` to the last one."""
        lines = self._lines
        if last.number >= len(lines):
            fresh = []
            event: Event | None = last
            while event is not None and event.number >= len(lines):
                action = self._numbering.action(event.action)
                fresh.append((event.seat, action, coded(event.cards)))
                event = event.before
            lines.extend(reversed(fresh))
        return lines[heard : last.number + 1]


class Told:
    """What one seat has been told of its match."""

    __slots__ = ("asides", "events", "fields", "form", "opening", "rules", "tellings")

    def __init__(self, rules: Rules, tellings: Tellings) -> None:
        self.rules, self.tellings = rules, tellings
        self.opening: Opening | None = None
        self.form: Form
        self.fields: Sequence[Any] = ()
        self.events = 0
        self.asides: Aside | None = None


class Compact:
    """One Python host."""

    syncs = True

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._known: set[int] = set()
        self._told: dict[int, Told] = {}
        self._read = bytearray()
        self.definitions: list[Any] = []

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
            first = msgspec.msgpack.decode(frame, type=_First)
            if first.t == "failed":
                raise Failed("no-start", first.words)
            return msgspec.msgpack.decode(frame, type=Ready)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise Failed("no-start", f"its first words are not to be understood: {error}") from None

    def match(self, m: int, info: Info, rules: Rules, tellings: Tellings) -> Any:
        """A match begins."""
        self._told[m] = Told(rules, tellings)
        return [MATCH, m, info.variant, info.options, info.players, info.seat, info.key]

    def act(self, m: int, view: View) -> list[Any]:
        """A question, with the numbers that are new in it and, where one begins, the deal."""
        told = self._told[m]
        said = []
        if view.opening is not told.opening:
            said.append(self._deal(m, told, view))
        values, before = astuple(view), told.fields
        told.fields = values
        changes: list[Any] = []
        for place, write in told.form.writers:
            value = values[place]
            if value is not before[place]:
                changes += (place, write(value) if write else value)
        last = view.public
        events: Sequence[Any] = ()
        if last is not None:
            events = told.tellings.since(told.events, last, told.form.coded)
            told.events = last.number + 1
        known = self._known
        for _, action, _ in events:
            if action not in known:
                self._define((action,))
        legal = self._numbering.legal(view.legal)
        if legal not in known:
            self._define((legal,))
        asides = self._asides(view.aside, told) if view.aside is not told.asides else ()
        said.append([ACT, m, legal, changes, events, asides])
        return said

    def _deal(self, m: int, told: Told, view: View) -> list[Any]:
        opening, kind = view.opening, type(view)
        number = self._numbering.view(kind)
        if number not in self._known:
            self._define((number,))
        told.opening, told.form = opening, form_of(kind, told.rules)
        fields = list(told.form.blanks)
        fields[told.form.holdings] = opening.holdings
        told.fields, told.events, told.asides = fields, 0, None
        told.tellings.open(opening)
        return [DEAL, m, number, *told.tellings.deal]

    def event(self, m: int, deal: int, text: str) -> Any:
        """Something has happened."""
        return [EVENT, m, deal, text]

    def over(self, m: int, deal: int, result: dict[str, Any]) -> Any:
        """A deal is over."""
        return [OVER, m, deal, result]

    def end(self, m: int, payoffs: Sequence[int], placings: Sequence[int]) -> Any:
        """The match is over."""
        self._told.pop(m, None)
        return [END, m, payoffs, placings]

    def forget(self, m: int) -> None:
        """The bot of that match is gone."""
        self._told.pop(m, None)

    def sync(self) -> Any:
        """A question that is answered when all before it is done."""
        return [SYNC]

    def asks(self, message: Any) -> bool:
        """Whether a message is answered."""
        return message[0] in (ACT, SYNC)

    def encode(self, messages: Sequence[Any]) -> bytes:
        """Messages as they are written to the pipe."""
        return framed(ENCODE(messages))

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
                found.append(Failed("invalid", f"its answer is not to be understood: {error}"))
        return found

    def bye(self) -> bytes:
        """None: the end of its input says enough."""
        return b""

    def restart(self) -> None:
        """The host is begun again."""
        self._read.clear()

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
        for number in numbers:
            if number not in self._known:
                meaning = self._numbering.meaning[number]
                if meaning[0] == LEGAL:
                    self._define(meaning[2])
                self._known.add(number)
                self.definitions.append(meaning)

    def _asides(self, last: Aside | None, told: Told) -> list[Any]:
        fresh: list[Any] = []
        aside, coded = last, told.form.coded
        while aside is not told.asides and aside is not None:
            event = aside.event
            action = self._numbering.action(event.action)
            self._define((action,))
            fresh.append([aside.instead, event.number, event.seat, action, coded(event.cards)])
            aside = aside.before
        told.asides = last
        fresh.reverse()
        return fresh


def framed(data: bytes) -> bytes:
    """A frame: the length, and then the data."""
    return len(data).to_bytes(HEAD, "big") + data
