"""The table of ratings: its rows, its columns, and the formats for programs."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from arena.columns.column import Column, ColumnDoc, Columns, field_names, records
from arena.columns.kinds import DECIMAL, NAME
from arena.columns.number_format import MISSING, format_number, percent_text
from arena.columns.table_formats import csv_text, markdown
from arena.rating import format_los
from arena.tournament.results.rating_rows import RatingRow as RatingRow


def _los_text(row: RatingRow) -> str:
    if not row.has_next:
        return ""
    return MISSING if row.los is None else format_los(row.los / 100)


def elo_text(row: RatingRow, elo: float | None) -> str:
    """Return an Elo of a row as people read it, or in its place the bound with its mark."""
    return row.text_bound + format_number(row.text_elo if row.has_bound else elo, "z.1f")


def _never_certain(percent: float | None) -> float | None:
    """Return a probability in percent that does not round to 0 or 100, which it never is."""
    return None if percent is None else min(max(percent, LEAST_PERCENT), 100 - LEAST_PERCENT)


def _luck_error_text(row: RatingRow) -> str:
    bar = None if row.luck_error is None or row.has_bound else row.comparison_error
    return format_number(bar / row.luck_ratio**0.5 if bar and row.luck_ratio else bar, ".1f")


def _payoff_text(row: RatingRow) -> str:
    if row.payoff is None or row.players is None:
        return ""
    return f"{row.payoff:+z.2f}" + ("" if (error := _payoff_error(row)) is None else f" ± {error:.2f}")


def _payoff_error(row: RatingRow) -> float | None:
    """Return the error of the payoff; None where it would have to hold at all numbers of blocks."""
    return None if row.is_anytime else row.payoff_error


LEAST_PERCENT: Final = 0.1
"""Least probability in tables for programs, which have one decimal."""
COLUMNS: Final[tuple[Column[RatingRow], ...]] = (
    Column("variant", value=lambda row: row.variant),
    Column("players", value=lambda row: row.players),
    Column(
        "rank",
        ColumnDoc(
            """Place by Elo, the highest first; `1–2` where the blocks played do not show the order: all
            places that the bot may have. None for a bot that met no other.""",
            formula="""from 1 + bots shown to be better to bots - those shown to be worse; an order is shown
            if the interval of their difference excludes 0, where those of all pairs hold together in 95 % of
            cases (Student's t, Holm's method)""",
            warning="csv and json have the place by Elo here, and the others as rank_low and rank_high.",
        ),
        value=lambda row: row.rank,
        text=lambda row: row.text_rank or MISSING,
    ),
    Column(
        "bot",
        ColumnDoc(
            "Name of the bot in the config; `disqualified` and `withdrawn` bots stand below the ranking."
        ),
        value=lambda row: row.bot,
        kind=NAME,
        text=lambda row: row.text_name,
    ),
    Column(
        "elo",
        ColumnDoc(
            """Strength: a bot rated 100 higher scores 64 % against the other, 200 higher 76 %: finishing
            ahead counts one, a tie a half.
            Overall: the mean over games and table sizes, each with the same standard deviation.""",
            "Elo; 400 more are odds of ten to one",
            """1500 + 400 / ln 10 · (θ - mean θ); the θ are the Bradley-Terry strengths, 1 / (1 + exp(θ of
            the other - own θ)), that best explain the points of all pairs of seats of all matches (a tie
            is half a point, a pair weighs 1 / (players - 1), one virtual draw a bot)""",
            """Relative to the bots of this game and table size; those without a bound have the mean
            1500. Ratings of different games or fields do not compare. `<` and `>` stand before a bound,
            for a bot that took hardly a point or lost hardly one: csv and json have the estimate here, and
            that bound as elo_bound.""",
        ),
        value=lambda row: row.elo,
        text=lambda row: elo_text(row, row.elo),
        digits=1,
    ),
    Column(
        "±",
        ColumnDoc(
            """Length of a bar for comparing: two bots are separated at 95 % if their Elo ± do not overlap. It
            is comparison_error in csv and json; error is about the mean.""",
            "Elo",
            """Of two bots whose distance is about the half width of its 95 % interval (Student's t), the bars
            add up to about that half width: least squared logarithms over all pairs, which weigh less the
            further their distance is from it (after Goldstein and Healy 1995). Of a pair that would still
            mislead, both are made longer or shorter""",
            """Not an interval of one Elo. Where no lengths suit all pairs, the bars of a few bots that are
            separated overlap: see rank and los. Of a run that was extended with its results in view, and with
            --anytime, it holds at all numbers of blocks together.""",
        ),
        value=lambda row: row.error,
        text=lambda row: format_number(None if row.has_bound else row.comparison_error, ".1f"),
        field="error",
        digits=1,
    ),
    Column(
        "los",
        ColumnDoc(
            """Likelihood of superiority over the next one below: one minus the one-sided p-value of the
            hypothesis that the bot is not the stronger one.""",
            "percent; 50 is undecided, 97.5 has 0 at the end of the 95 % interval",
            """Student's t distribution at (its Elo - that of the next) / the standard error of that
            difference, with one degree of freedom less than the fewer of their blocks; overall the mean of
            the differences, with Welch-Satterthwaite degrees of freedom""",
            "Checked repeatedly during a run, it will be high by chance at some point.",
        ),
        value=lambda row: _never_certain(row.los),
        text=_los_text,
        digits=1,
        is_extra=True,
    ),
    Column(
        "matches",
        ColumnDoc("Matches played; one in which it held several seats counts once."),
        value=lambda row: row.matches,
    ),
    Column(
        "blocks",
        ColumnDoc(
            """Blocks played: the independent observations. A block is one deal seed in all seatings of a
            table.""",
            warning="Halving ± takes four times as many.",
        ),
        value=lambda row: row.blocks,
    ),
    Column(
        "score",
        ColumnDoc(
            "Share of opponents left behind, in all matches.",
            "percent",
            """100 · (better places + ties / 2) / pairs of its seats with those of other bots. Overall:
            the mean over games and table sizes""",
            "Not the share of matches won, and it depends on the opponents met; Elo accounts for them.",
        ),
        value=lambda row: row.score,
        text=lambda row: percent_text(row.score),
        digits=1,
    ),
    Column(
        "payoff",
        ColumnDoc(
            "Mean payoff of a seat in a match, with the half width of its 95 % interval.",
            "tokens, chips or points, whichever the game settles in",
            """sum of its payoffs / seats held; ± Student's t at 97.5 % · the standard error of a ratio of two
            sums over blocks""",
            "No part of any rating. Payoffs of different games do not compare, so the overall has none.",
        ),
        value=lambda row: row.payoff,
        text=_payoff_text,
        digits=2,
    ),
    Column(
        "placing",
        ColumnDoc(
            "Mean placing at the end of a match; 1 is best, ties share the better one.",
            formula="sum of its placings / seats held",
            warning="As ties share the better placing, the mean over all bots is below (players + 1) / 2.",
        ),
        value=lambda row: row.placing,
        kind=DECIMAL,
        missing="",
        digits=2,
        is_extra=True,
    ),
    Column("payoff_error", value=_payoff_error, digits=2, is_extra=True),
    Column(
        "faults",
        ColumnDoc(
            """Failures in all matches (illegal, invalid, timeout, crash, oversize, no-start); after each
            the arena played the safest action."""
        ),
        value=lambda row: row.faults,
    ),
    Column("mark", value=lambda row: row.data_mark),
    Column("rank_low", value=lambda row: row.rank_low),
    Column("rank_high", value=lambda row: row.rank_high),
    Column("comparison_error", value=lambda row: row.comparison_error, digits=1),
    Column("shrunken_elo", value=lambda row: row.shrunken_elo, digits=1),
    Column("elo_bound", value=lambda row: row.elo_bound, digits=1),
    Column("match_chance", value=lambda row: _never_certain(row.match_chance), digits=1, is_extra=True),
    Column("rerun_chance", value=lambda row: _never_certain(row.rerun_chance), digits=1, is_extra=True),
)
LUCK_COLUMNS: Final[tuple[Column[RatingRow], ...]] = (
    Column(
        "luck elo",
        ColumnDoc(
            "The Elo, adjusted for luck: less what the cards were worth to the bot.",
            "Elo",
            """elo - Σ β ξ over blocks; ξ is the control of the block: what its cards, played by a fixed
            baseline in all seats, were worth above their mean, which is zero whatever the bots do""",
            """An estimate of the same strength as elo: choose between the two before you look. The rank is
            by elo.""",
        ),
        value=lambda row: row.luck_elo,
        text=lambda row: elo_text(row, row.luck_elo),
        field="luck_elo",
        digits=1,
    ),
    Column(
        "luck ±",
        ColumnDoc(
            "Half width of a bar for comparing adjusted Elo, as ± is for the plain one.",
            "Elo",
            "± / √(luck ratio)",
        ),
        value=lambda row: row.luck_error,
        text=_luck_error_text,
        field="luck_error",
        digits=1,
    ),
    Column(
        "luck ratio",
        ColumnDoc(
            """Variance of the Elo over that of the adjusted one: how many times as many blocks would give the
            same ± without the adjustment.""",
            warning="An estimate: below 1 by chance where the control explains little, or blocks are few.",
        ),
        value=lambda row: row.luck_ratio,
        kind=DECIMAL,
        field="luck_ratio",
        digits=2,
    ),
)
"""Columns of ratings adjusted for luck, after the ± of the plain ones."""
ELO_COLUMNS: Final = tuple(column for column in COLUMNS if column.value and not column.is_extra)
"""Columns of `elo.csv`, in its order."""
ALL_FIELDS: Final = ELO_COLUMNS + tuple(column for column in COLUMNS if column.value and column.is_extra)
MD_MARKED: Final = frozenset(("elo", "luck_elo"))
LABEL: Final = Column[RatingRow]("label", value=lambda row: row.short_name)
"""Short name of a bot that is named by a path; the last column, where there is such a bot."""
LEFT: Final = frozenset({"variant", "bot"})


def has_luck(rows: Iterable[RatingRow]) -> bool:
    """Return whether any row is adjusted for luck."""
    return any(row.is_adjusted for row in rows)


def text_columns(*, adjusted: bool) -> Columns[RatingRow]:
    """Return the columns for people, with those of ratings adjusted for luck or without."""
    after = next(place for place, column in enumerate(COLUMNS, 1) if column.name == "±")
    return (*COLUMNS[:after], *LUCK_COLUMNS, *COLUMNS[after:]) if adjusted else COLUMNS


def _all_fields(rows: Sequence[RatingRow]) -> Columns[RatingRow]:
    return (*ALL_FIELDS, *(LUCK_COLUMNS if has_luck(rows) else ()), *_label_columns(rows))


def _label_columns(rows: Iterable[RatingRow]) -> Columns[RatingRow]:
    """Return the column of the short names, if there are any."""
    return (LABEL,) if any(row.label not in ("", row.bot) for row in rows) else ()


def elo_csv(rows: Sequence[RatingRow]) -> str:
    """Return the ratings as `elo.csv`; where Elo is a bound there is no error, and the score is 100 or 0."""
    return _csv((*ELO_COLUMNS, *_label_columns(rows)), rows)


def table_csv(rows: Sequence[RatingRow]) -> str:
    """Return `elo.csv` with the extra columns after its own."""
    return _csv(_all_fields(rows), rows)


def elo_md(rows: Sequence[RatingRow]) -> str:
    """Return the ratings as Markdown; bounds have their mark before the Elo."""
    columns = [column for column in _all_fields(rows) if column.name not in ("mark", "label")]
    cells = [["" if (cell := column.cell(row)) is None else str(cell) for column in columns] for row in rows]
    names = field_names(columns)
    for row, line in zip(rows, cells, strict=True):
        line[names.index("bot")] = row.text_name
        for place in [place for place, name in enumerate(names) if name in MD_MARKED and row.has_bound]:
            line[place] = elo_text(row, None)
    return markdown(names, cells, LEFT)


def table_json(rows: Sequence[RatingRow]) -> str:
    """Return the ratings as a JSON array of objects, in the units and digits of the CSV."""
    return msgspec.json.encode(records(_all_fields(rows), rows)).decode()


def _csv(columns: Sequence[Column[RatingRow]], rows: Iterable[RatingRow]) -> str:
    return csv_text(field_names(columns), [[column.cell(row) for column in columns] for row in rows])
