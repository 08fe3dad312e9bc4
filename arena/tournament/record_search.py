"""Records of matches, read and filtered, and the runs that played certain bots.

Records are read from a file, plain or compressed with zstd, from a run's folder, or from standard input. A
filter selects matches by their bots, variant, block and faults. Runs are found by the contents of their bots.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from heapq import nsmallest
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import zstandard

from arena.errors import ConfigError, RecordError, StoreError, suggest_nearest
from arena.games import Deal
from arena.play.records.record_check import find_recorded_rules, locate_errors, replay_record
from arena.play.records.record_schema import MAX_RECORD_BYTES, MatchRecord, decode_record
from arena.plugins.bot_source import is_named_pipe
from arena.tournament.files import RunFolder
from arena.tournament.store.database import DATABASE, check_regular
from arena.tournament.store.store import Store

# --- reading ---

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
    """Yield the lines of a file, of a run folder's replays, or for `-` of standard input."""
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
    """Yield the records in the lines of a file; empty lines are skipped."""
    for number, line in enumerate(lines, 1):
        if not line.isspace():
            with locate_errors(f"{name}, line {number}", path=name, line=number):
                record = decode_record(line)
                rules = str(find_recorded_rules(record))
            yield FoundRecord(number, rules, record, line)


def replay_deals(name: str, match: FoundRecord) -> list[Deal]:
    """Replay the deals of a record."""
    with locate_errors(f"{name}, line {match.number}", path=name, line=match.number):
        return replay_record(match.record)


def _lines(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
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


# --- filter ---

ANY: Final = "any"
MAX_NAMED_BLOCKS: Final = 20
MANY_BLOCKS: Final = "`arena replay list` shows all blocks"
MAX_LOSSES: Final = 20
"""Biggest losses of a bot that are listed."""


class MatchFilter(NamedTuple):
    """Conditions on a match; an empty one is always met."""

    bots: tuple[str, ...] = ()
    """All of them at its table."""
    variant: str = ""
    """Variant with its options as printed, or by name with any options."""
    block: str = ""
    fault: str = ""
    """Kind of fault, or `any`."""

    def matches(self, match: FoundRecord) -> bool:
        """Return whether a match meets all conditions."""
        record = match.record
        faults = {fault.kind for fault in record.faults}
        return (
            set(self.bots).issubset(record.bots or ())
            and self.variant in ("", record.variant, match.variant)
            and self.block in ("", record.block)
            and (not self.fault or self.fault in faults or (self.fault == ANY and bool(faults)))
        )


def filter_matches(matches: Iterable[FoundRecord], wanted: MatchFilter, source: str) -> Iterator[FoundRecord]:
    """Yield the matches of a source that meet the conditions."""
    names = _KnownNames()
    for match in matches:
        if wanted.matches(match):
            names.matched = True
            yield match
        elif not names.matched:
            names.add(match.record, match.variant)
    names.refuse_unknown(wanted, source)


class _KnownNames:
    """Names in matches that did not meet the conditions."""

    def __init__(self) -> None:
        self.matched = False
        """True if any match met them, so that the names do not matter."""
        self._bots: set[str] = set()
        self._variants: set[str] = set()
        self._blocks: set[str] = set()

    def add(self, record: MatchRecord, variant: str) -> None:
        self._bots.update(record.bots or ())
        self._variants.update((record.variant, variant))
        self._blocks.add(record.block)

    def refuse_unknown(self, wanted: MatchFilter, source: str) -> None:
        if self.matched or not self._variants:
            return
        for bot in wanted.bots:
            if bot not in self._bots:
                raise ConfigError(f"no bot in {source} is called {bot!r}; {suggest_nearest(bot, self._bots)}")
        if wanted.variant and wanted.variant not in self._variants:
            near = suggest_nearest(wanted.variant, self._variants)
            raise ConfigError(f"no match in {source} is of the variant {wanted.variant!r}; {near}")
        if wanted.block and wanted.block not in self._blocks:
            near = (
                suggest_nearest(wanted.block, self._blocks)
                if len(self._blocks) <= MAX_NAMED_BLOCKS
                else MANY_BLOCKS
            )
            raise ConfigError(f"no match in {source} is of the block {wanted.block!r}; {near}")


def find_match(
    matches: Iterable[FoundRecord],
    number: int | None = None,
    block: str | None = None,
    rotation: int | None = None,
) -> FoundRecord | None:
    """Return the first match with the given number, block and rotation, or None."""
    for match in matches:
        has = (match.number, match.record.block, match.record.rotation)
        if all(want in (None, own) for want, own in zip((number, block, rotation), has, strict=True)):
            return match
    return None


def biggest_losses(matches: Iterable[FoundRecord], bot: str) -> list[FoundRecord]:
    """Return a bot's biggest losses, the biggest first.

    Matches are ordered by the bot's share of points, that is of the seats it was placed above, ties a half.
    With equal shares the games alternate, as tokens, chips and points do not compare: each has its lowest
    payoff first, and of equal ones the match of fewer deals.
    """
    by_game: defaultdict[str, list[tuple[Loss, int, FoundRecord]]] = defaultdict(list)
    for record in matches:
        if loss := _loss(record.record, bot):
            by_game[record.variant].append((loss, record.number, record))
    losses = [
        (loss.share, rank, number, match)
        for game in by_game.values()
        for rank, (loss, number, match) in enumerate(nsmallest(MAX_LOSSES, game))
    ]
    return [match for *_, match in nsmallest(MAX_LOSSES, losses)]


class Loss(NamedTuple):
    """The result of a seat; of two the smaller one is the bigger loss."""

    share: float
    """Share of the other seats it was placed above, 0 to 1, ties a half."""
    payoff: int
    negated_placing: int
    deals: int


def _loss(record: MatchRecord, bot: str) -> Loss | None:
    """Return the result of the bot's worst seat, or None if it has none."""
    placings = record.placings or ()
    seats = zip(record.bots or (), record.payoffs or (), placings, strict=False)
    own = [
        Loss(_share(placing, placings), payoff, -placing, len(record.deals))
        for name, payoff, placing in seats
        if name == bot
    ]
    return min(own, default=None)


def _share(placing: int, placings: Sequence[int]) -> float:
    """Return the share of the other seats that a seat with this placing left behind, ties a half."""
    points = sum(placing < other for other in placings) + (placings.count(placing) - 1) / 2
    return points / max(len(placings) - 1, 1)


# --- runs that played a bot ---


def find_runs_with(contents: Collection[str], folders: Collection[Path]) -> Iterator[Path]:
    """Yield the runs in some folders of results that played a bot of one of these contents, by hash."""
    for folder in sorted({folder.resolve() for folder in folders}):
        for database in sorted(folder.glob(f"*/{DATABASE}")):
            with suppress(StoreError), Store.open(database.parent) as store:
                if not set(store.metadata.bots.values()).isdisjoint(contents):
                    yield database.parent
