"""What the page of a run says: its tables, each with its figure and a sentence, in the order they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from markupsafe import Markup

from arena.rating import MIN_BLOCKS, Fit, compute_rating_history
from arena.report.analysis_tables import profile_table, seat_table
from arena.report.page.figures import (
    Grid,
    Interval,
    Line,
    bar_axis,
    bar_scale,
    bars,
    dots,
    error_bar,
    heat_map,
    lines,
)
from arena.report.pairs import matrix_sheet
from arena.report.rating_table import DOCS, missing_notes
from arena.report.text_format import format_count
from arena.tournament.results.columns import MISSING, Sheet, format_percent, text_rows
from arena.tournament.results.rating_table import COLUMNS, Row
from arena.tournament.results.run_results import GameResults, RunResults
from arena.tournament.results.seat_effects import SeatMeans
from arena.tournament.storage.tally import Game

POINTS: Final = 24
"""Fits on the way to the whole."""
MOST_CELLS: Final = 12_000
"""Of all head-to-head tables together; those beyond are left to `arena table --matrix`."""
STANDING_OUT: Final = ("strongest", "weakest")
"""Columns that hold the names of games."""


class Table(NamedTuple):
    """A table as it stands on the page."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: Sequence[int] = (0,)
    """The columns that hold words."""
    header: int = 0
    """The column that names the row."""
    notes: Sequence[str] = ()
    drawn: Sequence[Markup] = ()
    """A drawing for each row, which stands before the column `drawn_at`."""
    axis: Markup = Markup()
    """What stands above them."""
    drawn_at: int | None = None


class Section(NamedTuple):
    """One thing that there is to say of a game, or of the run: a sentence, a figure, a table."""

    anchor: str
    title: str
    says: str
    figure: Markup
    table: Table


class GamePart(NamedTuple):
    """All that is said of one game at one size; of all of them together where it has no players."""

    key: str
    name: str
    sections: list[Section]


def build_parts(found: RunResults) -> list[GamePart]:
    """What is said of a run, over all games first where there are several."""
    overall = found.overall
    parts = []
    if overall:
        own = [_standings(overall, "Elo over all games"), *_profiles(found)]
        parts.append(GamePart("all", "All games", [*own, _faults(found)]))
    room = MOST_CELLS
    for number, game in enumerate(found.games.values(), 1):
        room -= len(game.rows) ** 2
        sections = _of_game(found, game, with_pairs=room >= 0)
        parts.append(GamePart(str(number), game.title, sections + ([] if overall else [_faults(found)])))
    return parts


def name_of(game: Game) -> str:
    """A game and the size of its tables."""
    return f"{game[0]}, {game[1]} players"


def _of_game(found: RunResults, game: GameResults, *, with_pairs: bool) -> list[Section]:
    sections = [_standings(game.rows, f"Elo at {game.title}")]
    ends = _ends(game.tally.blocks)
    if len(ends) > 1:
        history = compute_rating_history(game.pair_counts, ends)
        sections.append(_over_blocks(ends, history, game.fit, game.game))
    if with_pairs:
        sections.append(_pairs(game))
    seats = found.seat_effects
    if game.game in seats.by_game:
        sections.append(_seats(game.game, seats.by_game[game.game], seats.blocks))
    return sections


def _standings(rows: list[Row], title: str) -> Section:
    rated_rows = [row for row in rows if row.elo is not None]
    spans = [Interval(row.elo or 0.0, row.error) for row in rows]
    scale = bar_scale([Interval(row.elo or 0.0, row.error) for row in rated_rows])
    drawn = [
        Markup() if row.elo is None else error_bar(span, scale) for row, span in zip(rows, spans, strict=True)
    ]
    columns, lines = _without_empty(list(DOCS), text_rows(COLUMNS, rows))
    table = Table(
        f"{title}: the numbers",
        columns,
        lines,
        words=(columns.index("bot"),),
        header=columns.index("bot"),
        notes=missing_notes(rows),
        drawn=drawn,
        axis=bar_axis(scale),
        drawn_at=columns.index("±") + 1,
    )
    return Section("standings", title, _leader(rows), Markup(), table)


def _without_empty(columns: list[str], lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The columns in which anything stands, as payoffs over several games do not."""
    kept = [at for at in range(len(columns)) if any(line[at] for line in lines)]
    return [columns[at] for at in kept], [[line[at] for at in kept] for line in lines]


def _leader(rows: Sequence[Row]) -> str:
    """Who leads, by how much, and how sure that is."""
    first, *others = rows
    if first.elo is None:
        return "Not every bot has played every game, so there is no order over all of them yet."
    said = f"{first.bot} stands first with {first.elo:.0f} Elo"
    if first.error is not None:
        said += f" ± {first.error:.0f}"
    if others and others[0].elo is not None:
        said += f", {first.elo - others[0].elo:.0f} above {others[0].bot}"
        if first.los is not None:
            said += f"; that it is the stronger is {first.los:.1%} sure" if first.los < 0.9995 else ", surely"
    if all(row.error is None for row in rows):
        return f"{said}. Each dot is a bot's Elo; of no bot is enough known for an error bar."
    return f"{said}. Each dot is a bot's Elo; the bar about it holds the true value in 95 of 100 tournaments."


def _ends(blocks: int) -> list[int]:
    """Numbers of blocks from the least that say anything to all, each larger by the same factor."""
    first = min(MIN_BLOCKS, blocks)
    grown = (blocks / first) if first else 1
    return sorted({round(first * grown ** (step / (POINTS - 1))) for step in range(POINTS)} - {0})


def _over_blocks(ends: list[int], elo: list[tuple[float | None, ...]], fit: Fit, game: Game) -> Section:
    played = [bot for bot in fit.ranking if fit.blocks[bot]]
    drawn = [
        Line(fit.bots[bot], [one[bot] for one in elo], Interval(fit.elo[bot], fit.error[bot]))
        for bot in played
    ]
    half = next(place for place, end in enumerate(ends) if 2 * end >= ends[-1])
    moved = max(played, key=lambda bot: _distance(elo[-1][bot], elo[half][bot]))
    says = (
        f"The ratings as they would have stood after fewer blocks, the first on the left. Since block "
        f"{ends[half]:,} none has moved more than that of {fit.bots[moved]}, by "
        f"{_distance(elo[-1][moved], elo[half][moved]):.0f}."
    )
    table = Table(
        f"Elo after so many blocks, {name_of(game)}",
        ["blocks", *[line.name for line in drawn]],
        [[f"{end:,}", *[_whole(one[bot]) for bot in played]] for end, one in zip(ends, elo, strict=True)],
        words=(),
    )
    title = f"Elo of each bot over the number of blocks, {name_of(game)}"
    return Section("over-blocks", "Rating over blocks", says, lines(ends, drawn, title), table)


def _distance(one: float | None, other: float | None) -> float:
    return 0.0 if one is None or other is None else abs(one - other)


def _whole(elo: float | None) -> str:
    return MISSING if elo is None else f"{elo:.0f}"


def _pairs(game: GameResults) -> Section:
    fit, met = game.fit, {(one.bot, one.other): one for one in game.pair_scores}
    names = [fit.bots[bot] for bot in fit.ranking]
    scores = [
        [met[bot, other].score if (bot, other) in met else None for other in fit.ranking]
        for bot in fit.ranking
    ]
    grid = Grid(
        names,
        names,
        [[None if score is None else 2 * score - 1 for score in row] for row in scores],
        [["" if score is None else f"{100 * score:.0f}" for score in row] for row in scores],
    )
    title = f"Share of the points that the bot of the row took from that of the column, {game.title}"
    says = _closest(fit, scores) + (
        " Each cell is the share that the bot of the row took from that of the column, a tie a half: "
        "green more than half, brown less."
    )
    return Section("pairs", "Head to head", says, heat_map(grid, title), _table(matrix_sheet(game), title))


def _closest(fit: Fit, scores: Sequence[Sequence[float | None]]) -> str:
    """The pair of neighbours, and who took what from whom."""
    pairs = [
        (abs(score - 0.5), score, row, column)
        for row, own in enumerate(scores)
        for column, score in enumerate(own)
        if score is not None and row < column
    ]
    if not pairs:
        return "No two bots have met."
    _, score, row, column = min(pairs)
    upper, lower = (fit.bots[fit.ranking[place]] for place in (row, column))
    return f"The closest pair: {upper} took {format_percent(score)} from {lower}."


def _profiles(found: RunResults) -> list[Section]:
    report = profile_table(found)
    if not report.sheets:
        return []
    [sheet] = report.sheets
    fits = list(found.fits.values())
    games = list(sheet.columns)[1:-2]
    names = [row[0] for row in sheet.rows]
    places = {bot: place for place, bot in enumerate(fits[0].bots)}
    widest = [max(abs(elo - 1500) for elo in fit.elo) or 1 for fit in fits]
    shades = [
        [
            (fit.elo[places[name]] - 1500) / wide if fit.blocks[places[name]] else None
            for fit, wide in zip(fits, widest, strict=True)
        ]
        for name in names
    ]
    words = [[f"{fit.elo[places[name]]:.0f}" for fit in fits] for name in names]
    standing_out = sum(1 for row in sheet.rows for cell in row[-2:] if cell)
    says = (
        "How each bot stands in each game: green above the mean of 1500, brown below, the deeper the nearer "
        f"to the game's best or worst. {_standing_out(standing_out)}"
    )
    title = "Elo of each bot in each game"
    picture = heat_map(Grid(names, games, shades, words), title, upright=True)
    return [Section("games", "Bots by games", says, picture, _table(sheet, title))]


def _standing_out(times: int) -> str:
    """How often a game stands out from a bot's own mean, and where that is to be read."""
    if not times:
        return "None stands out from a bot's own mean beyond doubt."
    there = "it is named" if times == 1 else "they are named"
    said = "One stands" if times == 1 else f"{times:,} stand"
    return f"{said} out from a bot's own mean beyond doubt; {there} in the table."


def _seats(game: Game, own: SeatMeans, blocks: int) -> Section:
    [sheet] = seat_table({game: own}).sheets
    means = own.means()
    rows = {
        f"seat {seat}": Interval(placing.value or 0.0, placing.error)
        for seat, (placing, _) in enumerate(means, 1)
    }
    values = sorted((bar.value, name) for name, bar in rows.items())
    (low, best), (high, worst) = values[0], values[-1]
    says = (
        f"Mean place at the end by seat, 1 being the best: {best} had {low:.2f}, {worst} {high:.2f}. Seats "
        "count from the first dealer's left. In a block each bot has each seat once, so this falls on all "
        f"alike. Taken from the first {format_count(blocks, 'blocks')} of the run."
    )
    title = f"Mean place by seat, {name_of(game)}"
    picture = dots(rows, sum(bar.value for bar in rows.values()) / len(rows), title)
    return Section("seats", "Seats", says, picture, _table(sheet, title))


def _faults(found: RunResults) -> Section:
    faults = found.faults
    kinds = sorted({kind for _, kind in faults})
    by_bot: dict[str, int] = {}
    for (bot, _), number in faults.items():
        by_bot[bot] = by_bot.get(bot, 0) + number
    worst = sorted(by_bot, key=lambda bot: (-by_bot[bot], bot))
    if not worst:
        empty = Table("", [], [])
        return Section(
            "faults",
            "Faults",
            f"Nothing went wrong in {format_count(found.matches, 'matches')}.",
            Markup(),
            empty,
        )
    rows = [[bot, *[f"{faults[bot, kind]:,}" for kind in kinds], f"{by_bot[bot]:,}"] for bot in worst]
    says = (
        f"{format_count(sum(by_bot.values()), 'faults')} in {format_count(found.matches, 'matches')}, "
        f"{'most' if len(worst) > 1 else 'all'} of them by {worst[0]}. For each the quiet action was played "
        "instead."
    )
    picture = bars({bot: by_bot[bot] for bot in worst[:24]}, "Faults by bot")
    return Section("faults", "Faults", says, picture, Table("Faults by bot", ["bot", *kinds, "all"], rows))


def _table(sheet: Sheet, name: str) -> Table:
    words = [
        at
        for at, column in enumerate(sheet.columns)
        if column in sheet.left or column in STANDING_OUT or not at
    ]
    return Table(name, sheet.columns, sheet.rows, words, notes=sheet.notes)
