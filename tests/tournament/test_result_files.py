"""The exact bytes of the exported files."""

import csv
import io
import struct
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
import zstandard
from msgspec import structs

from arena.errors import StoreError
from arena.tournament.engine.workers import InlineExecutor, Workers
from arena.tournament.result_files import (
    MATCHES_HEADER,
    PIECE_BLOCKS,
    format_matches,
    matches_csv,
    write_replays,
)
from arena.tournament.store.codec import BlockResult, MatchResult, PackedBlock, pack
from arena.tournament.store.played_blocks import PlayedBlock
from tests.tournament import fake_run

BLOCK = PlayedBlock(
    3,
    "lives(tokens=5)/2/a,b+cid/7",
    ("lives(tokens=5)", 2),
    [["a,b", "cid"], ["cid", "a,b"]],
    [
        MatchResult((1, 2), (2, -2), ((1, "illegal", 2), (1, "timeout", 1)), b""),
        MatchResult((1, 1), (0, 0), (), b""),
    ],
)


def test_matches_have_a_line_a_seat() -> None:
    assert format_matches([BLOCK]).decode() == (
        '"lives(tokens=5)/2/a,b+cid/7",lives(tokens=5),2,0,0,"a,b",1,2,0\n'
        '"lives(tokens=5)/2/a,b+cid/7",lives(tokens=5),2,0,1,cid,2,-2,2\n'
        '"lives(tokens=5)/2/a,b+cid/7",lives(tokens=5),2,1,0,cid,1,0,0\n'
        '"lives(tokens=5)/2/a,b+cid/7",lives(tokens=5),2,1,1,"a,b",1,0,0\n'
    )


def test_a_run_without_matches_has_the_header_alone() -> None:
    assert b"".join(matches_csv([], ())) == b"block,variant,players,rotation,seat,bot,placing,payoff,faults\n"


@pytest.mark.parametrize("field", ["a,b", 'a"b', "a\nb", "lives(tokens=5)/2/a+b%2F/7", "Žižka 2", "a;b", ""])
def test_a_name_is_quoted_as_csv_quotes_it(field: str) -> None:
    text = format_matches([structs.replace(BLOCK, seatings=[[field, "cid"], ["cid", field]])]).decode()
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert [row[5] for row in rows] == [field, "cid", "cid", field]
    again = io.StringIO(newline="")
    csv.writer(again, lineterminator="\n").writerows(rows)
    assert again.getvalue() == text


def test_workers_format_matches_in_pieces_to_the_same_bytes() -> None:
    packed = pack(BLOCK.address, BlockResult(0, tuple(BLOCK.matches))).outcome
    seats = struct.pack("<4H", 0, 1, 1, 0)
    blocks = [PackedBlock(place, BLOCK.address, packed, seats=seats) for place in range(2 * PIECE_BLOCKS + 1)]
    calls: list[int] = []

    class Counted(InlineExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            calls.append(len(args[0]))
            return super().submit(fn, *args, **kwargs)

    with Workers(Counted, in_flight=1) as pool:
        formatted = b"".join(matches_csv(blocks, ("a,b", "cid"), pool))
    assert calls == [PIECE_BLOCKS, PIECE_BLOCKS, 1]
    assert formatted == b"".join(matches_csv(blocks, ("a,b", "cid")))
    assert formatted == MATCHES_HEADER + len(blocks) * format_matches([BLOCK])


def test_replays_are_lines_behind_zstd(tmp_path: Path) -> None:
    records = [b'{"v":1,"match":%d}' % number for number in range(5000)]
    for name in ("once.zst", "again.zst"):
        write_replays(tmp_path / name, iter(records))
    written = (tmp_path / "once.zst").read_bytes()
    assert written == (tmp_path / "again.zst").read_bytes()
    lines = zstandard.ZstdDecompressor().stream_reader(written).read()
    assert lines == b"\n".join(records) + b"\n"


def test_flipped_bits_in_replays_are_noticed(tmp_path: Path) -> None:
    write_replays(tmp_path / "replays.zst", [fake_run.result(fake_run.block(0)).matches[0].actions])
    written = bytearray((tmp_path / "replays.zst").read_bytes())
    written[40] ^= 4
    with pytest.raises(zstandard.ZstdError):
        zstandard.ZstdDecompressor().stream_reader(bytes(written)).read()


def test_half_a_list_of_replays_does_not_stand_for_all(tmp_path: Path) -> None:
    def broken_off() -> Iterator[bytes]:
        yield b"first"
        raise StoreError("block 2 is damaged")

    with pytest.raises(StoreError, match="block 2"):
        write_replays(tmp_path / "replays.zst", broken_off())
    assert not list(tmp_path.iterdir())
