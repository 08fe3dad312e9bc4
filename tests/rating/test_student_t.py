"""Student's t agrees with scipy's, also far out in the tails and for very many degrees of freedom."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from arena.rating import mean_intervals
from arena.rating.mean_intervals import t_quantiles
from arena.rating.student_t import normal_cdf, normal_quantile, t_cdf, t_quantile

FREEDOMS = [1, 1.3, 2, 2.7, 3, 5, 5.5, 9, 19, 49, 99, 99.5, 100, 101, 999, 12345.6, 1e5, 2.5e6]
VALUES = [-60, -37, -12.5, -6, -3, -1.96, -1, -0.3, -1e-4, 0, 0.5, 1.7, 2.5, 8, 33]
PROBABILITIES = [1e-12, 1e-6, 1e-4, 0.005, 0.025, 0.05, 0.2, 0.4, 0.5, 0.6, 0.975, 0.999, 1 - 1e-9]


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_probabilities_and_quantiles_are_those_of_scipy(freedom: float) -> None:
    expected = [float(stdtr(freedom, value)) for value in VALUES]
    assert [t_cdf(value, freedom) for value in VALUES] == pytest.approx(expected, rel=1e-10, abs=1e-290)
    expected = [float(stdtrit(freedom, probability)) for probability in PROBABILITIES]
    assert [t_quantile(probability, freedom) for probability in PROBABILITIES] == pytest.approx(
        expected, rel=1e-10
    )


def test_limits() -> None:
    assert (t_quantile(0, 5), t_quantile(0.5, 5), t_quantile(1, 5)) == (-math.inf, 0, math.inf)
    assert (t_cdf(-math.inf, 5), t_cdf(0, 5), t_cdf(math.inf, 5)) == (0, 0.5, 1)
    assert t_cdf(1.5, math.inf) == pytest.approx(float(ndtr(1.5)), rel=1e-7)
    for undefined in (t_cdf(1, 0), t_cdf(math.nan, 5), t_quantile(0.9, 0), t_quantile(math.nan, 5)):
        assert math.isnan(undefined)


def test_the_normal_distribution_is_that_of_scipy() -> None:
    for value in VALUES:
        assert normal_cdf(value) == pytest.approx(float(ndtr(value)), rel=1e-13)
    for probability in (0.0, 1e-300, 1e-12, 0.025, 0.5, 0.975, 1.0):
        assert normal_quantile(probability) == pytest.approx(float(ndtri(probability)), rel=1e-13)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_many_quantiles_are_those_of_scipy_and_few_are_the_same(
    dtype: type, monkeypatch: pytest.MonkeyPatch
) -> None:
    freedom: NDArray[Any] = np.array([[5, 20, 5], [3, 400, 20]], dtype)
    few = t_quantiles(0.975, freedom)
    monkeypatch.setattr(mean_intervals, "MAX_SINGLE_VALUES", 0)
    assert t_quantiles(0.975, freedom) == pytest.approx(few, rel=1e-12)
    assert few == pytest.approx(stdtrit(freedom, 0.975), rel=1e-12)


def test_a_run_of_a_small_field_does_without_scipy(tmp_path: Path) -> None:
    code = """
import sys
from arena import run_tournament
config = {"bots": ["greedy", "random", "prudent"], "variants": [{"name": "lives", "players": 3}], "blocks": 8}
run_tournament(config, out=sys.argv[1])
print([name for name in sys.modules if name.partition(".")[0] == "scipy"])
"""
    command = [sys.executable, "-c", code, str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
