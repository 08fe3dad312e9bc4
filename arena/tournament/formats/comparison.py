"""Comparison: the first two bots play blocks until it is clear which of them is stronger.

The columns of its standings come first, then the result after some blocks, the format, and its words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

import msgspec
import numpy as np

from arena.columns.column import Column, ColumnDoc, ColumnDocs
from arena.columns.kinds import DECIMAL, PERCENT, TEXT
from arena.columns.kinds import ELO_LEAD as ELO_DIFFERENCE
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import NO_CONTROL_NOTE, plain_table
from arena.errors import ConfigError
from arena.play.bot import PositiveInt
from arena.plugins.bot_spec import label_bots
from arena.rating.luck_adjustment import Controls, adjust_block_scores
from arena.rating.pair_counts import FloatArray
from arena.rating.separation import estimate_required_blocks
from arena.rating.sequential import (
    SequentialEstimate,
    adjust_confidence,
    estimate_after_sprt,
    estimate_after_stop,
    plan_checkpoints,
)
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS, MeanEstimate, estimate_mean
from arena.rating.two_bots import (
    BURN_IN_BLOCKS,
    VIRTUAL_SQUARES,
    HeadToHead,
    Sprt,
    SprtStatus,
    compare_block_scores,
    format_los,
    is_decided,
)
from arena.tournament.formats.base import (
    BOT,
    ELO_LEAD,
    LOS,
    BlockRange,
    Format,
    Played,
    RunFacts,
    Scoreboard,
    Stage,
    board_column,
)
from arena.tournament.formats.paired_design import (
    GROWTH,
    PairedFormat,
    announce_blocks,
    describe_disqualified,
    describe_shared_seats,
    draw_opponents,
    substitute,
    uncounted_text,
)
from arena.tournament.paired_blocks import (
    BlockComparison,
    Seating,
    compare_bots,
    pair_block,
    rotate,
    share_seats,
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
        self.alike_blocks = keys.alike_blocks
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
    def is_alike_for_long(self) -> bool:
        """True if both were alike in as many blocks as the config asks for to end the comparison."""
        enough = self.terms.alike_blocks
        return enough is not None and self.result.blocks >= enough and self.is_alike

    @property
    def over(self) -> bool:
        """True if no block is left to play."""
        is_clear = not self.terms.fixed and (self.resolved or self.is_alike_for_long)
        return is_clear or self.result.blocks == self.terms.ends[-1]

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
    with `alike_blocks` where the two had the same result in all blocks so far, at least that many; with
    `fixed` after `max_blocks` in any case.
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
        alike_blocks: PositiveInt | None = None
        """End it at the first look after these blocks if the bots had the same result in all; None: never."""

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
    def is_over(self) -> bool:
        return self.result().over

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
        """Return a block by its index."""
        return pair_block(index, self.terms.variant, self.terms.players, list(self._seatings(index)))

    def _seatings(self, index: int) -> Iterator[Seating]:
        terms = self.terms
        if terms.field:
            others = draw_opponents(terms.field, terms.players - 1, index, self._seed)
            return substitute((terms.first, terms.second), others)
        if terms.alone:
            return rotate([terms.first, *[terms.second] * (terms.players - 1)])
        return share_seats(terms.first, terms.second, terms.players, adjacent=bool(index % 2))

    def announcement(self, run: RunFacts, workers: str, where: Path | None) -> str:
        most = format_count(self.terms.looks[-1], "blocks")
        number = most if self.terms.fixed else f"at most {most}"
        return announce_blocks(run, number, workers, where, candidates=2)

    def verdict(self, run: RunFacts, width: int | None = None) -> str:
        """Return the score, what follows from it, and why the comparison ended."""
        compared = self.result()
        if not compared.result.blocks:
            return uncounted_text(run, 0, compared.terms.ends[0])
        controls = _find_controls(run)
        adjusted = controls and self.adjusted(controls)
        disqualified = describe_disqualified(run, compared.faults)
        lines = _lines(compared, is_valid=not disqualified)
        lines += _adjusted_lines(compared, adjusted) if adjusted else []
        lines.append(("played", _played(compared)))
        table = plain_table([Column("", kind=TEXT)] * 2, [line for line in lines if line[1]])
        parts = [_setting(compared.terms), table, "\n".join(disqualified.values()) or _ending(compared)]
        if not compared.over:
            parts.append(uncounted_text(run, compared.result.blocks, compared.terms.ends[0]))
        if controls:
            parts.append(ADJUSTED_NOTE if adjusted else NO_CONTROL_NOTE.format(_game(compared.terms)))
        return "\n\n".join(parts)

    def fields(self, run: RunFacts) -> dict[str, Any]:
        """Return the result as JSON: shares in percent, nothing rounded.

        Of an adjusted run it has `luck`: the result adjusted for luck, None where there is nothing to adjust.
        """
        compared = self.result()
        controls = _find_controls(run)
        terms, result, look = compared.terms, compared.result, compared.look
        disqualified = describe_disqualified(run, compared.faults)
        elo, low, high = compared.elo_ends
        return {
            "variant": terms.variant,
            "players": terms.players,
            "bots": [terms.first, terms.second],
            "labels": [terms.labels[terms.first], terms.labels[terms.second]],
            "field": terms.field,
            "alone": terms.alone,
            "blocks": result.blocks,
            "matches": compared.matches,
            "score": to_percent(result.score),
            "error": to_percent(result.error),
            "confidence": terms.confidence,
            "elo": elo,
            "low": low,
            "high": high,
            "los": to_percent(result.los),
            "payoffs": [payoff.value for payoff in compared.payoffs],
            "payoff_lead": compared.payoff_lead.value,
            "payoff_error": compared.payoff_lead.error,
            "faults": compared.faults,
            "sprt": terms.sprt,
            "llr": look and look.llr,
            "bounds": look and [look.lower, look.upper],
            "verdict": None if disqualified else look and look.verdict,
            "resolved": compared.resolved and not disqualified,
            "alike": compared.is_alike,
            "blocks_missing": compared.blocks_missing,
            "seed": run.seed if compared.over else None,
            "score_elo": result.elo,
            "disqualified": list(disqualified),
            "blocks_not_counted": 0 if compared.over else run.count_blocks() - result.blocks,
        } | ({} if controls is None else {"luck": _adjusted_fields(self.adjusted(controls))})

    def docs(self, run: RunFacts) -> ColumnDocs:
        return LINES | (LUCK_LINES if run.config.adjust else {})


def _row(bot: str, result: HeadToHead, ends: Sequence[float | None], payoff: MeanEstimate) -> _ComparedRow:
    elo, low, high = ends
    scores = (result.score, result.error, result.los, elo, low, high)
    return _ComparedRow(None, bot, *scores, payoff.value, result.blocks)


# --- words ---
# The lines of a verdict, and why it ended.

LINES: Final = {
    "score": SCORE_DOC,
    "lead in score": ColumnDoc(
        """With a field, in place of the score: additional share of points the first took in the second's
        place.""",
        "percent; 0 are equals",
        "100 · (its mean score - that of the other in its place)",
        "Over the field at these tables: the two did not meet.",
    ),
    "±": ERROR_DOC,
    "Elo": ELO_DOC,
    "LOS": LOS_DOC,
    "payoff": PAYOFF_DOC,
    "SPRT": ColumnDoc(
        "Position of the sequential test between its decisions, H0 below and H1 above.",
        "log-likelihood ratio",
        """blocks · (s1 - s0) · (2 · score - s0 - s1) / (2 · variance), s0 and s1 being the scores for E0 and
        E1; the variance includes one pseudo-block won by each side. Bounds ln(0.05 / 0.95) and its opposite,
        reduced by the mean overshoot""",
        "H1 does not say that the lead is E1, but that E1 fits better than E0.",
    ),
    "faults": ColumnDoc(
        "Failures of each bot; after each the arena played the safest action. No line if there were none.",
        warning="If a bot is disqualified for them, neither is called the stronger, and there is no LOS.",
    ),
    "played": ColumnDoc(
        "Blocks and matches counted. Matches of a block share their cards: blocks are independent."
    ),
}
LUCK_LINES: Final = {
    "luck score": ColumnDoc(
        "Score (or lead in score) adjusted for luck: less what the cards were worth to the bot; with its ±.",
        "percent",
        """mean over blocks of (score - β · control); the control is what the cards of a block, played by a
        fixed baseline in all seats, were worth above their mean, which is zero whatever the bots do""",
        """A second estimate of the same strength: choose between the two before you look. The comparison
        ends by the score.""",
    ),
    "luck Elo": ColumnDoc(
        "Difference in Elo that the adjusted score means, and the ends of its interval.",
        "Elo; 400 are odds of ten to one",
    ),
    "luck ratio": ColumnDoc(
        """Variance of the score over that of the adjusted one: how many times as many blocks would give the
        same ± without the adjustment.""",
        warning="An estimate: below 1 by chance where the control explains little, or blocks are few.",
    ),
}
"""Documentation of the lines that an adjusted comparison adds."""
ADJUSTED_NOTE: Final = (
    "The luck score is a second estimate of the same strength, from the same matches, with the same notes;\n"
    "the score alone decided when to stop."
)
STOP_NOTE: Final = "A test stops when the score is extreme: Elo and its interval are corrected for that"
UNKNOWN = "unknown: the blocks do not differ, or are fewer than six"


def _find_controls(run: RunFacts) -> Controls | None:
    """Return the controls of the blocks, if the run's results are adjusted for luck."""
    if not run.config.adjust:
        return None
    return next((game.controls for game in run.results().games.values()), None)


def _setting(terms: ComparisonSettings) -> str:
    """Return what was compared, and the seating."""
    first, second = terms.labels[terms.first], terms.labels[terms.second]
    if terms.field:
        how = f"in each other's place at tables of {', '.join(terms.labels[name] for name in terms.field)}"
    elif terms.alone:
        how = f"{first} alone against copies of {second}"
    else:
        how = describe_shared_seats(terms.players)
    return f"{first} against {second} at {_game(terms)}: {how}"


def _game(terms: ComparisonSettings) -> str:
    return f"{terms.variant}, {terms.players} players"


def _lines(compared: ComparisonResult, *, is_valid: bool) -> list[tuple[str, str]]:
    """Return labels and values; one that does not apply is empty, as LOS where the result is not valid."""
    terms, result = compared.terms, compared.result
    first, second = terms.labels[terms.first], terms.labels[terms.second]
    own, other = compared.payoffs
    lead = compared.payoff_lead
    return [
        ("lead in score" if terms.field else "score", _score(terms, result)),
        ("Elo", _elo(result, compared.elo_ends)),
        (
            "LOS",
            f"{format_los(result.los)} that {first} is the stronger"
            if is_valid and result.los is not None
            else "",
        ),
        (
            "payoff",
            f"{own.value:z.2f} a match, {second} {other.value:z.2f}: a lead of {lead.value:+z.2f}"
            + ("" if lead.error is None else f" ± {max(lead.error, 0.01):.2f}"),
        ),
        ("SPRT", compared.look.bar if compared.look else ""),
        ("faults", _faults(compared)),
    ]


def _adjusted_lines(compared: ComparisonResult, adjusted: AdjustedComparison) -> list[tuple[str, str]]:
    """Return the lines of the score adjusted for luck."""
    ratio = adjusted.variance_ratio
    return [
        ("luck score", _score(compared.terms, adjusted.result)),
        ("luck Elo", _elo(adjusted.result, (adjusted.result.elo, adjusted.result.low, adjusted.result.high))),
        ("luck ratio", "" if ratio is None else f"{ratio:.2f}"),
    ]


def _played(compared: ComparisonResult) -> str:
    return f"{format_count(compared.result.blocks, 'blocks')}, {format_count(compared.matches, 'matches')}"


def _score(terms: ComparisonSettings, result: HeadToHead) -> str:
    assert result.score is not None
    score = f"{result.score - 0.5:+z.1%}" if terms.field else f"{result.score:.1%}"
    return f"{score} ± {UNKNOWN if result.error is None else f'{max(result.error, 0.001):.1%}'}"


def _elo(result: HeadToHead, ends: Sequence[float | None]) -> str:
    elo, low, high = ends
    if result.elo is None or elo is None:
        return "unbounded: one of them won every point"
    if result.error is None:
        return f"{elo:+z.1f}"
    return f"{elo:+z.1f}, between {_end(low, '-∞')} and {_end(high, '+∞')}"


def _end(elo: float | None, beyond: str) -> str:
    return beyond if elo is None else f"{elo:+z.1f}"


def _faults(compared: ComparisonResult) -> str:
    terms = compared.terms
    names = (terms.labels[terms.first], terms.labels[terms.second])
    had = zip(names, compared.faults, strict=True)
    return ", ".join(f"{name} {number:,}" for name, number in had if number)


def _ending(compared: ComparisonResult) -> str:
    """Return why the comparison ended, and how reliable interval and LOS are."""
    if not compared.resolved:
        return _unresolved(compared)
    terms, result = compared.terms, compared.result
    if terms.sprt and compared.look:
        low, high = terms.sprt
        fits, not_ = (high, low) if compared.look.verdict == "H1" else (low, high)
        return (
            f"{compared.look.verdict}: a lead of {fits:g} Elo fits better than one of {not_:g}.\n"
            f"{STOP_NOTE}; ± and LOS are not."
        )
    assert result.score is not None
    stronger = terms.first if result.score > 0.5 else terms.second
    return "\n".join([f"{terms.labels[stronger]} is the stronger.", *_interval_notes(compared)])


def _unresolved(compared: ComparisonResult) -> str:
    missing = compared.blocks_missing
    is_played = compared.result.blocks == compared.terms.ends[-1]
    at = "at the maximum of blocks" if is_played else "early"
    if compared.look and compared.result.blocks < BURN_IN_BLOCKS:
        more = f"A test has its first look after {BURN_IN_BLOCKS} blocks"
        more += f", and at this rate needs {format_count(missing, 'blocks')} more." if missing else "."
    elif compared.is_alike:
        more = "Both had the same result in every block: they seem to play alike."
        more += " --fixed plays all blocks." if compared.over and not is_played else ""
    elif missing is None:
        more = "No number of blocks is known to separate them."
    elif compared.look:
        more = f"At this rate the test needs about {format_count(missing, 'blocks')} more."
    else:
        needed = format_count(missing, "blocks")
        more = f"If the score stays the same, {needed} more separate them with a chance of 80 %."
    return "\n".join([f"Not resolved: stopped {at}. {more}", *_interval_notes(compared)])


def _interval_notes(compared: ComparisonResult) -> Iterator[str]:
    """Yield what the interval means, if there is one."""
    looks = len(compared.terms.ends)
    if compared.result.error is None:
        return
    if looks == 1 or compared.terms.sprt:
        yield "± and LOS are valid for a number of blocks fixed in advance."
    else:
        yield f"± holds at all {looks} looks together in 95 of 100 comparisons; LOS follows from it."
    if compared.estimate and looks > 1:
        yield f"{STOP_NOTE}."


def _adjusted_fields(adjusted: AdjustedComparison | None) -> dict[str, float | None] | None:
    if adjusted is None:
        return None
    result = adjusted.result
    shares = {name: to_percent(getattr(result, name)) for name in ("score", "error", "los")}
    elos = {name: getattr(result, name) for name in ("elo", "low", "high")}
    return {**shares, **elos, "variance_ratio": adjusted.variance_ratio}
