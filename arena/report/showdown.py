"""How a deal ended: the hands, the best first, and what it brought to each seat."""

from collections.abc import Mapping, Sequence
from typing import Final

import click

from arena.games import Opening
from arena.games.hands import HandRank
from arena.games.settlement.base import Changes, Holdings
from arena.report.card_colors import color_cards
from arena.report.hand_text import describe_rank
from arena.report.text_format import format_count

SETTLED_IN: Final = ("tokens", "chips", "points")


def showdown_rows(
    opening: Opening,
    hands: Mapping[int, str],
    ranks: Mapping[int, HandRank | None],
    changes: Changes,
    bots: Sequence[str],
) -> list[list[str]]:
    """A row a seat in the deal; the best hands stand out where the terminal can do that."""
    after = opening.rules.settlement.apply_changes(opening.holdings, changes, opening.number)
    comparable = [rank for rank in ranks.values() if rank is not None]
    best = max(comparable, default=None)
    rows = []
    for seat in sorted(opening.order, key=lambda seat: ranks[seat] or (), reverse=True):
        rank = ranks[seat]
        stands_out = rank is not None and rank == best
        hand = color_cards(hands[seat], bold=stands_out)
        worth = "" if changes.points else describe_rank(rank)  # points say what a hand is worth
        told = click.style(worth, bold=True) if worth and stands_out else worth
        rows.append([str(seat), bots[seat], hand, told, format_outcome(changes, after, seat, opening.number)])
    return rows


def format_holdings(holdings: Holdings, seat: int) -> str:
    """What a seat has of what the game settles in."""
    counts = [(getattr(holdings, things), things) for things in SETTLED_IN]
    return ", ".join(format_count(have[seat], things) for have, things in counts if have)


def format_outcome(changes: Changes, after: Holdings, seat: int, number: int) -> str:
    """What a deal has brought to a seat."""
    found = [(things, getattr(changes, things), getattr(after, things)) for things in SETTLED_IN]
    gains = [(change[seat], things, held[seat]) for things, change, held in found if change and change[seat]]
    told = [_gain(*gains[0])] if len(gains) == 1 else [_short_gain(*gain) for gain in gains]
    if after.went_out[seat] == number:
        told.append(click.style("is out", bold=True))
    return "; ".join(told)


def _gain(change: int, things: str, held: int) -> str:
    """What is won or lost; points are neither, in some games the fewest win."""
    if things == "points":
        return f"scores {change}, has {held}"
    if change > 0:
        return click.style(f"wins {format_count(change, things)}, has {held}", fg="green")
    return click.style(f"loses {format_count(-change, things)}, has {held}", fg="red")


def _short_gain(change: int, things: str, held: int) -> str:
    """The same where more than one thing changes hands."""
    thing = format_count(change, things).partition(" ")[2]
    return click.style(f"{change:+} {thing} ({held})", fg="green" if change > 0 else "red")
