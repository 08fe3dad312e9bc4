"""Figures of a league, and the choice of the figure for a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, get_args

from markupsafe import Markup

from arena.errors import ConfigError, StoreError
from arena.league.results import LeagueResults, find_main_game
from arena.league.standings import OVERALL
from arena.league.store import DATABASE as LEAGUE_DATABASE
from arena.league.store import LadderRow
from arena.output.figures.charts import Series, history_chart
from arena.output.figures.design_figures import draw_curve, draw_settings
from arena.output.figures.figures import (
    ELO_AXIS,
    choose_game,
    draw_game_figure,
    draw_pairs,
    draw_ratings,
    game_name,
    make_interval,
    pairs_title,
)
from arena.output.figures.style import FigureStyle
from arena.tournament.designs.track import Track, rate_checkpoints
from arena.tournament.formats.tuning import Tuning
from arena.tournament.run import Run
from arena.tournament.store.database import DATABASE
from arena.tournament.store.played_blocks import Game

# --- league ---

MAX_ROWS: Final = 40
"""Bots in a figure, the best of the ladder."""
MAX_LINES: Final = 24
"""Bots in a history, the best of the ladder."""


def _draw_league_figure(
    league: LeagueResults, kind: str, style: FigureStyle, variant: str | None, players: int | None
) -> Markup:
    ladders = league.ladders
    if not ladders:
        raise ConfigError(f"{league.title} has no ratings yet: update it first")
    if kind in ("ratings", "history"):
        game = _choose_ladder(league, variant, players)
        title = "over all games" if game == OVERALL else game_name(game)
        if kind == "history":
            return _draw_history(league, game, title, style)
        if figure := draw_ratings(ladders[game][:MAX_ROWS], f"Elo, {title}", style, ELO_AXIS):
            return figure
        raise ConfigError(f"{league.title} has no ratings yet: update it first")
    results = league.run_results().of_variant(variant)
    counted = choose_game(results.games, players)
    if kind == "seats":
        return draw_game_figure(results, counted, kind, style)
    numbers = {name: number for number, name in enumerate(counted.fit.bots)}
    names = [row.bot for row in ladders.get(counted.game, ())]
    bots = [numbers[name] for name in names if name in numbers][:MAX_ROWS]
    return draw_pairs(counted, bots, pairs_title(counted.game), style)


def _choose_ladder(league: LeagueResults, variant: str | None, players: int | None) -> Game:
    """Return the main ladder, which is the one over all games where it has ratings, or that of a game."""
    if variant is None and players is None and OVERALL in league.ladders:
        return find_main_game(league)
    games = {
        game: game
        for game in league.ladders
        if game != OVERALL and variant in (None, game[0], game[0].partition("(")[0])
    }
    if not games:
        raise ConfigError(f"{league.title} has no game {variant!r}")
    return choose_game(games, players)


def _draw_history(league: LeagueResults, game: Game, title: str, style: FigureStyle) -> Markup:
    """Return the ratings of the best bots at the end of each update, of the version current then."""
    dates = {update.number: update.date for update in league.updates}
    bots = [league.entry_of(row.version).bot for row in league.ladders[game]]
    by_bot = {
        bot.name: {
            row.league_update: row
            for version in league.versions_of(bot)
            for row in league.history(version.number)
            if row.game == game and row.elo is not None
        }
        for bot in bots
    }
    updates = sorted({update for ratings in by_bot.values() for update in ratings})
    if len(updates) < 2:
        raise ConfigError(f"{league.title} has a history after two updates with ratings")
    series = [make_series(name, rows, updates) for name, rows in by_bot.items() if rows]
    labels = [dates[update] for update in updates]
    return history_chart(labels, series[:MAX_LINES], f"Elo by date, {title}", style, ELO_AXIS)


def make_series(name: str, rows: Mapping[int, LadderRow], updates: Sequence[int]) -> Series:
    """Return the ratings at the ends of updates, by number, with the bar or bound of the last."""
    values = [rows[update].elo if update in rows else None for update in updates]
    return Series(name, values, make_interval(rows[max(rows)]))


# --- figure of a folder ---
# A folder holds a run, a league, a track or a tuning.

Kind = Literal["ratings", "history", "matrix", "seats"]
KINDS: Final = get_args(Kind)


def draw_folder_figure(
    folder: Path,
    kind: Kind | None,
    style: FigureStyle,
    variant: str | None = None,
    players: int | None = None,
) -> Markup:
    """Return a figure of what a folder holds.

    Args:
        folder: Folder of a run, a league, a track or a tuning.
        kind: Which figure; a track and a tuning have a history only. None for the first it has.
        style: Its look.
        variant: The game, if there are several.
        players: The size of the table, if there are several.
    """
    if (folder / LEAGUE_DATABASE).exists():
        with LeagueResults.open(folder) as league:
            return _draw_league_figure(league, kind or "ratings", style, variant, players)
    if (folder / DATABASE).exists():
        run = Run.open(folder)
        if isinstance(run.stages.format, Tuning) and kind in (None, "history"):
            if not run.scoreboard():
                raise ConfigError(f"the tuning in {folder} has no results yet")
            return draw_settings(run.stages.format, style, "percent of the range")
        return _draw_run_figure(run, kind or "ratings", style, variant, players)
    runs = list(Track(folder, {}).runs())
    if not runs:
        raise StoreError(f"{folder} holds no run, league, track or tuning")
    if kind not in (None, "history"):
        raise ConfigError(f"{folder} holds a track, which has no figure {kind}: its figure is --kind history")
    if figure := draw_curve(rate_checkpoints(runs), style, "Elo against the field"):
        return figure
    raise ConfigError(f"the track in {folder} has no results yet")


def _draw_run_figure(
    run: Run, kind: Kind, style: FigureStyle, variant: str | None, players: int | None
) -> Markup:
    results = run.results()
    if kind == "ratings" and variant is None and players is None and results.overall:
        figure = draw_ratings(results.overall, "Elo over all games", style, ELO_AXIS)
    else:
        game = choose_game(results.of_variant(variant).games, players)
        figure = draw_game_figure(results, game, kind, style)
    if not figure:
        raise ConfigError(f"there are too few blocks yet for the figure {kind}")
    return figure
