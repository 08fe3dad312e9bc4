"""Two bots: what a score means in Elo, what block scores say, LOS as text, and a test that stops early.

Nothing here needs an array, so that two bots can be compared where Python is all there is.

LOS, the likelihood of superiority, is one minus the one-sided p-value of the hypothesis that the bot is not
the stronger one: 97.5 % is where a 95 % interval of the difference ends at 0. It is the probability that the
bot is the stronger one only for a reader to whom all differences were equally likely before the first match.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS, t_cdf, t_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

MEAN_ELO: Final = 1500.0
"""Elo of strength 0."""
ELO_PER_UNIT: Final = 400 / math.log(10)
"""Elo of one unit of strength, where a pair's odds are exp(difference)."""
LOS_BOUNDS: Final = {"100.0%": "> 99.9%", "0.0%": "< 0.1%"}
"""Texts in place of those that one decimal would round to certainty."""
LOST_CUBE: Final = 0.125
"""Cubed deviation of a block that is lost as a whole, for losses that are rare and not seen yet."""
BURN_IN_BLOCKS: Final = 32
"""Blocks before the first verdict: the variance must be roughly known, or the test errs twice as often."""
BAR_CHARS: Final = 21
VIRTUAL_SQUARES: Final = 0.5
"""Squared deviations of one virtual block won by each side, a prior for what has not been observed yet.
Without them the test calls bots that differ in few blocks equal after the first look in one case of five, and
a comparison of bots that gain little often and lose much rarely calls them equal as often."""

Verdict = Literal["H0", "H1"]


def expected_score(elo: float) -> float:
    """Return the expected score, between 0 and 1, against a bot weaker by `elo`: 1 / (1 + 10^(-elo/400))."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_from_score(score: float) -> float | None:
    """Return the Elo difference at which `score` is expected; None for 0 and 1."""
    return -400 * math.log10(1 / score - 1) if 0 < score < 1 else None


def format_los(los: float) -> str:
    """Return a likelihood of superiority, 0 to 1, in percent: never as certain.

    Example:
        >>> format_los(0.975), format_los(0.99999), format_los(0.0)
        ('97.5%', '> 99.9%', '< 0.1%')
    """
    text = f"{los:.1%}"
    return LOS_BOUNDS.get(text, text)


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
        """A bar with the ratio between its two bounds, as text."""
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


@dataclass(frozen=True)
class HeadToHead:
    """The mean score of one bot against another over blocks, and the Elo difference it means.

    Attributes:
        blocks: Number of blocks.
        score: Mean score, 0 to 1; None without blocks.
        deviation: Standard deviation of the block scores, with virtual squares and skewness. None,
            like `error`, `low`, `high` and `los`, for fewer than 6 blocks or when all blocks score the same.
        error: Half width of the interval of `score`.
        elo: Elo difference; None for a score of 0 or 1.
        low: Lower end of the interval in Elo, not symmetrical about `elo`; None if unbounded.
        high: Upper end of the interval in Elo; None if unbounded.
        los: Likelihood of superiority, 0 to 1, read from the interval: where one half is an end of it 97.5 %
            or 2.5 %, or as `nominal` says. Both take the number of blocks as fixed unless the confidence is
            adjusted for repeated looks: after a stop by SPRT both are too optimistic.
    """

    blocks: int
    score: float | None
    deviation: float | None
    error: float | None
    elo: float | None
    low: float | None
    high: float | None
    los: float | None


def compare_block_scores(
    scores: Sequence[float] | NDArray[Any],
    confidence: float = CONFIDENCE,
    *,
    virtual_squares: float = 0.0,
    is_skewed: bool = False,
    nominal: float = CONFIDENCE,
) -> HeadToHead:
    """Return what block scores say of two bots.

    Args:
        scores: Score of the first bot in each block, 0 to 1; a half means equal.
        confidence: Confidence of the interval, 0 to 1.
        virtual_squares: Added to the sum of squared differences from the mean.
        is_skewed: Whether the error must not assume that scores are symmetrical. It then reaches from the
            score to the end of the interval towards one half, which is moved by the third moment of the
            scores and of one block that is lost as a whole, or won by the worse bot.
        nominal: Confidence with which the intervals of all looks hold together, at which LOS is read.

    Source: Student's t interval of a mean; its ends in Elo as in fishtest's stat_util.py (get_elo).

    Example:
        >>> result = compare_block_scores([0.5, 0.75, 0.5, 1.0, 0.75, 0.5, 0.75, 0.5])
        >>> round(result.score, 3), round(result.elo), round(result.los, 3)
        (0.656, 112, 0.975)
    """
    blocks = len(scores)
    if not blocks:
        return HeadToHead(0, None, None, None, None, None, None, None)
    score = math.fsum(scores) / blocks
    squares = math.fsum((value - score) ** 2 for value in scores)
    if blocks < MIN_BLOCKS or not squares or min(scores) == max(scores):
        return HeadToHead(blocks, score, None, None, elo_from_score(score), None, None, None)
    deviation = math.sqrt((squares + virtual_squares) / (blocks - 1))
    if is_skewed:
        cubes = math.fsum((value - score) ** 3 for value in scores)
        towards_half = abs(cubes) if score == 0.5 else cubes if score < 0.5 else -cubes
        deviation = _widen(deviation, towards_half, blocks, confidence)
    error = _half_width(deviation, blocks, confidence)
    return HeadToHead(
        blocks=blocks,
        score=score,
        deviation=deviation,
        error=error,
        elo=elo_from_score(score),
        low=elo_from_score(score - error),
        high=elo_from_score(score + error),
        los=t_cdf(t_quantile((1 + nominal) / 2, blocks - 1) * (score - 0.5) / error, blocks - 1),
    )


def compute_elo_bounds(result: HeadToHead) -> tuple[float | None, float | None]:
    """Return the ends of the 95 % interval of a result in Elo, also where all blocks score the same.

    Args:
        result: A score over blocks, its interval one of 95 %.

    Returns:
        The lower and the upper end, each None if it is unbounded; both are for fewer than 6 blocks. Where all
        blocks score the same, the interval is that of the virtual squares alone, see `compute_prior_error`.
    """
    if result.score is None or result.blocks < MIN_BLOCKS:
        return None, None
    error = result.error
    if error is None:
        error = compute_prior_error(result.blocks, CONFIDENCE, VIRTUAL_SQUARES)
    return elo_from_score(result.score - error), elo_from_score(result.score + error)


class EloEstimate(NamedTuple):
    """An Elo difference with its 95 % interval.

    Attributes:
        elo: The difference; None without blocks, and for a score of 0 or 1.
        error: Half width of the interval; None for fewer than 6 blocks, and where all blocks score the same.
        low: Lower end of the interval; None if it is unbounded, and for fewer than 6 blocks.
        high: Upper end of the interval, None as `low`.
    """

    elo: float | None
    error: float | None
    low: float | None
    high: float | None


def estimate_block_elo(scores: Sequence[float]) -> EloEstimate:
    """Return the Elo difference that block scores mean, with an interval symmetrical in Elo.

    For a number of blocks fixed in advance. With scores near 0 or 1 in few blocks it holds more often than
    an interval of the mean score whose ends are converted: the scale in Elo has no ends.

    Args:
        scores: Score in each block, 0 to 1; a half means equal.

    Returns:
        The difference, its error t · standard error of the score · 400 / ln 10 / (score · (1 - score)), and
        the interval. Where all blocks score the same that is the one of `compute_elo_bounds`.

    Source: delta method on the logit scale: L. D. Brown, T. T. Cai, A. DasGupta, Interval estimation for a
    binomial proportion, Statistical Science 16, 2001, section 4.

    Example:
        >>> estimate = estimate_block_elo([0.5, 0.75, 0.5, 1.0, 0.75, 0.5, 0.75, 0.5])
        >>> round(estimate.elo), round(estimate.error)
        (112, 120)
    """
    result = compare_block_scores(scores)
    if result.score is None or result.elo is None or result.error is None:
        return EloEstimate(result.elo, None, *compute_elo_bounds(result))
    error = ELO_PER_UNIT * result.error / (result.score * (1 - result.score))
    return EloEstimate(result.elo, error, result.elo - error, result.elo + error)


def is_decided(
    result: HeadToHead, confidence: float, virtual_squares: float, *, is_skewed: bool = False
) -> bool:
    """Return whether the interval of a score excludes one half.

    Where no block differs from the others, the interval is that of the virtual squares alone. Never with
    fewer than 6 blocks.

    Args:
        result: The score, its interval made with the same confidence and virtual squares.
        confidence: Confidence of the interval, 0 to 1.
        virtual_squares: As in `compare_block_scores`.
        is_skewed: As there.
    """
    if result.score is None or result.blocks < MIN_BLOCKS:
        return False
    error = result.error
    if error is None:
        error = compute_prior_error(result.blocks, confidence, virtual_squares, is_skewed=is_skewed)
    return abs(result.score - 0.5) > error


def compute_prior_error(
    blocks: int, confidence: float, virtual_squares: float, *, is_skewed: bool = False
) -> float:
    """Return the half width that the virtual squares alone give, for two or more blocks of equal score."""
    deviation = math.sqrt(virtual_squares / (blocks - 1))
    if is_skewed and deviation:
        deviation = _widen(deviation, 0.0, blocks, confidence)
    return _half_width(deviation, blocks, confidence)


def _widen(deviation: float, cubes: float, blocks: int, confidence: float) -> float:
    """Return the deviation that gives the error of scores that are not symmetrical.

    Args:
        deviation: Standard deviation of the block scores.
        cubes: Sum of the cubed differences of the scores from their mean, towards one half.
        blocks: Number of blocks.
        confidence: Confidence of the interval, above 0 and below 1.

    Source: N. J. Johnson, Modified t tests and confidence intervals for asymmetrical populations, J. Amer.
    Statist. Assoc. 73, 1978.
    """
    quantile = t_quantile((1 + confidence) / 2, blocks - 1)
    third = max(cubes + LOST_CUBE, 0.0) / blocks
    return deviation + (1 + 2 * quantile**2) * third / (6 * deviation**2 * quantile * math.sqrt(blocks))


def _half_width(deviation: float, blocks: int, confidence: float) -> float:
    return t_quantile((1 + confidence) / 2, blocks - 1) * deviation / math.sqrt(blocks)
