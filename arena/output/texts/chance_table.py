"""The chances of the seats of a deal to be placed ahead, after each action, as a table for terminals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from arena.games import Deal
from arena.output.texts.terminal_layout import MARGIN, align_columns
from arena.output.words.seat_names import SeatNames
from arena.output.words.text_format import shorten_names
from arena.play.placing_chances import Chances, find_costly_steps

MAX_NAME_CHARS: Final = 13


def format_chances(
    deals: Sequence[Deal], bots: Sequence[str], chances: Sequence[Sequence[Chances]]
) -> Iterator[str]:
    """Yield the table of each deal, with a row for its start and for each action.

    Args:
        deals: Deals of a match.
        bots: Names by seat.
        chances: Chances by deal and step.
    """
    costly = find_costly_steps(deals, chances)
    names = SeatNames(tuple(shorten_names(bots, MAX_NAME_CHARS)))
    for number, (deal, steps) in enumerate(zip(deals, chances, strict=True)):
        falls = {mistake.step: mistake.fall for mistake in costly if mistake.deal == number}
        doubled = 200 * max([max(step.errors) for step in steps])
        heading = (
            f"{MARGIN}Chance of each seat to be placed ahead of another, in percent\n"
            f"{MARGIN}(two standard errors are at most {doubled:.0f})"
        )
        yield f"{heading}\n{align_columns(_rows(deal, names, steps, falls))}"


def _rows(
    deal: Deal, names: SeatNames, steps: Sequence[Chances], falls: dict[int, float]
) -> Iterator[list[str]]:
    seats = range(len(steps[0].by_seat))
    yield ["", "seat", "", *[f"{seat:>3}" for seat in seats], ""]
    yield ["", "at first", "", *_cells(steps[0]), ""]
    for step, (event, chances) in enumerate(zip(deal.log, steps[1:], strict=True), 1):
        assert event.seat is not None
        fall = f"falls by {100 * falls[step]:.0f}" if step in falls else ""
        action = event.action.text(event.cards)
        yield [str(event.seat), names[event.seat], action, *_cells(chances), fall]


def _cells(chances: Chances) -> list[str]:
    return [f"{100 * chance:3.0f}" for chance in chances.by_seat]
