"""Grading: one bot is compared with each bot of a ladder of known strength, the weakest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from shlex import quote
from typing import Any, Final, NamedTuple

import msgspec

from arena.columns.column import ColumnDoc
from arena.columns.kinds import LABEL, NAME
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import format_table
from arena.play.bot import PositiveInt
from arena.plugins import BotSpec
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.rating.two_bots import BURN_IN_BLOCKS, format_los
from arena.tournament.formats.base import (
    BlockRange,
    Format,
    Played,
    RunFacts,
    Scoreboard,
    Stage,
    board_column,
)
from arena.tournament.formats.comparison import SCORES, Comparison, ComparisonResult
from arena.tournament.formats.paired_design import PairedFormat, disqualification_text
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.bot_statistics import FaultLosses

SEED_CHARS: Final = 32
COLUMNS: Final = (
    board_column("rung", ColumnDoc("Number of the rung, from 1, the weakest.")),
    board_column("bot", ColumnDoc("The bot of the rung."), NAME),
    *SCORES,
    board_column(
        "faults", ColumnDoc("Failures of the graded bot; after each the arena played the safest action.")
    ),
    board_column(
        "blocks", ColumnDoc("Blocks counted, up to the last look; empty for a rung that was not reached.")
    ),
    board_column(
        "beaten",
        ColumnDoc(
            """`yes` if the graded bot was shown to be the stronger, else `no`, and `no` for each rung if it
            was disqualified for its faults; empty where the comparison is not finished.""",
            formula="yes if the interval of the score, which holds at all looks together, is above 50 %",
            warning="No does not mean that it is the weaker: see its interval.",
        ),
        LABEL,
    ),
)


class _RungRow(NamedTuple):
    """The score of the graded bot against the bot of a rung; without blocks there is none."""

    rung: int
    bot: str
    score: float | None = None
    error: float | None = None
    los: float | None = None
    elo: float | None = None
    low: float | None = None
    high: float | None = None
    faults: int | None = None
    blocks: int | None = None
    beaten: str = ""


@dataclass(frozen=True)
class RungResult:
    """The result of the graded bot against one bot of the ladder."""

    rung: int
    """Its number, from 1, the weakest."""
    bot: str
    compared: ComparisonResult | None
    """None for a rung that was not reached."""
    is_disqualified: bool
    """True if the graded bot was disqualified, at this rung or another."""

    @property
    def is_beaten(self) -> bool:
        """True if the graded bot was shown to be the stronger, and was not disqualified."""
        compared = self.compared
        if compared is None or self.is_disqualified:
            return False
        return compared.is_beaten

    @property
    def is_over(self) -> bool:
        """True if the comparison is finished, also by a disqualification."""
        return self.compared is not None and (self.compared.over or self.is_disqualified)


class Grading(PairedFormat):
    """A grading of the first bot: a comparison with each other bot in turn, up to the first not beaten.

    Each comparison is that of `Comparison`: looks at 32 blocks and then each time at half as many more, up to
    `max_blocks`. All hypotheses are tested in a fixed order, each only if the one before was rejected, so
    that the probability of a wrong claim is that of one comparison, whatever the number of rungs: the bot is
    said to beat one that it does not beat in at most 2.5 % of gradings.

    A bot that is disqualified for its faults beats no rung, as what beats one is then the arena's safest
    action; the grading ends with the look. This holds at every level of isolation.

    Source: W. Maurer, L. A. Hothorn, W. Lehmacher, Multiple comparisons in drug clinical trials and
    preclinical assays: a-priori ordered hypotheses, Biometrie in der Chemisch-Pharmazeutischen Industrie 6,
    1995.
    """

    name = "grading"
    has_leader = False

    class Keys(Format.Keys, frozen=True):
        alike_blocks: PositiveInt | None = None
        """Number of blocks as of a comparison, at each rung."""

    def __init__(self, config: Config, seed: str) -> None:
        graded, *self._rungs = config.bots
        self.graded = graded.name
        self.label = label_bots([graded.name])[graded.name]
        """Printed text of its name."""
        [self._entry] = config.variants
        self.game = f"{self._entry.rules}, {self._entry.players[0]} players"
        self._config, self._seed = config, seed
        self._comparisons: list[Comparison] = []
        self._losses = FaultLosses(config.limits.faults)
        self._next = self._start = 0
        """Index of the first block that is not decided yet, and of the first of the current rung."""

    @property
    def total_range(self) -> tuple[int, int]:
        """The first look at the first rung, and all blocks of all rungs."""
        most = self._config.max_blocks
        return min(BURN_IN_BLOCKS, most), most * len(self._rungs)

    @property
    def status(self) -> str:
        """The rung that is played, and the score of the graded bot at the last look."""
        if not self._comparisons:
            return ""
        rung = self._rungs[len(self._comparisons) - 1].name
        score = self._comparisons[-1].status
        return f"against {rung}{f': {score}' if score else ''}"

    @property
    def is_begun(self) -> bool:
        """True after the first look."""
        return any(comparison.result().result.blocks for comparison in self._comparisons)

    @property
    def results(self) -> list[RungResult]:
        """The results so far, by rung."""
        compared = [comparison.result() for comparison in self._comparisons]
        outcomes = [*compared, *[None] * (len(self._rungs) - len(compared))]
        rungs = enumerate(zip(self._rungs, outcomes, strict=True), 1)
        is_out = self.disqualification is not None
        return [RungResult(number, rung.name, result, is_out) for number, (rung, result) in rungs]

    @property
    def disqualification(self) -> tuple[int, int] | None:
        """Matches that the graded bot lost by its faults, and all its matches; None if not disqualified."""
        losses, bot = self._losses, self.graded
        return (losses.lost[bot], losses.matches[bot]) if bot in losses.since else None

    @property
    def faults(self) -> int:
        """The faults of the graded bot against all rungs."""
        return sum(comparison.result().faults[0] for comparison in self._comparisons)

    @property
    def rung(self) -> int:
        """The number of rungs beaten one after another, from the weakest."""
        return next((result.rung - 1 for result in self.results if not result.is_beaten), len(self._rungs))

    @property
    def is_over(self) -> bool:
        """True if no block is left to play."""
        if self.disqualification:
            return True
        if not self._comparisons or not self._comparisons[-1].result().over:
            return False
        return not self.results[len(self._comparisons) - 1].is_beaten or self.rung == len(self._rungs)

    def next_stage(self) -> Stage | None:
        """Return the blocks up to the next look at the current rung, or the first of the next rung."""
        if self.is_over:
            return None
        if not self._comparisons or self._comparisons[-1].result().over:
            self._begin_rung()
        stage = self._comparisons[-1].next_stage()
        assert stage is not None
        start, self._next = self._next, self._next + len(stage.indices)
        make_block = partial(_make_block, self._comparisons[-1], self._start)
        return BlockRange(range(start, self._next), make_block)

    def first_blocks(self, count: int) -> list[list[Block]]:
        """Return one block against each rung, `count` times, to time them: as many as a whole grading has.

        Their indices are those in the comparisons, not in the grading.
        """
        comparisons = [self._compare(rung) for rung in self._rungs]
        indices = range(min(count, self._config.max_blocks))
        return [[comparison.block(index) for comparison in comparisons] for index in indices]

    def _begin_rung(self) -> None:
        self._comparisons.append(self._compare(self._rungs[len(self._comparisons)]))
        self._start = self._next

    def _compare(self, rung: BotSpec) -> Comparison:
        bots = (self._config.bots[0], rung)
        keys = Comparison.Keys(alike_blocks=self._config.keys.alike_blocks)
        config = msgspec.structs.replace(self._config, bots=bots, keys=keys)
        return Comparison(config, self._seed)

    def observe(self, played: Played) -> None:
        blocks = list(played)
        for block, result in blocks:
            self._losses.add(block, result.matches)
        self._comparisons[-1].observe(blocks)

    @property
    def title(self) -> str:
        """Which bot is graded, and at which game."""
        return f"{self.label} at {self.game}"

    def scoreboard(self) -> Scoreboard:
        """Return the rungs, the weakest first."""
        graded = f"{self.label} (disqualified)" if self.disqualification else self.label
        return Scoreboard(f"{graded} at {self.game}", COLUMNS, [_row(result) for result in self.results])

    def verdict(self, run: RunFacts, width: int | None = None, *, is_kept: bool = True) -> str:
        """Return the table of the rungs, fit into `width`, the grade in a sentence, and the next step.

        A run that is not kept is in a folder of which nothing will be left.
        """
        if not self.is_begun:
            return f"{self.title}: stopped before the first look, no result yet. Its seed is {run.seed}."
        table = format_table(self.scoreboard().standings, "plain", width)
        grade = f"{_grade_sentence(self)}\n{ERROR_NOTE} Its seed is {run.seed}."
        return "\n\n".join([table, grade, _next_step(self, run, is_kept)])

    def fields(self, run: RunFacts) -> dict[str, Any]:
        digest = run.metadata.bots[self.graded]
        return self.fields_of(digest, run.seed) | {"folder": str(run.folder.path)}

    def fields_of(self, digest: str, seed: str | None) -> dict[str, Any]:
        """Return the fields for a bot of this hash; the caller knows the name of the ladder."""
        rungs = self.results
        return {
            "bot": self.graded,
            "label": self.label,
            "hash": digest,
            "ladder": None,
            "variant": str(self._entry.rules),
            "players": self._entry.players[0],
            "rung": self.rung if rungs[0].is_over else None,
            "rungs": len(rungs),
            "beats": [rung.bot for rung in rungs[: self.rung]],
            "results": [_rung_fields(rung) for rung in rungs if rung.compared],
            "done": self.is_over,
            "seed": seed,
            "disqualified": self.disqualification is not None,
        }


def make_grading_seed(config: Config) -> str:
    """Return the seed of a grading without a given one: a hash of the files, settings and game.

    A bot could compute it from its own files: graded for somebody else, it needs a secret seed.
    """
    [entry] = config.variants
    bots = [(bot.source.digest(), sorted(bot.settings.items())) for bot in config.bots]
    return sha256(repr((bots, str(entry.rules), entry.players)).encode()).hexdigest()[:SEED_CHARS]


def _make_block(comparison: Comparison, start: int, index: int) -> Block:
    """Return a block of a comparison, which begins with block `start` of the run, by its index in the run."""
    return msgspec.structs.replace(comparison.block(index - start), index=index)


def _row(rung: RungResult) -> _RungRow:
    compared = rung.compared
    if compared is None or compared.result.score is None:
        return _RungRow(rung.rung, rung.bot)
    result = compared.result
    scores = (result.score, result.error, result.los, result.elo, result.low, result.high)
    beaten = ("yes" if rung.is_beaten else "no") if rung.is_over else ""
    return _RungRow(rung.rung, rung.bot, *scores, compared.faults[0], result.blocks, beaten)


# --- words ---

ERROR_NOTE: Final = (
    "At most 2.5 of 100 gradings say that a bot beats one that it does not beat. Tries are not counted: "
    "grading more versions or seeds makes a wrong answer among them more likely."
)
SEVERAL_NOTE: Final = (
    "That holds for each of the {} gradings, not for all together: the more there are, the more likely is a "
    "wrong one among them."
)


def _next_step(format: Grading, run: RunFacts, is_kept: bool) -> str:
    """Return where the run is, and the command that shows where the grade comes from, if there is one."""
    path = quote(str(run.folder.path))
    bot, arena = format.label, arena_command()
    place = f"The run is in {path}." if is_kept else "The run is not kept: out=FOLDER keeps it."
    if format.disqualification:
        return f"{place} What fails: {arena} check {quote(str(run.config.bots[0].source))}"
    rungs = [rung for rung in format.results if rung.compared]
    last = next((rung for rung in rungs if not rung.is_beaten), rungs[-1])
    if not is_kept or (last.compared and last.compared.is_alike):
        return place
    where = "gains on" if last.is_beaten else "loses to"
    command = f"{arena} why {quote(bot)} {quote(last.bot)} {path}"
    return f"{place} Where {bot} {where} {last.bot}: {command}"


def _grade_sentence(format: Grading) -> str:
    """Return the grade: the highest rung beaten and the first that was not, or the disqualification."""
    rungs = format.results
    where = f"rung {format.rung} of {len(rungs)} at {format.game}."
    if format.disqualification:
        return f"{disqualification_text(format.label, *format.disqualification)}; {where}"
    parts = []
    if format.rung:
        best = rungs[format.rung - 1]
        parts.append(f"beats {best.bot}{_los(best)}")
    if format.rung < len(rungs):
        parts.append(_not_beaten(rungs[format.rung]))
    faults = f" It had {format_count(format.faults, 'faults')}." if format.faults else ""
    return f"{format.label} {', '.join(parts)}; {where}{faults}"


def _los(rung: RungResult) -> str:
    los = rung.compared.result.los if rung.compared else None
    return "" if los is None else f" (LOS {format_los(los)})"


def _not_beaten(rung: RungResult) -> str:
    if rung.compared is None:
        return f"not yet compared with {rung.bot}"
    if not rung.is_over:
        return f"comparison with {rung.bot} not finished"
    if rung.compared.is_alike:
        played = format_count(rung.compared.result.blocks, "blocks")
        return f"plays like {rung.bot}, with the same result in each of {played}"
    if rung.compared.resolved:
        return f"loses to {rung.bot}"
    return f"not shown to beat {rung.bot}"


def _rung_fields(rung: RungResult) -> dict[str, Any]:
    assert rung.compared
    result = rung.compared.result
    return {
        "rung": rung.rung,
        "bot": rung.bot,
        "beaten": rung.is_beaten if rung.is_over else None,
        "resolved": rung.compared.resolved,
        "score": to_percent(result.score),
        "error": to_percent(result.error),
        "los": to_percent(result.los),
        "elo": result.elo,
        "low": result.low,
        "high": result.high,
        "alike": rung.compared.is_alike,
        "faults": rung.compared.faults[0],
        "blocks": result.blocks,
        "matches": rung.compared.matches,
    }


CSV_FIELDS: Final = (
    *("bot", "hash", "ladder", "variant", "players", "rung", "rungs", "beats", "next"),
    *("score", "error", "los", "faults", "blocks", "done", "seed", "disqualified"),
)


def grading_record(fields: dict[str, Any]) -> tuple[Any, ...]:
    """Return the row of a CSV file: the grade, and the score against the first rung that was not beaten."""
    results: Sequence[dict[str, Any]] = fields["results"]
    first: dict[str, Any] = next((result for result in results if not result["beaten"]), {})
    beats = fields["beats"][-1] if fields["beats"] else ""
    totals = {name: sum(result[name] for result in results) for name in ("faults", "blocks")}
    row = {**fields, **{name: first.get(name) for name in ("score", "error", "los")}, **totals}
    row |= {"beats": beats, "next": first.get("bot", "")}
    row |= {name: "yes" if fields[name] else "no" for name in ("done", "disqualified")}
    return tuple(row[name] for name in CSV_FIELDS)
