"""What pairs of bots did to each other, beyond what their ratings say."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from arena.rating import CONFIDENCE, Fit, PairSums, fit_elo, influences, pair_meetings, pair_residuals
from arena.report.sheets import NO_ERROR, Report, Sheet, hundredths, percent
from arena.report.words import counted
from arena.tournament.tally import Game, Tally

EXCEPTION: Final = 1 - CONFIDENCE
"""Chance, over all that was looked at, below which something is worth a line."""

MATRIX: Final = {
    "bot": "By Elo, the highest first; the columns are the same bots.",
    "score": """In percent, what the bot of the row took from that of the column at the tables they shared,
    ties a half, with its 95 % interval from the differences between blocks. At tables of more than two it
    hangs on who else sat there.""",
}
CYCLES: Final = {
    "bot": "It did better against the other than their ratings let expect.",
    "other": "And this one worse.",
    "blocks": "Deal seeds at which both sat.",
    "score": "In percent, what the bot took from the other.",
    "expected": "What it should have taken by their ratings.",
    "z": "The difference in standard errors, from the differences between blocks.",
    "p": """Chance of one such pair or more among all that met, were strength all there is (Holm). Where three
    or more sit at a table it need not be the two themselves: a third one may be behind it.""",
}
THIRD: Final = {
    "bot": "Its score against all but the third is looked at.",
    "third": "Who sits at the table, or does not.",
    "with": "Blocks with the third.",
    "without": "Blocks without it.",
    "shift": """In percent, how much more of the points against the others the bot takes with the third there
    than without it, each time beyond what all their ratings let expect; with its 95 % interval.""",
    "p": """Chance of one such shift or more among all that were looked at, if no third mattered (Holm). It
    does not say why.""",
}


Record = tuple[Any, ...]


def matrix(tallies: Mapping[Game, Tally]) -> Report:
    """Each bot against each other."""
    return _report(tallies, _matrix, ("bot", "other", "blocks", "score", "error"), MATRIX)


def cycles(tallies: Mapping[Game, Tally]) -> Report:
    """Pairs whose results no order of strength explains; for programs, all pairs."""
    return _report(tallies, _cycles, tuple(CYCLES), CYCLES)


def third_parties(tallies: Mapping[Game, Tally]) -> Report:
    """Bots whose results move when a certain third one sits at the table; for programs, all of them."""
    fields = ("bot", "third", "with", "without", "shift", "error", "p")
    return _report(tallies, _third_parties, fields, THIRD)


def _report(
    tallies: Mapping[Game, Tally],
    of_game: Callable[[PairSums, Fit], tuple[Sheet, list[Record]]],
    fields: tuple[str, ...],
    meanings: Mapping[str, str],
) -> Report:
    sheets, records = [], []
    for (variant, players), tally in tallies.items():
        sums = tally.sums()
        sheet, own = of_game(sums, fit_elo(sums))
        sheets.append(sheet._replace(title=f"{variant}, {players} players"))
        records += [(variant, players, *record) for record in own]
    return Report(sheets, ("variant", "players", *fields), records, meanings)


def _matrix(sums: PairSums, fit: Fit) -> tuple[Sheet, list[Record]]:
    met = {(one.bot, one.other): one for one in pair_meetings(sums)}
    pairs = [[met.get((bot, other)) for other in fit.ranking] for bot in fit.ranking]
    names = [fit.bots[bot] for bot in fit.ranking]
    rows = [
        [name, *(percent(one.score, one.error) if one else "" for one in own)]
        for name, own in zip(names, pairs, strict=True)
    ]
    records = [
        (fit.bots[one.bot], fit.bots[one.other], one.blocks, one.score, one.error)
        for own in pairs
        for one in own
        if one
    ]
    lacking = any(one and one.error is None for own in pairs for one in own)
    return Sheet("", ["bot", *names], rows, notes=[NO_ERROR] if lacking else []), records


def _cycles(sums: PairSums, fit: Fit) -> tuple[Sheet, list[Record]]:
    found = pair_residuals(sums, fit)
    records: list[Record] = [
        (fit.bots[one.bot], fit.bots[one.other], one.blocks, one.score, one.expected, one.z, one.p)
        for one in found
    ]
    rows = [
        [bot, other, f"{blocks:,}", percent(score), percent(expected), hundredths(z), f"{p:.3f}"]
        for bot, other, blocks, score, expected, z, p in records
        if p < EXCEPTION
    ]
    note = f"{counted(len(found), 'pairs')} looked at; {_said(len(rows))}."
    return Sheet("", list(CYCLES), rows, 2, [note]), records


def _third_parties(sums: PairSums, fit: Fit) -> tuple[Sheet, list[Record]]:
    found = influences(sums, fit)
    rows = [
        [
            fit.bots[one.bot],
            fit.bots[one.third],
            f"{one.blocks_with:,}",
            f"{one.blocks_without:,}",
            percent(one.shift, one.error),
            f"{one.p:.3f}",
        ]
        for one in found
        if one.p < EXCEPTION
    ]
    records: list[Record] = [
        (
            fit.bots[one.bot],
            fit.bots[one.third],
            one.blocks_with,
            one.blocks_without,
            one.shift,
            one.error,
            one.p,
        )
        for one in found
    ]
    note = f"{counted(len(found), 'pairs')} of a bot and a third looked at; {_said(len(rows))}."
    if not found:
        note = (
            "No bot has six blocks both with some third bot at its table and without it: nothing to compare."
        )
    return Sheet("", list(THIRD), rows, 2, [note]), records


def _said(exceptions: int) -> str:
    return "none of them stands out" if not exceptions else "those that stand out are above"
