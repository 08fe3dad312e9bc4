"""Sections of a run's page: each a summary, a figure and a table."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from arena.columns.column import Column
from arena.columns.kinds import NAME, Kind
from arena.columns.number_format import format_count, format_percent
from arena.columns.table_formats import Sheet
from arena.output.figures.calibration import (
    CALIBRATION_COLUMNS,
    draw_calibration,
    list_calibration,
    summarize_calibration,
)
from arena.output.figures.charts import bar_chart
from arena.output.figures.heat_map import Grid, heat_map
from arena.output.figures.run_figures import (
    History,
    compute_history,
    draw_history,
    draw_pairs,
    draw_positions,
    draw_ratings,
    game_name,
    list_pair_scores,
    pairs_title,
    position_intervals,
)
from arena.output.tables.breakdowns import profile_table, seat_table
from arena.output.tables.failures import FAILURE_COLUMNS as FAILURE_COLUMNS
from arena.output.tables.failures import list_failures
from arena.output.tables.pairs import describe_model_fit, matrix_sheet
from arena.output.tables.ratings import LUCK_NOTE
from arena.tournament.results.rating_table import RatingRow, has_luck, missing_notes, rating_sheets
from arena.tournament.results.results import GameResults, RunResults, SeatMeans
from arena.tournament.store.played_blocks import Game

MAX_PAIR_CELLS: Final = 12_000
"""Limit of all head-to-head tables together; `arena table --matrix` prints the others."""
WHOLE_ELO: Final = Kind(".0f")


class Section(NamedTuple):
    """One result of a game or of the run."""

    anchor: str
    title: str
    summary: str
    figure: Markup
    table: Sheet


class GamePart(NamedTuple):
    """The sections of one game and table size, or of all games."""

    key: str
    name: str
    sections: list[Section]


def build_parts(results: RunResults) -> list[GamePart]:
    """Return the sections of a run: of all games first if there are several, then of each game."""
    overall = results.overall
    parts = []
    if overall:
        own = [_standings_section(overall, "Elo over all games"), *_profiles_sections(results)]
        parts.append(GamePart("all", "All games", [*own, *_faults_sections(results)]))
    room = MAX_PAIR_CELLS
    for number, game in enumerate(results.games.values(), 1):
        room -= len(game.rows) ** 2
        sections = _game_sections(results, game, with_pairs=room >= 0)
        parts.append(
            GamePart(str(number), game.title, sections + ([] if overall else _faults_sections(results)))
        )
    return parts


def _game_sections(results: RunResults, game: GameResults, *, with_pairs: bool) -> list[Section]:
    sections = [_standings_section(game.rows, f"Elo at {game.title}")]
    history = compute_history(game)
    if history:
        sections.append(_history_section(game, history))
    if with_pairs:
        sections.append(_pairs_section(game))
    if bins := list_calibration(game):
        title = f"Predicted and observed scores, {game_name(game.game)}"
        table = Sheet(title, CALIBRATION_COLUMNS, bins)
        sections.append(
            Section(
                "calibration",
                "Calibration",
                f"{describe_model_fit(game)} {summarize_calibration(bins)}",
                draw_calibration(bins, title),
                table,
            )
        )
    seats = results.seat_effects
    if game.game in seats.by_game:
        sections.append(_seats_section(game.game, seats.by_game[game.game], seats.blocks))
    return sections


def _standings_section(rows: list[RatingRow], title: str) -> Section:
    [sheet] = rating_sheets(rows)
    notes = [*missing_notes(rows, sheet.headings), *([LUCK_NOTE] if has_luck(rows) else [])]
    table = sheet._replace(title=f"{title}: the numbers", notes=notes)
    return Section("standings", title, _leader_summary(rows, sheet.notes), draw_ratings(rows, title), table)


def _leader_summary(rows: Sequence[RatingRow], notes: Sequence[str]) -> str:
    """Return who leads and what is open, as the notes of the table say, and how the figure is read."""
    if rows[0].elo is None:
        return "Not every bot has played every game, so there is no overall ranking yet."
    said = " ".join([*notes, "Each dot is a bot's Elo"])
    said += ", an arrow a bound" if any(row.text_bound for row in rows) else ""
    if all(row.comparison_error is None for row in rows):
        return f"{said}; no bot has an error bar, for the reasons below the table."
    return f"{said}, each bar its ±: two bots, chosen beforehand, differ at 95% if their bars do not overlap."


def _history_section(game: GameResults, history: History) -> Section:
    ends, played, elo = history
    half = next(place for place, end in enumerate(ends) if 2 * end >= ends[-1])
    moved = max(played, key=lambda bot: _elo_difference(elo[-1][bot], elo[half][bot]))
    summary = (
        f"The ratings fitted to the first blocks only, fewest on the left. Since block {ends[half]:,} the "
        f"rating of {game.label(moved)} has moved most, by "
        f"{_elo_difference(elo[-1][moved], elo[half][moved]):.0f}."
    )
    columns = [Column[Any]("blocks", value=itemgetter(0))]
    columns += [
        Column[Any](game.label(bot), value=itemgetter(at), kind=WHOLE_ELO) for at, bot in enumerate(played, 1)
    ]
    title = f"Elo after a number of blocks, {game_name(game.game)}"
    rows = [(end, *(point[bot] for bot in played)) for end, point in zip(ends, elo, strict=True)]
    table = Sheet(title, columns, rows)
    return Section("over-blocks", "Rating over blocks", summary, draw_history(game, history), table)


def _elo_difference(elo: float | None, other: float | None) -> float:
    return 0.0 if elo is None or other is None else abs(elo - other)


def _pairs_section(game: GameResults) -> Section:
    names = [game.label(bot) for bot in game.ranking]
    scores = list_pair_scores(game, game.ranking)
    title = pairs_title(game.game)
    summary = _closest_pair(names, scores) + (
        " Each cell is the score of the row's bot against the column's bot in percent; a tie counts half. "
        "Green is above 50, brown below."
    )
    figure = draw_pairs(game, game.ranking, title)
    return Section("pairs", "Head to head", summary, figure, matrix_sheet(game)._replace(title=title))


def _closest_pair(names: Sequence[str], scores: Sequence[Sequence[float | None]]) -> str:
    """Return the pair whose score is nearest to one half."""
    pairs = [
        (abs(score - 0.5), score, row, column)
        for row, own in enumerate(scores)
        for column, score in enumerate(own)
        if score is not None and row < column
    ]
    if not pairs:
        return "No two bots have met."
    _, score, row, column = min(pairs)
    return f"The closest pair: {names[row]} scored {format_percent(score)} against {names[column]}."


def _profiles_sections(results: RunResults) -> list[Section]:
    report = profile_table(results)
    if not report.sheets:
        return []
    [sheet] = report.sheets
    fits = list(results.fits.values())
    games = sheet.headings[1:-2]
    names = [row.bot for row in sheet.rows]
    places = {bot: place for place, bot in enumerate(fits[0].bots)}
    widest = [max(abs(elo - 1500) for elo in fit.elo) or 1 for fit in fits]
    shades = [
        [
            (fit.elo[places[name]] - 1500) / wide if fit.blocks[places[name]] else None
            for fit, wide in zip(fits, widest, strict=True)
        ]
        for name in names
    ]
    rows = [{row.bot: row for row in game.rows} for game in results.games.values()]
    words = [[of_game[name].short_elo if name in of_game else "" for of_game in rows] for name in names]
    standing_out = sum(1 for row in sheet.rows for end in (row.strongest, row.weakest) if end is not None)
    summary = (
        "The Elo of each bot in each game: green above 1500, brown below; the darker, the nearer "
        f"to the game's best or worst. {_outlier_summary(standing_out)}"
    )
    title = "Elo of each bot in each game"
    shown = [results.labels.get(name, name) for name in names]
    picture = heat_map(Grid(shown, games, shades, words), title, upright=True)
    sheet = sheet._replace(title=title, labels=results.labels)
    return [Section("games", "Bots by games", summary, picture, sheet)]


def _outlier_summary(times: int) -> str:
    """Return how many significant deviations from a bot's own mean there are."""
    if not times:
        return "No bot deviates significantly from its own mean in any game."
    deviations = format_count(times, "deviations")
    return f"{deviations} from a bot's own mean {'is' if times == 1 else 'are'} significant; see the table."


def _seats_section(game: Game, own: SeatMeans, blocks: int) -> Section:
    [sheet] = seat_table({game: own}).sheets
    values = sorted((bar.value, name) for name, bar in position_intervals(own).items())
    (low, best), (high, worst) = values[0], values[-1]
    summary = (
        f"Mean placing by position (1 is best): {best} {low:.2f}, {worst} {high:.2f}. Positions count from "
        "the first dealer's left neighbour. Each bot has each seat once per block, so no bot gains from "
        f"this. Computed from the first {format_count(blocks, 'blocks')} of the run."
    )
    title = f"Mean placing by position, {game_name(game)}"
    return Section("seats", "Seats", summary, draw_positions(game, own), sheet._replace(title=title))


def _faults_sections(results: RunResults) -> list[Section]:
    """Return the section of faults by bot and, if there are any, the one of their reasons."""
    sections = [_faults_section(results)]
    if results.failures:
        summary = (
            "Each distinct failure and how often it happened; those that differ only in numbers are one."
        )
        table = Sheet(
            "Reasons of faults",
            FAILURE_COLUMNS,
            list_failures(results.failures, results.disqualified),
            labels=results.labels,
        )
        sections.append(Section("reasons", "Reasons of faults", summary, Markup(), table))
    return sections


def _faults_section(results: RunResults) -> Section:
    faults = results.faults
    kinds = sorted({kind for _, kind in faults})
    by_bot: dict[str, int] = {}
    for (bot, _), number in faults.items():
        by_bot[bot] = by_bot.get(bot, 0) + number
    worst = sorted(by_bot, key=lambda bot: (-by_bot[bot], bot))
    if not worst:
        summary = f"No faults in {format_count(results.matches, 'matches')}."
        return Section("faults", "Faults", summary, Markup(), Sheet("", [], []))
    columns = [Column[Any]("bot", value=itemgetter(0), kind=NAME)]
    columns += [Column[Any](kind, value=itemgetter(at)) for at, kind in enumerate([*kinds, "all"], 1)]
    shown = {bot: results.labels.get(bot, bot) for bot in worst}
    rows = [(shown[bot], *(faults[bot, kind] for kind in kinds), by_bot[bot]) for bot in worst]
    summary = (
        f"{format_count(sum(by_bot.values()), 'faults')} in {format_count(results.matches, 'matches')}, "
        f"{'most' if len(worst) > 1 else 'all'} of them by {shown[worst[0]]}. Each time the arena played "
        "the safest action instead."
    )
    picture = bar_chart({shown[bot]: by_bot[bot] for bot in worst[:24]}, "Faults by bot")
    return Section("faults", "Faults", summary, picture, Sheet("Faults by bot", columns, rows))
