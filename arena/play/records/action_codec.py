"""Matches in a few bytes: each action's place among the legal ones, enough with the seed to play it again."""

from __future__ import annotations

from collections.abc import Iterator

from arena.errors import RecordError
from arena.games import Match, Rules

WIDE = 255
"""Announces a place of two bytes, for those that one cannot hold."""


def encode_actions(match: Match) -> bytes:
    """The actions of a finished match."""
    codes = [code for deal in match.finished_deals for code in deal.action_indices]
    if max(codes, default=0) < WIDE:
        return bytes(codes)
    coded = bytearray()
    for code in codes:
        coded += bytes((code,)) if code < WIDE else bytes((WIDE, *code.to_bytes(2, "big")))
    return bytes(coded)


def decode_actions(coded: bytes) -> Iterator[int]:
    """The places that were coded so."""
    rest = iter(coded)
    for code in rest:
        yield code if code < WIDE else next(rest) << 8 | next(rest)


def replay_match(rules: Rules, players: int, seed: str, coded: bytes) -> Match:
    """The match that was played so.

    Raises: RecordError if no match of this seed can have been.
    """
    match = rules.match(players, seed)
    codes = iter(coded) if WIDE not in coded else decode_actions(coded)
    done = 0
    try:
        while not match.is_over:
            deal = match.deal
            while (seat := deal.to_act) is not None:
                code = next(codes, None)
                if code is None:
                    raise RecordError(f"the match is not over after {done} actions")
                deal.play(seat, deal.legal_actions.actions[code], code)
                done += 1
            match.advance()
        over = next(codes, None) is None
    except (IndexError, RuntimeError):  # of a place in two bytes one is missing
        over = False
    if not over:
        raise RecordError(f"action {done + 1} of the match is none of the legal ones")
    return match
