"""A run's blocks are read once and each game is fitted once, whatever is made of the results."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.output.tables.pairs import matrix_sheet
from arena.tournament.results import results as run_results
from arena.tournament.run import Run

ROOT = Path(__file__).parents[3]
CONFIG = """
bots = ["greedy", "random", "stand-pat"]
blocks = 6
seed = "any text"
replays = 10
isolation = "inline"
variants = [{name = "lives", players = [2, 3], tokens = 1}, {name = "pool", players = 3}]
"""
FITTED_ONCE = {"lives(tokens=1)/2": 1, "lives(tokens=1)/3": 1, "pool/3": 1}


class Counts:
    """Fits by game, and times that all blocks are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fits: Counter[str] = Counter()
        self.passes = 0
        model = vars(run_results.GameResults)["fit"]
        rate = model.func
        results = run_results.ResultsReader.results

        def fit(results: run_results.GameResults) -> object:
            self.fits[f"{results.variant}/{results.players}"] += 1
            return rate(results)

        def count_blocks(*args: Any) -> run_results.RunResults:
            self.passes += 1
            return results(*args)

        monkeypatch.setattr(model, "func", fit)
        monkeypatch.setattr(run_results.ResultsReader, "results", count_blocks)


def arena(*args: str | Path) -> None:
    result = CliRunner().invoke(main, [str(arg) for arg in args])
    assert result.exit_code == 0, result.output


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Counts]:
    """A run, and what was counted while it was played."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "config.toml").write_text(CONFIG)
    with pytest.MonkeyPatch.context() as patch:
        counts = Counts(patch)
        arena("run", folder / "config.toml", "--out", folder / "run", "--jobs", "1", "-q")
    return folder / "run", counts


def test_bots_of_other_games_are_in_no_table_of_a_game(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (tmp_path / "config.toml").write_text("""
bots = ["greedy", "random", "thirty"]
blocks = 1
[[variants]]
name = "lives"
players = 2
bots = ["greedy", "random"]
[[variants]]
name = "lives"
players = 3
[[variants]]
name = "thirty-one"
players = 2
bots = ["thirty", "random"]
""")
    arena("run", tmp_path / "config.toml", "--out", folder, "--quiet")
    results = Run.open(folder).results()
    assert sorted((row.variant, row.players, row.bot) for row in results.rows) == [
        ("lives", 2, "greedy"),
        ("lives", 2, "random"),
        ("lives", 3, "greedy"),
        ("lives", 3, "random"),
        ("lives", 3, "thirty"),
        ("thirty-one", 2, "random"),
        ("thirty-one", 2, "thirty"),
    ]
    columns = {game: set(matrix_sheet(fitted).headings) for game, fitted in results.games.items()}
    assert columns == {
        ("lives", 2): {"bot", "greedy", "random"},
        ("lives", 3): {"bot", "greedy", "random", "thirty"},
        ("thirty-one", 2): {"bot", "random", "thirty"},
    }


def test_the_end_of_a_run_fits_each_game_once_and_reads_the_blocks_once(played: tuple[Path, Counts]) -> None:
    folder, counts = played
    assert (folder / "report.html").exists()
    assert counts.fits == FITTED_ONCE
    assert counts.passes == 1  # records are made from the matches as they are played


@pytest.mark.parametrize(
    ("command", "fits"),
    [
        (("report",), 1),
        (("table",), 1),
        (("table", "--matrix"), 1),
        (("table", "--variants"), 1),
        (("plan",), 2),  # with the errors of this run, and with those of the run once it is extended
    ],
)
def test_commands_fit_each_game_once_and_count_the_blocks_once(
    played: tuple[Path, Counts], monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], fits: int
) -> None:
    folder, counts = played[0], Counts(monkeypatch)
    monkeypatch.setattr("arena.tournament.review.forecast.TIMED_CHUNKS", 1)
    arena(command[0], folder, *command[1:])
    assert counts.fits == dict.fromkeys(FITTED_ONCE, fits)
    assert counts.passes == 1


def test_results_are_read_again_only_when_there_are_more_blocks(
    played: tuple[Path, Counts], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts, run = Counts(monkeypatch), Run.open(played[0])
    assert run.results() is run.results()
    assert counts.passes == 1
    assert run.read_results() is not run.results()
    assert counts.passes == 2
