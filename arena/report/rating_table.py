"""The table of ratings, for people and for programs, and what its columns mean."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby, pairwise
from typing import Any, Final

import msgspec
from tabulate import tabulate

from arena.errors import ConfigError, suggest_nearest
from arena.rating import MIN_BLOCKS
from arena.report.column_docs import ColumnDoc, explain_columns
from arena.report.table_formats import NONE, Format
from arena.tournament.files.export import Row, elo_md, table_csv

COLUMNS: Final = {
    "rank": ColumnDoc(
        "1 is the highest Elo. None for a bot without a match.",
        "place in this table",
        "bots by Elo, the highest first; equals by name",
        "That one stands above another does not say that it is surely the stronger: los does.",
    ),
    "bot": ColumnDoc(
        "The contestant.",
        "a name",
        "as the config names it",
        "A name is no program: the same bot under two names is rated twice.",
    ),
    "elo": ColumnDoc(
        """Strength: who is 100 above another leaves it behind in 64 of 100 meetings, 200 above in 76. In the
        overall the mean over the games and table sizes.""",
        "Elo; 400 more are odds of ten to one",
        """1500 + 400 / ln 10 · (θ - mean θ), the θ being those of which 1 / (1 + exp(θ of the other - own θ))
        explains best what each took in all pairs of seats of all matches (Bradley-Terry; a tie a half, a pair
        weighs 1 / (players - 1), one virtual draw a bot)""",
        """It is about the bots of this game and table size, whose mean is 1500: numbers of different games or
        fields do not compare, and it is not how often a match is won.""",
    ),
    "±": ColumnDoc(
        """How far off the Elo may be: Elo ± this holds the true value in 95 of 100 such tournaments.""",
        "Elo, half the width of the interval",
        """t · √variance about the mean of the bots; t is Student's at 97.5 % with blocks - 1 degrees of
        freedom, the variance that of what blocks scored beyond expectation (sandwich; matches on the same
        cards are one observation). In the overall t · √(sum of variances) / games""",
        """It is not the error of a difference: two bots whose intervals touch may still be told apart, and it
        knows nothing of bots or games that were not played.""",
    ),
    "los": ColumnDoc(
        "Likelihood of superiority: how sure it is that the bot is stronger than the next below.",
        "percent; 50 is not at all",
        """Student's t distribution at (its Elo - that of the next) / the standard error of that difference,
        with one degree of freedom less than the fewer of their blocks""",
        """It does not say by how much, nor anything of bots further down; and read again and again while a
        run is played, it will be high by chance at some time.""",
    ),
    "matches": ColumnDoc(
        "Matches it sat in.",
        "matches",
        "each match once, also where it held several seats",
        "Those of a block share their cards, so they are not so many independent observations.",
    ),
    "blocks": ColumnDoc(
        "Deal seeds it played, each in all seatings of its table: the independent observations.",
        "blocks",
        "each deal seed at each table once",
        "Twice as many do not halve ±: four times as many do.",
    ),
    "score": ColumnDoc(
        "Opponents it left behind, of all it met; 50 is the mean where all met alike.",
        "percent",
        """100 · (better places + ties / 2) / pairs of its seats with those of other bots. In the overall the
        mean over the games""",
        """It is not the share of matches won, and it hangs on whom the bot met, which Elo allows for.""",
    ),
    "payoff": ColumnDoc(
        "What it won or lost in a match in the mean, and the half width of the 95 % interval.",
        "what the game settles in: tokens, chips or points, for a seat of a match",
        """sum of its payoffs / seats it held; ± Student's t at 97.5 % · the error of a ratio of two sums over
        blocks""",
        """It is no part of any rating, and payoffs of different games do not compare, so the overall has
        none.""",
    ),
    "placing": ColumnDoc(
        "Its place at the end of a match in the mean, 1 being the best.",
        "places, 1 to the players of the table",
        "sum of its places / seats it held; those that tie share the better place",
        """As ties share the better place the mean of all is not (players + 1) / 2, and at tables of other
        sizes it means something else.""",
    ),
    "faults": ColumnDoc(
        "Failures in all matches, for each of which the quiet action was played.",
        "faults",
        "illegal, invalid, timeout, crash, oversize and no-start, added up",
        "None does not mean that it plays well; and what a failure cost is in its places, not here.",
    ),
}
NO_PAYOFF_ERROR: Final = "payoff without ±: it was the same in every block."
CSV: Final = """csv, md and json have error for ±, and payoff_error; csv and json a column mark besides:
> where elo is the least it can be, < where it is the most."""
OVERALL = "overall is the mean of a bot's Elo over the games and table sizes above, each counting the same."
MARKS: Final = {
    ">": "> a perfect score: at least so strong. No error bar is honest there, and none is given.",
    "<": "< not a point won: at most so strong. No error bar is honest there, and none is given.",
    NONE: f"{NONE} no error bar is honest: fewer than {MIN_BLOCKS} blocks, or results that never differ.",
}
OVERALL_GROUPS: Final = (
    f"{NONE} in the overall: so at one of the games, or groups of bots that do not compare there."
)
NO_LOS: Final = f"{NONE} under los: between the two nothing was seen to vary, or they do not compare."


def of_variant(rows: Sequence[Row], name: str) -> list[Row]:
    """The rows of one game, named with its options (`lives(tokens=5)`) or without.

    Raises: ConfigError, if the run has none.
    """
    known = {row.variant for row in rows}
    return [row for row in rows if row.variant in named(known, name)]


def named(variants: Collection[str], name: str) -> set[str]:
    """The variants of that name, with options or without.

    Raises: ConfigError, if there is none.
    """
    found = {variant for variant in variants if name in (variant, variant.partition("(")[0])}
    if not found:
        raise ConfigError(f"this run has no {name!r}; {suggest_nearest(name, variants)}")
    return found


def elo_table(rows: Sequence[Row], style: Format = "plain", notes: Sequence[str] = ()) -> str:
    """The ratings in one of the formats, without a line's end at the end; notes go with the plain one."""
    if style == "plain":
        return "\n\n".join([_plain(rows), *notes])
    styles: dict[Format, Callable[[Sequence[Row]], str]] = {
        "md": elo_md,
        "csv": table_csv,
        "json": _json,
    }
    return styles[style](rows).removesuffix("\n")


def explanation() -> str:
    """What every column is, its unit, its formula, and what it does not mean."""
    return f"{explain_columns(COLUMNS)}\n\n{OVERALL}\n{CSV}"


def _plain(rows: Sequence[Row]) -> str:
    if not rows:
        return "Nothing has been played yet."
    tables = [_section(list(own)) for _, own in groupby(rows, key=lambda row: (row.variant, row.players))]
    return "\n\n".join([*tables, *legend(rows)])


def _section(rows: Sequence[Row]) -> str:
    first = rows[0]
    title = f"{first.variant}, {first.players} players" if first.players else first.variant
    sides = ["left" if column == "bot" else "right" for column in COLUMNS]
    table = tabulate(section_cells(rows), list(COLUMNS), colalign=sides, disable_numparse=True)
    return f"{title}\n\n{table}"


def section_cells(rows: Sequence[Row]) -> list[list[str]]:
    """The rows of one game and size, or of all, as people read them."""
    ranked = [row for row in rows if row.rank]
    return [_cells(row, has_next=bool(row.rank) and row is not ranked[-1]) for row in rows]


def _cells(row: Row, *, has_next: bool) -> list[str]:
    of_game = row.players is not None  # overall, tokens and chips would be mixed
    payoff = "" if row.payoff is None else f"{row.payoff:+z.2f}"
    payoff += "" if row.payoff_error is None else f" ± {row.payoff_error:.2f}"
    return [
        NONE if row.rank is None else str(row.rank),
        row.bot,
        row.mark + _number(row.elo, "z.1f"),
        _number(row.error, ".1f"),
        _number(row.los, ".1%") if has_next and of_game else "",
        f"{row.matches:,}",
        f"{row.blocks:,}",
        _number(row.score, ".1%"),
        payoff if of_game else "",
        "" if row.placing is None else f"{row.placing:.2f}",
        f"{row.faults:,}",
    ]


def _number(value: float | None, form: str) -> str:
    return NONE if value is None else format(value, form)


def legend(rows: Iterable[Row]) -> list[str]:
    """A sentence for each reason why a row has no error bar, or no LOS though it has one."""
    rows = list(rows)
    missing = {row.mark or NONE for row in rows if row.error is None}
    lines = [sentence for mark, sentence in MARKS.items() if mark in missing]
    if any(not row.players and row.elo is not None and row.error is None and not row.mark for row in rows):
        lines.append(OVERALL_GROUPS)
    if any(row.players and row.error is not None and row.payoff_error is None for row in rows):
        lines.append(NO_PAYOFF_ERROR)
    if any(_lacks_los(*two) for two in pairwise(rows)):
        lines.append(NO_LOS)
    return ["\n".join(lines)] if lines else []


def _lacks_los(row: Row, following: Row) -> bool:
    """Whether two neighbours have error bars, and yet no LOS can be given."""
    same = row.players is not None and (row.variant, row.players) == (following.variant, following.players)
    return same and row.los is None and None not in (row.error, following.error)


def _json(rows: Sequence[Row]) -> str:
    return msgspec.json.encode([_fields(row) for row in rows]).decode()


def _fields(row: Row) -> dict[str, Any]:
    """The values as the other formats print them, in the same units."""
    return {
        "variant": row.variant,
        "players": row.players,
        "rank": row.rank,
        "bot": row.bot,
        "elo": _rounded(row.elo),
        "error": _rounded(row.error),
        "mark": row.mark,
        "matches": row.matches,
        "blocks": row.blocks,
        "score": _rounded(row.score, 100),
        "payoff": _rounded(row.payoff, digits=2),
        "faults": row.faults,
        "los": _rounded(row.los, 100),
        "placing": _rounded(row.placing, digits=2),
        "payoff_error": _rounded(row.payoff_error, digits=2),
    }


def _rounded(value: float | None, scale: float = 1, digits: int = 1) -> float | None:
    return None if value is None else round(scale * value, digits) + 0.0  # never minus nought
