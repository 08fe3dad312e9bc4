"""The files written from a store, and records of its matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import groupby, islice, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import msgspec
import zstandard

from arena.columns.table_formats import csv_text
from arena.errors import StoreError
from arena.tournament.engine.block_player import RunPlan, record_chunk
from arena.tournament.engine.workers import Workers
from arena.tournament.files import replace_file
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MatchResult, PackedBlock, unpack_records
from arena.tournament.store.played_blocks import Game, PlayedBlock, read_blocks, unpack_played
from arena.tournament.store.store import EVERY, Store

# --- files ---
# Equal runs give equal bytes, whatever order they were played in.


class MatchRow(NamedTuple):
    """One seat of one match: a line of `matches.csv`.

    Attributes:
        block: Address of the block, the same in every run with this block.
        variant: The game with its options, as printed.
        players: Seats at the table.
        rotation: Number of the seating in its block, from 0.
        seat: The seat, from 0.
        bot: Name of the bot.
        placing: 1 is best; ties share the better number.
        payoff: Gain or loss of the seat, in the unit the game settles in; higher is better.
        faults: Failures of the bot in this match.
    """

    block: str
    variant: str
    players: int
    rotation: int
    seat: int
    bot: str
    placing: int
    payoff: int
    faults: int


PIECE_BLOCKS: Final = 250
"""Blocks of `matches.csv` that are written at a time."""
MATCHES_HEADER: Final = csv_text(MatchRow._fields, ()).encode()
REPLAYS_LEVEL: Final = 4
"""Makes 54 bytes a deal of random bots; 6 makes 51 in four times the time. Threads would make other bytes."""


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file piece by piece."""
    with replace_file(path) as file:
        file.writelines(pieces)


def matches_csv(
    blocks: Iterable[PackedBlock], bots: Sequence[str], pool: Workers | None = None
) -> Iterator[bytes]:
    """Yield `matches.csv` in pieces of some blocks: a line for each seat of each match.

    Args:
        blocks: The blocks, in schedule order.
        bots: The names by number.
        pool: Formats the blocks; without it, this process does.
    """
    yield MATCHES_HEADER
    rest = (msgspec.structs.replace(block, actions=b"") for block in blocks)  # which workers do not need
    format_piece = partial(_format_stored, bots)
    pieces = iter(lambda: list(islice(rest, PIECE_BLOCKS)), [])
    yield from pool.map(format_piece, pieces) if pool else map(format_piece, pieces)


def _format_stored(bots: Sequence[str], blocks: Iterable[PackedBlock]) -> bytes:
    """Return the lines of stored blocks, in a worker or in this process."""
    return format_matches(unpack_played(block, bots) for block in blocks)


def format_matches(blocks: Iterable[PlayedBlock]) -> bytes:
    """Return the lines of blocks."""
    return "".join(map(_block_text, blocks)).encode()


def _block_text(block: PlayedBlock) -> str:
    """Return the rows of a block as CSV, faster than by its `match_rows`."""
    _check_fit(block.address, block.game, block.seatings, block.matches)
    start = ",".join([*map(_quote, (block.address, block.game[0])), str(block.game[1])])
    return "".join(
        [
            f"{start},{rotation},{seat},{_quote(bot)},{placing},{payoff},{faults}\n"
            for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True))
            for seat, (bot, placing, payoff, faults) in enumerate(
                zip(seating, match.placings, match.payoffs, _count_faults(match), strict=True)
            )
        ]
    )


@lru_cache(maxsize=1 << 10)
def _quote(field: str) -> str:
    """Return a field of CSV, in quotes if it needs them (cached, as bots play many blocks)."""
    return csv_text((), [(field, "")])[: -len(",\n")]


def write_records(path: Path, records: Iterable[bytes]) -> None:
    """Write records, one a line; compressed if the path ends in .zst."""
    if path.suffix == ".zst":
        write_replays(path, records)
    else:
        write_pieces(path, (record + b"\n" for record in records))


def write_replays(path: Path, records: Iterable[bytes]) -> None:
    """Write records, one a line, compressed with zstd."""
    compressor = zstandard.ZstdCompressor(level=REPLAYS_LEVEL, write_checksum=True, threads=0)
    with replace_file(path) as file, compressor.stream_writer(file, closefd=False) as lines:
        for record in records:
            lines.write(record + b"\n")


def match_rows(
    address: str, game: Game, seatings: Sequence[Sequence[str]], matches: Sequence[MatchResult]
) -> Iterator[MatchRow]:
    """Yield a row for each seat of each match of a block; `seatings` are the bots by rotation and seat."""
    _check_fit(address, game, seatings, matches)
    for rotation, (seating, match) in enumerate(zip(seatings, matches, strict=True)):
        for seat, (bot, placing, payoff, faults) in enumerate(
            zip(seating, match.placings, match.payoffs, _count_faults(match), strict=True)
        ):
            yield MatchRow(address, *game, rotation, seat, bot, placing, payoff, faults)


def _check_fit(
    address: str, game: Game, seatings: Sequence[Sequence[str]], matches: Sequence[MatchResult]
) -> None:
    if len(matches) != len(seatings) or any(len(match.placings) != game[1] for match in matches):
        raise StoreError(f"block {address} is damaged: its matches do not fit its seatings")


def _count_faults(match: MatchResult) -> list[int]:
    """Return the number of faults by seat."""
    counts = [0] * len(match.placings)
    for seat, _, _ in match.faults:
        counts[seat] += 1
    return counts


# --- records ---
# Records made during play, or replayed from stored actions.

CHUNK_BLOCKS: Final = 10
"""Blocks whose records a worker writes in one call."""
NO_RECORDS: Final[Mapping[int, bytes]] = MappingProxyType({})


def encode_records(
    schedule: Iterable[Block],
    store: Store,
    plan: RunPlan,
    pool: Workers | None = None,
    made: Mapping[int, bytes] = NO_RECORDS,
) -> Iterator[bytes]:
    """Yield the records of all stored matches in JSON, in schedule order.

    Args:
        schedule: The blocks, as far as the stored results decide them.
        store: Of the first blocks, only those are read that are not in `made`: none if a run was played in
            one go.
        plan: The plan that they were played by.
        pool: Replays matches; without it, this process does.
        made: The packed records of blocks by index; these are not replayed.
    """
    first = list(takewhile(made.__contains__, store.indices()))
    for index in first:
        yield from unpack_records(made[index])
    blocks = read_blocks(schedule, store, range(first[-1] + 1 if first else 0, EVERY.stop))
    replay = partial(record_chunk, msgspec.msgpack.encode(plan))
    for are_made, part in groupby(blocks, lambda block: block[0].index in made):
        if are_made:
            for block, _ in part:
                yield from unpack_records(made[block.index])
        else:
            for lines in pool.map(replay, _chunks(part)) if pool else map(replay, _chunks(part)):
                yield from lines


def _chunks(
    blocks: Iterator[tuple[Block, BlockResult]],
) -> Iterator[list[tuple[Block, BlockResult]]]:
    while chunk := list(islice(blocks, CHUNK_BLOCKS)):
        yield chunk
