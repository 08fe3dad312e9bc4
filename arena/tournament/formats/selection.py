"""Selection: the best of several candidates, or the order of all, found in as few blocks as it takes."""

from collections.abc import Iterable
from functools import partial
from typing import Any, Final, NamedTuple

from arena.columns.column import Column, ColumnDoc
from arena.columns.kinds import DECIMAL, INTEGER, LEAD, PERCENT, TEXT
from arena.errors import ConfigError
from arena.play.bot import PositiveInt
from arena.plugins.bot_spec import label_bots
from arena.rating.selection import SelectionGoal, SelectionTest
from arena.rating.sequential import plan_checkpoints
from arena.rating.two_bots import BURN_IN_BLOCKS
from arena.tournament.formats.base import (
    BOT,
    BlockRange,
    Format,
    Played,
    Scoreboard,
    Stage,
    board_column,
)
from arena.tournament.formats.paired_design import (
    GROWTH,
    CandidateBlock,
    PairedFormat,
    draw_opponents,
    draw_pairs,
    measure_pairs,
    measure_substitutes,
    share_seats,
    substitute,
)
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
        """The first so many bots are candidates and the others the field; None: all, without one."""

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
