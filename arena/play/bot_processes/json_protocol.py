"""How programs in any language are talked to: JSON, one message a line. See docs/protocol.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec

from arena.games import View
from arena.games.notation import format_cards
from arena.games.settlement.base import Holdings
from arena.play.bot import Info, Limits
from arena.play.bot_processes.protocol import LONGEST, VERSION, Answer, MatchAnswer, Oversize, Ready
from arena.play.bot_processes.request import Request
from arena.play.bot_runtime.view_schema import CARD, HAND, Shape, shapes
from arena.play.faults import BotFailure

ENCODE = msgspec.json.Encoder().encode
HELD = ("tokens", "chips", "points", "pool")


class _Kind(msgspec.Struct):
    t: str


class _Action(msgspec.Struct):
    m: int
    action: int | str


KIND = msgspec.json.Decoder(_Kind).decode
ACTION = msgspec.json.Decoder(_Action).decode
READY = msgspec.json.Decoder(Ready).decode
NOT_UNDERSTOOD = (msgspec.MsgspecError, ValueError, RecursionError)


class JsonProtocol:
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
                raise BotFailure("no-start", f"{_shown(line)} is not to be understood: {error}") from None
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

    def encode(self, told: Sequence[Any], asked: Sequence[Request]) -> bytes:
        """What is told, and then the questions, as they are written to the pipe."""
        questions = [_line({"t": "act", "m": m, "view": view_to_json(view)}) for m, view, _ in asked if view]
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
                    found.append(MatchAnswer(answer.m, answer.action))
            except NOT_UNDERSTOOD as error:
                found.append(BotFailure("invalid", f"{_shown(line)} is not to be understood: {error}"))
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


def view_to_json(view: View) -> dict[str, Any]:
    """All that a view shows, as JSON."""
    table = {
        "seat": view.seat,
        "players": view.players,
        "dealer": view.dealer,
        "deal": view.deal,
        "order": view.order,
        "hand": format_cards(view.hand),
        "dealt": format_cards(view.dealt),
        "holdings": held(view.holdings),
        "known": [format_cards(hand) for hand in view.known],
    }
    for name, shape in shapes(type(view)).items():
        spell = _spelling(shape)
        value = getattr(view, name)
        table[name] = spell(value) if spell else value
    table.update({name: getattr(view, name) for name in _worked_out(type(view))})
    table["events"] = view.events
    table["legal"] = [view.text(action) for action in view.legal]
    return table


def held(holdings: Holdings) -> dict[str, Any]:
    """What everybody holds, in what the game settles in."""
    return {name: value for name in HELD if (value := getattr(holdings, name)) is not None}


@cache
def _spelling(shape: Shape) -> Callable[[Any], Any] | None:
    """What spells a value out; None where it is sent as it is."""
    if shape == CARD:
        return lambda card: None if card is None else str(card)
    if shape == HAND:
        return format_cards
    spell = _spelling(shape.of) if shape.of else None
    return None if spell is None else lambda values: list(map(spell, values))


@cache
def _worked_out(kind: type[View]) -> tuple[str, ...]:
    """What a family's views work out from their fields, beyond what all views have."""
    found = [name for name, value in vars(kind).items() if isinstance(value, property)]
    return tuple([name for name in found if not hasattr(View, name)])
