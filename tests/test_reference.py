"""The published reference run: a few of its blocks are played again; `make reference-check` plays more."""

import csv
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

from arena.games import VARIANTS
from arena.tournament.formats import make_format
from arena.tournament.review.block_sample import draw_sample
from arena.tournament.setup.config import Config, read_config
from benchmarks.reference_run import CONFIG, PUBLISHED, find_differences, published_hashes

ROOT = Path(__file__).parents[1]
BLOCKS = 3
MAX_BYTES = 3_000_000


@pytest.fixture(scope="module")
def config() -> Config:
    return read_config(CONFIG)


def test_it_has_every_game_and_twelve_bots_or_more(config: Config) -> None:
    played = {entry.rules.name for entry in config.variants}
    assert played == {rules.name for rules in VARIANTS}
    assert len(config.bots) >= 12


def test_it_is_the_whole_run_of_its_config(config: Config) -> None:
    published = tomllib.loads((PUBLISHED / "run.toml").read_text())
    assert published == tomllib.loads(config.toml())
    assert len(published_hashes()) == make_format(config, config.seed).total


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in PUBLISHED.iterdir()) < MAX_BYTES


def test_the_mean_of_each_ladder_is_1500() -> None:
    """Of the bots whose Elo is no bound: those that did not play a game have no part in it."""
    with (ROOT / "results" / "reference" / "elo.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["elo"] and row["players"] and not row["mark"]]
    ladders = {(row["variant"], row["players"]) for row in rows}
    assert len(ladders) >= 24
    for ladder in sorted(ladders):
        elo = [float(row["elo"]) for row in rows if (row["variant"], row["players"]) == ladder]
        assert sum(elo) / len(elo) == pytest.approx(1500, abs=0.06), ladder


def test_the_page_on_strength_gives_the_ratings_of_this_run() -> None:
    """The table of what each bot loses has its rating beside that."""
    with (PUBLISHED / "elo.csv").open(newline="") as file:
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
def test_blocks_that_are_played_again_give_the_published_bytes() -> None:
    sample = draw_sample(range(len(published_hashes())), BLOCKS, None, "play-again")
    assert find_differences(sample.blocks) == []
