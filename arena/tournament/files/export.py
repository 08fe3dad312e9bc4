"""The files written from a store: equal runs give equal bytes, whatever order they were played in."""

import csv
import io
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import zstandard
from tabulate import tabulate

from arena.tournament.files.run_folder import replacing
from arena.tournament.formats import Scoreboard
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import BlockResult

MATCHES = ["block", "variant", "players", "rotation", "seat", "bot", "placing", "payoff", "faults"]
ELO = ["variant", "players", "rank", "bot", "elo", "error", "matches", "blocks", "score", "payoff", "faults"]
MORE = ["los", "placing", "payoff_error"]  # what the tables have besides
WORDS = {"variant", "bot"}  # the columns that hold no numbers

REPLAYS_LEVEL = 6  # 51 bytes a deal of random bots; another level, or threads, would give other bytes


@dataclass(frozen=True, kw_only=True)
class Row:
    """A bot's line in a table of ratings; None is printed as nothing."""

    variant: str
    players: int | None  # None: overall
    rank: int | None  # None: it played nothing, or not every game of the overall
    bot: str
    elo: float | None
    error: float | None  # half width of the 95 % interval
    mark: str = ""  # ">" or "<" where the Elo is a bound
    matches: int
    blocks: int
    score: float | None  # from 0 to 1; printed in percent
    payoff: float | None  # mean of a match
    faults: int
    los: float | None = None  # likelihood of superiority over the next, from 0 to 1
    placing: float | None = None  # mean
    payoff_error: float | None = None  # half width of the 95 % interval


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file piece by piece, as they come."""
    with replacing(path) as file:
        file.writelines(pieces)


def matches_csv(played: Iterable[tuple[Block, BlockResult]]) -> Iterator[bytes]:
    """A line for each seat of each match, in pieces of a block."""
    yield _csv(MATCHES, ()).encode()
    for block, result in played:
        yield _csv((), _match_rows(block, result)).encode()


def write_records(path: Path, records: Iterable[bytes]) -> None:
    """Writes records, one a line, as they come; compressed if the path ends in .zst."""
    if path.suffix == ".zst":
        write_replays(path, records)
    else:
        with replacing(path) as file:
            file.writelines(record + b"\n" for record in records)


def write_replays(path: Path, records: Iterable[bytes]) -> None:
    """Writes records, one a line, as they come, compressed with zstd."""
    compressor = zstandard.ZstdCompressor(level=REPLAYS_LEVEL, write_checksum=True, threads=0)
    with replacing(path) as file, compressor.stream_writer(file, closefd=False) as lines:
        for record in records:
            lines.write(record + b"\n")


def scoreboard_csv(board: Scoreboard) -> str:
    """Standings for programs."""
    return _csv(board.columns, board.rows)


def elo_csv(rows: Iterable[Row]) -> str:
    """Ratings for programs; where Elo is a bound there is no error, and the score is 100 or 0."""
    return _csv(ELO, (_elo_cells(row) for row in rows))


def table_csv(rows: Iterable[Row]) -> str:
    """The same with the columns that the tables have besides, after the others, and last the marks."""
    cells = (_elo_cells(row) + _more_cells(row) + [row.mark] for row in rows)
    return _csv([*ELO, *MORE, "mark"], cells)


def elo_md(rows: Iterable[Row]) -> str:
    """Ratings as a Markdown table, marks and all."""
    return markdown(ELO + MORE, [_elo_cells(row, row.mark) + _more_cells(row) for row in rows], WORDS)


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]], words: Container[str]) -> str:
    """A table for web pages; columns that hold words are set to the left."""
    escaped = [[cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in rows]
    sides = ["left" if column in words else "right" for column in columns]
    return tabulate(escaped, columns, tablefmt="pipe", colalign=sides, disable_numparse=True) + "\n"


def _csv(header: Sequence[str], rows: Iterable[Sequence[str | int]]) -> str:
    """Rows under a header, if there is one."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    if header:
        table.writerow(header)
    table.writerows(rows)
    return text.getvalue()


def _match_rows(block: Block, result: BlockResult) -> Iterator[tuple[str | int, ...]]:
    head = block.address, block.variant, block.players
    for rotation, (seating, match) in enumerate(zip(block.seatings, result.matches, strict=True)):
        faults = Counter(seat for seat, _, _ in match.faults)
        for seat, (bot, placing, payoff) in enumerate(
            zip(seating, match.placings, match.payoffs, strict=True)
        ):
            yield *head, rotation, seat, bot, placing, payoff, faults[seat]


def _elo_cells(row: Row, mark: str = "") -> list[str]:
    return [
        row.variant,
        "" if row.players is None else str(row.players),
        "" if row.rank is None else str(row.rank),
        row.bot,
        mark + _tenths(row.elo),
        _tenths(row.error),
        str(row.matches),
        str(row.blocks),
        _tenths(row.score, 100),
        "" if row.payoff is None else f"{row.payoff:z.2f}",
        str(row.faults),
    ]


def _more_cells(row: Row) -> list[str]:
    hundredths = ["" if value is None else f"{value:.2f}" for value in (row.placing, row.payoff_error)]
    return [_tenths(row.los, 100), *hundredths]


def _tenths(value: float | None, scale: float = 1) -> str:
    return "" if value is None else f"{scale * value:z.1f}"  # z: never minus nought
