"""The published reference run: a few of its blocks are played again; `make reference-check` plays more."""

import csv
import importlib.util
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
import zstandard
from click.testing import CliRunner

from arena.games import VARIANTS
from arena.rating.elo_fit import find_center
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.formats import make_format
from arena.tournament.review.verification import draw_sample
from arena.tournament.run import Run
from arena.tournament.setup.command_line import read_ladder
from arena.tournament.setup.config import Config, default_players, read_config
from benchmarks import exploitability, reference_run, rungs, strength_tables
from benchmarks.reference_run import (
    CONFIG,
    EXPLOITS,
    PUBLISHED,
    README,
    RUNGS,
    add_tables,
    find_differences,
    make_page,
    published_hashes,
    read_ratings,
)
from benchmarks.strength_tables import list_series

ROOT = Path(__file__).parents[1]
BLOCKS = 2
MAX_BYTES = 4_000_000


@pytest.fixture(scope="module")
def config() -> Config:
    return read_config(CONFIG)


def test_it_has_every_game_at_two_sizes_with_the_bots_that_search(config: Config) -> None:
    played = {(entry.rules.name, size): entry.bots for entry in config.variants for size in entry.players}
    assert list(played) == [(rules.name, size) for rules in VARIANTS for size in rungs.SIZES]
    for (game, _), bots in played.items():
        assert {"random", "rollout", "expert"} <= {*bots}, game
        assert {*rungs.list_bots(config, game)} <= {*bots}, game
    assert len(config.bots) >= 12


def test_it_is_the_whole_run_of_its_config(config: Config) -> None:
    published = tomllib.loads((PUBLISHED / "run.toml").read_text())
    written = tomllib.loads(config.toml())
    published["limits"] = {**written["limits"], **published["limits"]}  # limits that came later have defaults
    assert published == written
    assert len(published_hashes()) == make_format(config, config.seed).total


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in PUBLISHED.iterdir()) < MAX_BYTES


def test_the_centre_of_each_ladder_is_1500() -> None:
    """Of the bots that played it, also of those whose Elo is a bound."""
    with (ROOT / "results" / "reference" / "elo.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["elo"] and row["players"]]
    ladders = {(row["variant"], row["players"]) for row in rows}
    assert len(ladders) == 2 * len(VARIANTS)
    for ladder in sorted(ladders):
        elo = np.array([float(row["elo"]) for row in rows if (row["variant"], row["players"]) == ladder])
        assert find_center(elo).elo == pytest.approx(1500, abs=0.06), ladder


def test_the_pages_on_strength_are_up_to_date() -> None:
    """With the strongest bot of each game, and what each bot loses beside its rating in this run."""
    for page, text in strength_tables.render().items():
        assert page.read_text(encoding="utf-8") == text, page
    assert len(strength_tables.choose_series()) > 40
    assert len(strength_tables.choose_exploits()) > 40


def test_each_measurement_of_strength_is_inside_its_interval() -> None:
    series, exploits = strength_tables.read_series(), strength_tables.read_more_exploits()
    games = {rules.name for rules in VARIANTS}
    assert {row.game for row in series} <= games
    assert {row.game for row in exploits} <= games
    rows = [(row.low, row.elo, row.high) for row in series]
    rows += [(row.low, row.loses, row.high) for row in exploits]
    for low, elo, high in rows:
        assert (elo if low is None else low) <= elo <= (elo if high is None else high)
    assert len(set(series)) == len(series)


def test_page_and_report_show_the_measured_exploitability(config: Config) -> None:
    ratings = read_ratings()
    rows = exploitability.read_exploits(EXPLOITS)
    wanted = exploitability.choose_bots(config, ratings)
    assert rows
    assert len({game for game, _ in wanted}) == exploitability.GAMES
    assert [pair for pair in wanted if pair in {(row.variant, row.bot) for row in rows}] == [
        (row.variant, row.bot) for row in rows
    ]
    assert README.read_text(encoding="utf-8") == make_page()
    report = (PUBLISHED / "report.html").read_text(encoding="utf-8")
    assert add_tables(report) == report


def test_the_rungs_are_those_of_each_game_at_two_sizes(config: Config) -> None:
    wanted = rungs.list_pairs(config)
    rows = rungs.read_rungs(RUNGS)
    assert {(game, players) for game, players, *_ in wanted} == {
        (rules.name, players) for rules in VARIANTS for players in rungs.SIZES
    }
    measured = {row.pair for row in rows}
    assert [pair for pair in wanted if pair in measured] == [row.pair for row in rows]
    assert all(row.blocks >= rungs.MIN_BLOCKS for row in rows)


def test_each_rung_of_a_grade_is_shown_to_be_above_the_one_before() -> None:
    """With as many seats as a grading has: by a row of the rungs, or by a longer series."""
    shown = {row.pair for row in rungs.read_rungs(RUNGS) if row.is_shown}
    longer = {(row.game, row.seats, row.bot, row.copies_of) for row in list_series() if row.is_shown}
    ladder = {
        (rules.name, default_players(rules), bot, below)
        for rules in VARIANTS
        for below, bot in pairwise(read_ladder().rungs[rules.name])
    }
    assert sorted(ladder.difference(shown, longer)) == []


def test_the_first_blocks_of_a_rung_are_played_again() -> None:
    row = next(row for row in rungs.read_rungs(RUNGS) if row.variant == "cuccu" and row.bot == "simple")
    assert rungs.play_again(row)
    assert not rungs.play_again(msgspec.structs.replace(row, below="stand-pat"))


def test_a_rung_is_measured_kept_and_named_until_it_is(tmp_path: Path) -> None:
    pairs = [("cuccu", 2, "simple", "random"), ("cuccu", 2, "retuned", "simple")]
    row = rungs.measure(pairs[0], 0, 100)
    assert row.blocks == rungs.MIN_BLOCKS
    rungs.write_rungs(tmp_path / "rungs.csv", [row])
    assert rungs.read_rungs(tmp_path / "rungs.csv") == [row]
    page = rungs.page([row], pairs)
    assert "Not measured yet: 1 of 2 at `cuccu`." in page
    assert ("| cuccu | 2 | simple | random |" in page) != row.is_shown


@pytest.mark.parametrize(
    ("score", "low", "los", "is_shown"),
    [
        (0.6, 20.0, 0.995, True),
        (0.6, -5.0, 0.95, False),
        (1.0, 150.0, None, True),
        (0.5, -30.0, None, False),
    ],
)
def test_a_rung_is_shown_by_its_los_or_where_all_points_are_won_by_its_bound(
    score: float, low: float, los: float | None, is_shown: bool
) -> None:
    row = rungs.Rung("lives", 2, "greedy", "random", 20, score, None, low, None, los, "")
    assert row.is_shown is is_shown


def test_an_exploit_is_inside_its_interval() -> None:
    for row in exploitability.read_exploits(EXPLOITS):
        assert row.loses is None or (row.low or row.loses) <= row.loses <= (row.high or row.loses), row


def test_exploits_are_measured_where_they_are_missing_or_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets = []

    def measure(variant: str, bot: str, budget: exploitability.Budget, jobs: int) -> exploitability.Exploit:
        budgets.append((variant, bot, budget, jobs))
        return exploitability.Exploit(variant, bot, 1.0, 0.5, 1.5, budget.generations, budget.blocks)

    def run(*options: str) -> list[str]:
        budgets.clear()
        result = CliRunner().invoke(reference_run.main, ["exploit", "--game", "cuccu", *options])
        assert result.exit_code == 0, result.output
        return [bot for _, bot, _, _ in budgets]

    rows = tmp_path / "rows.csv"
    exploitability.write_exploits(rows, [exploitability.Exploit("cuccu", "random", 2.0, 1.0, 3.0, 5, 400)])
    monkeypatch.setattr(reference_run, "EXPLOITS", rows)
    monkeypatch.setattr(reference_run, "show_tables", lambda: None)
    monkeypatch.setattr(exploitability, "measure", measure)
    assert run("--bot", "random") == []
    assert run("--bot", "simple", "--bot", "random") == ["simple"]
    assert run("--bot", "random", "--again", "--minutes", "60", "--jobs", "1") == ["random"]
    assert budgets == [("cuccu", "random", exploitability.Budget(minutes=60), 1)]
    assert "random" not in run()
    (first, *_) = exploitability.read_exploits(rows)
    assert (first.bot, first.loses, first.generations) == ("random", 1.0, 50)
    exploitability.measure_again(exploitability.Exploit("cuccu", "expert", 1.0, 0.5, 1.5, 7, 60), 2)
    assert budgets[-1] == ("cuccu", "expert", exploitability.Budget(7, 60), 2)


def test_an_exploit_is_trained_for_generations_or_for_minutes() -> None:
    command = exploitability.exploit_command("cuccu", "expert", exploitability.Budget(7, 60))
    assert " ".join(command) == (
        "exploit expert --variant cuccu --players 4 --generations 7 --blocks 60 --seed reference"
    )
    timed = exploitability.exploit_command("cuccu", "expert", exploitability.Budget(7, 60, 1.5))
    assert " ".join(timed[4:]) == "--players 4 --minutes 1.5 --blocks 60 --seed reference"


def test_a_bot_without_a_row_is_named_on_the_page(tmp_path: Path) -> None:
    row = exploitability.Exploit("lives", "greedy", 81.0, 71.6, None, 5, 400)
    exploitability.write_exploits(tmp_path / "rows.csv", [row])
    assert exploitability.read_exploits(tmp_path / "rows.csv") == [row]
    cells = exploitability.list_cells([row], read_ratings())
    page = exploitability.page(cells, [("lives", "greedy"), ("lives", "counter")])
    assert "| lives | greedy |" in page
    assert "71.6 to no bound" in page
    assert "Not measured: `counter` at `lives`." in page
    assert "Not measured" not in exploitability.page(cells, [("lives", "greedy")])


def test_ratings_are_computed_again_from_published_outcomes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, published = tmp_path / "small.toml", tmp_path / "published"
    path.write_text(
        'seed = "any"\nbots = ["random", "greedy", "stand-pat"]\nblocks = 3\n'
        '[[variants]]\nname = "cuccu"\nplayers = [2, 3]\n'
    )
    files = {"CONFIG": path, "PUBLISHED": published, "HASHES": published / "blocks.txt"}
    for name, file in (files | {"OUTCOMES": published / "outcomes.zst"}).items():
        monkeypatch.setattr(reference_run, name, file)
    monkeypatch.setattr(reference_run, "show_tables", lambda: None)
    monkeypatch.setattr(reference_run, "FILES", ("elo.csv",))
    Run.create(read_config(path), RunFolder.create(tmp_path / "run")).play(RunOptions())

    def check(*options: str) -> list[str]:
        few = ("check", "--blocks", "4", "--jobs", "1", "--rungs", "0", "--exploits", "0", *options)
        result = CliRunner().invoke(reference_run.main, few)
        is_other = re.search("[1-9][0-9]* (rows )?differ$", result.output, re.MULTILINE)
        assert result.exit_code == bool(is_other), result.output
        return result.output.splitlines()

    assert reference_run.publish(tmp_path / "run") == 12
    drawn, played, computed, *_ = check()
    assert played == "4 of 12 blocks played again, 0 differ"
    assert computed == "ratings computed again from 12 blocks, 0 rows differ"
    assert check("--sample-seed", drawn.split()[-1])[0] == drawn != check()[0]
    elo = published / "elo.csv"
    elo.write_text(elo.read_text().replace("cuccu,2,1", "cuccu,2,2"))
    assert "elo.csv: cuccu,2,2" in "".join(check())
    outcomes = reference_run.read_outcomes()
    forged = msgspec.msgpack.encode([outcomes[1], *outcomes[1:]])
    reference_run.OUTCOMES.write_bytes(zstandard.compress(forged))
    assert "1 differ" in "".join(check("--blocks", "12"))
    reference_run.OUTCOMES.unlink()
    assert "ratings not computed again" in "".join(check())


@pytest.mark.xdist_group("kernel")  # where the search of `expert` is compiled already
@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="expert searches with numba only")
def test_blocks_that_are_played_again_give_the_published_bytes() -> None:
    sample = draw_sample(range(len(published_hashes())), BLOCKS, None, "play-again")
    assert find_differences(sample.blocks) == []
