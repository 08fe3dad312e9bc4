"""`arena track`: checkpoints on one curve, each rated once, against a field that stays the same."""

import csv
import json
import math
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from click.testing import CliRunner
from scipy.special import stdtrit

from arena.cli import main
from tests.cli.conftest import Arena

pytestmark = pytest.mark.xdist_group("tracked runs")  # played once

BOT = """
class Bot:
    IS_TRAINED = {is_trained}

    def act(self, view):
        return self.IS_TRAINED and view.best_exchange() or view.legal[-1]
"""
DATA_BOT = """
from pathlib import Path

class Bot:
    def __init__(self, info):
        self.place = int(Path(__file__).with_name("place.txt").read_text())

    def act(self, view):
        return view.legal[self.place]
"""
TERMS = ("--players", "2", "--set", "tokens=1", "--field", "random,greedy", "--isolation", "inline",
         "--jobs", "1", "--seed", "any text")  # fmt: skip
CALL = ("track", "kept", *TERMS, "--blocks", "8")


def write_checkpoints(folder: Path, last: str = "step-100") -> None:
    """Write three checkpoints, of which the first two are alike, into `kept` in a folder."""
    (folder / "kept").mkdir()
    for name, is_trained in (("step-9", False), ("step-10", False), (last, True)):
        (folder / f"kept/{name}.py").write_text(BOT.format(is_trained=is_trained))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three checkpoints."""
    monkeypatch.chdir(tmp_path)
    write_checkpoints(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """A track of three checkpoints, the last of which has a name with HTML, and its ratings."""
    folder = tmp_path_factory.mktemp("rated")
    write_checkpoints(folder, last="step-100<b>")
    words = ["track", f"{folder}/kept", *CALL[2:], "--out", f"{folder}/track", "--json"]
    result = CliRunner().invoke(main, words, prog_name="arena")
    assert result.exit_code == 0, result.output
    return folder / "track", json.loads(result.stdout)["checkpoints"]


def track(arena: Arena, *args: str) -> list[dict[str, Any]]:
    """Return the ratings that a call prints as JSON."""
    result = arena(*CALL, "--json", *args)
    assert result.exit_code == 0, result.output
    rated: list[dict[str, Any]] = json.loads(result.stdout)["checkpoints"]
    return rated


def block_scores(folder: Path) -> dict[str, float]:
    """Return the score of the checkpoint in each block, from a run's table of matches."""
    placings: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    with (folder / "matches.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            placings[row["block"], row["rotation"]][row["bot"]] = int(row["placing"])
    points: dict[str, list[float]] = defaultdict(list)
    for (block, _), match in placings.items():
        own = match.pop("checkpoint")
        points[block] += [(own < other) + (own == other) / 2 for other in match.values()]
    return {block: fmean(own) for block, own in points.items()}


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and the half width of its interval, in percent."""
    width = float(stdtrit(len(values) - 1, 0.975)) * stdev(values) / math.sqrt(len(values))
    return 100 * fmean(values), 100 * width


def test_ratings_are_those_of_the_matches(rated: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, ratings = rated
    scores = [block_scores(folder / "runs" / rating["checkpoint"]) for rating in ratings]
    for rating, own in zip(ratings, scores, strict=True):
        score, width = interval(list(own.values()))
        assert rating["score"] == pytest.approx(score, abs=1e-4)
        elo = -400 * math.log10(100 / score - 1)
        error = 400 / math.log(10) * 100 * width / (score * (100 - score))
        numbers = [rating[name] for name in ("elo", "error", "low", "high")]
        assert numbers == pytest.approx([elo, error, elo - error, elo + error], abs=0.051)
        assert (rating["blocks"], rating["matches"], rating["faults"]) == (16, 32, 0)
    assert scores[0].keys() == scores[2].keys()
    gain = pytest.approx(interval([score - scores[0][block] for block, score in scores[2].items()]), abs=1e-4)
    assert (ratings[2]["gain"], ratings[2]["gain_error"]) == gain
    assert (ratings[2]["gain_since_first"], ratings[2]["gain_since_first_error"]) == gain
    assert ratings[0]["gain"] is None


def test_equal_checkpoints_score_the_same_on_the_same_deals(
    rated: tuple[Path, list[dict[str, Any]]],
) -> None:
    first, second, third = rated[1]
    assert [row["checkpoint"] for row in rated[1]] == ["step-9", "step-10", "step-100<b>"]
    assert third["gain"] > 0
    assert (second["gain"], second["gain_error"]) == (0, None)
    assert [row["identical_to"] for row in rated[1]] == [None, "step-9", None]
    renamed = {"checkpoint": "step-9", "gain": None, "gain_since_first": None, "identical_to": None}
    assert {**second, **renamed} == first


def test_page_has_a_dot_and_a_name_for_each(rated: tuple[Path, list[dict[str, Any]]]) -> None:
    page = (rated[0] / "track.html").read_text()
    assert page.count("<circle ") == 3
    assert "step-100&lt;b&gt;</text>" in page
    assert "<b>" not in page
    assert "any text" in page


def test_only_new_checkpoints_are_played_and_deleted_ones_stay(arena: Arena, here: Path) -> None:
    path = here / "kept/step-100.py"
    text = path.read_text()
    path.unlink()
    before = track(arena)
    path.write_text(text)
    (here / "kept/step-9.py").unlink()
    result = arena(*CALL, "--json")
    assert [line for line in result.stderr.splitlines() if line.startswith("Rating")] == ["Rating step-100 …"]
    after = json.loads(result.stdout)["checkpoints"]
    assert after[:2] == before
    assert after[2]["checkpoint"] == "step-100"


def test_interrupted_track_continues_but_not_with_foreign_runs_in_it(arena: Arena, here: Path) -> None:
    stopped = arena(*CALL, "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert "Stopped early; run the same command to continue.\n" in stopped.stderr
    assert stopped.stdout.splitlines()[4].split() == ["step-9", "–", "–", "–", "0", "0"]
    continued = track(arena)
    assert continued == track(arena, "--out", "at-once")
    runs = here / "results/track-kept/runs"
    other = arena("run", "--bot", "random", "--bot", "greedy", "--players", "2", "--blocks", "2",
                  "--jobs", "1", "--out", runs / "other")  # fmt: skip
    assert other.exit_code == 0, other.output
    result = arena(*CALL)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].startswith("arena: results/track-kept/runs/other is not a run ")
    (runs / "other").rename(runs / "a\x1b[2Jb")
    hidden = arena(*CALL)
    assert hidden.exit_code == 2
    assert "\x1b" not in hidden.stderr


def test_text_has_the_table_and_how_to_check_the_best(arena: Arena, here: Path) -> None:
    result = arena(*CALL, "--explain")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(
        "Checkpoints at lives(tokens=1), 2 players, against random, greedy\n\ncheckpoint "
    )
    [command] = [line.strip() for line in result.stdout.splitlines() if line.startswith("  arena compare")]
    assert command == (
        f"arena compare {here}/kept/step-100.py:Bot {here}/kept/step-9.py:Bot --field random,greedy "
        "--game lives --players 2 --set tokens=1"
    )
    labels = {line.partition("  ")[0] for line in result.stdout.split("\n\n")[-1].splitlines()}
    assert {"checkpoint", "elo", "±", "score", "gain", "since first"} <= labels
    assert result.stderr.endswith("The curve is in results/track-kept/track.html\n")
    compared = arena(*command.split()[1:], "--isolation", "inline", "--blocks", "2", "--jobs", "1", "--quiet")
    assert compared.exit_code == 0, compared.output
    (here / "kept/step-9.py").write_text("class")
    stale = arena(*CALL)
    assert "step-9.py (not valid Python)" in stale.stderr
    (here / "kept/step-100.py").unlink()
    assert "arena compare" not in arena(*CALL).stdout


def test_other_terms_are_refused_and_reuse_what_was_played(arena: Arena, here: Path) -> None:
    track(arena)
    refused = arena(*CALL, "--blocks", "9", "--field", "random,stand-pat")
    assert (refused.exit_code, refused.stderr.splitlines()[-1]) == (
        2,
        "arena: results/track-kept was begun with other bots and blocks: give the same options as then, or "
        "name a new folder with --out; with --reuse results/track-kept it takes over what is the same",
    )
    unseeded = [word for word in CALL if word not in ("--seed", "any text", "8")]
    words = ("12", "--out", "longer", "--reuse", "results/track-kept", "--json")
    result = arena(*unseeded, *words)
    assert result.exit_code == 0, result.output
    fields = json.loads(result.stdout)
    assert fields["seed"] == "any text"
    assert [rated["blocks"] for rated in fields["checkpoints"]] == [24, 24, 24]
    for rated in fields["checkpoints"]:
        log = (here / "longer/runs" / rated["checkpoint"] / "arena.log").read_text()
        assert "16 blocks imported from results/track-kept/runs/" in log
    other = arena(*CALL, "--out", "other", "--reuse", "results/track-kept", "--seed", "another")
    assert (other.exit_code, other.stderr.splitlines()[-1]) == (
        2,
        "arena: nothing of results/track-kept holds with another seed: leave --seed out",
    )


def test_drawn_seed_is_that_of_all_checkpoints(arena: Arena, here: Path) -> None:
    unseeded = [word for word in CALL if word not in ("--seed", "any text")]
    (here / "kept/step-100.py").unlink()
    result = arena(*unseeded, "--json")
    assert result.exit_code == 0, result.output
    first, second = json.loads(result.stdout)["checkpoints"]
    assert first["score"] == second["score"]
    assert "guesses" not in result.stderr


def test_files_of_data_complete_a_bot(arena: Arena, here: Path) -> None:
    (here / "mine").mkdir()
    (here / "mine/bot.toml").write_text('name = "mine"\nclass = "bot.py:Bot"\n')
    (here / "mine/bot.py").write_text(DATA_BOT)
    for step, place in ((1, 0), (2, -1)):
        (here / f"kept/{step}.txt").write_text(str(place))
    rated = track(arena, "--bot", "mine", "--data", "place.txt")
    assert [row["checkpoint"] for row in rated] == ["1", "2"]
    tables = [(here / "results/track-kept/runs" / step / "matches.csv").read_text() for step in "12"]
    assert tables[0] != tables[1]
    again = track(arena, "--bot", "mine", "--data", "place.txt")
    assert again == rated
    (here / "kept/2.txt").write_text("0 ")
    changed = arena(*CALL, "--bot", "mine", "--data", "place.txt")
    assert changed.exit_code == 2
    assert changed.stderr.splitlines()[-1].startswith(
        "arena: 2 has changed since it was rated: give the new "
    )


def test_what_was_rated_may_not_change(arena: Arena, here: Path) -> None:
    (here / "friend.py").write_text(BOT.format(is_trained=True))
    call = [*CALL, "--field", "random,friend.py:Bot"]
    assert arena(*call).exit_code == 0
    (here / "kept/step-200.py").write_text(BOT.format(is_trained=True))
    (here / "friend.py").write_text(BOT.format(is_trained=False))
    field = arena(*call)
    assert (field.exit_code, field.stderr.splitlines()[-1]) == (
        2,
        "arena: friend.py:Bot changed since results/track-kept was begun, and ratings from before and after "
        "would not compare: begin another with --out",
    )
    (here / "kept/step-10.py").write_text(BOT.format(is_trained=True))
    result = arena(*call)
    assert (result.exit_code, result.stderr.splitlines()[-1]) == (
        2,
        "arena: step-10 has changed since it was rated: give the new one another name, or delete "
        "results/track-kept/runs/step-10 and what else has that name there, to rate it again",
    )


def test_checkpoint_that_does_not_start_leaves_those_before_it_on_the_curve(arena: Arena, here: Path) -> None:
    (here / "kept/step-100.py").write_text(BOT.format(is_trained="unknown_name"))
    result = arena(*CALL)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-2] == "Rating step-100 …"
    assert "name 'unknown_name' is not defined" in result.stderr.splitlines()[-1]
    assert (here / "results/track-kept/track.html").read_text().count("<circle ") == 2
    assert not (here / "results/track-kept/runs/step-100").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--bot", "mine"], "--bot and --data are given together"),
        (["--bot", "none", "--data", "w.npz"], "no bot is called 'none'"),
        (["--field", "random,random"], "random is named twice: a field takes other bots"),
        (["--field", "gredy"], "no bot is called 'gredy'"),
        (["--players", "4"], "--players: a table of 4 needs 4 bots, but there are 3"),
        (["--variant", "livs"], "no variant 'livs'"),
        (["--blocks", "0"], "Invalid value for '--blocks'"),
        (["--reuse", "kept"], "kept is not a track: it contains no run of a checkpoint"),
    ],
)
def test_impossible_call_is_refused_and_leaves_nothing(
    arena: Arena, here: Path, args: list[str], message: str
) -> None:
    result = arena(*CALL, *args)
    assert result.exit_code == 2
    assert message in result.stderr.splitlines()[-1]
    assert [path.name for path in here.iterdir()] == ["kept"]


def test_checkpoint_that_loses_everything_has_a_bound(arena: Arena, here: Path) -> None:
    for step in (10, 100):
        (here / f"kept/step-{step}.py").unlink()
    (here / "kept/step-9.py").write_text("class Bot:\n    def act(self, view):\n        return None\n")
    result = arena(*CALL, "--field", "greedy", "--blocks", "6", "--set", "tokens=3")
    assert result.exit_code == 0, result.output
    [row] = [line.split() for line in result.stdout.splitlines() if line.startswith("step-9")]
    assert row[2:4] == ["–", "0.0%"]
    assert row[1].startswith("<-")
    notes = " ".join(result.stdout.split())
    assert "> and <: won or lost every point; the Elo is an end of the 95 % interval." in notes


@pytest.mark.full
def test_checkpoint_that_fails_is_named_with_its_disqualification(arena: Arena, here: Path) -> None:
    for step in (10, 100):
        (here / f"kept/step-{step}.py").unlink()
    (here / "kept/step-9.py").write_text("class Bot:\n    def act(self, view):\n        raise ValueError\n")
    result = arena(
        *CALL, "--field", "greedy", "--blocks", "33", "--isolation", "process", "--set", "tokens=3", "--quiet"
    )
    assert result.exit_code == 0, result.output
    assert "step-9 was disqualified for its faults after 4 blocks; in the other blocks" in result.stdout
    assert "Rating" not in result.stderr
