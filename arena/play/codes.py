"""Matches in a few bytes: each action's place among the legal ones, enough with the seed to play it again."""

from __future__ import annotations

from collections.abc import Iterator

from arena.errors import RecordError
from arena.games import Match, Rules

WIDE = 255
"""Announces a place of two bytes, for those that one cannot hold."""


def encode(match: Match) -> bytes:
    """The actions of a finished match."""
    codes = [code for deal in match.past for code in deal.codes]
    if max(codes, default=0) < WIDE:
        return bytes(codes)
    coded = bytearray()
    for code in codes:
        coded += bytes((code,)) if code < WIDE else bytes((WIDE, *code.to_bytes(2, "big")))
    return bytes(coded)


def decode(coded: bytes) -> Iterator[int]:
    """The places that were coded so."""
    rest = iter(coded)
    for code in rest:
        yield code if code < WIDE else next(rest) << 8 | next(rest)


def replay(rules: Rules, players: int, seed: str, coded: bytes) -> Match:
    """The match that was played so.

    Raises: RecordError if no match of this seed can have been.
    """
    match = rules.match(players, seed)
    done = 0
    try:
        for code in decode(coded):
            match.apply(match.deal.choices.actions[code])
            done += 1
    except (IndexError, StopIteration, RuntimeError):
        raise RecordError(f"action {done + 1} of the match is none of the legal ones") from None
    if not match.is_over:
        raise RecordError(f"the match is not over after {done} actions")
    return match
