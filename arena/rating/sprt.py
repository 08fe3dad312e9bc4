"""Stop a comparison of two bots early: a sequential probability ratio test on block scores."""

import math
from dataclasses import dataclass
from typing import Final, Literal

from arena.rating.bradley_terry import expected_score

BURN_IN_BLOCKS: Final = 32
"""Blocks before the first verdict: the variance must be roughly known, or the test errs twice as often."""
BAR_CHARS: Final = 21
VIRTUAL_SQUARES: Final = 0.5
"""Squared deviations of one virtual block won by each side, a prior for what has not been observed yet.
Without them the test calls bots that differ in few blocks equal after the first look in one case of five, and
a comparison of bots that gain little often and lose much rarely calls them equal as often."""

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True)
class SprtStatus:
    """State of the test, which continues while `lower` <= `llr` <= `upper`.

    Attributes:
        blocks: Number of blocks.
        llr: Log-likelihood ratio of H1 over H0.
        lower: Bound below which H0 is accepted.
        upper: Bound above which H1 is accepted.
        verdict: "H1" (at least elo1 better), "H0" (at most elo0) or None (undecided).
    """

    blocks: int
    llr: float
    lower: float
    upper: float
    verdict: Verdict | None

    @property
    def bar(self) -> str:
        """A bar with the ratio between its two bounds, for people."""
        share = (self.llr - self.lower) / (self.upper - self.lower)
        place = min(max(round(share * (BAR_CHARS - 1)), 0), BAR_CHARS - 1)
        bar = "".join("●" if at == place else "─" for at in range(BAR_CHARS))
        return f"LLR {self.llr:+.2f}  {self.lower:.2f} ├{bar}┤ {self.upper:+.2f}"


class _Overshoot:
    """Estimate of how far the ratio jumps beyond its previous extreme, in one direction.

    Source: D. Siegmund, Sequential Analysis, 1985, corollary 8.33; as in fishtest's stat_util.py.
    """

    def __init__(self, start: float, direction: int) -> None:
        self._extreme = start
        self._direction = direction
        self._sum = 0.0
        self._squares = 0.0

    def add(self, llr: float) -> None:
        step = self._direction * (llr - self._extreme)
        if step > 0:
            self._extreme = llr
            self._sum += step
            self._squares += step * step

    @property
    def mean(self) -> float:
        return self._squares / (2 * self._sum) if self._sum else 0.0


class Sprt:
    """Generalised sequential probability ratio test of H0 (Elo difference `elo0`) against H1 (`elo1`).

    llr = n · (s1 - s0) · (mean - (s0 + s1) / 2) / variance, where s0 and s1 are the expected scores of both
    hypotheses; the bounds are Wald's, corrected for overshoot.
    Scores must come in the order in which blocks were scheduled (not finished: fast games would bias the
    stop), and be evaluated at block numbers fixed in advance.
    Source: A. Wald, Sequential tests of statistical hypotheses, Ann. Math. Statist. 16, 1945; M. Van den
    Bergh, A practical introduction to the GSPRT (normal approximation), as in fishtest's LLRcalc.py.

    Example:
        >>> test = Sprt(0, 20)
        >>> for number in range(400):
        ...     test.add(0.75 if number % 3 else 0.5)
        >>> test.evaluate().verdict
        'H1'
    """

    def __init__(self, elo0: float, elo1: float, *, alpha: float = 0.05, beta: float = 0.05) -> None:
        """Start without scores.

        Args:
            elo0: Elo difference of H0.
            elo1: Elo difference of H1.
            alpha: Probability of "H1" under H0.
            beta: Probability of "H0" under H1.

        Raises:
            ValueError: `elo0` is not below `elo1`, or an error rate is not between 0 and 0.5.
        """
        if not elo0 < elo1:
            raise ValueError(f"elo0 must be below elo1, not {elo0:g} and {elo1:g}")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise ValueError(f"alpha and beta must lie between 0 and 0.5, not {alpha:g} and {beta:g}")
        self._score0, self._score1 = expected_score(elo0), expected_score(elo1)
        self._lower, self._upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
        self._blocks, self._sum, self._squares = 0, 0.0, 0.0
        self._overshoots: tuple[_Overshoot, _Overshoot] | None = None

    def add(self, score: float) -> None:
        """Add the score of the next block, 0 to 1."""
        self._blocks += 1
        self._sum += score
        self._squares += score * score

    def evaluate(self) -> SprtStatus:
        """Return the state of the test; without a verdict during the first 32 blocks."""
        llr = self._llr()
        if self._blocks < BURN_IN_BLOCKS:
            return SprtStatus(self._blocks, llr, self._lower, self._upper, None)
        down, up = self._overshoots = self._overshoots or (_Overshoot(llr, -1), _Overshoot(llr, 1))
        down.add(llr)
        up.add(llr)
        lower, upper = self._lower + down.mean, self._upper - up.mean
        verdict: Verdict | None = "H0" if llr < lower else "H1" if llr > upper else None
        return SprtStatus(self._blocks, llr, lower, upper, verdict)

    def _llr(self) -> float:
        if self._blocks < 2:
            return 0.0
        mean = self._sum / self._blocks
        variance = (self._squares - self._sum * mean + VIRTUAL_SQUARES) / (self._blocks - 1)
        gap, middle = self._score1 - self._score0, (self._score0 + self._score1) / 2
        return self._blocks * gap * (mean - middle) / variance
