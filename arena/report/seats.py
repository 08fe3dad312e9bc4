"""What each seat was worth."""

from collections.abc import Mapping
from typing import Any, Final

from arena.rating import MeanEstimate
from arena.report.column_docs import ColumnDoc
from arena.report.table_formats import NO_ERROR, Report, Sheet, hundredths
from arena.tournament.review.seat_effects import SeatMeans
from arena.tournament.storage.tally import Game

SEATS: Final = {
    "seat": ColumnDoc(
        "1 is the eldest in the first deal of a match, the last is its dealer.",
        "places from the first dealer's left, in the direction of play",
        "the seat less that of the first dealer, counted round the table",
        "It is not the number of the seat; and who deals goes round after the first deal.",
    ),
    "placing": ColumnDoc(
        "Place at the end of a match in the mean, of all bots in this seat, with its 95 % interval.",
        "places, 1 being the best",
        "sum of places / matches; ± Student's t at 97.5 % · the error of a ratio of two sums over blocks",
        """In a block each bot has each seat once: what a seat is worth falls on all alike, and on no
        rating.""",
    ),
    "payoff": ColumnDoc(
        "What was won or lost in this seat in a match in the mean, with its 95 % interval.",
        "what the game settles in: tokens, chips or points",
        "sum of payoffs / matches; ± as with placing",
        "It is that of these bots: others may make more or less of the seat.",
    ),
    "control placing": ColumnDoc(
        "The same where one bot has all seats: what the seat alone is worth.",
        "places, 1 being the best",
        "as placing, over the blocks of the control",
        "Another bot in all seats may give other numbers; no stronger or weaker one is in these.",
    ),
    "control payoff": ColumnDoc(
        "The payoff where one bot has all seats.",
        "what the game settles in: tokens, chips or points",
        "as payoff, over the blocks of the control",
        "Another bot in all seats may give other numbers; no stronger or weaker one is in these.",
    ),
}
FIELDS = ("variant", "players", "seat", "bots", "placing", "error", "payoff", "payoff_error", "blocks")


def seats(of_run: Mapping[Game, SeatMeans], of_control: Mapping[Game, tuple[str, SeatMeans]]) -> Report:
    """Placing and payoff by seat, and those of a control run of one bot against itself, if there is any."""
    sheets, records = [], []
    for game, means in of_run.items():
        variant, players = game
        bot, alike = of_control.get(game, ("", None))
        columns = list(SEATS)[: 5 if alike else 3]
        rows = [[str(seat), *_cells(*own)] for seat, own in enumerate(means.means(), 1)]
        records += [(*game, *record) for record in _records("all", means)]
        if alike:
            for row, own in zip(rows, alike.means(), strict=True):
                row += _cells(*own)
            records += [(*game, *record) for record in _records(bot, alike)]
        notes = [f"Control: {bot} in every seat."] if alike else []
        shown = [means, *([alike] if alike else [])]
        if any(mean.error is None for of in shown for both in of.means() for mean in both):
            notes.append(NO_ERROR)
        sheets.append(Sheet(f"{variant}, {players} players", columns, rows, 0, notes))
    return Report(sheets, FIELDS, records, SEATS)


def _cells(placing: MeanEstimate, payoff: MeanEstimate) -> list[str]:
    return [hundredths(placing.value, placing.error), hundredths(payoff.value, payoff.error)]


def _records(bots: str, means: SeatMeans) -> list[tuple[Any, ...]]:
    return [
        (seat, bots, placing.value, placing.error, payoff.value, payoff.error, placing.blocks)
        for seat, (placing, payoff) in enumerate(means.means(), 1)
    ]
