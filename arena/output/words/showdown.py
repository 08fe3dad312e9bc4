"""Showdown of a deal: the hands, best first, and what each seat won or lost."""

from collections.abc import Sequence

import click

from arena.columns.number_format import format_count
from arena.errors import InvalidNotation
from arena.games import Deal
from arena.games.events import Event
from arena.games.rankings.base import NO_HAND, HandRank
from arena.games.settlement.holdings import Changes, Holdings
from arena.output.words.card_colors import GAIN_COLOR, LOSS_COLOR, color_cards
from arena.output.words.hand_text import describe_rank


def drop_showdown(events: list[Event], deal: Deal) -> list[Event]:
    """Drop the hands that all seats show at the end of a deal, which a showdown repeats."""
    if not deal.changes:
        return events
    seats = len(deal.opening.order)
    last = events[-seats:]
    is_showdown = len(last) == seats and all(event.action.kind == "show" for event in last)
    return events[:-seats] if is_showdown else events


def showdown_rows(deal: Deal, names: Sequence[str], viewer: int | None = None) -> list[list[str]]:
    """Return a row per seat of a finished deal, best hand first: number, name, hand, rank, result.

    With a `viewer` the hands that this seat has not seen are hidden, and stand last.
    """
    opening, changes = deal.opening, deal.changes
    assert changes is not None
    after = opening.rules.settlement.apply_changes(opening.holdings, changes, opening.number)
    seen = [seat for seat in opening.order if viewer is None or deal.is_seen(seat, viewer)]
    ranks = {seat: _rank(deal, seat) if seat in seen else None for seat in opening.order}
    best = max([rank for rank in ranks.values() if rank is not None], default=None)
    rows = []
    for seat in sorted(opening.order, key=lambda seat: (seat in seen, ranks[seat] or NO_HAND), reverse=True):
        rank = ranks[seat]
        is_best = rank is not None and rank == best
        words = "" if rank is None or changes.points else describe_rank(rank, deal.hands[seat])
        words = click.style(words, bold=True) if words and is_best else words
        text = deal.format_hand(seat) if viewer is None else deal.format_seen_hand(seat, viewer)
        hand = color_cards(text, bold=is_best)
        rows.append(
            [str(seat), names[seat], hand, words, format_outcome(changes, after, seat, opening.number)]
        )
    return rows


def _rank(deal: Deal, seat: int) -> HandRank | None:
    try:
        return deal.rank_hand(seat)
    except InvalidNotation:  # a game that does not compare such hands
        return None


def format_holdings(holdings: Holdings, seat: int) -> str:
    """Return what a seat has of what the variant settles in: `3 tokens`."""
    return ", ".join(format_count(counts[seat], unit) for unit, counts in holdings.by_unit().items())


def format_outcome(changes: Changes, after: Holdings, seat: int, deal_number: int) -> str:
    """Return what a deal brought a seat: `loses 1 token, has 0; is out`."""
    total = after.by_unit()
    units = changes.by_unit()
    gains = [
        (change[seat], unit, total[unit][seat])
        for unit, change in units.items()
        if change[seat] or (len(units) == 1 and unit not in ("tokens", "chips"))  # nobody loses nothing
    ]
    parts = [_format_gain(*gains[0])] if len(gains) == 1 else [_format_short_gain(*gain) for gain in gains]
    if after.went_out[seat] == deal_number:
        parts.append(click.style("is out", bold=True))
    return "; ".join(parts)


def _format_gain(change: int, unit: str, total: int) -> str:
    if unit == "points":  # neither won nor lost: in some games the fewest win
        return f"scores {change}, has {total}"
    if unit not in ("tokens", "chips"):  # of a game of its own, which may want few
        return f"scores {format_count(change, unit)}, has {total}"
    if change > 0:
        return click.style(f"wins {format_count(change, unit)}, has {total}", fg=GAIN_COLOR)
    return click.style(f"loses {format_count(-change, unit)}, has {total}", fg=LOSS_COLOR)


def _format_short_gain(change: int, unit: str, total: int) -> str:
    noun = format_count(change, unit).partition(" ")[2]
    return click.style(f"{change:+} {noun} ({total})", fg=GAIN_COLOR if change > 0 else LOSS_COLOR)
