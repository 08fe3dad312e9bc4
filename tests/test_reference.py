"""The published reference run: a few of its blocks are played again; `make reference-check` plays more."""

import csv
import importlib.util
import re
from pathlib import Path

import pytest

from arena.games import VARIANTS
from arena.tournament.review.repetition import choose_blocks, play_blocks_again
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import read_config

ROOT = Path(__file__).parents[1]
BLOCKS = 3


@pytest.fixture(scope="module")
def run() -> Run:
    return Run.open(ROOT / "results" / "reference")


def test_it_has_every_game_and_twelve_bots_or_more(run: Run) -> None:
    assert {entry.rules.name for entry in run.config.variants} == {rules.name for rules in VARIANTS}
    assert len(run.config.bots) >= 12


def test_it_is_the_whole_run_of_its_config(run: Run) -> None:
    assert run.config.toml() == read_config(ROOT / "configs" / "reference.toml").toml()
    assert run.count_blocks() == run.stages.format.total


def test_the_page_on_strength_gives_the_ratings_of_this_run() -> None:
    """The table of what each bot loses has its rating beside that."""
    with (ROOT / "results" / "reference" / "elo.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    ratings = {
        (row["bot"], row["variant"], row["players"]): f"{float(row['elo']):.0f} ± {float(row['error']):.0f}"
        for row in rows
        if row["error"]
    }
    text = "".join((ROOT / page).read_text() for page in ("docs/strength.md", "results/strength.md"))
    cells = re.findall(r"^\| `(.+)` \| `(.+)` \| (\d+) \| (\d+ ± \d+|–) \|", text, re.MULTILINE)
    assert len(cells) >= 30
    for bot, game, seats, rating in cells:
        assert rating == ratings.get((bot, game, seats), "–"), (bot, game, seats)


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="expert searches with numba only")
def test_blocks_that_are_played_again_give_the_published_bytes(run: Run) -> None:
    sample = choose_blocks(run, BLOCKS)
    assert len(sample.blocks) == BLOCKS
    assert play_blocks_again(run, sample.blocks, RunOptions()) == []
