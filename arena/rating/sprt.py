"""When two bots have been compared long enough: a sequential probability ratio test on block scores."""

import math
from dataclasses import dataclass
from typing import Final, Literal

from arena.rating.elo import expected_score

BURN_IN_BLOCKS: Final = 32
"""Blocks before the first look: the variance must be known roughly, or the test errs twice as often."""
VIRTUAL_SQUARES: Final = 0.5
"""Those of one block more that each bot took wholly: what was not seen so far may yet come.
Without them the test calls bots that differ in few blocks equal after the first look in one case of five, and
a comparison of bots that gain little often and lose much seldom tells equals apart as often."""

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True)
class SprtStatus:
    """Where the test stands: it goes on while `lower` <= `llr` <= `upper`.

    `llr` is the logarithm of how much likelier the scores are under H1 than under H0. `verdict` is
    "H1" (at least elo1 better), "H0" (at most elo0) or None (undecided so far).
    """

    blocks: int
    llr: float
    lower: float
    upper: float
    verdict: Verdict | None


class _Record:
    """How far the ratio goes, on average, beyond its extreme so far when it sets a new one, in one direction.

    Source: D. Siegmund, Sequential Analysis, 1985, corollary 8.33; as in fishtest's stat_util.py.
    """

    def __init__(self, start: float, direction: int) -> None:
        self._extreme = start
        self._direction = direction
        self._sum = 0.0
        self._squares = 0.0

    def see(self, llr: float) -> None:
        step = self._direction * (llr - self._extreme)
        if step > 0:
            self._extreme = llr
            self._sum += step
            self._squares += step * step

    @property
    def overshoot(self) -> float:
        return self._squares / (2 * self._sum) if self._sum else 0.0


class Sprt:
    """Generalised sequential test of H0 (Elo difference `elo0`) against H1 (`elo1`).

    Scores must come in the order in which blocks were scheduled (not finished: fast games would bias the
    stop), and looks at places fixed beforehand. `alpha` is the chance of "H1" under H0, `beta` that of "H0"
    under H1.
    Source: A. Wald, Sequential tests of statistical hypotheses, Ann. Math. Statist. 16, 1945; M. Van den
    Bergh, A practical introduction to the GSPRT (normal approximation), as in fishtest's LLRcalc.py.
    """

    def __init__(self, elo0: float, elo1: float, *, alpha: float = 0.05, beta: float = 0.05) -> None:
        """Raises: ValueError unless elo0 < elo1 and both error rates lie between 0 and 0.5."""
        if not elo0 < elo1:
            raise ValueError(f"elo0 must be below elo1, not {elo0:g} and {elo1:g}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise ValueError(f"alpha and beta must lie between 0 and 0.5, not {alpha:g} and {beta:g}")
        self._score0, self._score1 = expected_score(elo0), expected_score(elo1)
        self._lower, self._upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        self._blocks, self._sum, self._squares = 0, 0.0, 0.0
        self._records: tuple[_Record, _Record] | None = None

    def add(self, score: float) -> None:
        """Adds the score of the next block, 0 to 1."""
        self._blocks += 1
        self._sum += score
        self._squares += score * score

    def evaluate(self) -> SprtStatus:
        """Where the test stands; without a verdict during the first 32 blocks."""
        llr = self._llr()
        if self._blocks < BURN_IN_BLOCKS:
            return SprtStatus(self._blocks, llr, self._lower, self._upper, None)
        down, up = self._records = self._records or (_Record(llr, -1), _Record(llr, 1))
        down.see(llr)
        up.see(llr)
        lower, upper = self._lower + down.overshoot, self._upper - up.overshoot
        verdict: Verdict | None = "H0" if llr < lower else "H1" if llr > upper else None
        return SprtStatus(self._blocks, llr, lower, upper, verdict)

    def _llr(self) -> float:
        if self._blocks < 2:
            return 0.0
        mean = self._sum / self._blocks
        variance = (self._squares - self._sum * mean + VIRTUAL_SQUARES) / (self._blocks - 1)
        gap, middle = self._score1 - self._score0, (self._score0 + self._score1) / 2
        return self._blocks * gap * (mean - middle) / variance
