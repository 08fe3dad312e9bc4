"""The figures of a run, and of the calibration of its ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, TypeVar

from markupsafe import Markup

from arena.columns.column import Column
from arena.columns.kinds import PERCENT, TEXT
from arena.columns.number_format import format_percent, round_percent
from arena.errors import ConfigError
from arena.output.figures.charts import (
    NO_LINKS,
    Grid,
    Interval,
    Series,
    dot_plot,
    heat_map,
    line_chart,
)
from arena.output.figures.style import PAGE_STYLE, FigureStyle
from arena.rating.model_fit import CalibrationBin, measure_calibration
from arena.rating.overall import compute_rating_history
from arena.rating.student_t import MIN_BLOCKS
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.results import GameResults, RunResults, SeatMeans
from arena.tournament.store.played_blocks import Game

# --- run figures ---
# Ratings, their history, scores of pairs, and results by position.

MEAN_ELO: Final = 1500
ELO_AXIS: Final = "Elo"
PLACING_AXIS: Final = "mean placing (1 is best)"
HISTORY_POINTS: Final = 24
MIN_PLACING_RANGE: Final = 1.0
"""Places that the axis of mean placings by position spans at least."""

T = TypeVar("T")


class History(NamedTuple):
    """Ratings after the first blocks of a game."""

    ends: list[int]
    """Numbers of blocks, the last of them all."""
    played: list[int]
    """Numbers of the bots with matches, best first."""
    elo: list[tuple[float | None, ...]]
    """Elo by number of blocks and bot."""


def game_name(game: Game) -> str:
    """Return a game with its number of players."""
    return f"{game[0]}, {game[1]} players"


def pairs_title(game: Game) -> str:
    """Return the title of the scores of all pairs."""
    return f"Score of the bot in the row against the bot in the column, {game_name(game)}"


def choose_game(games: Mapping[Game, T], players: int | None) -> T:
    """Return the only game of a size."""
    matching = [game for game in games if players in (None, game[1])]
    names = "; ".join(game_name(game) for game in games)
    if not matching:
        raise ConfigError(f"no game here has {players} players: there are {names}")
    if len(matching) > 1:
        raise ConfigError(f"there are several games, choose one by --game and --players: {names}")
    return games[matching[0]]


def make_interval(row: RatingRow) -> Interval:
    """Return what the table has of a rated bot: its Elo with a bar for comparing, or a bound."""
    elo = row.text_elo if row.has_bound else None
    return Interval(elo or row.elo or 0.0, row.comparison_error, row.text_bound)


def draw_ratings(
    rows: Sequence[RatingRow], title: str, style: FigureStyle = PAGE_STYLE, axis: str = ""
) -> Markup:
    """Return the ratings with their bars for comparing; empty if no bot has a rating."""
    spans = {row.text_name: make_interval(row) for row in rows if row.text_elo is not None}
    if not spans:
        return Markup()
    return dot_plot(spans, MEAN_ELO, f"{title}, with bars for comparing", style=style, axis=axis)


def compute_history(game: GameResults) -> History | None:
    """Return the ratings after the first blocks; None with too few blocks for two points."""
    ends = _history_block_counts(game.tally.blocks)
    if len(ends) < 2:
        return None
    fit = game.fit
    elo = compute_rating_history(game.pair_counts, ends[:-1])
    elo.append(tuple(elo if blocks else None for elo, blocks in zip(fit.elo, fit.blocks, strict=True)))
    return History(ends, [bot for bot in fit.ranking if fit.blocks[bot]], elo)


def draw_history(
    game: GameResults, history: History, style: FigureStyle = PAGE_STYLE, axis: str = ""
) -> Markup:
    """Return the ratings over the number of blocks; at their ends the bars or bounds of the table."""
    bots, rows = game.fit.bots, {row.bot: row for row in game.rows}
    series = [
        Series(game.label(bot), [point[bot] for point in history.elo], make_interval(rows[bots[bot]]))
        for bot in history.played
    ]
    title = f"Elo of each bot over the number of blocks, {game_name(game.game)}"
    return line_chart(history.ends, series, title, style, axis)


def _history_block_counts(blocks: int) -> list[int]:
    """Return numbers of blocks up to all of them, evenly spaced on a logarithmic scale."""
    first = min(MIN_BLOCKS, blocks)
    grown = (blocks / first) if first else 1
    return sorted(
        {round(first * grown ** (step / (HISTORY_POINTS - 1))) for step in range(HISTORY_POINTS)} - {0}
    )


def list_pair_scores(game: GameResults, bots: Sequence[int]) -> list[list[float | None]]:
    """Return the score of each of these bots against each, 0 to 1; None for pairs that did not meet."""
    met = {(pair.bot, pair.other): pair.score for pair in game.pair_scores}
    return [[met.get((bot, other)) for other in bots] for bot in bots]


def draw_pairs(
    game: GameResults,
    bots: Sequence[int],
    title: str,
    style: FigureStyle = PAGE_STYLE,
    links: Mapping[str, str] = NO_LINKS,
) -> Markup:
    """Return the scores of these bots against each other, in percent, with links of names."""
    names, scores = [game.label(bot) for bot in bots], list_pair_scores(game, bots)
    grid = Grid(
        names,
        names,
        [[None if score is None else 2 * score - 1 for score in row] for row in scores],
        [["" if score is None else round_percent(100 * score) for score in row] for row in scores],
    )
    return heat_map(grid, title, style, links=links)


def position_intervals(means: SeatMeans) -> dict[str, Interval]:
    """Return the mean placing of each position, from the first dealer's left neighbour."""
    return {
        f"position {position}": Interval(placing.value or 0.0, placing.error)
        for position, (placing, _) in enumerate(means.means(), 1)
    }


def draw_positions(game: Game, means: SeatMeans, style: FigureStyle = PAGE_STYLE, axis: str = "") -> Markup:
    """Return the mean placing by position."""
    rows = position_intervals(means)
    middle = sum(bar.value for bar in rows.values()) / len(rows)
    title = f"Mean placing by position, {game_name(game)}"
    return dot_plot(rows, middle, title, MIN_PLACING_RANGE, style, axis)


def draw_game_figure(results: RunResults, game: GameResults, kind: str, style: FigureStyle) -> Markup:
    """Return the figure `ratings`, `history`, `matrix` or `seats` of one game; empty with too few blocks."""
    match kind:
        case "ratings":
            return draw_ratings(game.rows, f"Elo at {game.title}", style, ELO_AXIS)
        case "history":
            history = compute_history(game)
            return draw_history(game, history, style, ELO_AXIS) if history else Markup()
        case "matrix":
            return draw_pairs(game, game.ranking, pairs_title(game.game), style)
    means = results.seat_effects.by_game.get(game.game)
    return draw_positions(game.game, means, style, PLACING_AXIS) if means else Markup()


# --- calibration ---
# Predicted and observed scores of new blocks, as a figure and a table.

MAX_BLOCKS: Final = 100_000
"""Largest number of blocks of a game that are predicted for a report."""
MIN_RANGE: Final = 10.0
"""Percentage points of the axis, at least."""


def list_calibration(game: GameResults) -> tuple[CalibrationBin, ...]:
    """Return predictions by class.

    There are none where ratings can explain anything, as results of two bots, or for too many blocks.
    """
    if game.model_fit is None or game.tally.blocks > MAX_BLOCKS:
        return ()
    return measure_calibration(game.pair_counts)


def draw_calibration(bins: Sequence[CalibrationBin], title: str) -> Markup:
    """Return how far the observed score is from the predicted one, by class, in percentage points."""
    rows = {
        _name(chance_bin): Interval(
            100 * (chance_bin.observed - chance_bin.predicted),
            None if chance_bin.error is None else 100 * chance_bin.error,
        )
        for chance_bin in bins
    }
    return dot_plot(rows, 0.0, title, MIN_RANGE, axis="observed less predicted, percentage points")


def summarize_calibration(bins: Sequence[CalibrationBin]) -> str:
    """Return what the figure shows."""
    off = [
        chance_bin
        for chance_bin in bins
        if chance_bin.error is not None and abs(chance_bin.observed - chance_bin.predicted) > chance_bin.error
    ]
    said = (
        "Ratings fitted to four fifths of the blocks predict the rest. Each row has the pairs of seats whose "
        "favourite was predicted such a score; a dot at 0 is what was predicted, each bar its 95% interval. "
    )
    if not off:
        return said + _summarize_within(sum(chance_bin.error is not None for chance_bin in bins), len(bins))
    worst = max(off, key=lambda chance_bin: abs(chance_bin.observed - chance_bin.predicted))
    return (
        f"{said}Furthest off: favourites predicted {format_percent(worst.predicted)} took "
        f"{format_percent(worst.observed)}."
    )


def _summarize_within(known: int, classes: int) -> str:
    """Return the sentence on classes of which none is off, where only `known` of them have an interval."""
    without = f"A dot without a bar has fewer than {MIN_BLOCKS} blocks, too few for an interval."
    if not known:
        return f"{without} So nothing can be said yet."
    if known < classes:
        return f"All predictions with a bar are within their intervals. {without}"
    return "All predictions are within their intervals."


def _name(chance_bin: CalibrationBin) -> str:
    return f"{chance_bin.low:.0%} to {chance_bin.low + 0.1:.0%}"


CALIBRATION_COLUMNS: Final[tuple[Column[CalibrationBin], ...]] = (
    Column("prediction", value=_name, kind=TEXT),
    Column("predicted", kind=PERCENT),
    Column("observed", kind=PERCENT, error=lambda row: row.error),
    Column("blocks"),
)
