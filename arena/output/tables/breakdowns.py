"""The tables of a run besides its ratings: by game, by seat, and those of pairs."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, Literal, NamedTuple, get_args

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import DECIMAL, LABEL, NAME
from arena.columns.number_format import MISSING
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.output.tables.decision_times import times_table
from arena.output.tables.fair_play import fair_play_table
from arena.output.tables.pairs import exceptions_table, matrix_table
from arena.rating.mean_intervals import MeanEstimate
from arena.rating.overall import GameProfile, build_game_profiles
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.results.rating_table import RatingRow, elo_text
from arena.tournament.results.results import RunResults, SeatMeans, measure_seats
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.store.codec import MatchResult, unpack
from arena.tournament.store.played_blocks import Game

Analysis = Literal["matrix", "seats", "variants", "exceptions", "fair-play", "times"]
ANALYSES: Final = get_args(Analysis)
NO_ELO_ERROR_NOTE: Final = (
    f"{NO_ERROR_NOTE[:-1]}; nor for a score of (nearly) all (>) or nothing (<), where Elo is a bound."
)


class ProfileRow(NamedTuple):
    """A bot at one game."""

    bot: str
    game: Game
    elo: float | None
    comparison_error: float | None
    standing_out: str
    """`strongest`, `weakest` or nothing."""
    error: float | None
    """Half width of the interval about the centre of the field."""


class SeatRow(NamedTuple):
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


def _control_text(row: SeatRow, of: int) -> str:
    if row.control is None or row.control[of].value is None:
        return MISSING
    return DECIMAL.text(row.control[of].value, row.control[of].error)


PROFILE: Final[tuple[Column[ProfileRow], ...]] = (
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
SEATS: Final[tuple[Column[SeatRow], ...]] = (
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

    Raises:
        ConfigError: If that bot may not be played here.
    """
    if analysis == "times":
        return times_table([time for time in run.decision_times() if time.game in results.games])
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
            rows.append(ProfileRow(profile.bot, game, row.elo, row.comparison_error, said, row.error))
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
    seats, control = measure_seats(played, rules, run.seed), {}
    if control_blocks:
        with run.engine(RunOptions()) as engine:
            for game, own in results.games.items():
                best = own.fit.bots[own.fit.ranking[0]]
                blocks = play_control(engine, game, best, control_blocks)
                control[game] = (best, measure_seats(blocks, rules, run.seed)[game])
    return seats, control


def _seat_rows(game: Game, bots: str, means: SeatMeans) -> Iterator[SeatRow]:
    for position, (placing, payoff) in enumerate(means.means(), 1):
        yield SeatRow(game, position, bots, placing, payoff)


def _elo_text(rows: Mapping[str, RatingRow], profile: GameProfile) -> str:
    row = rows[profile.bot]
    bar = "" if row.comparison_error is None else f" ± {row.comparison_error:.1f}"
    return elo_text(row, row.elo) + bar
