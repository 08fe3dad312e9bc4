"""Records read from a file, plain or compressed with zstd, a run's folder, or standard input."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple

import zstandard

from arena.errors import RecordError, StoreError
from arena.games import Deal
from arena.play.records.record_check import find_recorded_rules, locate_errors, replay_record
from arena.play.records.record_schema import MAX_RECORD_BYTES, MatchRecord, decode_record
from arena.plugins.bot_source import is_named_pipe
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.storage.database import check_regular

STDIN = "-"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
CHUNK_BYTES = 4096
COMPRESSED_BYTES = 256  # decompressed at a time: four bytes may stand for 128 KiB
MAX_WINDOW_BYTES = 1 << 27  # that a frame may ask for; `zstd --ultra -22` does


class FoundRecord(NamedTuple):
    """A record and its place in a file."""

    number: int
    """Number of its line, from 1."""
    variant: str
    """Variant with its options, as printed."""
    record: MatchRecord
    line: bytes


def source_name(source: str) -> str:
    """Return the name of a source in messages: the file that is read."""
    if source == STDIN:
        return "standard input"
    return str(RunFolder(Path(source)).replays) if Path(source).is_dir() else source


def read_lines(source: str) -> Iterator[bytes]:
    """Yield the lines of a file, of a run folder's replays, or for `-` of standard input.

    Raises:
        StoreError: For a folder without replays.
        RecordError: For corrupt or truncated zstd data.
        OSError: For a file that cannot be read.
    """
    name = source_name(source)
    if Path(source).is_dir() and not Path(name).exists():
        raise StoreError(f"{source} has no replays: {Path(name).name} is missing")
    if Path(source).is_dir():
        check_regular(Path(name))
    elif is_named_pipe(Path(name)):
        raise RecordError(f"{name} is a named pipe: write - and pass records on standard input")
    with ExitStack() as stack:
        file: BinaryIO = sys.stdin.buffer if source == STDIN else stack.enter_context(open(name, "rb"))
        pieces = iter(partial(file.read, CHUNK_BYTES), b"")
        first = next(pieces, b"")
        if not first and name.endswith(".zst"):
            raise RecordError(f"{name} is empty")
        whole = chain([first], pieces)
        yield from _lines(_decompress(whole, name) if first.startswith(ZSTD_MAGIC) else whole, name)


def read_records(name: str, lines: Iterable[bytes]) -> Iterator[FoundRecord]:
    """Yield the records in the lines of a file; empty lines are skipped.

    Raises:
        RecordError: With the name, the line and the cause.
    """
    for number, line in enumerate(lines, 1):
        if not line.isspace():
            with locate_errors(f"{name}, line {number}", path=name, line=number):
                record = decode_record(line)
                rules = str(find_recorded_rules(record))
            yield FoundRecord(number, rules, record, line)


def replay_deals(name: str, match: FoundRecord) -> list[Deal]:
    """Replay the deals of a record.

    Raises:
        RecordError: With the name, the line and the cause.
    """
    with locate_errors(f"{name}, line {match.number}", path=name, line=match.number):
        return replay_record(match.record)


def _lines(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield lines with their ends."""
    rest = bytearray()
    for piece in pieces:
        first, *others = piece.split(b"\n")
        rest += first
        for other in others:
            yield bytes(rest) + b"\n"
            rest = bytearray(other)
        if len(rest) > MAX_RECORD_BYTES:
            raise RecordError(f"{name}: a line is longer than {MAX_RECORD_BYTES} bytes")
    if rest:
        yield bytes(rest)


def _split(pieces: Iterable[bytes]) -> Iterator[bytes]:
    for piece in pieces:
        for start in range(0, len(piece), COMPRESSED_BYTES):
            yield piece[start : start + COMPRESSED_BYTES]


def _decompress(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Decompress zstd data of one frame or several."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
    frame = decompressor.decompressobj()
    try:
        for piece in _split(pieces):
            while piece:
                if frame.eof:
                    frame = decompressor.decompressobj()
                yield frame.decompress(piece)
                piece = frame.unused_data
    except zstandard.ZstdError as error:
        raise RecordError(f"{name} cannot be decompressed: {error}") from None
    if not frame.eof:
        raise RecordError(f"{name} is truncated")
