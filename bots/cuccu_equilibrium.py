"""Solve Cuccu for two seats exactly, as `arena train cuccu --out FILE` does.

A deal between two is a game of zero sum over the chances to win the match: the player after the dealer (the
first) keeps or demands by its card, and the dealer, if it was not asked, keeps or draws by its own. Its
equilibrium is a linear program. The chances at fewer tokens, which it needs, are solved first.
"""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog

RANKS: Final = 13
SUITS: Final = 4
MAX_TOKENS: Final = 5
TOLERANCE: Final = 1e-13
DIGITS: Final = 9
"""Decimal digits of the probabilities in the file."""

Array = npt.NDArray[np.float64]


class Chances(msgspec.Struct, frozen=True):
    """The first's chances to win the match after a deal, by who loses a token in it."""

    first_loses: float
    dealer_loses: float
    both_lose: float


class DealEquilibrium(msgspec.Struct, frozen=True):
    """An equilibrium of one deal; ranks are numbered from the ace, the lowest.

    Attributes:
        value: The first's chance to win the match.
        first_keeps: By the first's rank, the probability that it keeps its card.
        dealer_draws: By the dealer's rank, the probability that it draws after the first has kept.
        dealer_draws_level: By rank, true if the dealer draws after a swap that gave it an equal card. After
            other swaps it draws if its card is the lower one: it loses for certain if it keeps it.
    """

    value: float
    first_keeps: tuple[float, ...]
    dealer_draws: tuple[float, ...]
    dealer_draws_level: tuple[bool, ...]


class Deals:
    """All deals of two cards from a pack: how likely they are, and what becomes of them.

    Args:
        ranks: How many there are; the highest refuses every swap.
        suits: How many cards there are of each rank.
    """

    def __init__(self, ranks: int = RANKS, suits: int = SUITS) -> None:
        self.ranks = ranks
        left = suits - np.eye(ranks)
        self.chance: Array = suits * left / (suits * ranks * (suits * ranks - 1))
        """Chance of each pair of ranks: the first's, then the dealer's."""
        self.drawn: Array = left[:, None, :] - np.eye(ranks)[None, :, :]
        self.drawn = np.maximum(self.drawn, 0) / (suits * ranks - 2)
        """The chance of each rank on top of the stock, by the ranks of the two cards that are out."""

    def compare(self, chances: Chances) -> Array:
        """Return the first's chance by the ranks that the first and the dealer hold at the end."""
        first, dealer = np.indices((self.ranks, self.ranks))
        one_loses = np.where(first < dealer, chances.first_loses, chances.dealer_loses)
        return np.where(first == dealer, chances.both_lose, one_loses)

    def draw(self, compared: Array) -> Array:
        """Return the first's chance if the dealer draws, by their ranks; a card that refuses is put back."""
        against = np.repeat(compared[:, None, :], self.ranks, axis=1)  # first, dealer, drawn
        against[:, :, -1] = compared
        return np.asarray((self.drawn * against).sum(axis=2))


def solve_deal(deals: Deals, chances: Chances) -> DealEquilibrium:
    """Solve one deal.

    The first maximizes its chance over the probabilities to keep; for each of its ranks the dealer takes the
    less of what keeping and drawing leave the first. The multipliers of these bounds are the dealer's
    probabilities.
    """
    ranks = deals.ranks
    kept = deals.compare(chances)
    drawn = deals.draw(kept)
    after_swap = np.minimum(kept, drawn).T  # by the first's rank before the swap, then the dealer's
    after_swap[:, -1] = kept[:, -1]  # refused
    demand = (deals.chance * after_swap).sum(axis=1)
    cost = np.concatenate([demand, -np.ones(ranks)])
    bounds = [np.hstack([-(deals.chance * worth).T, np.eye(ranks)]) for worth in (kept, drawn)]
    solved = linprog(
        cost,
        A_ub=np.vstack(bounds),
        b_ub=np.zeros(2 * ranks),
        bounds=[(0, 1)] * ranks + [(None, None)] * ranks,
        method="highs-ds",
    )
    assert solved.success, solved.message
    assert solved.x is not None
    return DealEquilibrium(
        value=float(demand.sum() - solved.fun),
        first_keeps=tuple(float(p) for p in np.round(solved.x[:ranks], DIGITS) + 0.0),
        dealer_draws=tuple(float(p) for p in np.round(-solved.ineqlin.marginals[ranks:], DIGITS) + 0.0),
        dealer_draws_level=tuple(bool(level) for level in np.diag(drawn) < np.diag(kept) - TOLERANCE),
    )


def solve_match(deals: Deals, tokens: int) -> dict[tuple[int, int], DealEquilibrium]:
    """Return the equilibrium of a deal by the tokens of the first and the dealer, up to that many each.

    The one who dealt is the first of the next deal. If both lose the last token nobody loses any, and the
    match goes on: the value of one token each is found by iteration.
    """
    equilibria: dict[tuple[int, int], DealEquilibrium] = {}
    for first, dealer in sorted(product(range(1, tokens + 1), repeat=2), key=sum):
        value, change = 0.5, 1.0
        while change > TOLERANCE:
            equilibria[first, dealer] = solve_deal(deals, chances_after(equilibria, first, dealer, value))
            change = abs(equilibria[first, dealer].value - value) if first == dealer == 1 else 0.0
            value = equilibria[first, dealer].value
    return equilibria


def chances_after(
    equilibria: Mapping[tuple[int, int], DealEquilibrium], first: int, dealer: int, again: float
) -> Chances:
    """Return the first's chances after a deal.

    Args:
        equilibria: The equilibria at fewer tokens.
        first: Its tokens.
        dealer: The dealer's.
        again: The chance of the first of a deal with the same tokens.
    """

    def chance(first_left: int, dealer_left: int) -> float:
        if not first_left and not dealer_left:
            return 1 - again
        if not first_left or not dealer_left:
            return float(first_left > 0)
        return 1 - equilibria[dealer_left, first_left].value

    return Chances(chance(first - 1, dealer), chance(first, dealer - 1), chance(first - 1, dealer - 1))


def write_solution(seed: str, out: Path) -> None:
    """Write the equilibrium for up to five tokens each as JSON; it is the same for each seed."""
    solved = solve_match(Deals(), MAX_TOKENS)
    lines = [
        f'"{first}-{dealer}": {msgspec.json.encode(deal).decode()}'
        for (first, dealer), deal in solved.items()
    ]
    out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
