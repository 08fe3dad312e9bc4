"""The table of how many more blocks would separate bots."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import ELO, NAME, PERCENT, Kind
from arena.columns.number_format import MISSING, format_count
from arena.columns.table_formats import Sheet, TableSet
from arena.rating.two_bots import format_los
from arena.tournament.review.luck import AdjustmentCost, PairForecast
from arena.tournament.store.played_blocks import Game

UNKNOWN_NOTE: Final = (
    f"{MISSING} no estimate: equal ratings, fewer than six blocks, the same result in every block, or no "
    "point for the worse bot."
)
MAX_RATIO: Final = 20
"""Ratio of the ends of a range above which there are too few blocks to plan from."""
SHORT_NOTE: Final = (
    f"Too few blocks to plan from where a range is wider than 1 to {MAX_RATIO}: play the smaller number, and "
    "plan again."
)
OPEN_NOTE: Final = "Ranks hold for all pairs together, so they may still be open."
KNOCKOUT_NOTE: Final = (
    "A knockout plays no more blocks of eliminated bots: separate two with `arena compare`, all with a round "
    "robin."
)


class PlanRow(NamedTuple):
    """A forecast and how fast its blocks are played."""

    forecast: PairForecast
    seconds: float
    """Wall time of a block when all workers play."""
    jobs: int

    @property
    def minutes(self) -> float | None:
        """Time for the missing blocks."""
        missing = self.forecast.missing
        return None if missing is None else missing * self.seconds / 60

    @property
    def is_short(self) -> bool:
        """True if there are too few blocks to plan from."""
        low, high = self.forecast.low, self.forecast.high
        is_open = not self.forecast.separated and self.forecast.goes_on
        return is_open and low is not None and (high is None or high > MAX_RATIO * low)

    @property
    def minutes_text(self) -> str:
        """Minutes for people."""
        minutes = self.minutes
        if minutes is None:
            return MISSING
        return "0" if not self.forecast.missing else "<1" if minutes < 1 else f"{minutes:,.0f}"


FORECAST_COLUMNS: Final[tuple[Column[PlanRow], ...]] = (
    Column("variant", value=lambda row: row.forecast.game[0]),
    Column("players", value=lambda row: row.forecast.game[1]),
    Column(
        "better",
        ColumnDoc("The bot with the higher Elo so far; see los for how sure that is."),
        value=lambda row: row.forecast.better,
        kind=NAME,
    ),
    Column(
        "worse", ColumnDoc("The bot with the lower Elo."), value=lambda row: row.forecast.worse, kind=NAME
    ),
    Column(
        "elo",
        ColumnDoc("Difference of their ratings."),
        value=lambda row: row.forecast.elo,
        kind=Kind(".1f"),
    ),
    Column(
        "±",
        ColumnDoc(
            "Half width of the 95 % confidence interval of the difference.",
            "Elo",
            "Student's t at 97.5 % · the standard error of the difference, clustered by block",
            "Not the sum of the two ± in the table of ratings.",
        ),
        value=lambda row: row.forecast.error,
        kind=ELO,
        field="error",
    ),
    Column(
        "los",
        ColumnDoc(
            """Likelihood of superiority: one minus the one-sided p-value of the hypothesis that the better
            one is not the stronger.""",
            "percent; 50 is undecided",
            "Student's t distribution at the difference / its standard error",
            "Checked repeatedly during a run, it will be high by chance at some point.",
        ),
        value=lambda row: row.forecast.los,
        text=lambda row: MISSING if row.forecast.los is None else format_los(row.forecast.los),
        kind=PERCENT,
    ),
    Column(
        "blocks",
        ColumnDoc("Blocks played by the bot with fewer; the two need not have met in all of them."),
        value=lambda row: row.forecast.blocks,
    ),
    Column(
        "needed",
        ColumnDoc(
            """Blocks each bot needs in all to separate the two, in 10 and in 90 % of cases; programs get
            those at the power asked for (80 %), and these as `needed_low` and `needed_high`.""",
            formula="""smallest number after which the difference, predicted from the blocks so far, exceeds
            its error that holds at all looks with that probability""",
            warning="Wide until the two are separated: repeat it as the run continues.",
        ),
        value=lambda row: row.forecast.needed,
        text=lambda row: _range_text(row.forecast.low, row.forecast.high),
    ),
    Column(
        "more",
        ColumnDoc(
            "How many more blocks of this game, over all its tables, should settle it.",
            formula="(needed - blocks) · blocks of the game in the run / blocks of the two",
            warning="`arena compare` needs fewer, as it plays only these two.",
        ),
        value=lambda row: row.forecast.missing,
        text=lambda row: _range_text(*map(row.forecast.missing_to, (row.forecast.low, row.forecast.high))),
    ),
    Column(
        "minutes",
        ColumnDoc(
            "Time the blocks at the power asked for take on this machine.",
            "minutes",
            """more · wall time of a block, measured by playing blocks of the run again with --jobs workers
            and all processes of the bots""",
            "Depends on the other programs that run on this machine.",
        ),
        value=lambda row: row.minutes,
        text=lambda row: row.minutes_text,
    ),
    Column("needed_low", value=lambda row: row.forecast.low),
    Column("needed_high", value=lambda row: row.forecast.high),
)


def _range_text(low: int | None, high: int | None) -> str:
    if low is None:
        return MISSING
    if high is None:
        return f"{low:,} or more"
    return f"{low:,}–{high:,}" if high > low else f"{low:,}"


def plan_table(
    forecasts: Sequence[PairForecast],
    seconds: Mapping[Game, float],
    jobs: int,
    power: float,
    costs: Mapping[Game, AdjustmentCost] = {},
) -> TableSet:
    """Return what each pair needs, by game, and what all of them need together.

    Args:
        forecasts: One a pair.
        seconds: Wall time of a block by game, of those where blocks are missing.
        jobs: Number of workers.
        power: Probability that the blocks suffice, 0 to 1.
        costs: Those of ratings adjusted for luck by game, if the forecasts are of such.
    """
    sheets = []
    rows = [PlanRow(forecast, seconds.get(forecast.game, 0.0), jobs) for forecast in forecasts]
    for game in dict.fromkeys(forecast.game for forecast in forecasts):
        own = [row for row in rows if row.forecast.game == game]
        notes = [_summarize(own, power)]
        if game in costs:
            notes.append(_describe_cost(costs[game]))
        title = f"{game[0]}, {game[1]} players"
        sheets.append(Sheet(title, documented(FORECAST_COLUMNS), own, notes))
    return TableSet(FORECAST_COLUMNS, sheets, rows)


def _describe_cost(cost: AdjustmentCost) -> str:
    """Return whether the adjustment for luck pays."""
    if cost.ratio == 1:
        return (
            "Not adjusted for luck: no seat drops out of this game, so in a block every bot already gets "
            "every hand."
        )
    advice = "it pays" if cost.pays else "it does not pay here, as more blocks cost less"
    return (
        f"Adjusted for luck: a block is worth {cost.ratio:.2f} plain ones. Its control takes "
        f"{1000 * cost.control_s:.1f} ms, playing it {1000 * cost.play_s:.1f} ms: {advice}."
    )


def _summarize(rows: Sequence[PlanRow], power: float) -> str:
    """Return what it takes to separate all pairs, and why that is unknown of some."""
    known = [row for row in rows if row.forecast.missing is not None]
    who = "Each pair" if len(known) == len(rows) else "Each pair with a number"
    notes = []
    if known:
        most = max(known, key=lambda row: row.forecast.missing or 0)
        if not (missing := most.forecast.missing):
            notes.append(f"{who} is separated: no more blocks needed. {OPEN_NOTE}")
        elif not most.is_short:
            jobs = format_count(most.jobs, "jobs")
            notes.append(
                f"{who}: {format_count(missing, 'blocks')} more suffice with {100 * power:g} %, "
                f"{most.minutes_text} min with {jobs}."
            )
    if any(row.is_short for row in rows):
        notes.append(SHORT_NOTE)
    if not all(row.forecast.goes_on for row in rows):
        notes.append(KNOCKOUT_NOTE)
    if any(row.forecast.needed is None and not row.forecast.separated for row in rows):
        notes.append(UNKNOWN_NOTE)
    return "\n".join(notes)
