"""The search for the best settings, on functions whose best point is known."""

import sys
from random import Random

import numpy as np
import pytest

from arena.errors import MissingPackage
from arena.tournament.designs.tuning import Search, Settings, parse_parameters

PARAMETERS = parse_parameters(["a=0..1", "b=-10..10"])


def distance(settings: Settings) -> float:
    """From the best point, in shares of the ranges."""
    return float(np.hypot(settings["a"] - 0.3, (settings["b"] - 4) / 20))


def search(seed: str, noise: float, generations: int = 25) -> Settings:
    pytest.importorskip("cma")
    search_state, rng = Search(PARAMETERS, 12, seed), Random(seed)
    for _ in range(generations):
        values = [distance(candidate) ** 2 + rng.gauss(0, noise) for candidate in search_state.ask()]
        search_state.tell([sorted(values).index(value) for value in values])
    return search_state.best()


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_best_point_is_found(seed: str) -> None:
    assert distance(search(seed, noise=0)) < 0.01


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_best_point_is_nearly_found_where_values_are_noisy(seed: str) -> None:
    assert distance(search(seed, noise=0.02)) < 0.12


def test_a_seed_decides_the_candidates_and_numpy_is_left_alone() -> None:
    pytest.importorskip("cma")
    np.random.seed(5)
    before = np.random.get_state()[1].tolist()  # type: ignore[index]
    first, second, other = (Search(PARAMETERS, 6, seed).ask() for seed in ("x", "x", "y"))
    assert first == second != other
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index]


def test_one_parameter_is_enough() -> None:
    pytest.importorskip("cma")
    [parameter] = parse_parameters(["a=0..1@0.9"])
    search_state = Search([parameter], 6, "s")
    for _ in range(15):
        values = [abs(candidate["a"] - 0.25) for candidate in search_state.ask()]
        search_state.tell([sorted(values).index(value) for value in values])
    assert search_state.best()["a"] == pytest.approx(0.25, abs=0.02)


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    with pytest.raises(MissingPackage, match=r"pip install 'commerce-arena\[tune\]'"):
        Search(PARAMETERS, 6, "s")
