"""The training of the constants of `expert` in the barter family: reproducible; only what wins is kept."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from arena.families.barter.rules import BarterRules
from arena.games import variant
from bots import barter_training
from bots.barter_play import CONSTANTS_FILE, BarterConstants
from bots.barter_training import (
    FITTED,
    RANGES,
    draw_candidate,
    fit,
    is_better,
    list_edges,
    move,
    play_blocks,
)
from bots.retuned import FittedConstants, Retuned, load_constants
from bots.thrifty import Thrifty

NAME = "trade-and-barter-consent"
ALWAYS_STOPPING = dict.fromkeys(
    ("eldest", "middle", "dealer", "later", "later_dealer", "answer", "after"), 0.0
)


def get_rules() -> BarterRules:
    rules = variant(NAME)
    assert isinstance(rules, BarterRules)
    return rules


@pytest.fixture(autouse=True)
def short_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a training have three candidates, in a few blocks each, and one step of two constants."""
    for name, value in (("CANDIDATES", 3), ("BEST", 1), ("STEPS", (0.1,)), ("CHECKED_BLOCKS", 8)):
        monkeypatch.setattr(barter_training, name, value)
    for name in ("BLOCKS", "BEST_BLOCKS", "STEP_BLOCKS"):
        monkeypatch.setattr(barter_training, name, 2)


def test_the_file_has_the_games_that_are_trained() -> None:
    fitted = load_constants(CONSTANTS_FILE)
    assert {name: tuple(by_seats) for name, by_seats in fitted.items()} == FITTED
    for by_seats in fitted.values():
        for constants in by_seats.values():
            msgspec.convert(constants, BarterConstants)
            assert not list_edges(constants)


def test_the_same_seed_writes_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barter_training, "KEEP_ERRORS", -1e9)
    written = []
    for name in ("a", "b"):
        out = tmp_path / name
        arguments = ["--seed", "t", "--variant", NAME, "--players", "2", "--out", str(out)]
        result = CliRunner().invoke(barter_training.main, arguments)
        assert result.exit_code == 0, result.output
        written.append(out.read_bytes())
    assert written[0] == written[1]
    fitted, before = msgspec.json.decode(written[0], type=FittedConstants), load_constants(CONSTANTS_FILE)
    assert fitted[NAME].pop(2).keys() >= before[NAME][2].keys()
    assert fitted[NAME] == {4: before[NAME][4]}
    assert {**fitted, NAME: None} == {**before, NAME: None}


@pytest.mark.parametrize(("scores", "is_kept"), [([0.6, 0.7] * 4, True), ([0.9, 0.2] * 4, False)])
def test_constants_are_kept_only_if_they_win(
    scores: list[float], is_kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(barter_training, "play_blocks", lambda *_: scores)
    assert bool(fit(get_rules(), 2, {}, "kept")) is is_kept
    assert is_better([scores], [[0.5] * 8]) is is_kept


def test_constants_that_beat_one_opponent_only_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for winner in Retuned, Thrifty:
        share = {winner: [0.6, 0.7] * 4}
        monkeypatch.setattr(
            barter_training, "play_blocks", lambda *given, share=share: share.get(given[3], [0.4, 0.6] * 4)
        )
        assert fit(get_rules(), 2, {}, "one") == {}


def test_a_step_has_to_help_against_the_opponent_that_is_worse_for_it() -> None:
    before = [[0.6, 0.7] * 4, [0.5, 0.52] * 4]
    assert is_better([[0.6, 0.7] * 4, [0.55, 0.57] * 4], before)
    assert not is_better([[0.9, 0.8] * 4, [0.5, 0.52] * 4], before)
    assert not is_better([[0.3, 0.4] * 4, [0.55, 0.57] * 4], before)


def test_candidates_and_steps_stay_in_their_ranges() -> None:
    rng = Random("ranges")
    for _ in range(20):
        drawn = draw_candidate(rng)
        assert drawn.keys() == RANGES.keys()
        for name, (low, high) in RANGES.items():
            assert low <= drawn[name] <= high
            assert move(drawn, name, -1)[name] == low
            assert list_edges(move(drawn, name, 1)) == [name]
            assert move(drawn, name, 1)[name] == high


def test_stopping_always_loses_blocks() -> None:
    assert sum(play_blocks(get_rules(), 2, {2: ALWAYS_STOPPING}, Retuned, "blocks", 10)) < 5
