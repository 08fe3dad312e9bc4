"""The search for the best settings: CMA-ES, which compares candidates with each other only.

The optimiser (extra `tune`) is pycma, by the authors of the method. Noise hardly misleads it: it uses the
order of many candidates, never a difference of two scores, and what it returns is the mean of its
distribution, not the candidate with the luckiest score. It depends on its seed alone, so a search is resumed
by repeating it with the scores that were written down.
Source: N. Hansen, The CMA Evolution Strategy: A Tutorial, arXiv 1604.00772, 2016.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from arena.errors import import_optional
from arena.tournament.tuning.parameters import Parameter, Settings

FIRST_STEP: Final = 0.25
"""Standard deviation of the first candidates, as a share of each range."""
MIN_DIMENSIONS: Final = 2
"""Smallest number of dimensions that pycma takes; a single parameter gets a companion without effect."""
SEED_BYTES: Final = 8


class Search:
    """A search in a box; it depends on the seed and on the order of the candidates in each generation.

    Args:
        parameters: The parameters to search.
        candidates: Number of candidates in a generation, at least four.
        seed: Decides the candidates.

    Raises:
        MissingPackage: Without the extra `tune`.
    """

    def __init__(self, parameters: Sequence[Parameter], candidates: int, seed: str) -> None:
        self._parameters = parameters
        digest = blake2b(seed.encode(), digest_size=SEED_BYTES).digest()
        rng = np.random.default_rng(int.from_bytes(digest))
        shares = [parameter.start_share for parameter in parameters]
        shares += [0.5] * (MIN_DIMENSIONS - len(shares))
        self._strategy = import_optimizer().CMAEvolutionStrategy(
            shares,
            FIRST_STEP,
            {
                "bounds": [0, 1],
                "popsize": candidates,
                "randn": lambda *shape: rng.standard_normal(shape),
                "seed": np.nan,  # numpy's global generator is left alone
                "verbose": -9,
                "verb_log": 0,
                "verb_disp": 0,
            },
        )
        self._asked: list[Any] = []

    def ask(self) -> list[Settings]:
        """Return the candidates of the next generation."""
        self._asked = self._strategy.ask()
        return [self._settings(point) for point in self._asked]

    def tell(self, ranks: Sequence[int]) -> None:
        """Take in the ranks of the candidates, 0 for the best."""
        self._strategy.tell(self._asked, [float(rank) for rank in ranks])

    def best(self) -> Settings:
        """Return the mean of the distribution, which is where the best settings are expected."""
        return self._settings(self._strategy.result.xfavorite)

    def _settings(self, shares: Sequence[float]) -> dict[str, int | float]:
        return {
            parameter.name: parameter.at(float(share))
            for parameter, share in zip(self._parameters, shares, strict=False)
        }


def import_optimizer() -> Any:
    """Import pycma; MissingPackage where the extra `tune` is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no matplotlib
        return import_optional("cma", "tune")
