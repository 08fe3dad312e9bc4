"""Results by seat, variant and kind of fault; decision times; the forecast of further blocks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal, NamedTuple

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import DECIMAL, ELO, LABEL, NAME, PERCENT, TEXT, Kind
from arena.columns.number_format import MISSING, format_count
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.output.tables.pairs import exceptions_table, fair_play_table, matrix_table
from arena.rating.overall import GameProfile, build_game_profiles
from arena.rating.student_t import MeanEstimate
from arena.rating.two_bots import format_los
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import elo_text
from arena.tournament.results.results import RunResults, SeatMeans, measure_seats
from arena.tournament.review.forecast import AdjustmentCost, PairForecast
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.store.bot_statistics import TimeSummary
from arena.tournament.store.codec import MatchResult, unpack
from arena.tournament.store.played_blocks import Game

# --- decision times ---

MILLISECONDS: Final = Kind(",.3f")


def _time_column(
    name: str, summary: str, seconds: Callable[[TimeSummary], float], formula: str = "", warning: str = ""
) -> Column[TimeSummary]:
    return Column(
        f"{name} ms",
        ColumnDoc(summary, "milliseconds", formula, warning),
        value=lambda row: seconds(row) * 1000,
        kind=MILLISECONDS,
        field=f"{name}_ms",
    )


TIME_COLUMNS: Final[tuple[Column[TimeSummary], ...]] = (
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column("bot", ColumnDoc("Name of the bot; the slowest come first."), kind=NAME),
    Column(
        "decisions",
        ColumnDoc(
            "Decisions that the bot answered, in the blocks played for this run.",
            warning="Blocks of `--reuse` are left out, and moves without a choice: no bot is asked them.",
        ),
    ),
    _time_column(
        "mean",
        "Mean wall time of a decision.",
        lambda row: row.mean_s,
        "sum of times / decisions",
        """A reading of the clock: it differs from run to run. Of a bot in a process of its own it
        contains the way there and back, and decisions that came back together count their mean.""",
    ),
    _time_column("median", "Half of the decisions took less, within 9 %.", lambda row: row.median_s),
    _time_column("p99", "99 of 100 decisions took less, within 9 %.", lambda row: row.p99_s),
    _time_column(
        "max",
        "The longest decision.",
        lambda row: row.longest_s,
        warning="On a busy machine it may include waiting for the CPU, for which no bot is penalised.",
    ),
)


def _times_table(summaries: Sequence[TimeSummary]) -> TableSet:
    """Return the times of the bots of each game, the slowest first."""
    sheets, rows = [], []
    for game in dict.fromkeys(summary.game for summary in summaries):
        own = sorted(
            (summary for summary in summaries if summary.game == game), key=lambda summary: -summary.mean_s
        )
        title = f"{game[0]}, {game[1]} players"
        sheets.append(Sheet(title, documented(TIME_COLUMNS), own))
        rows += own
    return TableSet(TIME_COLUMNS, sheets, rows)


# --- games and seats ---
# `analyze` returns the tables of this module and of `pairs`.

Analysis = Literal["matrix", "seats", "variants", "exceptions", "fair-play", "times"]
NO_ELO_ERROR_NOTE: Final = (
    f"{NO_ERROR_NOTE[:-1]}; nor for a score of (nearly) all (>) or nothing (<), where Elo is a bound."
)


class _ProfileRow(NamedTuple):
    """A bot at one game."""

    bot: str
    game: Game
    elo: float | None
    comparison_error: float | None
    standing_out: str
    """`strongest`, `weakest` or nothing."""
    error: float | None
    """Half width of the interval about the centre of the field."""


class _SeatRow(NamedTuple):
    """Results of one position."""

    game: Game
    position: int
    """Position from 1, the first dealer's left neighbour, to the first dealer."""
    bots: str
    """`all`, or the one bot of the control blocks."""
    placing: MeanEstimate
    payoff: MeanEstimate
    control: tuple[MeanEstimate, MeanEstimate] | None = None
    """Placing and payoff of the control blocks, which people get in the same row."""


def _control_text(row: _SeatRow, of: int) -> str:
    if row.control is None or row.control[of].value is None:
        return MISSING
    return DECIMAL.text(row.control[of].value, row.control[of].error)


PROFILE: Final[tuple[Column[_ProfileRow], ...]] = (
    Column(
        "bot",
        ColumnDoc("Name of the bot; ordered by the mean of its Elo over all games, the highest first."),
        kind=NAME,
    ),
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column(
        "game",
        ColumnDoc(
            "Elo at that game and table size, with its ± as in the table of ratings; one column a game.",
            "Elo; 400 more are odds of ten to one",
            "as in the table of ratings",
            "More luck in a game brings its ratings closer together: different games do not compare.",
        ),
        field="elo",
    ),
    Column("comparison_error"),
    Column(
        "strongest",
        ColumnDoc(
            "The game in which the bot stands out most above its own mean. Empty for an all-rounder.",
            formula="""the largest (Elo - mean) / standard deviation of the field in the game, less the
            bot's mean of these, if beyond Student's t · its standard error at 95 % for all games of the
            bot together (Bonferroni)""",
            warning="Relative to its other games: others may be better in it. Empty may mean too few blocks.",
        ),
        field="standing_out",
    ),
    Column(
        "weakest",
        ColumnDoc("The game in which it stands out most below its own mean.", formula="as for strongest"),
        text=lambda row: row.standing_out,
    ),
    Column("error"),
)
SEATS: Final[tuple[Column[_SeatRow], ...]] = (
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column(
        "position",
        ColumnDoc(
            """Position of a seat in the match's first deal: 1 is the dealer's left neighbour, the last
            position is the dealer.""",
            warning="Not the number of the seat, which is from 0; the deal passes on after the first one.",
        ),
    ),
    Column("bots"),
    Column(
        "placing",
        ColumnDoc(
            "Mean placing of all bots in this position over matches, with its 95 % interval; 1 is best.",
            formula="""sum of placings / matches; ± Student's t at 97.5 % · the standard error of a ratio
            of two sums over blocks""",
            warning="In a block each bot has each seat once, so seats favour nobody's rating.",
        ),
        value=lambda row: row.placing.value,
        kind=DECIMAL,
        error=lambda row: row.placing.error,
    ),
    Column("error", value=lambda row: row.placing.error),
    Column(
        "payoff",
        ColumnDoc(
            "Mean payoff in this position in a match, with its 95 % interval.",
            "tokens, chips or points, whichever the game settles in",
            "sum of payoffs / matches; ± as for placing",
        ),
        value=lambda row: row.payoff.value,
        kind=DECIMAL,
        error=lambda row: row.payoff.error,
    ),
    Column("payoff_error", value=lambda row: row.payoff.error),
    Column("blocks", value=lambda row: row.placing.blocks),
    Column(
        "control placing",
        ColumnDoc("Placing where the top bot has every seat, so that only the seats differ."),
        text=partial(_control_text, of=0),
    ),
    Column(
        "control payoff",
        ColumnDoc("Payoff where the top bot has every seat."),
        text=partial(_control_text, of=1),
    ),
)


def analyze(run: Run, results: RunResults, analysis: Analysis, control_blocks: int = 0) -> TableSet:
    """Return a table of the games in `results`.

    For the seats, `control_blocks` blocks of the top bot in every seat are played now.
    """
    if analysis == "times":
        return _times_table([time for time in run.decision_times() if time.game in results.games])
    if analysis == "fair-play":
        return fair_play_table(run, results)
    if analysis == "seats":
        return seat_table(*_measure_seats(run, results, control_blocks))
    tables: dict[Analysis, Callable[[RunResults], TableSet]] = {
        "matrix": matrix_table,
        "variants": profile_table,
        "exceptions": exceptions_table,
    }
    return tables[analysis](results)


def profile_table(results: RunResults) -> TableSet:
    """Return the Elo of each bot in each game, and in which games it stands out."""
    titles = [f"{variant}/{players}" for variant, players in results.fits]
    profiles = sorted(
        build_game_profiles(list(results.fits.values())),
        key=lambda profile: -sum(elo or 0 for elo in profile.elo),
    )
    of_games = {game: {row.bot: row for row in result.rows} for game, result in results.games.items()}
    rows = []
    for profile in profiles:
        standing_out = {profile.strongest: "strongest", profile.weakest: "weakest"}
        for number, (game, of_game) in enumerate(of_games.items()):
            row, said = of_game[profile.bot], standing_out.get(number, "")
            rows.append(_ProfileRow(profile.bot, game, row.elo, row.comparison_error, said, row.error))
    lacking = any(
        row.blocks and row.comparison_error is None for own in of_games.values() for row in own.values()
    )
    names: dict[int | None, str] = {None: "", **dict(enumerate(titles))}
    columns = [
        Column[GameProfile]("bot", kind=NAME),
        *(
            Column[GameProfile](title, text=partial(_elo_text, own))
            for title, own in zip(titles, of_games.values(), strict=True)
        ),
        Column[GameProfile]("strongest", value=lambda row: names[row.strongest], kind=LABEL),
        Column[GameProfile]("weakest", value=lambda row: names[row.weakest], kind=LABEL),
    ]
    notes = [NO_ELO_ERROR_NOTE] if lacking else []
    sheets = [Sheet("Elo by game and players", columns, profiles, notes)] if profiles else []
    return TableSet(PROFILE, sheets, rows)


def seat_table(
    seats: Mapping[Game, SeatMeans], control: Mapping[Game, tuple[str, SeatMeans]] | None = None
) -> TableSet:
    """Return placing and payoff by seat, beside those of control blocks if there are any."""
    sheets, rows = [], []
    for game, means in seats.items():
        own = list(_seat_rows(game, "all", means))
        shown, columns, notes = own, documented(SEATS)[:3], []
        if control and game in control:
            bot, alike = control[game]
            controls = list(_seat_rows(game, bot, alike))
            shown = [
                row._replace(control=(other.placing, other.payoff))
                for row, other in zip(own, controls, strict=True)
            ]
            columns, notes = documented(SEATS), [f"Control: {bot} in every seat."]
            own += controls
        if any(mean.error is None for row in own for mean in (row.placing, row.payoff)):
            notes.append(NO_ERROR_NOTE)
        sheets.append(Sheet(f"{game[0]}, {game[1]} players", columns, shown, notes))
        rows += own
    return TableSet(SEATS, sheets, rows)


def play_control(
    engine: Engine, game: Game, bot: str, blocks: int
) -> Iterator[tuple[int, str, tuple[MatchResult, ...]]]:
    """Play blocks of one match in which the same bot has every seat."""
    variant, players = game
    seating = (bot,) * players
    control = [Block(index, variant, players, seating, index, (seating,)) for index in range(blocks)]
    for index, played in enumerate(engine.play_again(control)):
        yield index, played.address, unpack(played).matches


def _measure_seats(
    run: Run, results: RunResults, control_blocks: int
) -> tuple[dict[Game, SeatMeans], dict[Game, tuple[str, SeatMeans]]]:
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    played = (
        (block.index, block.address, result.matches)
        for block, result in run.outcomes()
        if (block.variant, block.players) in results.games
    )
    seats, control = measure_seats(played, rules, run.seed_of), {}
    if control_blocks:
        with run.engine(RunOptions()) as engine:
            for game, own in results.games.items():
                best = own.fit.bots[own.fit.ranking[0]]
                blocks = play_control(engine, game, best, control_blocks)
                control[game] = (best, measure_seats(blocks, rules, lambda _: run.seed)[game])
    return seats, control


def _seat_rows(game: Game, bots: str, means: SeatMeans) -> Iterator[_SeatRow]:
    for position, (placing, payoff) in enumerate(means.means(), 1):
        yield _SeatRow(game, position, bots, placing, payoff)


def _elo_text(rows: Mapping[str, RatingRow], profile: GameProfile) -> str:
    row = rows[profile.bot]
    bar = "" if row.comparison_error is None else f" ± {row.comparison_error:.1f}"
    return elo_text(row, row.elo) + bar


# --- failures ---
# Each distinct failure with its reason, and who was disqualified for them.


class FailureRow(NamedTuple):
    """A failure of a bot, or its disqualification."""

    bot: str
    fault: str
    times: int | None
    """None for a disqualification."""
    reason: str


FAILURE_COLUMNS: Final[tuple[Column[FailureRow], ...]] = (
    Column("bot", kind=NAME),
    Column("fault", kind=TEXT),
    Column("times", missing=""),
    Column("reason", kind=TEXT),
)


def list_failures(failures: Mapping[Any, int], disqualified: Mapping[str, int] = {}) -> list[FailureRow]:
    """Return a row for each distinct failure, and one for each bot that was disqualified, by bot.

    Args:
        failures: Their numbers by bot, kind and reason.
        disqualified: The block from which on a bot is out.
    """
    rows = [FailureRow(bot, kind, times, reason) for (bot, kind, reason), times in failures.items()]
    rows += [
        FailureRow(bot, "disqualified", None, f"from block {at:,} on") for bot, at in disqualified.items()
    ]
    return sorted(rows, key=lambda row: row.bot)


# --- separation forecast ---
# How many more blocks would separate bots.

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


class _PlanRow(NamedTuple):
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
        minutes = self.minutes
        if minutes is None:
            return MISSING
        return "0" if not self.forecast.missing else "<1" if minutes < 1 else f"{minutes:,.0f}"


FORECAST_COLUMNS: Final[tuple[Column[_PlanRow], ...]] = (
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
    rows = [_PlanRow(forecast, seconds.get(forecast.game, 0.0), jobs) for forecast in forecasts]
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


def _summarize(rows: Sequence[_PlanRow], power: float) -> str:
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
