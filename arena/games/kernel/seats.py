"""The seats of a match on arrays: those still in, whose turn follows whose, and who deals next."""

from __future__ import annotations

from typing import Any

from arena.games.kernel.compilation import compiled
from arena.games.kernel.layout import NOBODY


@compiled
def is_dealt_in(match: Any, seat: int) -> bool:
    return bool(match.next_seat[seat] != NOBODY)


@compiled
def reset_match(rules: Any, match: Any) -> None:
    """Begin a match: no deal is over, and no seat is out."""
    match.is_over = match.number = 0
    match.went_out[: rules.players] = NOBODY


@compiled
def seat_players(rules: Any, match: Any) -> None:
    """Begin a match in which each seat has its tokens and none is out."""
    reset_match(rules, match)
    match.tokens[: rules.players] = rules.tokens


@compiled
def put_out(rules: Any, match: Any) -> None:
    """Put seats out that have too few tokens."""
    for seat in range(rules.players):
        if match.tokens[seat] >= rules.min_tokens:
            match.went_out[seat] = NOBODY
        elif match.went_out[seat] == NOBODY:
            match.went_out[seat] = match.number


@compiled
def is_match_over(rules: Any, match: Any) -> bool:
    """Return whether the match ends after the deal that was settled."""
    seats_in = 0
    for seat in range(rules.players):
        seats_in += match.went_out[seat] == NOBODY
    return bool(seats_in <= 1 or match.number + 1 == rules.deals)


@compiled
def find_next_dealer(rules: Any, match: Any) -> int:
    """Return the dealer of the next deal: the next seat that is in."""
    dealer = (match.dealer + rules.step) % rules.players
    while match.went_out[dealer] != NOBODY:
        dealer = (dealer + rules.step) % rules.players
    return int(dealer)


@compiled
def link_seats(rules: Any, match: Any) -> int:
    """Find whose turn follows whose, and who is eldest; return how many seats are in the deal."""
    for seat in range(len(match.next_seat)):
        match.next_seat[seat] = NOBODY
    seats = 0
    before = match.dealer
    for distance in range(1, rules.players + 1):
        seat = (match.dealer + rules.step * distance) % rules.players
        if match.went_out[seat] == NOBODY:
            match.next_seat[before] = seat
            before = seat
            seats += 1
    match.eldest = match.next_seat[match.dealer]
    return seats
