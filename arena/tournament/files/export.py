"""The files written from a store: equal runs give equal bytes, whatever order they were played in."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import zstandard

from arena.tournament.files.run_folder import replace_file
from arena.tournament.results.columns import csv_text
from arena.tournament.results.run_results import CountedBlock

MATCH_FIELDS: Final = (
    *("block", "variant", "players", "rotation", "seat", "bot", "placing", "payoff", "faults"),
)
REPLAYS_LEVEL: Final = 6  # 51 bytes a deal of random bots; another level, or threads, would give other bytes


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file piece by piece."""
    with replace_file(path) as file:
        file.writelines(pieces)


def matches_csv(blocks: Iterable[CountedBlock]) -> Iterator[bytes]:
    """Yield `matches.csv` block by block: a line for each seat of each match."""
    yield csv_text(MATCH_FIELDS, ()).encode()
    for block in blocks:
        yield csv_text((), _match_rows(block)).encode()


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


def _match_rows(block: CountedBlock) -> Iterator[tuple[str | int, ...]]:
    for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
        faults = Counter(seat for seat, _, _ in match.faults)
        for seat, (bot, placing, payoff) in enumerate(
            zip(seating, match.placings, match.payoffs, strict=True)
        ):
            yield block.address, *block.game, rotation, seat, bot, placing, payoff, faults[seat]
