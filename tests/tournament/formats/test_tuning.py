"""Parameters of a bot, the search for their best values, and the gain over the start."""

from random import Random
from statistics import fmean

import numpy as np
import pytest

from arena.errors import ConfigError
from arena.rating.two_bots import elo_from_score
from arena.tournament.formats.tuning import (
    Parameter,
    Search,
    Settings,
    combine_gains,
    estimate_gain,
    parse_parameters,
    start_from_settings,
    start_settings,
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("safe=0.8..0.99", Parameter("safe", 0.8, 0.99)),
        ("safe=0.8..0.99@0.95", Parameter("safe", 0.8, 0.99, 0.95)),
        ("patience=0..1", Parameter("patience", 0, 1)),
        ("low=-1e-3..+2.", Parameter("low", -0.001, 2)),
        ("low=1e-7..1e30@1e-5", Parameter("low", 1e-7, 1e30, 1e-5)),
        ("draws=4..16@8", Parameter("draws", 4, 16, 8, is_integer=True)),
        ("safe", "write NAME=LOW..HIGH"),
        ("safe=1", "write NAME=LOW..HIGH"),
        ("9=1..2", "write NAME=LOW..HIGH"),
        ("safe=2..1", "2 is not below 1"),
        ("safe=1..1", "1 is not below 1"),
        ("safe=0..1@2", "2 is not between 0 and 1"),
        ("draws=4..16.5", "write whole numbers, or declare it in parameters"),
        ("safe=0..1,safe=0..2", "safe is given twice"),
    ],
)
def test_a_parameter_has_a_range_and_may_have_a_start(text: str, told: Parameter | str) -> None:
    texts: dict[bool, list[str]] = {text.startswith("draws"): text.split(",")}
    if isinstance(told, str):
        with pytest.raises(ConfigError, match=told):
            parse_parameters(texts.get(False, []), texts.get(True, []))
    else:
        assert parse_parameters(texts.get(False, []), texts.get(True, [])) == [told]
        assert Parameter.parse(str(told), is_integer=told.is_integer) == told


def test_a_name_alone_is_a_declared_parameter() -> None:
    declared = [Parameter("safe", 0, 1, 0.9), Parameter("draws", 1, 9, is_integer=True)]
    assert parse_parameters([], [], declared) == declared
    assert parse_parameters(["safe"], [], declared) == declared[:1]
    assert parse_parameters(["safe=0..0.5"], ["draws"], declared) == [Parameter("safe", 0, 0.5), declared[1]]


def test_the_start_is_the_present_setting_if_it_is_in_range() -> None:
    parameters = [Parameter("safe", 0, 1), Parameter("later", 0, 1, 0.8), Parameter("far", 0, 1)]
    started = start_from_settings(parameters, {"safe": 0.3, "later": 0.2, "far": 5, "style": "calm"})
    assert [parameter.start for parameter in started] == [0.3, 0.8, None]


def test_values_stay_in_the_range_and_integers_are_whole() -> None:
    share, whole = parse_parameters(["share=0..0.3"], ["whole=1..4@2"])
    assert [share.at(place) for place in (-1, 0, 0.5, 2)] == [0, 0, 0.15, 0.3]
    assert [whole.at(place) for place in (0, 0.4, 1)] == [1, 2, 4]
    assert start_settings([share, whole]) == {"whole": 2}
    assert isinstance(whole.at(0.4), int)


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


@pytest.mark.parametrize(("noise", "far"), [(0, 0.01), (0.02, 0.12)])
@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_best_point_is_nearly_found_also_where_values_are_noisy(
    seed: str, noise: float, far: float
) -> None:
    assert distance(search(seed, noise)) < far


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


def test_intervals_cover_the_truth() -> None:
    rng, inside = Random(1), []
    for _ in range(400):
        luck = [rng.uniform(-0.2, 0.2) for _ in range(60)]
        start, best = ([base + shift + rng.gauss(0, 0.05) for shift in luck] for base in (0.5, 0.6))
        gain = estimate_gain("lives", 4, start, best)
        assert gain.elo is not None
        assert gain.error is not None
        inside.append(abs(gain.elo - (elo_from_score(0.6) or 0)) <= gain.error)
    assert 0.92 <= fmean(inside) <= 0.98


def test_the_gain_is_the_difference_of_the_expected_elo_and_over_all_games_the_mean() -> None:
    scores = [0.4, 0.6, 0.5, 0.5, 0.4, 0.6], [0.6, 0.8, 0.7, 0.6, 0.6, 0.9]
    gain, same = (estimate_gain(game, 4, *scores) for game in ("lives", "pool"))
    assert gain.elo == pytest.approx(elo_from_score(0.7), abs=1e-6)
    assert [gain.start, gain.best, gain.blocks] == pytest.approx([0.5, 0.7, 6])
    both = combine_gains([gain, same])
    assert both.elo == pytest.approx(gain.elo)
    assert gain.error is not None
    assert both.error == pytest.approx(gain.error / 2**0.5)
    assert (both.variant, both.blocks) == ("", 12)
    assert estimate_gain("lives", 4, [0.5] * 6, [1.0] * 6).elo is None
