"""The figures of a folder: of a run, a league, a track or a tuning."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, get_args

from markupsafe import Markup

from arena.errors import ConfigError, StoreError
from arena.league.schema import DATABASE as LEAGUE_DATABASE
from arena.output.figures.figure_style import FigureStyle
from arena.output.figures.league_figures import draw_league_figure
from arena.output.figures.run_figures import ELO_AXIS, choose_game, draw_game_figure, draw_ratings
from arena.output.figures.track_figure import draw_curve
from arena.output.figures.tuning_figure import draw_settings
from arena.tournament.designs.track import Track, rate_checkpoints
from arena.tournament.designs.tuning import read_state
from arena.tournament.results.results import RunResults
from arena.tournament.run import Run
from arena.tournament.store.database import DATABASE

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

    Raises:
        StoreError: For a folder of something else.
        ConfigError: For a figure that it does not have.
    """
    if (folder / LEAGUE_DATABASE).exists():
        return draw_league_figure(folder, kind or "ratings", style, variant, players)
    if (folder / DATABASE).exists():
        return _draw_run_figure(Run.open(folder).results(), kind or "ratings", style, variant, players)
    state = read_state(folder)
    runs = list(Track(folder, {}).runs()) if state is None else []
    if state is None and not runs:
        raise StoreError(f"{folder} holds no run, league, track or tuning")
    what = "track" if runs else "tuning"
    if kind not in (None, "history"):
        raise ConfigError(
            f"{folder} holds a {what}, which has no figure {kind}: its figure is --kind history"
        )
    if state is None:
        figure = draw_curve(rate_checkpoints(runs), style, "Elo against the field")
    else:
        figure = draw_settings(state, style, "percent of the range") if state.generations else Markup()
    if not figure:
        raise ConfigError(f"the {what} in {folder} has no results yet")
    return figure


def _draw_run_figure(
    results: RunResults, kind: Kind, style: FigureStyle, variant: str | None, players: int | None
) -> Markup:
    if kind == "ratings" and variant is None and players is None and results.overall:
        figure = draw_ratings(results.overall, "Elo over all games", style, ELO_AXIS)
    else:
        game = choose_game(results.of_variant(variant).games, players)
        figure = draw_game_figure(results, game, kind, style)
    if not figure:
        raise ConfigError(f"there are too few blocks yet for the figure {kind}")
    return figure
