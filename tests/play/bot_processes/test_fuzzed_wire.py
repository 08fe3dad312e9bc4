"""Any bytes that a bot process sends are answers, faults or nothing, but never an error of the arena."""

from __future__ import annotations

import contextlib
import json
import os
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


def taken(protocol: WireProtocol, data: bytes) -> None:
    """Lets a host that has just been asked say this, as the arena takes it."""
    chairs = [Player(make_info(LIVES, 2, 0, seat, Limits()), "fuzzed") for seat in range(2)]
    for chair in chairs:
        chair.act = DEFERRED
    table = step_match(LIVES.match(2, "x"), chairs)
    _, view = next(table)
    try:
        answers = protocol.read_answers(data)
    except Oversize:
        return
    for answer in answers:
        given_answer = resolve_answer(answer, (0, view, table))
        try:
            _, view = table.send(given_answer)
        except StopIteration:
            return


def greeted(protocol: WireProtocol, data: bytes) -> None:
    """Lets a host say this first."""
    with contextlib.suppress(BotFailure, Oversize):
        protocol.read_ready(data)


def both(make: Any, data: bytes) -> None:
    taken(make(), data)
    greeted(make(), data)


def check_frames(data: bytes) -> None:
    both(lambda: MsgpackProtocol(SymbolEncoder()), data)


def check_lines(data: bytes) -> None:
    both(JsonProtocol, data)


QUICK = settings(max_examples=150, database=None)
FULL = settings(
    max_examples=100_000, database=None, suppress_health_check=list(HealthCheck)
)  # fmt: skip


@QUICK
@given(FRAMES)
def test_any_frames(data: bytes) -> None:
    check_frames(data)


@QUICK
@given(LINES)
def test_any_lines(data: bytes) -> None:
    check_lines(data)


@pytest.mark.full
@FULL
@given(FRAMES)
def test_very_many_frames(data: bytes) -> None:
    check_frames(data)


@pytest.mark.full
@FULL
@given(LINES)
def test_very_many_lines(data: bytes) -> None:
    check_lines(data)


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
