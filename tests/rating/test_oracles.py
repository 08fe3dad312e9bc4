"""Other people's programs find the same numbers."""

import numpy as np
import pytest

from arena.rating.bradley_terry import fit_strengths
from arena.rating.elo_fit import fit_elo
from tests.rating.conftest import World


def test_choix_finds_the_same_strengths(rng: np.random.Generator) -> None:
    choix = pytest.importorskip("choix")
    points = World(np.linspace(-1, 1, 12)).counts(rng, 300).points()
    assert fit_strengths(points) == pytest.approx(choix.ilsr_pairwise_dense(points), abs=1e-6)


@pytest.mark.full
@pytest.mark.parametrize("are_tables_drawn", [False, True])
def test_statsmodels_finds_the_same_clustered_errors(
    are_tables_drawn: bool, rng: np.random.Generator
) -> None:
    """Clustered by block, where no table has the six blocks from which their mean is subtracted; by table."""
    pytest.importorskip("statsmodels")
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    size = 12 if are_tables_drawn else 20  # of 12 bots not all tables are drawn
    sums = World(np.linspace(-1, 1, size)).counts(rng, 2000)
    (rows,) = sums.chunks()
    design = np.zeros((len(rows.cluster), size))
    design[np.arange(len(design)), rows.first] = 1
    design[np.arange(len(design)), rows.second] = -1
    model = GLM(np.column_stack((rows.won, rows.lost)), design[:, 1:], family=Binomial())
    bots = np.zeros((2000, size), np.int64)
    bots[rows.cluster, rows.first] = bots[rows.cluster, rows.second] = 1
    tables, table, blocks = np.unique(bots, axis=0, return_inverse=True, return_counts=True)
    assert are_tables_drawn or blocks.max() < 6
    groups = table.ravel()[rows.cluster] if are_tables_drawn else rows.cluster
    number = len(tables) if are_tables_drawn else 2000
    oracle = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}, tol=1e-12)
    fit = fit_elo(sums, are_tables_drawn=are_tables_drawn)
    elo = np.array(fit.elo[1:]) - fit.elo[0]
    errors = [fit.pair_standard_error(bot, 0) for bot in range(1, size)]
    unit = 400 / np.log(10)
    assert elo == pytest.approx(unit * oracle.params, abs=1.5)
    assert errors == pytest.approx(unit * oracle.bse * np.sqrt(number / (number - 1)), rel=0.01)
