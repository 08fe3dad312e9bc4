"""Encoded actions, replayed with their seed."""

from __future__ import annotations

import re

import pytest

from arena.errors import RecordError
from arena.games import variant
from arena.play.records.action_codec import WIDE, encode_actions, replay_match

RULES = variant("lives")
SEED = "codec"


def play() -> bytes:
    match = RULES.match(3, SEED)
    match.playout([lambda view: view.legal[0]] * 3, until="match")
    return encode_actions(match)


def test_a_replay_has_the_same_actions() -> None:
    coded = play()
    assert encode_actions(replay_match(RULES, 3, SEED, coded)) == coded


def test_actions_may_be_written_wide() -> None:
    coded = play()
    wide = b"".join([bytes((WIDE, 0, index)) for index in coded])
    assert encode_actions(replay_match(RULES, 3, SEED, wide)) == coded


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda coded: coded[:-1], "the match is not over after {before} actions"),
        (lambda coded: coded + b"\0", "action {after} of the match is none"),
        (lambda coded: coded[:-1] + b"\xc8", "action {count} of the match is none"),
        (lambda coded: coded[:-1] + bytes((WIDE, 0)), "action {count} of the match is none"),
    ],
    ids=["too few", "too many", "illegal", "cut off"],
)
def test_actions_that_do_not_fit_are_named(change: object, message: str) -> None:
    assert callable(change)
    coded = play()
    count = len(coded)
    expected = message.format(before=count - 1, count=count, after=count + 1)
    with pytest.raises(RecordError, match=re.escape(expected)):
        replay_match(RULES, 3, SEED, change(coded))
