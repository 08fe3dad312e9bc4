"""The schema of records: one match as a line of JSON, enough to replay it without its seed."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from arena.errors import RecordError
from arena.play.faults import FaultKind

MAX_RECORD_BYTES: Final = 1 << 25
"""Sixteen seats with a thousand tokens each make lines of some twenty million bytes."""
MAX_KEYS: Final = 64
"""Maximum length of an object or list with a value for each seat, option or role: more than any game has.

Longer ones would take gigabytes and be printed as a whole where they are wrong.
"""
MAX_TEXT_CHARS: Final = 2000
"""Maximum length of a name, in characters: a bot's has a thousand, and what tells its versions apart."""
BySeat = Annotated[list[int], msgspec.Meta(max_length=MAX_KEYS)]
ShortText = Annotated[str, msgspec.Meta(max_length=MAX_TEXT_CHARS)]


class DealRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One deal: its cards as text, its actions and its result."""

    dealer: int
    roles: Annotated[dict[ShortText, int], msgspec.Meta(max_length=MAX_KEYS)] = {}
    hands: Annotated[list[str | None], msgspec.Meta(max_length=MAX_KEYS)]
    """Hand of each seat; None for a seat that is not in the deal."""
    table: str | msgspec.UnsetType = msgspec.UNSET
    """The cards laid out at the start; a hand-made record may leave it out where there are none."""
    stock: str
    """The cards that came from the stock, in the order drawn."""
    actions: list[str]
    """Actions in order, each as `seat:action`."""
    result: Annotated[dict[ShortText, int | BySeat], msgspec.Meta(max_length=MAX_KEYS)]
    """Changes by seat, under the keys the variant settles in; `pool` its new content."""


class FaultRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A failure of a bot; deals are numbered from 0."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=MAX_KEYS)]
    kind: FaultKind
    deal: int


class StartRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Holdings by seat before the first deal; those left out are the variant's own."""

    tokens: BySeat | None = None
    chips: BySeat | None = None
    points: BySeat | None = None
    pool: Annotated[int, msgspec.Meta(ge=0)] | None = None


class GameRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Versions of the rules and code of a game that is not the arena's own."""

    version: int
    sha256: ShortText


class MatchRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One match. A hand-made record may leave out the fields with a default."""

    v: Literal[1]
    variant: ShortText
    game: GameRecord | msgspec.UnsetType = msgspec.UNSET
    options: Annotated[dict[ShortText, bool | int | float | ShortText], msgspec.Meta(max_length=MAX_KEYS)]
    players: int
    start: StartRecord | msgspec.UnsetType = msgspec.UNSET
    bots: Annotated[list[ShortText], msgspec.Meta(max_length=MAX_KEYS)] | None = None
    block: ShortText = ""
    rotation: Annotated[int, msgspec.Meta(ge=0)] = 0
    seed: ShortText | None = None
    deals: Annotated[list[DealRecord], msgspec.Meta(min_length=1)]
    payoffs: BySeat | None = None
    placings: BySeat | None = None
    faults: list[FaultRecord] = []


DECODER: Final = msgspec.json.Decoder(MatchRecord)


def decode_record(line: bytes) -> MatchRecord:
    """Return the record written as a line of JSON.

    Raises:
        RecordError: The line is too long, no JSON or no record.
    """
    if len(line) > MAX_RECORD_BYTES:
        raise RecordError(f"the line is longer than {MAX_RECORD_BYTES} bytes")
    try:
        return DECODER.decode(line)
    except msgspec.ValidationError as error:
        raise RecordError(f"this is not a record: {error}") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON: {error}") from None


def encode_record(record: MatchRecord | dict[str, Any]) -> bytes:
    """Return a record as a line of JSON, without its line feed.

    Raises:
        RecordError: A hand-made record holds what JSON cannot.
    """
    try:
        return msgspec.json.encode(record)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"this is not a record: {error}") from None
