"""A report page with hostile bot names."""

import pytest

from arena.output.pages.run_pages import write_report
from arena.tournament.run import Run
from tests.output.pages.browsing import HOSTILE
from tests.tournament.made_runs import play_run

BOTS = [
    {"bot": "greedy", "name": HOSTILE},
    "counter",
    "random",
    {"bot": "prudent", "name": '"><b onclick=x>&amp;'},
]
GAMES = [{"name": "lives", "players": 4, "tokens": 2}, {"name": "pool", "players": 4}]


@pytest.fixture(scope="session")
def reported_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Play four bots in two variants and write the report; one bot's name is a script."""
    folder = tmp_path_factory.mktemp("results") / "told"
    run = play_run(folder, BOTS, GAMES, blocks=8)
    write_report(run)
    return run
