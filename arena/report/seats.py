"""What each seat was worth."""

from collections.abc import Mapping
from typing import Any, Final

from arena.rating import Mean
from arena.report.sheets import NO_ERROR, Report, Sheet, hundredths
from arena.tournament.seating import SeatMeans
from arena.tournament.tally import Game

SEATS: Final = {
    "seat": """Counted from the first dealer's left: 1 is the eldest in the first deal of a match, the last is
    its dealer. Who deals goes round after that.""",
    "placing": """Mean place at the end of a match, 1 being the best, of all bots in this seat, with its 95 %
    interval from the differences between blocks. In a block each bot has each seat once: what a seat is
    worth falls on all alike, and on no rating.""",
    "payoff": "Mean payoff of a match, in what the game settles in, in the same way.",
    "control placing": """The same where one bot has all seats: what the seat alone is worth, with nobody
    stronger or weaker in it.""",
    "control payoff": "In the same way.",
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


def _cells(placing: Mean, payoff: Mean) -> list[str]:
    return [hundredths(placing.value, placing.error), hundredths(payoff.value, payoff.error)]


def _records(bots: str, means: SeatMeans) -> list[tuple[Any, ...]]:
    return [
        (seat, bots, placing.value, placing.error, payoff.value, payoff.error, placing.blocks)
        for seat, (placing, payoff) in enumerate(means.means(), 1)
    ]
