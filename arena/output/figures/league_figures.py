"""The figures of a league, from its ladders and its blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from markupsafe import Markup

from arena.errors import ConfigError
from arena.league.counting_versions import find_main_game
from arena.league.ratings_during_update import OVERALL
from arena.league.results import Change, LeagueResults
from arena.league.store import Rating
from arena.output.figures.charts import Interval, Series, dot_plot, history_chart
from arena.output.figures.figure_style import FigureStyle
from arena.output.figures.run_figures import (
    ELO_AXIS,
    MEAN_ELO,
    PLACING_AXIS,
    choose_game,
    draw_pairs,
    draw_positions,
    game_name,
    pairs_title,
)
from arena.tournament.store.played_blocks import Game

MAX_ROWS: Final = 40
"""Bots in a figure, the best of the ladder."""
MAX_LINES: Final = 24
"""Bots in a history, the best of the ladder."""


def draw_league_figure(
    folder: Path, kind: str, style: FigureStyle, variant: str | None, players: int | None
) -> Markup:
    """Return a figure of a league; see `draw_folder_figure`."""
    league = LeagueResults.open(folder)
    try:
        return _draw(league, kind, style, variant, players)
    finally:
        league.close()


def _draw(
    league: LeagueResults, kind: str, style: FigureStyle, variant: str | None, players: int | None
) -> Markup:
    ladders = league.ladders
    if not ladders:
        raise ConfigError(f"{league.title} has no ratings yet: update it first")
    if kind in ("ratings", "history"):
        game = _choose_ladder(league, variant, players)
        title = "over all games" if game == OVERALL else game_name(game)
        if kind == "ratings":
            return _draw_ladder(league, ladders[game], title, style)
        return _draw_history(league, game, title, style)
    results = league.run_results().of_variant(variant)
    counted = choose_game(results.games, players)
    if kind == "seats":
        means = results.seat_effects.by_game[counted.game]
        return draw_positions(counted.game, means, style, PLACING_AXIS)
    numbers = {name: number for number, name in enumerate(counted.fit.bots)}
    names = [league.name_of(change.rating.version) for change in ladders.get(counted.game, ())]
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


def rating_interval(rating: Rating) -> Interval:
    """Return what a ladder has of a rated version: its Elo with a bar for comparing, or a bound."""
    if rating.shown_elo is None:
        return Interval(rating.elo or 0.0, None)
    return Interval(rating.shown_elo, rating.comparison_error, rating.mark)


def _draw_ladder(league: LeagueResults, ladder: list[Change], title: str, style: FigureStyle) -> Markup:
    ratings = [change.rating for change in ladder if change.rating.elo is not None][:MAX_ROWS]
    spans = {league.name_of(rating.version): rating_interval(rating) for rating in ratings}
    if not spans:
        raise ConfigError(f"{league.title} has no ratings yet: update it first")
    return dot_plot(spans, MEAN_ELO, f"Elo, {title}, with bars for comparing", style=style, axis=ELO_AXIS)


def _draw_history(league: LeagueResults, game: Game, title: str, style: FigureStyle) -> Markup:
    """Return the ratings of the best bots at the end of each update, of the version current then."""
    dates = {update.number: update.date for update in league.updates}
    bots = [league.entry_of(change.rating.version).bot for change in league.ladders[game]]
    by_bot = {
        bot.name: {
            rating.league_update: rating
            for version in league.versions_of(bot)
            for rating in league.history(version.number)
            if (rating.variant, rating.players) == game and rating.elo is not None
        }
        for bot in bots
    }
    updates = sorted({update for ratings in by_bot.values() for update in ratings})
    if len(updates) < 2:
        raise ConfigError(f"{league.title} has a history after two updates with ratings")
    series = []
    for name, ratings in by_bot.items():
        if ratings:
            last = ratings[max(ratings)]
            values = [ratings[update].elo if update in ratings else None for update in updates]
            series.append(Series(name, values, rating_interval(last)))
    labels = [dates[update] for update in updates]
    return history_chart(labels, series[:MAX_LINES], f"Elo by date, {title}", style, ELO_AXIS)
