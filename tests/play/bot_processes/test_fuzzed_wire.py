"""Any bytes that a bot process sends are answers, faults or nothing, but never an error of the arena."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.games import variant
from arena.play import Limits
from arena.play.bot_processes.bot_process import resolve_answer
from arena.play.bot_processes.json_protocol import JsonProtocol
from arena.play.bot_processes.msgpack_protocol import MsgpackProtocol, SymbolEncoder, frame
from arena.play.bot_processes.protocol import Oversize, WireProtocol
from arena.play.faults import BotFailure
from arena.play.players import DEFERRED, Player
from arena.play.referee import step_match
from tests.play.bot_processes.hosted_matches import make_info

LIVES = variant("lives", tokens=1)
TEXTS = st.one_of(
    st.text(max_size=20), st.sampled_from(["pass", "knock", "4D>9D", ">", ",>,", "*", "??>??", "#1>9D", "\0"])
)
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(), TEXTS, st.integers(0, 12)
)
THINGS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["t", "m", "action", "v", "events", "x"]), inner, max_size=4),
    ),
    max_leaves=8,
)
ANSWERS = st.lists(
    st.one_of(
        THINGS,
        st.tuples(
            st.integers(-1, 3),
            st.sampled_from(["crash", "no-start", "x"]),
            TEXTS,
            st.booleans(),
            st.integers(),
        ),
    ),
    max_size=4,
)
MESSAGES = st.fixed_dictionaries(
    {"t": st.sampled_from(["action", "ready", "x"])},
    optional={"m": LEAVES, "action": LEAVES, "v": LEAVES, "events": LEAVES},
)
FRAMES = st.one_of(
    st.binary(max_size=60),
    ANSWERS.map(lambda answers: frame(msgspec.msgpack.encode(clipped(answers)))),
    st.binary(max_size=40).map(frame),
)
LINES = st.one_of(
    st.binary(max_size=60),
    MESSAGES.map(lambda message: json.dumps(message).encode() + b"\n"),
    THINGS.map(lambda thing: json.dumps(thing).encode() + b"\n"),
    TEXTS.map(lambda text: text.encode("utf-8", "surrogatepass") + b"\n"),
)


def clipped(thing: Any) -> Any:
    """Return the value reduced to what msgpack can encode."""
    if isinstance(thing, int) and not -(2**63) <= thing < 2**64:
        return 0
    if isinstance(thing, list | tuple):
        return [clipped(part) for part in thing]
    return thing


def take_answers(protocol: WireProtocol, data: bytes) -> None:
    """Have the arena take what a process writes that has just been asked."""
    players = [Player(make_info(LIVES, 2, 0, seat, Limits()), "fuzzed") for seat in range(2)]
    for player in players:
        player.act = DEFERRED
    steps = step_match(LIVES.match(2, "x"), players)
    _, view = next(steps)
    with contextlib.suppress(Oversize, StopIteration):
        for answer in protocol.read_answers(data):
            _, view = steps.send(resolve_answer(answer, (0, view, steps)))


def check(make: Callable[[], WireProtocol], data: bytes) -> None:
    """Have the arena take data as answers, and as the first message."""
    take_answers(make(), data)
    with contextlib.suppress(BotFailure, Oversize):
        make().read_ready(data)


def check_frames(data: bytes) -> None:
    check(lambda: MsgpackProtocol(SymbolEncoder()), data)


def check_lines(data: bytes) -> None:
    check(JsonProtocol, data)


EXAMPLES = pytest.mark.parametrize("examples", [150, pytest.param(100_000, marks=pytest.mark.full)])


@EXAMPLES
@pytest.mark.parametrize(("written", "check_any"), [(FRAMES, check_frames), (LINES, check_lines)])
def test_anything_written_is_harmless(
    written: st.SearchStrategy[bytes], check_any: Callable[[bytes], None], examples: int
) -> None:
    fuzz = given(written)(check_any)
    settings(max_examples=examples, database=None, suppress_health_check=list(HealthCheck))(fuzz)()


@pytest.mark.parametrize("depth", [10, 1000, 30_000, 60_000])
def test_deep_nesting_is_harmless(depth: int) -> None:
    check_lines(b"[" * depth + b"\n")
    check_lines(b'{"t":"action","m":0,"action":' + b"[" * depth + b"\n")
    check_lines(b'{"x":' * (depth // 5) + b"\n")
    check_frames(frame(b"\x91" * depth))
    check_frames(frame(b"\x91\x95\x00\xa1x" + b"\x91" * depth))


@pytest.mark.parametrize("length", [1 << 16, (1 << 16) + 1, 1 << 20])
def test_long_input_is_harmless(length: int) -> None:
    check_lines(os.urandom(64) * (length // 64))
    check_lines(b'{"t":"action","m":0,"action":' + b"9" * length + b"}\n")
    check_frames(frame(b"\x00" * length))
    check_frames(b"\xff\xff\xff\xff" + b"x" * length)


def test_answers_in_pieces_are_joined() -> None:
    protocol = JsonProtocol()
    line = b'{"t":"action","m":0,"action":"pass"}\n'
    faults = [
        answer for place in range(len(line)) for answer in protocol.read_answers(line[place : place + 1])
    ]
    assert len(faults) == 1
    compact, data = MsgpackProtocol(SymbolEncoder()), frame(msgspec.msgpack.encode([3, "pass"]))
    pieces = [compact.read_answers(data[place : place + 1]) for place in range(len(data))]
    assert [answer for piece in pieces for answer in piece] == [3, "pass"]
