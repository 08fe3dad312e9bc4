"""The figures of a league."""

import pytest

from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.output.figures.league_figures import KINDS, Kind, draw_folder_figure
from arena.output.figures.style import PAGE_STYLE

pytestmark = pytest.mark.xdist_group("league site")  # played once


@pytest.mark.parametrize("kind", KINDS)
def test_a_league_has_every_figure(league: LeagueFolder, kind: Kind) -> None:
    figure = draw_folder_figure(league.path, kind, PAGE_STYLE, "lives")
    assert figure.startswith(("<svg ", '<div class="named"'))
    assert kind == "seats" or "prudent" in figure


def test_the_ladder_over_all_games_comes_first(league: LeagueFolder) -> None:
    assert "over all games" in draw_folder_figure(league.path, None, PAGE_STYLE)
    with pytest.raises(ConfigError, match="has no game 'cox'"):
        draw_folder_figure(league.path, "ratings", PAGE_STYLE, "cox")
