"""Runs of a few lines of config."""

from pathlib import Path
from typing import Any

from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config

LIVES = [{"name": "lives", "players": 2, "tokens": 1}]
"""A game that is over soon."""
CARELESS = """
class Bot:
    def __init__(self, info):
        self.heuristic, self.is_careful = info.heuristic(), info.settings.get("care", 0) > 0.5

    def act(self, view):
        return self.heuristic.act(view) if self.is_careful else view.legal[-1]
"""
"""A bot that plays well where `care` is above a half."""


def make_run(folder: Path, bots: list[Any], variants: list[dict[str, Any]] = LIVES, **keys: Any) -> Run:
    """Make a run, whose bots may be in files beside its folder; with a seed of None it draws one."""
    table = {"bots": bots, "variants": variants, "seed": "any text", **keys}
    given = {key: value for key, value in table.items() if value is not None}
    config = make_config(given, base=folder.parent, where="the test")
    return Run.create(config, RunFolder.create(folder), choose_levels(config, confirmed=config.isolation))


def play_run(folder: Path, bots: list[Any], variants: list[dict[str, Any]] = LIVES, **keys: Any) -> Run:
    """Make a run and play it to its end."""
    run = make_run(folder, bots, variants, **keys)
    assert run.play(RunOptions()) == "done"
    return run
