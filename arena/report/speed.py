"""The table of speeds."""

from collections.abc import Sequence
from itertools import groupby

from tabulate import tabulate

from arena.tournament.speed import Speed

COLUMNS = ("/s", "with records", "in blocks")
MEANING = """\
Decisions a second of CPU time on one core, the same bot in every seat: through the referee, with views,
legality and the match's actions kept. Beside it, how much of that is left when the full text record of
each match is written too, and when matches are played in blocks as a worker plays them.
– the bot cannot play this game."""


def speed_table(speeds: Sequence[Speed]) -> str:
    """The speeds, one row a variant, its bots side by side; and what was measured."""
    headers = ["variant", "players"]
    for bot in dict.fromkeys(speed.bot for speed in speeds):
        headers += [f"{bot}{column}" if column == "/s" else column for column in COLUMNS]
    cells = []
    for (variant, players), own in groupby(speeds, key=lambda speed: (speed.variant, speed.players)):
        cells.append([variant, str(players), *(cell for speed in own for cell in _cells(speed))])
    sides = ["left", *["right"] * (len(headers) - 1)]
    return f"{tabulate(cells, headers, colalign=sides, disable_numparse=True)}\n\n{MEANING}"


def _cells(speed: Speed) -> list[str]:
    if not speed.referee:
        return ["–", "", ""]
    shares = (speed.records / speed.referee, speed.blocks / speed.referee)
    return [f"{speed.referee:,.0f}", *(f"{share:.0%}" for share in shares)]
