"""Comparison: the first two bots play blocks until it is clear which of them is stronger."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Final, NamedTuple

import msgspec
import numpy as np

from arena.columns.column import ColumnDoc
from arena.columns.kinds import DECIMAL, PERCENT
from arena.columns.kinds import ELO_LEAD as ELO_DIFFERENCE
from arena.errors import ConfigError
from arena.plugins.bot_spec import label_bots
from arena.rating.luck_adjustment import Controls, adjust_block_scores
from arena.rating.mean_intervals import MeanEstimate, estimate_mean
from arena.rating.pair_counts import FloatArray
from arena.rating.separation import estimate_required_blocks
from arena.rating.sequential import (
    SequentialEstimate,
    adjust_confidence,
    estimate_after_sprt,
    estimate_after_stop,
    plan_checkpoints,
)
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS
from arena.rating.two_bots import (
    BURN_IN_BLOCKS,
    VIRTUAL_SQUARES,
    HeadToHead,
    Sprt,
    SprtStatus,
    compare_block_scores,
    is_decided,
)
from arena.tournament.formats.base import (
    BOT,
    ELO_LEAD,
    LOS,
    BlockRange,
    Format,
    Played,
    Scoreboard,
    Stage,
    board_column,
)
from arena.tournament.formats.paired_design import (
    GROWTH,
    BlockComparison,
    PairedFormat,
    Seating,
    compare_bots,
    draw_opponents,
    rotate,
    share_seats,
    substitute,
)
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config

SPRT_GROWTH: Final = 1.125
"""Factor between the blocks of two looks of a sequential test, to which looks cost nothing."""


SCORE_DOC: Final = ColumnDoc(
    "Share of points the bot took from the other; with a field, 50 plus its lead in mean score.",
    "percent; 50 are equals",
    """100 · mean over blocks of (better places + ties / 2) / pairs of their seats. With a field
    100 · (0.5 + its mean score - that of the other in its place)""",
)
ERROR_DOC: Final = ColumnDoc(
    "Half width of the interval of the score at 95 %, or `confidence`, valid at all looks together.",
    "percent",
    """t · s / √blocks + (1 + 2 · t²) · m / (6 · s² · blocks), t being Student's with blocks - 1 degrees of
    freedom, widened for the number of looks; s² = (Σ (score - mean)² + 0.5) / (blocks - 1), the 0.5 being one
    pseudo-block won by each side; m the mean cubed difference towards 50 %, with such a block lost, at least
    0 (Johnson 1978). With a sequential test t · s / √blocks, t at 97.5 %, without the 0.5""",
    "Of the score as it was seen: too narrow after a sequential test, which stops when it is extreme.",
)
ELO_DOC: Final = ColumnDoc(
    "Difference in Elo and the ends of its 95 % interval, without the bias of the stop.",
    "Elo; 400 are odds of ten to one",
    """400 · log10(score / (1 - score)), before the stop of the score and the ends of its interval; after it
    of the scores under which an outcome as high as the one observed has a probability of 50, 2.5 and 97.5 %
    (stagewise ordering: the earlier a stop above, the higher)""",
    "From these two alone: ratings in a field may differ more or less.",
)
LOS_DOC: Final = ColumnDoc(
    """Likelihood of superiority: one minus the one-sided p-value of the hypothesis that the bot is not the
    stronger of the two.""",
    "percent; 50 is undecided, 97.5 has 50 % at the end of the score's 95 % interval",
    """Student's t distribution, blocks - 1 degrees of freedom, at its 97.5 % quantile · (score - 50 %) / ±
    of the score""",
    "Too high after a sequential test, as the interval is then too narrow.",
)
PAYOFF_DOC: Final = ColumnDoc(
    "Mean payoff of a seat of the bot in a match; the lead is the difference, with its interval.",
    "tokens, chips or points, whichever the game settles in",
    """mean over blocks of the mean of its seats; ± Student's t · standard error over blocks, t as for the
    score""",
    "Placings decide which bot is stronger; the payoff may disagree.",
)
BOUND_WARNING: Final = (
    "The interval is not symmetric about elo, as Elo is not a linear function of the score."
)
SCORES: Final = (
    board_column("score", SCORE_DOC, PERCENT),
    board_column("±", ERROR_DOC, PERCENT, field="error"),
    board_column("los", LOS_DOC, LOS),
    board_column(ELO_LEAD, ELO_DOC, ELO_DIFFERENCE, field="elo"),
    *(
        board_column(
            name,
            ColumnDoc(f"{end} end of the interval; empty if unbounded.", "Elo", "", BOUND_WARNING),
            ELO_DIFFERENCE,
        )
        for name, end in (("low", "Lower"), ("high", "Upper"))
    ),
)
"""Columns of the score of one bot against another."""
COLUMNS: Final = (
    board_column(
        "place",
        ColumnDoc("Rank by score.", warning="It does not prove that the first is stronger: see the verdict."),
    ),
    BOT,
    *SCORES,
    board_column("payoff", PAYOFF_DOC, DECIMAL),
    board_column(
        "blocks",
        ColumnDoc(
            "Blocks counted, up to the last look.", warning="Blocks played after the last look do not count."
        ),
    ),
)


class _ComparedRow(NamedTuple):
    """One of the two bots."""

    place: int | None
    bot: str
    score: float | None
    error: float | None
    los: float | None
    elo: float | None
    low: float | None
    high: float | None
    payoff: float | None
    blocks: int


class ComparisonSettings:
    """The bots compared, and the conditions that end the comparison."""

    def __init__(self, config: Config) -> None:
        self.first, self.second, *field = (bot.name for bot in config.bots)
        self.field = tuple(field)
        self.labels = label_bots(bot.name for bot in config.bots)
        [entry] = config.variants
        [self.players] = entry.players
        self.variant = str(entry.rules)
        keys: Comparison.Keys = config.keys
        self.alone, self.sprt, self.fixed = keys.alone, keys.sprt, keys.fixed
        self.looks = plan_checkpoints(BURN_IN_BLOCKS, config.max_blocks, SPRT_GROWTH if keys.sprt else GROWTH)
        """Numbers of blocks; the last ends it in any case."""
        self.ends = self.looks[-1:] if keys.fixed else self.looks
        """The looks at which it may end."""
        self.nominal = CONFIDENCE if keys.confidence is None else keys.confidence / 100
        """Confidence with which the intervals of all ends hold together."""
        self.confidence = CONFIDENCE if keys.sprt else adjust_confidence(self.ends, self.nominal)
        """Confidence of each interval."""
        self.virtual_squares = 0.0 if keys.sprt else VIRTUAL_SQUARES
        """Prior of the variance; zero with a test, which has its own."""


@dataclass(frozen=True)
class ComparisonResult:
    """The result of a comparison after some blocks."""

    terms: ComparisonSettings
    result: HeadToHead
    payoffs: tuple[MeanEstimate, MeanEstimate]
    payoff_lead: MeanEstimate
    faults: tuple[int, int]
    matches: int
    look: SprtStatus | None
    """The status of the test, if there is one."""

    @property
    def resolved(self) -> bool:
        """True if it is clear which bot is stronger."""
        if self.terms.sprt:
            return self.look is not None and self.look.verdict is not None
        terms = self.terms
        return is_decided(self.result, terms.confidence, terms.virtual_squares, is_skewed=True)

    @property
    def is_beaten(self) -> bool:
        """True if the first bot was shown to be the stronger."""
        return self.resolved and (self.result.score or 0) > 0.5

    @property
    def is_alike(self) -> bool:
        """True if both had the same score in every block, of enough for an error, and the same payoff."""
        result = self.result
        is_equal = result.score == 0.5 and result.error is None and result.blocks >= MIN_BLOCKS
        return is_equal and not self.payoff_lead.value

    @property
    def over(self) -> bool:
        """True if no block is left to play."""
        return self.result.blocks == self.terms.ends[-1] or (self.resolved and not self.terms.fixed)

    @cached_property
    def estimate(self) -> SequentialEstimate | None:
        """The difference without the bias of the stop; None before it, or without an interval."""
        terms, result = self.terms, self.result
        if not self.over or not result.blocks:
            return None
        if terms.sprt and self.look:
            return estimate_after_sprt(result, terms.looks, self.look, terms.sprt)
        return estimate_after_stop(result, terms.ends, terms.confidence)

    @property
    def elo_ends(self) -> tuple[float | None, float | None, float | None]:
        """Elo and the ends of its interval: of the estimate, or before the stop of the score."""
        shown = self.estimate or self.result
        return shown.elo, shown.low, shown.high

    @property
    def blocks_missing(self) -> int | None:
        """Number of further blocks that should settle it, at 80 % power, if the true score is the one so far.

        With a test: how many it takes at the pace so far, at least those missing before its first look. None
        if there is no estimate, as for equals.
        """
        result, look = self.result, self.look
        if self.resolved or result.score is None or result.deviation is None:
            return None
        if look:
            bound = look.upper if look.llr > 0 else look.lower
            at_pace = round(result.blocks * (bound / look.llr - 1)) if look.llr else 0
            least = max(1, BURN_IN_BLOCKS - result.blocks)
            return max(at_pace, least) if look.llr or least > 1 else None
        level = (1 + self.terms.confidence) / 2
        needed = estimate_required_blocks(result.score - 0.5, result.deviation, level)
        return None if needed is None else max(1, needed - result.blocks)


@dataclass(frozen=True)
class AdjustedComparison:
    """The result of a comparison adjusted for luck, beside the plain one."""

    result: HeadToHead
    variance_ratio: float | None
    """Ratio of the plain to the adjusted variance: the factor by which adjustment saves blocks."""


class Comparison(PairedFormat):
    """A comparison: a stage goes to the next look, until the result is clear.

    Two bots share a table, their seats in turn alternating and adjacent; with `alone` the first plays against
    copies of the second; with more than two bots the two sit in turn at tables of the others, who rotate.
    Looks are at 32 blocks and then each time at half as many more, up to `max_blocks`. It ends when the
    interval of the score, so wide that the intervals of all looks hold together in 95 of 100 cases, or as
    `confidence` says, excludes one half; with `sprt` at the verdict of that test, which looks more often;
    with `fixed` after `max_blocks` in any case.
    """

    name = "comparison"

    class Keys(Format.Keys, frozen=True):
        sprt: tuple[float, float] | None = None
        """The Elo differences of the two hypotheses."""
        fixed: bool = False
        """Play `max_blocks` in any case."""
        confidence: Annotated[float, msgspec.Meta(gt=0, lt=100)] | None = None
        """Confidence of the verdict over all looks, in percent; None is 95."""
        alone: bool = False
        """Seat the first bot among copies of the second."""

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        keys: Comparison.Keys = config.keys
        if keys.sprt and not all(map(math.isfinite, keys.sprt)):
            raise ConfigError("sprt: takes two finite Elo differences, such as 0 and 20")
        if keys.sprt and not keys.sprt[0] < keys.sprt[1]:
            low, high = keys.sprt
            raise ConfigError(f"sprt: the first Elo must be below the second, not {low:g} and {high:g}")
        for key, is_given in (("fixed", keys.fixed), ("confidence", keys.confidence is not None)):
            if keys.sprt and is_given:
                raise ConfigError(f"{key}: the test of sprt decides when to stop: remove one of the two")
        if keys.alone and len(config.bots) > 2:
            raise ConfigError("alone: takes two bots and no field")

    def __init__(self, config: Config, seed: str) -> None:
        self.terms = ComparisonSettings(config)
        self._seed = seed
        self._looks = iter(self.terms.looks)
        self._sprt = Sprt(*self.terms.sprt) if self.terms.sprt else None
        self._look: SprtStatus | None = None
        self.stops_by_results = not self.terms.fixed
        self._blocks: list[BlockComparison] = []
        self._matches = 0

    @property
    def total_range(self) -> tuple[int, int]:
        """The blocks up to the first look at which it may end, and up to the last."""
        return self.terms.ends[0], self.terms.ends[-1]

    @property
    def status(self) -> str:
        """The score, or the status of the test."""
        if self._look:
            return self._look.bar
        result = self.result().result
        return "" if result.error is None else f"{result.score:.1%} ± {result.error:.1%}"

    def next_stage(self) -> Stage | None:
        """Return the blocks up to the next look; None when it is over."""
        if self.result().over:
            return None
        return BlockRange(range(len(self._blocks), next(self._looks)), self.block)

    def observe(self, played: Played) -> None:
        terms = self.terms
        for block, result in played:
            compared = compare_bots(
                block.seatings, result.matches, terms.first, terms.second, in_field=bool(terms.field)
            )
            self._blocks.append(compared)
            self._matches += len(result.matches)
            if self._sprt:
                self._sprt.add(compared.score)
        if self._sprt:
            self._look = self._sprt.evaluate()

    def scoreboard(self) -> Scoreboard:
        """Return the two bots, the better score first."""
        compared, terms = self.result(), self.terms
        mirrored = self._head_to_head([1 - block.score for block in self._blocks])
        elo, low, high = compared.elo_ends
        reverse = tuple(None if end is None else -end for end in (elo, high, low))
        own = _row(terms.first, compared.result, (elo, low, high), compared.payoffs[0])
        other = _row(terms.second, mirrored, reverse, compared.payoffs[1])
        order = (own, other) if (compared.result.score or 0) >= 0.5 else (other, own)
        places = (1, 1 if compared.result.score == 0.5 else 2) if self._blocks else (None, None)
        title = f"Comparison at {terms.variant}, {terms.players} players"
        rows = [row._replace(place=place) for place, row in zip(places, order, strict=True)]
        return Scoreboard(title, COLUMNS, rows)

    def result(self) -> ComparisonResult:
        """Return the result so far."""
        terms, blocks = self.terms, self._blocks
        payoffs = [[block.payoffs[bot] for block in blocks] for bot in (0, 1)]
        lead = [own - other for own, other in zip(*payoffs, strict=True)]
        return ComparisonResult(
            terms=terms,
            result=self._head_to_head([block.score for block in blocks]),
            payoffs=(estimate_mean(payoffs[0]), estimate_mean(payoffs[1])),
            payoff_lead=estimate_mean(lead, terms.confidence),
            faults=(sum(block.faults[0] for block in blocks), sum(block.faults[1] for block in blocks)),
            matches=self._matches,
            look=self._look,
        )

    def adjusted(self, controls: Controls) -> AdjustedComparison | None:
        """Return the result so far, adjusted by the controls of its blocks; None if there are no controls."""
        blocks = len(self._blocks)
        if not len(controls.cluster):
            return None
        plain = np.array([block.score for block in self._blocks])
        folds = np.zeros(blocks, np.int64)
        known = controls.cluster < blocks  # the others are beyond the last look
        folds[controls.cluster[known]] = controls.fold[known]
        adjusted = adjust_block_scores(plain, self._leads(controls), folds)
        before, after = (self._head_to_head(scores.tolist()) for scores in (plain, adjusted))
        ratio = (before.error / after.error) ** 2 if before.error and after.error else None
        return AdjustedComparison(after, ratio)

    def _leads(self, controls: Controls) -> FloatArray:
        """Return by block what its cards were worth in the score of the first bot, see `compare_bots`."""
        blocks = len(self._blocks)
        means = []
        for bot in (0, 1):
            total = np.zeros(blocks)
            for side, sign in ((controls.first, 1), (controls.second, -1)):
                own = (side == bot) & (controls.cluster < blocks)
                np.add.at(total, controls.cluster[own], sign * controls.points[own])
            means.append(total / self._count_pairs(bot))
        leads: FloatArray = (means[0] - means[1]) / (1 if self.terms.field else 2)
        return leads

    def _count_pairs(self, bot: int) -> int:
        """Return in how many pairs of seats of a block a bot meets another."""
        name = (self.terms.first, self.terms.second)[bot]
        own = [seating.count(name) for seating in self.block(0).seatings]
        return sum(seats * (self.terms.players - seats) for seats in own)

    def _head_to_head(self, scores: Sequence[float]) -> HeadToHead:
        terms = self.terms
        return compare_block_scores(
            scores,
            terms.confidence,
            virtual_squares=terms.virtual_squares,
            is_skewed=not terms.sprt,
            nominal=terms.nominal,
        )

    def block(self, index: int) -> Block:
        """Return a block by its index; its deals are the same whichever of the two bots is named first."""
        seatings = tuple(self._seatings(index))
        bots = min(tuple(sorted(seating)) for seating in seatings)
        return Block(index, self.terms.variant, self.terms.players, bots, index, seatings)

    def _seatings(self, index: int) -> Iterator[Seating]:
        terms = self.terms
        if terms.field:
            others = draw_opponents(terms.field, terms.players - 1, index, self._seed)
            return substitute((terms.first, terms.second), others)
        if terms.alone:
            return rotate([terms.first, *[terms.second] * (terms.players - 1)])
        return share_seats(terms.first, terms.second, terms.players, adjacent=bool(index % 2))


def _row(bot: str, result: HeadToHead, ends: Sequence[float | None], payoff: MeanEstimate) -> _ComparedRow:
    elo, low, high = ends
    scores = (result.score, result.error, result.los, elo, low, high)
    return _ComparedRow(None, bot, *scores, payoff.value, result.blocks)
