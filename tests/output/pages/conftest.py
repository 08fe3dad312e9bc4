"""A report page with hostile bot names."""

from pathlib import Path

import pytest

from arena.output.pages.run_pages import write_report
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from tests.output.pages.browsing import HOSTILE

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
    table = {"bots": BOTS, "variants": GAMES, "blocks": 8, "seed": "any text"}
    run = Run.create(make_config(table, base=Path(), where="the test"), RunFolder.create(folder))
    run.play(RunOptions())
    write_report(run)
    return run
