"""The training of the constants of `expert` against itself: reproducible; only what wins is kept."""

import msgspec
import pytest

from arena.games import variant
from arena.play.heuristics import weight_search
from bots import barter_play, cambio_play, constants_training
from bots.constants_training import FITTED, attack, play_blocks
from bots.expert import Expert
from bots.retuned import FITTED_SEATS, FittedConstants, load_constants
from tests.bots.conftest import WriteTwice

RAT = variant("rat-a-tat")
NEVER_CALLING = {"call": -100.0}


@pytest.fixture(autouse=True)
def short_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a training have one pair of candidates, in a deal each."""
    for name in ("PAIRS", "BLOCKS", "CHOICE_BLOCKS"):
        monkeypatch.setattr(weight_search, name, 1)
    for name, value in {"GENERATIONS": 1, "ATTACKS": 1, "DEALS": 2, "CHECKED_BLOCKS": 12}.items():
        monkeypatch.setattr(constants_training, name, value)


def test_the_files_have_the_games_that_are_trained() -> None:
    for file, kind in (
        (barter_play.CONSTANTS_FILE, barter_play.BarterConstants),
        (cambio_play.CONSTANTS_FILE, cambio_play.CambioConstants),
    ):
        fitted = load_constants(file)
        assert sorted(fitted) == sorted([name for name in FITTED if FITTED[name] == file])
        for name, by_seats in fitted.items():
            assert sorted(by_seats) == list(FITTED_SEATS)
            for seats, constants in by_seats.items():
                assert msgspec.structs.asdict(msgspec.convert(constants, kind)) == Expert.find_constants(
                    variant(name), seats
                )


@pytest.mark.parametrize("name", ["rat-a-tat", "trade-and-barter-consent"])
def test_the_same_seed_writes_the_same_file(
    name: str, write_twice: WriteTwice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants_training, "KEEP_ERRORS", -1e9)
    monkeypatch.setattr(weight_search.Search, "_choose", lambda search, candidates: candidates[-1])
    written = write_twice(constants_training.main, "--seed", "t", "--variant", name, "--players", "2")
    fitted, before = msgspec.json.decode(written, type=FittedConstants), load_constants(FITTED[name])
    assert fitted[name].pop(2).keys() == Expert.find_constants(variant(name), 2).keys()
    assert fitted[name] == {4: before[name][4]}
    assert {**fitted, name: None} == {**before, name: None}


@pytest.mark.parametrize(("gains", "is_kept"), [([0.6, 0.7] * 4, True), ([0.9, -0.8] * 4, False)])
def test_constants_are_kept_only_if_they_win(
    gains: list[float], is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants_training, "play_blocks", lambda *_, **__: gains)
    monkeypatch.setattr(weight_search.Search, "_choose", lambda search, candidates: candidates[-1])
    constants = Expert.find_constants(RAT, 2)
    assert (attack(RAT, 2, constants, "kept") != constants) is is_kept


def test_a_bot_that_never_calls_loses_to_one_that_does() -> None:
    constants = Expert.find_constants(RAT, 2)
    assert sum(play_blocks(RAT, 2, {**constants, **NEVER_CALLING}, constants, "blocks", range(60))) < 0
