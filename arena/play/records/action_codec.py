"""Encode a match in a few bytes: the index of each action among the legal ones, which the seed completes."""

# mypyc: compile

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.errors import RecordError
from arena.games import Match, Rules

WIDE: Final = 255
"""Prefix of an index of two bytes."""
NO_ACTION: Final = 1 << 16
"""An index that no legal action has."""


def encode_actions(match: Match) -> bytes:
    """Return the actions of a finished match: the index of each, in one byte below 255, else in three."""
    indices = [index for deal in match.finished_deals for index in deal.action_indices]
    if max(indices, default=0) < WIDE:
        return bytes(indices)
    coded = bytearray()
    for index in indices:
        coded += bytes((index,)) if index < WIDE else bytes((WIDE, *index.to_bytes(2, "big")))
    return bytes(coded)


def decode_actions(coded: bytes) -> Iterator[int]:
    """Yield the indices of encoded actions; `NO_ACTION` for a last one whose two bytes are cut off."""
    place, end = 0, len(coded)
    while place < end:
        index = coded[place]
        place += 1
        if index == WIDE:
            index = coded[place] << 8 | coded[place + 1] if place + 1 < end else NO_ACTION
            place += 2
        yield index


def replay_match(rules: Rules, players: int, seed: str, coded: bytes) -> Match:
    """Return the finished match of a seed and encoded actions; raises RecordError if they do not fit."""
    return replay_actions(rules.match(players, seed), coded)


def replay_actions(match: Match, coded: bytes) -> Match:
    """Play encoded actions in a match at its first decision; raises RecordError if they do not fit."""
    indices = list(coded) if WIDE not in coded else list(decode_actions(coded))
    done, count = 0, len(indices)
    try:
        while not match.is_over:
            deal = match.deal
            while (seat := deal.to_act) is not None:
                if done == count:
                    raise RecordError(f"the match is not over after {done} actions")
                index = indices[done]
                deal.play(seat, deal.legal_actions.actions[index], index)
                done += 1
            match.advance()
        is_complete = done == count
    except IndexError:
        is_complete = False
    if not is_complete:
        raise RecordError(f"action {done + 1} of the match is none of the legal ones")
    return match


def count_actions(match: Match) -> int:
    """Return the number of actions in the finished deals of a match."""
    count = 0
    for deal in match.finished_deals:
        count += len(deal.action_indices)
    return count
