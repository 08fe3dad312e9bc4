"""The page for a projector: standings and bracket of a run, renewed until it is finished."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from arena.web.application import build_application
from arena.web.context import WebContext
from tests.web.conftest import URL, Ask, make_ask

BOTS = ["greedy", "counter", {"bot": "random", "name": "<b>random</b>"}, "prudent"]


def play(folder: Path, **config: object) -> Run:
    """Create a run of four bots at lives and play it."""
    games = [{"name": "lives", "players": 2, "tokens": 1}]
    table = {"bots": BOTS, "variants": games, "seed": "any", **config}
    run = Run.create(make_config(table, base=Path(), where="the test"), RunFolder.create(folder))
    run.play(RunOptions())
    return run


def ask_about(run: Run) -> Ask:
    return make_ask(build_application(WebContext(url=URL, run=run.folder)))


@pytest.fixture(scope="module")
def knockout(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished knockout."""
    folder = tmp_path_factory.mktemp("results") / "cup"
    return play(folder, format="knockout", title="The cup", blocks=20, max_blocks=20)


def test_the_standings_and_the_bracket_are_shown(knockout: Run) -> None:
    response = ask_about(knockout)("GET", "/presentation")
    assert response.status_code == 200
    page = response.text
    for text in ("The cup", "Bracket", "Round 1", "Round 2", "wins", "&lt;b&gt;random&lt;/b&gt;"):
        assert text in page
    assert page.count('<th scope="row"') == 4
    assert "http-equiv" not in page  # it is finished


@pytest.mark.parametrize(("blocks", "rounds", "advance"), [(10, 1, 0), (45, 2, 2)])
def test_the_bracket_of_a_knockout_grows_with_its_rounds(
    knockout: Run, tmp_path: Path, blocks: int, rounds: int, advance: int
) -> None:
    """The first round has two tables of 20 blocks, the second one."""
    shutil.copytree(knockout.folder.path, tmp_path / "cup")
    folder = RunFolder(tmp_path / "cup")
    with closing(sqlite3.connect(folder.database)) as database:
        database.execute("DELETE FROM block WHERE place >= ?", (blocks,))
        database.commit()
    page = ask_about(Run.open(folder.path))("GET", "/presentation").text
    assert page.count("<h3>Round") == rounds
    assert page.count('class="stays"') == page.count("advances") == advance
    assert "wins" not in page
    assert page.count("</li>") == 4 + 2 * (rounds - 1)
    assert 'data-every="10"' in page


def test_a_run_that_is_not_finished_is_shown_with_what_is_played_and_renewed(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "run")
    config = {"bots": BOTS, "variants": [{"name": "lives", "players": 4}], "blocks": 40, "seed": "any"}
    run = Run.create(make_config(config, base=Path(), where="the test"), folder)
    page = ask_about(run)("GET", "/presentation").text
    assert "Nothing has been played yet." in page
    assert '<meta http-equiv="refresh" content="10">' in page
    assert '<progress max="1" value="0.000"' in page
    assert "Bracket" not in page


def test_a_league_without_a_final_shows_its_main_ladder(ask: Ask) -> None:
    page = ask("GET", "/presentation").text
    assert "A course" in page
    assert "Nothing has been played yet." in page
