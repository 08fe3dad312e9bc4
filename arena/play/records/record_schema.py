"""The shape of a record: what a line of JSON must hold before its match can be played again."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from arena.errors import RecordError

MAX_RECORD_BYTES: Final = 1 << 26
"""Bytes of a line that is still read; sixteen seats with a thousand tokens each make some twenty million."""


FaultKind = Literal["illegal", "invalid", "timeout", "crash", "oversize", "no-start"]


class DealRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deal as a record tells it."""

    dealer: int
    hands: list[str | None]
    table: str
    stock: str
    actions: list[str]
    result: dict[str, int | list[int]]
    roles: dict[str, int] = {}


class FaultRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot's failure as a record tells it."""

    seat: int
    kind: FaultKind
    deal: int


class StartRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What everybody held before the first deal; what is left out is as usual."""

    tokens: list[int] | None = None
    chips: list[int] | None = None
    points: list[int] | None = None
    pool: Annotated[int, msgspec.Meta(ge=0)] | None = None


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A match as a record tells it; a hand-made one may leave out what has a default here."""

    v: Literal[1]
    variant: str
    options: dict[str, bool | int | float | str]
    players: int
    deals: Annotated[list[DealRecord], msgspec.Meta(min_length=1)]
    start: StartRecord = StartRecord()
    bots: list[str] | None = None
    block: str = ""
    rotation: Annotated[int, msgspec.Meta(ge=0)] = 0
    seed: str | None = None
    payoffs: list[int] | None = None
    placings: list[int] | None = None
    faults: list[FaultRecord] = []


DECODER: Final = msgspec.json.Decoder(MatchRecord)


def decode_record(line: bytes) -> MatchRecord:
    """The match that a line of JSON tells.

    Raises: RecordError if it is too long, no JSON or no record.
    """
    if len(line) > MAX_RECORD_BYTES:
        raise RecordError(f"the line is longer than {MAX_RECORD_BYTES} bytes")
    try:
        return DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise RecordError(f"this is no record: {error}") from None
    except ValueError as error:
        raise RecordError(f"this is not JSON: {error}") from None


def encode_record(record: dict[str, Any]) -> bytes:
    """A record as a line of JSON.

    Raises: RecordError if it holds what JSON cannot.
    """
    try:
        return msgspec.json.encode(record)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"this is no record: {error}") from None
