"""Other people's programs find the same numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from arena.rating import fit_elo
from arena.rating.elo import fit_strengths


def test_choix_finds_the_same_strengths(world: Callable[..., Any], rng: np.random.Generator) -> None:
    choix = pytest.importorskip("choix")
    points = world(np.linspace(-1, 1, 12)).counts(rng, 300).points()
    assert fit_strengths(points) == pytest.approx(choix.ilsr_pairwise_dense(points), abs=1e-6)


def test_statsmodels_finds_the_same_clustered_errors(
    world: Callable[..., Any], rng: np.random.Generator
) -> None:
    api = pytest.importorskip("statsmodels.api")
    sums = world(np.linspace(-1, 1, 8)).counts(rng, 2000)
    (rows,) = sums.chunks()
    design = np.zeros((len(rows.cluster), 8))
    design[np.arange(len(design)), rows.first] = 1
    design[np.arange(len(design)), rows.second] = -1
    model = api.GLM(np.column_stack((rows.won, rows.lost)), design[:, 1:], family=api.families.Binomial())
    groups = {"groups": rows.cluster, "use_correction": False}
    oracle = model.fit(cov_type="cluster", cov_kwds=groups, tol=1e-12)
    fit = fit_elo(sums)
    elo = np.array(fit.elo[1:]) - fit.elo[0]
    errors = [fit.pair_standard_error(bot, 0) for bot in range(1, 8)]
    unit = 400 / np.log(10)
    assert elo == pytest.approx(unit * oracle.params, abs=0.5)
    assert errors == pytest.approx(unit * oracle.bse * np.sqrt(2000 / 1999), rel=0.002)
