"""Records are read from wherever they lie, and the matches that are wanted are found in them."""

import io
import os
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from arena.errors import ConfigError, RecordError, StoreError
from arena.play.records.record_schema import MAX_RECORD_BYTES, MatchRecord
from arena.tournament.record_search import (
    MAX_LOSSES,
    FoundRecord,
    MatchFilter,
    biggest_losses,
    filter_matches,
    find_match,
    read_lines,
    read_records,
    source_name,
)
from arena.tournament.result_files import write_records

LINES = [b'{"number":%d}\n' % number for number in range(3000)]
WHOLE = b"".join(LINES)


def packed(data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (WHOLE, LINES),
        (packed(WHOLE), LINES),
        (packed(WHOLE[:5000]) + packed(WHOLE[5000:]), LINES),
        (b"one\r\ntwo", [b"one\r\n", b"two"]),
        (b"", []),
    ],
    ids=["plain", "compressed", "in two frames", "last line without an end", "empty"],
)
def test_a_file_gives_its_lines_whatever_it_is_called(
    tmp_path: Path, data: bytes, lines: list[bytes]
) -> None:
    (tmp_path / "records").write_bytes(data)
    assert list(read_lines(str(tmp_path / "records"))) == lines


def test_a_minus_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed(WHOLE))))
    assert list(read_lines("-")) == LINES
    assert source_name("-") == "standard input"


def test_a_run_folder_stands_for_its_replays(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"has no replays: replays.jsonl.zst is missing$"):
        list(read_lines(str(tmp_path)))
    replays = tmp_path / "replays.jsonl.zst"
    replays.write_bytes(packed(WHOLE))
    assert list(read_lines(str(tmp_path))) == LINES
    assert source_name(str(tmp_path)) == str(replays)


def damage(data: bytes) -> bytes:
    """Change a byte in the middle."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 255]) + data[middle + 1 :]


def pack_with_a_huge_window(data: bytes) -> bytes:
    parameters = zstandard.ZstdCompressionParameters(window_log=28)
    frame = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    return frame.compress(data) + frame.flush()


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (packed(WHOLE)[:-1], "x.zst is truncated$"),
        (damage(packed(WHOLE)), "x.zst cannot be decompressed: "),
        (packed(bytes(MAX_RECORD_BYTES + 1)), rf"x.zst: a line is longer than {MAX_RECORD_BYTES} bytes$"),
        (pack_with_a_huge_window(WHOLE), "x.zst cannot be decompressed"),
    ],
    ids=["cut off", "damaged", "line without end", "huge window"],
)
def test_a_file_that_cannot_be_read_is_named_with_its_problem(
    tmp_path: Path, data: bytes, problem: str
) -> None:
    (tmp_path / "x.zst").write_bytes(data)
    with pytest.raises(RecordError, match=problem):
        list(read_lines(str(tmp_path / "x.zst")))


@pytest.mark.parametrize(("name", "read"), [("a.jsonl", bytes), ("a.jsonl.zst", zstandard.decompress)])
def test_records_are_written_compressed_if_the_name_says_so(tmp_path: Path, name: str, read: object) -> None:
    write_records(tmp_path / name, [b"one", b"two"])
    assert list(read_lines(str(tmp_path / name))) == [b"one\n", b"two\n"]
    assert (tmp_path / name).read_bytes().startswith(b"one") == (read is bytes)


RECORD = {
    "v": 1,
    "variant": "lives",
    "options": {"tokens": 5},
    "players": 2,
    "deals": [{"dealer": 0, "hands": [], "table": "", "stock": "", "actions": [], "result": {}}],
}


def test_a_record_is_numbered_by_its_line_and_named_by_its_variant() -> None:
    line = msgspec.json.encode(RECORD)
    assert [
        (record.number, record.variant, record.line) for record in read_records("a file", [b"\n", line])
    ] == [(2, "lives(tokens=5)", line)]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"{", "this is not JSON: "),
        (b"{}", "this is not a record: "),
        (msgspec.json.encode({**RECORD, "variant": "livs"}), "no variant 'livs': the nearest is 'lives'"),
        (msgspec.json.encode({**RECORD, "options": {"name": 5}}), "no option 'name'"),
    ],
)
def test_what_is_no_record_is_named_with_its_line(line: bytes, wrong: str) -> None:
    with pytest.raises(RecordError) as refused:
        list(read_records("a file", [b"\n", line]))
    assert str(refused.value).startswith(f"a file, line 2: {wrong}")


def test_a_zstd_bomb_is_refused_before_it_takes_memory(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.zst"
    bomb.write_bytes(packed(bytes(256 << 20)))
    assert bomb.stat().st_size < 10_000
    tracemalloc.start()
    with pytest.raises(RecordError, match="a line is longer than"):
        list(read_lines(str(bomb)))
    assert tracemalloc.get_traced_memory()[1] < 4 * MAX_RECORD_BYTES
    tracemalloc.stop()


def test_a_line_in_many_pieces_is_put_together_in_linear_time(tmp_path: Path) -> None:
    times = []
    for size in (4 << 20, 16 << 20):
        (tmp_path / "line").write_bytes(b"x" * size)
        began = time.process_time()
        list(read_lines(str(tmp_path / "line")))
        times.append(time.process_time() - began)
    assert times[1] < 10 * times[0] + 0.1  # in quadratic time: sixteen times


def test_a_deeply_nested_line_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "deep").write_bytes(b"[" * 100_000)
    with pytest.raises(RecordError, match="line 1"):
        list(read_records("deep", read_lines(str(tmp_path / "deep"))))


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_link_or_pipe_in_a_run_folder_is_refused(tmp_path: Path, kind: str) -> None:
    swap = {"link": lambda path: path.symlink_to("/etc/passwd"), "pipe": os.mkfifo}
    swap[kind](tmp_path / "replays.jsonl.zst")
    with pytest.raises(StoreError, match=r"replays.jsonl.zst is a link or a device"):
        next(read_lines(str(tmp_path)))


def test_named_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "records")
    with pytest.raises(RecordError, match="records is a named pipe"):
        next(read_lines(str(tmp_path / "records")))


DEAL = {"dealer": 0, "hands": [], "table": "", "stock": "", "actions": [], "result": {}}


def found(number: int, **said: Any) -> FoundRecord:
    record = {"v": 1, "variant": "lives", "options": {}, "players": 2, "deals": [DEAL], **said}
    told = msgspec.convert(record, MatchRecord)
    return FoundRecord(number, said.get("variant", "lives"), told, b"")


FAULT = {"seat": 0, "kind": "crash", "deal": 0}
MATCHES = [
    found(1, bots=["a", "b"], block="x", rotation=0),
    found(2, bots=["b", "a"], block="x", rotation=1, faults=[FAULT]),
    found(3, bots=["a", "c"], block="y"),
    found(4)._replace(variant="lives(tokens=5)"),
]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (MatchFilter(), [1, 2, 3, 4]),
        (MatchFilter(bots=("a",)), [1, 2, 3]),
        (MatchFilter(bots=("a", "b")), [1, 2]),
        (MatchFilter(variant="lives"), [1, 2, 3, 4]),
        (MatchFilter(variant="lives(tokens=5)"), [4]),
        (MatchFilter(variant="pool"), []),
        (MatchFilter(block="x"), [1, 2]),
        (MatchFilter(block="x", bots=("c",)), []),
        (MatchFilter(fault="any"), [2]),
        (MatchFilter(fault="crash"), [2]),
        (MatchFilter(fault="illegal"), []),
    ],
)
def test_a_match_is_wanted_for_what_it_has(wanted: MatchFilter, numbers: list[int]) -> None:
    assert [match.number for match in MATCHES if wanted.matches(match)] == numbers


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ({}, 1),
        ({"number": 3}, 3),
        ({"block": "x"}, 1),
        ({"block": "x", "rotation": 1}, 2),
        ({"number": 1, "block": "y"}, None),
        ({"number": 5}, None),
    ],
)
def test_the_first_match_that_has_all_of_it_is_picked(what: dict[str, Any], number: int | None) -> None:
    match = find_match(MATCHES, **what)
    assert (match and match.number) == number


def lost(number: int, payoff: int, placing: int = 2, deals: int = 1) -> FoundRecord:
    told = {"payoffs": [payoff, 0], "placings": [placing, 1], "deals": [DEAL] * deals}
    return found(number, bots=["a", "b"], **told)


def test_the_biggest_loss_comes_first_and_of_equal_ones_the_one_lost_soonest() -> None:
    matches = [lost(1, -2), lost(2, -3, deals=3), lost(3, -3, deals=2), lost(4, -3, placing=3, deals=9)]
    assert [loss.number for loss in biggest_losses(matches, "a")] == [4, 3, 2, 1]


def test_losses_rank_by_share_of_points_and_games_with_equal_shares_alternate() -> None:
    def match(number: int, variant: str, payoff: int, placings: list[int]) -> FoundRecord:
        told = {"bots": ["a", "b", "c"], "players": 3, "payoffs": [payoff, 0, 0], "placings": placings}
        return found(number, variant=variant, **told)

    matches = [
        match(1, "cambio", -90, [2, 1, 3]),
        match(2, "cambio", -40, [3, 1, 2]),
        match(3, "cambio", -50, [3, 1, 2]),
        match(4, "lives", -3, [3, 1, 2]),
        match(5, "lives", -2, [2, 1, 2]),
        match(6, "lives", -3, [2, 1, 2]),
    ]
    assert [loss.number for loss in biggest_losses(matches, "a")] == [3, 4, 2, 6, 5, 1]


def test_a_bot_in_two_seats_lost_what_its_worse_seat_did() -> None:
    twice = found(1, bots=["a", "a"], payoffs=[5, -9], placings=[1, 2])
    assert [loss.number for loss in biggest_losses([lost(2, -8), twice], "a")] == [1, 2]


def test_matches_without_the_bot_or_without_payoffs_are_no_losses() -> None:
    assert biggest_losses([found(1, bots=["a", "b"]), lost(2, -3)._replace(number=2)], "c") == []
    assert biggest_losses([found(1, bots=["a", "b"])], "a") == []


def test_only_the_worst_are_kept() -> None:
    assert len(biggest_losses((lost(number, -number) for number in range(100)), "a")) == MAX_LOSSES


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (MatchFilter(bots=("a", "d")), "no bot in the file is called 'd'; there are a, b, c"),
        (
            MatchFilter(variant="livs"),
            "no match in the file is of the variant 'livs'; the nearest is 'lives'",
        ),
        (MatchFilter(block="z", bots=("a",)), "no match in the file is of the block 'z'; "),
    ],
)
def test_a_name_that_no_match_has_is_refused_with_the_nearest(wanted: MatchFilter, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}"):
        list(filter_matches(MATCHES, wanted, "the file"))


def test_names_that_only_never_come_together_are_no_mistake() -> None:
    assert list(filter_matches(MATCHES, MatchFilter(bots=("b", "c")), "the file")) == []
    assert list(filter_matches([], MatchFilter(bots=("nobody",)), "the file")) == []
    assert [match.number for match in filter_matches(MATCHES, MatchFilter(block="x"), "the file")] == [1, 2]


def test_of_many_blocks_not_all_are_named() -> None:
    many = [found(number, block=f"block {number}") for number in range(100)]
    with pytest.raises(ConfigError, match=r"block 'z'; `arena replay list` shows all blocks$"):
        list(filter_matches(many, MatchFilter(block="z"), "the file"))
