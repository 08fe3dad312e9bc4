"""The weights of `retuned` and their training: reproducible, and only those that win are kept."""

import msgspec
import pytest

from arena.games import variant
from arena.play import play_match
from arena.play.heuristics import make_heuristic, weight_search
from bots import weights_training
from bots.retuned import FITTED_SEATS, WEIGHTS_FILE, FittedConstants, Retuned, load_constants
from bots.weights_training import GENERATIONS, fit, play_blocks
from tests.bots.conftest import WriteTwice

LIVES = variant("lives")


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a search have one pair of candidates, in one block each, and end with the last mean."""
    for name in ("PAIRS", "BLOCKS", "CHOICE_BLOCKS"):
        monkeypatch.setattr(weight_search, name, 1)
    monkeypatch.setattr(weight_search.Search, "_choose", lambda search, candidates: candidates[-1])


def test_every_trained_game_has_weights_for_each_number_of_seats() -> None:
    fitted = load_constants(WEIGHTS_FILE)
    assert list(fitted) == list(GENERATIONS)
    assert all(sorted(by_seats) == list(FITTED_SEATS) for by_seats in fitted.values())


@pytest.mark.parametrize("name", ["thirty-one"])
def test_with_weights_it_plays_otherwise_than_the_heuristic(name: str) -> None:
    heuristic = make_heuristic(variant(name))
    records = [play_match(name, [bot] * 4, seed="weights") for bot in (Retuned, heuristic)]
    assert records[0]["deals"] != records[1]["deals"]


@pytest.mark.usefixtures("short_search")
def test_the_same_seed_fits_the_same_weights(
    write_twice: WriteTwice, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = load_constants(WEIGHTS_FILE)
    monkeypatch.setattr(weights_training, "GENERATIONS", {"cuccu": 1})
    monkeypatch.setattr(weights_training, "KEEP_ERRORS", -1e9)
    monkeypatch.setattr(weights_training, "CHECKED_BLOCKS", 12)
    written = write_twice(weights_training.main, "--seed", "w", "--variant", "cuccu")
    fitted = msgspec.json.decode(written, type=FittedConstants)
    assert fitted.pop("cuccu")[2].keys() > {"heuristic.low"}
    assert fitted == kept


@pytest.mark.parametrize(
    ("scores", "is_kept"), [([0.6, 0.7], True), ([0.9, 0.2], False), ([0.4, 0.3], False)]
)
def test_weights_are_kept_only_if_they_win(
    scores: list[float], is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = {"knock": 1.0}
    result = weight_search.FittedConstants(weights, 0)
    monkeypatch.setattr(weight_search.Search, "run", lambda search, has_more: result)
    monkeypatch.setattr(weights_training, "play_blocks", lambda *_: scores)
    assert fit(LIVES, 2, "kept", generations=0) == (weights if is_kept else {})


def test_always_knocking_loses_blocks_and_the_heuristic_against_itself_draws_them() -> None:
    assert play_blocks(LIVES, 2, {}, "blocks", range(3)) == [0.5] * 3
    assert sum(play_blocks(LIVES, 2, {"knock": 100.0}, "blocks", range(10))) < 5
