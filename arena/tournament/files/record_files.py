"""Records read from where they lie: a file, plain or compressed with zstd, a run's folder, standard input."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import zstandard

from arena.errors import RecordError, StoreError
from arena.games import Deal, variant
from arena.play.records.record_check import locate_errors, replay_record
from arena.play.records.record_schema import MAX_RECORD_BYTES, MatchRecord, decode_record
from arena.tournament.files.run_folder import RunFolder

STDIN = "-"
MAGIC = b"\x28\xb5\x2f\xfd"
PIECE = 4096  # bytes read at a time: even the most that can be packed into them fits into memory


class FoundRecord(NamedTuple):
    """A record where it was found."""

    number: int
    """Of its line, from 1."""
    variant: str
    """With its options, as printed."""
    told: MatchRecord
    line: bytes


def source_name(source: str) -> str:
    """What a message calls a source: the file that is read."""
    if source == STDIN:
        return "standard input"
    return str(RunFolder(Path(source)).replays) if Path(source).is_dir() else source


def read_lines(source: str) -> Iterator[bytes]:
    """The lines of a file, of a run folder's replays, or for `-` of standard input.

    Raises: StoreError for a folder without replays; RecordError for what cannot be decompressed or ends
    too soon; OSError.
    """
    name = source_name(source)
    if Path(source).is_dir() and not Path(name).exists():
        raise StoreError(f"{source} holds no replays: there is no {Path(name).name} in it")
    with ExitStack() as stack:
        file: BinaryIO = sys.stdin.buffer if source == STDIN else stack.enter_context(open(name, "rb"))
        pieces = iter(partial(file.read, PIECE), b"")
        first = next(pieces, b"")
        if not first and name.endswith(".zst"):
            raise RecordError(f"{name} ends too soon: it is empty")
        whole = chain([first], pieces)
        yield from _lines(_unpacked(whole, name) if first.startswith(MAGIC) else whole, name)


def read_records(name: str, lines: Iterable[bytes]) -> Iterator[FoundRecord]:
    """The records in the lines of a file of that name; empty lines are passed over.

    Raises: RecordError with the name, the line and what is wrong with it.
    """
    for number, line in enumerate(lines, 1):
        if not line.isspace():
            with locate_errors(f"{name}, line {number}", path=name, line=number):
                told = decode_record(line)
                played = str(variant(told.variant, **told.options))
            yield FoundRecord(number, played, told, line)


def replay_deals(name: str, one: FoundRecord) -> list[Deal]:
    """The deals of a record found in a file of that name, played again.

    Raises: RecordError with the name, the line and what is wrong with it.
    """
    with locate_errors(f"{name}, line {one.number}", path=name, line=one.number):
        return replay_record(one.told)


def _lines(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Lines with their ends."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line + b"\n"
        if len(rest) > MAX_RECORD_BYTES:
            raise RecordError(f"{name}: a line is longer than {MAX_RECORD_BYTES} bytes")
    if rest:
        yield rest


def _unpacked(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """What zstd has packed, in one frame or several."""
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        for piece in pieces:
            while piece:
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(piece)
                piece = frame.unused_data
    except zstandard.ZstdError as error:
        raise RecordError(f"{name} cannot be decompressed: {error}") from None
    if not frame.eof:
        raise RecordError(f"{name} ends too soon: its last part is missing")
