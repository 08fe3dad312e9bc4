"""Bots cannot wake each other through a page of a file that both have mapped."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.play import Limits
from arena.play.isolation import Level, Program, start, stop

STRANGER = Path(__file__).with_name("stranger")
WAITS = ("wait", "wait-bitset", "waitv", "futex2")


def talker(role: str) -> Program:
    return Program(home=STRANGER, module="futex_talker", arguments=(role,))


@pytest.fixture
def closed_sender(closed_level: Level) -> Iterator[Level]:
    """The level of a bot whose threads wake a word of a library at their ends."""
    process = start(closed_level, talker("send"), Limits())
    yield closed_level
    stop(process)


def receive(level: Level, how: str) -> str:
    process = start(level, talker(how), Limits())
    try:
        out, err = process.communicate(timeout=60)
    finally:
        stop(process)
    assert process.returncode == 0, err.decode()
    return out.decode().split()[-1]


def test_bot_cannot_wait_for_another_bot(closed_sender: Level) -> None:
    answers = {how: receive(closed_sender, how) for how in WAITS}
    assert answers == {"wait": "EAGAIN", "wait-bitset": "EAGAIN", "waitv": "EPERM", "futex2": "EPERM"}


def test_bots_talk_where_nothing_is_forbidden() -> None:
    sender = start("process", talker("send"), Limits())
    try:
        assert receive("process", "wait") == "woken"
    finally:
        stop(sender)
