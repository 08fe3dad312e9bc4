"""OpenSpiel's own checks pass: random simulation with serialisation and masks, and its playthroughs."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.games import VARIANTS, Rules

pyspiel = pytest.importorskip("pyspiel")
pytest.importorskip("arena.adapters.open_spiel")

FAMILIES = ("lives", "trade-and-barter", "thirty-one", "cuccu", "cambio", "cox")
SIZES = [(name, 2) for name in FAMILIES]
ALL_SIZES = [(rules, players) for rules in VARIANTS for players in sorted({2, 4, rules.players[-1]})]
LONG_MATCH_PLAYERS = 5
"""Number of players from which on a whole match takes minutes: each decision checks the knowledge of all."""


def load(name: str, players: int, **params: Any) -> Any:
    return pyspiel.load_game(f"commerce_{name.replace('-', '_')}", {"players": players, **params})


@pytest.mark.parametrize(("name", "players"), SIZES)
def test_the_random_simulation_of_open_spiel(name: str, players: int) -> None:
    pyspiel.random_sim_test(load(name, players), num_sims=2, serialize=True, verbose=False, mask_test=True)


@pytest.mark.full
@pytest.mark.parametrize(("rules", "players"), ALL_SIZES, ids=str)
def test_the_random_simulation_of_all_variants(rules: Rules, players: int) -> None:
    game = load(rules.name, players, max_deals=3 if players >= LONG_MATCH_PLAYERS else 0)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize(("name", "players"), SIZES)
def test_observers_of_all_kinds_pass_the_simulation(name: str, players: int) -> None:
    private = pyspiel.PrivateInfoType
    game = load(name, players, max_deals=1)
    for kind in (private.NONE, private.SINGLE_PLAYER, private.ALL_PLAYERS):
        for has_public in (True, False):
            if has_public or kind != private.NONE:
                observer = game.make_observer(
                    pyspiel.IIGObservationType(
                        perfect_recall=has_public, public_info=has_public, private_info=kind
                    ),
                    {},
                )
                pyspiel.random_sim_test(
                    game, num_sims=1, serialize=False, verbose=False, mask_test=True, observer=observer
                )


@pytest.mark.parametrize("rewards", ["placing", "payoff"])
def test_returns_may_be_payoffs(rewards: str) -> None:
    game = load("ready-money", 3, rewards=rewards)
    assert game.utility_sum() == (0 if rewards == "placing" else None)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False, mask_test=True)


@pytest.mark.filterwarnings("ignore:The chararray class is deprecated:DeprecationWarning")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in ("lives", "thirty-one") else pytest.mark.full)
        for name in FAMILIES
    ],
)
def test_a_playthrough_is_written_and_read_back(name: str, tmp_path: Path) -> None:
    flags = pytest.importorskip("absl.flags")
    playthroughs = pytest.importorskip("open_spiel.python.algorithms.generate_playthrough")
    flags.FLAGS(["playthroughs"])
    game = str(load(name, 2, max_deals=1))
    file = tmp_path / "playthrough.txt"
    file.write_text(playthroughs.playthrough(game, action_sequence=[], seed=1), encoding="utf-8")
    original, replayed = playthroughs.replay(str(file))
    assert original == replayed
    assert f"game: {game}" in original


def test_every_variant_is_registered() -> None:
    registered = set(pyspiel.registered_names())
    assert {f"commerce_{rules.name.replace('-', '_')}" for rules in VARIANTS} <= registered


def test_the_interpreter_ends_in_peace() -> None:
    """OpenSpiel lets go of the games' makers after the interpreter has ended."""
    code = (
        "import pyspiel, arena.adapters.open_spiel; pyspiel.load_game('commerce_lives').new_initial_state()"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
