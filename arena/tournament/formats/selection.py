"""Selection: the best of several candidates, or the order of all, found in as few blocks as it takes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.columns.column import Column, ColumnDoc
from arena.columns.kinds import DECIMAL, INTEGER, LEAD, PERCENT, TEXT
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import format_table
from arena.errors import ConfigError
from arena.play.bot import PositiveInt
from arena.plugins.bot_spec import label_bots
from arena.rating.selection import SelectionGoal, SelectionTest
from arena.rating.sequential import plan_checkpoints
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import BURN_IN_BLOCKS
from arena.tournament.formats.base import (
    BOT,
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
    CandidateBlock,
    PairedFormat,
    announce_blocks,
    describe_disqualified,
    describe_shared_seats,
    draw_opponents,
    draw_pairs,
    measure_pairs,
    measure_substitutes,
    substitute,
    uncounted_text,
)
from arena.tournament.paired_blocks import share_seats
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import BlockResult

COLUMNS: Final[tuple[Column[Any], ...]] = (
    Column["CandidateResult"](
        "place",
        ColumnDoc(
            """Rank. Candidates whose order is not known share a place: those left when the best is sought,
            else the candidates of a group.""",
            formula="a group is above the next if every pair of one from each was shown",
            warning="""When the best is sought, nothing is shown about the order of those that are out; of
            several that are exactly equal one may be out.""",
        ),
        value=lambda row: row.place if row.blocks else None,
        kind=INTEGER,
        missing="",
    ),
    BOT,
    board_column(
        "score",
        ColumnDoc(
            "Share of points it took from its opponents, with a field from the other seats.",
            "percent",
            "100 · mean over its blocks of (better places + ties / 2) / pairs of its seats with others",
            "Candidates that were out early met others than those left later: compare by behind.",
        ),
        PERCENT,
    ),
    board_column(
        "behind",
        ColumnDoc(
            "Difference of its score to that of the first, in the blocks that both played.",
            "percent; 0 are equals",
            """100 · mean over common blocks of (its score - that of the first); without a field, the strength
            of each third one met, by least squares over all blocks, is added to the score first""",
            "The first is the best of many by chance, too: the difference tends to be overstated.",
        ),
        LEAD,
    ),
    board_column(
        "±",
        ColumnDoc(
            "Half width of the interval of behind with which the selection decides; `error` in CSV and JSON.",
            "percent",
            """Student's t with blocks - 1 degrees of freedom · √((Σ (difference - mean)² + p) / (blocks - 1)
            / blocks), p being 2 without a field, 0.5 with one, as one pseudo-block won by each; t is so wide
            that the answer is right in 95 of 100 selections, over all candidates and looks""",
        ),
        PERCENT,
        field="error",
    ),
    board_column(
        "payoff",
        ColumnDoc(
            "Mean payoff of a seat of it in a match.",
            "tokens, chips or points, whichever the game settles in",
            "mean over blocks of the mean of its seats",
            "Placings decide which bot is stronger; the payoff may disagree.",
        ),
        DECIMAL,
    ),
    board_column("faults", ColumnDoc("Its failures; after each the arena played the safest action.")),
    board_column("blocks", ColumnDoc("Blocks it played as a candidate, up to the look at which it was out.")),
    Column["CandidateResult"](
        "worse_than",
        ColumnDoc("The candidate that it was first shown to be worse than; empty if there is none."),
        value=lambda row: row.worse_than or "",
        kind=TEXT,
    ),
)


MAX_CANDIDATES: Final = 100


class _SelectionSettings:
    """The candidates, their opponents, and the conditions that end the selection."""

    def __init__(self, config: Config) -> None:
        names = tuple(bot.name for bot in config.bots)
        self.labels = label_bots(names)
        """Printed text of each bot by its name."""
        keys: Selection.Keys = config.keys
        self.candidates = names[: keys.candidates]
        self.field = names[keys.candidates :] if keys.candidates else ()
        """Empty if the candidates play each other."""
        self.goal = keys.goal or "best"
        [entry] = config.variants
        [self.players] = entry.players
        self.variant = str(entry.rules)
        self.looks = plan_checkpoints(BURN_IN_BLOCKS, config.max_blocks, GROWTH)
        """Numbers of blocks; the last ends it in any case."""


class CandidateResult(NamedTuple):
    """The result of one candidate so far.

    Attributes:
        bot: Its name.
        place: Place, from 1; shared where the order is not known; None for a disqualified bot.
        score: Mean score, 0 to 1; None without blocks.
        behind: Mean difference to the first of the order, in the blocks both played; None for the first.
        error: Half width of its interval; None without one.
        payoff: Mean payoff of its seat in a match.
        faults: Faults in its seat.
        blocks: Blocks it played as a candidate.
        worse_than: The candidate that it was first shown to be worse than; None without one.
    """

    bot: str
    place: int | None
    score: float | None
    behind: float | None
    error: float | None
    payoff: float | None
    faults: int
    blocks: int
    worse_than: str | None


class Selection(PairedFormat):
    """A selection: each stage goes to the next look, with the candidates that need more blocks.

    All matches of a block have the same cards. Without a field, the candidates share tables in random pairs,
    as two bots do in a comparison. With a field, each sits in turn in the same place at a table of others,
    once in every seat. Looks are at 32 blocks and then each time at half as many more, up to `max_blocks`.
    """

    name = "selection"

    class Keys(Format.Keys, frozen=True):
        goal: SelectionGoal | None = None
        """Find the best, which is the default, or the order of all."""
        candidates: PositiveInt | None = None
        """Number of bots, from the first, that are candidates; the others are the field. None: all are."""

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        number = config.keys.candidates or len(config.bots)
        if not 2 <= number <= min(len(config.bots), MAX_CANDIDATES):
            raise ConfigError(
                f"candidates: {number:,} of {len(config.bots):,} bots; a selection takes 2 to "
                f"{MAX_CANDIDATES}"
            )

    def __init__(self, config: Config, seed: str) -> None:
        self.terms = _SelectionSettings(config)
        self.test = SelectionTest(
            len(self.terms.candidates), self.terms.looks, self.terms.goal, meet=not self.terms.field
        )
        self.matches = 0
        self._seed = seed
        self._looks = iter(self.terms.looks)
        self._payoffs = [0.0] * len(self.terms.candidates)
        self._faults = [0] * len(self.terms.candidates)

    @property
    def total_range(self) -> tuple[int, int]:
        """The blocks up to the first look, and up to the last."""
        return self.terms.looks[0], self.terms.looks[-1]

    @property
    def status(self) -> str:
        """The number of candidates that are still played."""
        return f"{len(self.test.active)} of {len(self.terms.candidates)} left" if self.test.blocks else ""

    @property
    def is_over(self) -> bool:
        """True if no block is left to play."""
        return self.test.is_resolved or self.test.blocks == self.terms.looks[-1]

    def next_stage(self) -> Stage | None:
        """Return the blocks up to the next look; None when it is over."""
        if self.is_over:
            return None
        make_block = partial(self.block, self.names(self.test.active))
        return BlockRange(range(self.test.blocks, next(self._looks)), make_block)

    def observe(self, played: Played) -> None:
        active = self.test.active
        names = self.names(active)
        number = {name: candidate for candidate, name in enumerate(self.terms.candidates)}
        for block, result in played:
            self.matches += len(result.matches)
            measured = self._measure(names, block, result)
            opponents = [[number[other] for other in measured[name].opponents] for name in names]
            self.test.add([measured[name].score for name in names], opponents if not self.terms.field else ())
            for candidate, name in zip(active, names, strict=True):
                self._payoffs[candidate] += measured[name].payoff
                self._faults[candidate] += measured[name].faults
        self.test.evaluate()

    def _measure(
        self, active: tuple[str, ...], block: Block, result: BlockResult
    ) -> dict[str, CandidateBlock]:
        if self.terms.field:
            return measure_substitutes(active, self.terms.players, result.matches)
        return measure_pairs(draw_pairs(active, block.index, self._seed), block.seatings, result.matches)

    def names(self, candidates: Iterable[int]) -> tuple[str, ...]:
        """Return the names of candidates."""
        return tuple(self.terms.candidates[candidate] for candidate in candidates)

    def labels(self, candidates: Iterable[int]) -> tuple[str, ...]:
        """Return what is printed for candidates."""
        return tuple(self.terms.labels[name] for name in self.names(candidates))

    def block(self, active: tuple[str, ...], index: int) -> Block:
        """Return a block by its index; its deals do not depend on who is active, or named first."""
        terms = self.terms
        if terms.field:
            others = draw_opponents(terms.field, terms.players - 1, index, self._seed)
            bots = tuple(sorted([min(terms.candidates), *others]))
            seatings = tuple(substitute(active, others))
            return Block(index, terms.variant, terms.players, bots, index, seatings)
        adjacent = bool(index % 2)
        first, second, *_ = sorted(terms.candidates)
        bots = min(tuple(sorted(seat)) for seat in share_seats(first, second, terms.players, adjacent))
        pairs = draw_pairs(active, index, self._seed)
        seatings = tuple(seating for pair in pairs for seating in share_seats(*pair, terms.players, adjacent))
        return Block(index, terms.variant, terms.players, bots, index, seatings)

    def results(self) -> list[CandidateResult]:
        """Return the result of each candidate so far, the best first."""
        order = self.test.order()
        return [
            self._result(candidate, place, order[0])
            for candidate, place in zip(order, self.test.places(), strict=True)
        ]

    def _result(self, candidate: int, place: int, leader: int) -> CandidateResult:
        test, blocks = self.test, self.test.blocks_of(candidate)
        behind = None if candidate == leader else test.compare(candidate, leader)
        shown = [better for worse, better in test.decided if worse == candidate]
        score, error = (behind.score, behind.error) if behind else (None, None)
        return CandidateResult(
            bot=self.terms.candidates[candidate],
            place=place,
            score=test.score(candidate),
            behind=None if score is None else (score - 0.5) / test.scale,
            error=None if error is None else error / test.scale,
            payoff=self._payoffs[candidate] / blocks if blocks else None,
            faults=self._faults[candidate],
            blocks=blocks,
            worse_than=self.terms.candidates[shown[0]] if shown else None,
        )

    def scoreboard(self) -> Scoreboard:
        """Return the candidates, the best first as far as is known."""
        terms = self.terms
        what = "Selection of the best" if terms.goal == "best" else "Order"
        title = f"{what} of {len(terms.candidates)} at {terms.variant}, {terms.players} players"
        return Scoreboard(title, COLUMNS, self.results())

    def announcement(self, run: RunFacts, workers: str, where: Path | None) -> str:
        most = format_count(self.terms.looks[-1], "blocks")
        return announce_blocks(run, f"at most {most}", workers, where, len(self.terms.candidates))

    def verdict(self, run: RunFacts, width: int | None = None) -> str:
        """Return the table of the candidates, what is known, and why the selection ended."""
        if not self.test.blocks:
            return uncounted_text(run, 0, self.terms.looks[0])
        disqualified = describe_disqualified(run, self._faults)
        labels, out = self.terms.labels, frozenset(disqualified)
        board = replace(self.scoreboard(), disqualified=out, labels=labels)
        table = format_table(board.standings, "plain", width)
        played = f"{format_count(self.test.blocks, 'blocks')}, {format_count(self.matches, 'matches')}"
        ending = "\n".join([*disqualified.values(), _ending(self, disqualified), _error_note(self)])
        parts = [_setting(self), table, f"{ending}\nPlayed: {played}."]
        if not self.is_over:
            parts.append(uncounted_text(run, self.test.blocks, self.terms.looks[0]))
        if self.test.decided and not self.terms.field:
            parts.append(BEHIND_NOTE)
        return "\n\n".join(parts)

    def fields(self, run: RunFacts) -> dict[str, Any]:
        """Return the result as JSON: shares in percent, nothing rounded."""
        terms, test = self.terms, self.test
        disqualified = describe_disqualified(run, self._faults)
        return {
            "variant": terms.variant,
            "players": terms.players,
            "goal": terms.goal,
            "bots": terms.candidates,
            "field": terms.field,
            "blocks": test.blocks,
            "matches": self.matches,
            "confidence": CONFIDENCE,
            "interval_confidence": test.confidence,
            "candidates": [
                _candidate_fields(result, disqualified, terms.labels[result.bot]) for result in self.results()
            ],
            "left": self.names(test.active),
            "open": [self.names(pair) for pair in test.open_pairs()],
            "shown": [
                {"worse": terms.candidates[worse], "better": terms.candidates[better], "blocks": blocks}
                for (worse, better), blocks in test.decided.items()
            ],
            "resolved": test.is_resolved and not _is_best_out(self, disqualified),
            "blocks_missing": test.blocks_missing(),
            "seed": run.seed if self.is_over else None,
            "disqualified": list(disqualified),
            "blocks_not_counted": 0 if self.is_over else run.count_blocks() - test.blocks,
        }


# --- words ---

BEHIND_NOTE: Final = "Compare by behind: the scores of bots that were out early are against other opponents."


def _candidate_fields(result: CandidateResult, disqualified: Collection[str], label: str) -> dict[str, Any]:
    shares = {name: to_percent(getattr(result, name)) for name in ("score", "behind", "error")}
    place = None if result.bot in disqualified else result.place
    return result._asdict() | shares | {"place": place, "label": label}


def _is_best_out(format: Selection, disqualified: Collection[str]) -> bool:
    """Return whether the best is sought, and the candidate with the best score is disqualified."""
    return format.terms.goal == "best" and format.names(format.test.order())[0] in disqualified


def _setting(format: Selection) -> str:
    """Return what is compared, and the seating."""
    terms = format.terms
    if terms.field:
        field = ", ".join(terms.labels[name] for name in terms.field)
        how = f"each in turn in the same place at tables of {field}"
    else:
        how = f"in pairs drawn for each block, {describe_shared_seats(terms.players)}"
    number = len(terms.candidates)
    return f"{number} bots at {terms.variant}, {terms.players} players: {how}; all on the same cards"


def _ending(format: Selection, disqualified: Collection[str]) -> str:
    """Return what is known, and what it lacks."""
    test, best = format.test, format.terms.goal == "best"
    if test.is_resolved and _is_best_out(format, disqualified):
        return "The best of the others is not known: compare them without it."
    if test.is_resolved:
        first = format.labels(test.order())[0]
        return f"{first} is the best." if best else "The order of all is known."
    at = "at the maximum of blocks" if format.is_over else "early"
    if best:
        left = ", ".join(format.labels(candidate for candidate in test.order() if candidate in test.active))
        known = f"The best is one of these {len(test.active)}: {left}."
    else:
        pairs = [" and ".join(format.labels(pair)) for pair in test.open_pairs()]
        known = f"Not known is the order of {', '.join(pairs)}."
    missing = test.blocks_missing()
    more = (
        "No number of blocks is known to resolve it."
        if missing is None
        else f"If the scores stay the same, {format_count(missing, 'blocks')} more resolve it "
        "with a chance of 80 %."
    )
    return f"Not resolved: stopped {at}. {known}\n{more}"


def _error_note(format: Selection) -> str:
    looks = format_count(len(format.terms.looks), "looks")
    if format.terms.goal == "best":
        return (
            "A bot that is the best, alone or tied, is left in at least 95 of 100 selections, over all "
            f"{looks}\ntogether; of 3 to 8 exact equals one or another is out in 7 to 16 of 100."
        )
    return f"These places are right in at least 95 of 100 selections, over all {looks} together."
