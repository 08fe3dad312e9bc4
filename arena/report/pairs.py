"""What pairs of bots did to each other, beyond what their ratings say."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from arena.rating import (
    CONFIDENCE,
    Fit,
    PairCounts,
    compute_pair_residuals,
    compute_pair_scores,
    estimate_third_party_effects,
    fit_elo,
)
from arena.report.column_docs import ColumnDoc, ColumnDocs
from arena.report.table_formats import NO_ERROR, Report, Sheet, hundredths, percent
from arena.report.text_format import format_count
from arena.tournament.storage.tally import Game, Tally

EXCEPTION: Final = 1 - CONFIDENCE
"""Chance, over all that was looked at, below which something is worth a line."""

BLOCKS: Final = ColumnDoc(
    "Deal seeds at which both sat.",
    "blocks",
    "each deal seed at each of their tables once",
    "Twice as many do not halve an error: four times as many do.",
)
SCORE: Final = ColumnDoc(
    "What the bot took from the other at the tables they shared, with its 95 % interval.",
    "percent",
    """100 · (better places + ties / 2) / pairs of their seats; ± Student's t at 97.5 % · the error of a
    ratio of two sums over blocks""",
    "At tables of more than two it hangs on who else sat there; it is no rating and knows no third bot.",
)
MATRIX: Final = {
    "bot": ColumnDoc(
        "The bot of the row; the columns are the same bots.",
        "a name",
        "by Elo, the highest first",
        "That one stands above another does not say that it took more of their points.",
    ),
    "other": ColumnDoc(
        "The bot of the column.",
        "a name",
        "in the same order",
        "A cell is what the row took from the column, not the other way round.",
    ),
    "blocks": BLOCKS,
    "score": SCORE,
}
CYCLES: Final = {
    "bot": ColumnDoc(
        "It did better against the other than their ratings let expect.",
        "a name",
        "of the two the one with points beyond expectation",
        "It need not be the stronger, nor have taken more than half.",
    ),
    "other": ColumnDoc(
        "And this one worse.",
        "a name",
        "the other of the two",
        "Against others it may be better than its rating.",
    ),
    "blocks": BLOCKS,
    "score": ColumnDoc(
        "What the bot took from the other.",
        "percent",
        "expected + 100 · points beyond expectation / pairs of their seats",
        "At tables of more than two it hangs on who else sat there.",
    ),
    "expected": ColumnDoc(
        "What it should have taken by their ratings.",
        "percent",
        "100 / (1 + 10^((Elo of the other - own Elo) / 400))",
        "The ratings are from the same matches, so they lean a little towards what was scored.",
    ),
    "z": ColumnDoc(
        "How far score is from what was expected.",
        "standard errors",
        """Σ e / √Σ e², e being a block's points beyond expectation; where the weaker should take fewer than
        ten points in all, the variance is at least that of independent games""",
        "A large one is no large difference: it grows with the blocks.",
    ),
    "p": ColumnDoc(
        "Chance of one such pair or more among all that met, were strength all there is.",
        "chance, 0 to 1",
        "both tails of the normal distribution beyond z, corrected for the number of pairs (Holm)",
        """Where three or more sit at a table it need not be the two themselves: a third one may be behind
        it. A large one does not show that there is no cycle.""",
    ),
}
THIRD: Final = {
    "bot": ColumnDoc(
        "Its score against all but the third is looked at.",
        "a name",
        "each bot that has six blocks both with the third and without",
        "What the third takes from it, or gives it, does not count here.",
    ),
    "third": ColumnDoc(
        "Who sits at the table, or does not.",
        "a name",
        "each other bot",
        "It need not do anything on purpose.",
    ),
    "with": ColumnDoc(
        "Blocks of the bot with the third at its table.",
        "blocks",
        "each deal seed at each such table once",
        "The others at those tables are not the same as at those without.",
    ),
    "without": ColumnDoc(
        "Blocks of the bot without the third.",
        "blocks",
        "its other blocks",
        "The others at those tables are not the same as at those with.",
    ),
    "shift": ColumnDoc(
        """How much more of the points against the others the bot takes with the third there than without it,
        with its 95 % interval.""",
        "percent of a point a game",
        """mean of points beyond what all their ratings let expect, with the third less without; ± Student's
        t at 97.5 % · the standard error of that difference (Welch)""",
        "A third that is merely strong or weak moves nothing here: ratings allow for that.",
    ),
    "p": ColumnDoc(
        "Chance of one such shift or more among all that were looked at, if no third mattered.",
        "chance, 0 to 1",
        """both tails of Student's t beyond shift / its standard error (Welch), corrected for their number
        (Holm)""",
        "It does not say why; and a large one does not show that no third matters.",
    ),
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
    of_game: Callable[[PairCounts, Fit], tuple[Sheet, list[Record]]],
    fields: tuple[str, ...],
    docs: ColumnDocs,
) -> Report:
    sheets, records = [], []
    for (variant, players), tally in tallies.items():
        sums = tally.sums()
        sheet, own = of_game(sums, fit_elo(sums))
        sheets.append(sheet._replace(title=f"{variant}, {players} players"))
        records += [(variant, players, *record) for record in own]
    return Report(sheets, ("variant", "players", *fields), records, docs)


def _matrix(sums: PairCounts, fit: Fit) -> tuple[Sheet, list[Record]]:
    met = {(one.bot, one.other): one for one in compute_pair_scores(sums)}
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


def _cycles(sums: PairCounts, fit: Fit) -> tuple[Sheet, list[Record]]:
    found = compute_pair_residuals(sums, fit)
    records: list[Record] = [
        (fit.bots[one.bot], fit.bots[one.other], one.blocks, one.score, one.expected, one.z, one.p)
        for one in found
    ]
    rows = [
        [bot, other, f"{blocks:,}", percent(score), percent(expected), hundredths(z), f"{p:.3f}"]
        for bot, other, blocks, score, expected, z, p in records
        if p < EXCEPTION
    ]
    note = f"{format_count(len(found), 'pairs')} looked at; {_said(len(rows))}."
    return Sheet("", list(CYCLES), rows, 2, [note]), records


def _third_parties(sums: PairCounts, fit: Fit) -> tuple[Sheet, list[Record]]:
    found = estimate_third_party_effects(sums, fit)
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
    note = f"{format_count(len(found), 'pairs')} of a bot and a third looked at; {_said(len(rows))}."
    if not found:
        note = (
            "No bot has six blocks both with some third bot at its table and without it: nothing to compare."
        )
    return Sheet("", list(THIRD), rows, 2, [note]), records


def _said(exceptions: int) -> str:
    return "none of them stands out" if not exceptions else "those that stand out are above"
