"""The files written from a store: equal runs give equal bytes, whatever order they were played in."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Final, NamedTuple

import zstandard

from arena.errors import StoreError
from arena.tournament.files.run_folder import replace_file
from arena.tournament.results.columns import csv_text
from arena.tournament.results.run_results import CountedBlock
from arena.tournament.storage.block_results import MatchResult
from arena.tournament.storage.tally import Game


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
        payoff: What the seat won or lost, in the unit the game settles in; higher is better.
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


PIECE_BLOCKS: Final = 100
"""Blocks of `matches.csv` that are written at a time."""
NO_FAULTS: Final = Counter[int]()
REPLAYS_LEVEL: Final = 6  # 51 bytes a deal of random bots; another level, or threads, would give other bytes


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file piece by piece."""
    with replace_file(path) as file:
        file.writelines(pieces)


def matches_csv(blocks: Iterable[CountedBlock]) -> Iterator[bytes]:
    """Yield `matches.csv` in pieces of some blocks: a line for each seat of each match."""
    rows = (match_rows(block.address, block.game, block.seatings, block.matches) for block in blocks)
    piece = csv_text(MatchRow._fields, ())
    while piece:
        yield piece.encode()
        piece = csv_text((), chain.from_iterable(islice(rows, PIECE_BLOCKS)))


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
    """Yield a row for each seat of each match of a block; `seatings` are the bots by rotation and seat.

    Raises: StoreError, if the stored matches are not those of these seatings.
    """
    variant, players = game
    if len(matches) != len(seatings) or any(len(match.placings) != players for match in matches):
        raise StoreError(f"block {address} is damaged: its matches do not fit its seatings")
    for rotation, (seating, match) in enumerate(zip(seatings, matches, strict=True)):
        faults = Counter([seat for seat, _, _ in match.faults]) if match.faults else NO_FAULTS
        for seat, (bot, placing, payoff) in enumerate(
            zip(seating, match.placings, match.payoffs, strict=True)
        ):
            yield MatchRow(address, variant, players, rotation, seat, bot, placing, payoff, faults[seat])
