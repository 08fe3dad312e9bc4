"""Formats decide a tournament in stages of blocks: each stage from the results of all stages before it.

A decision is stored only as the blocks played by it. Iterating over the stages again, with the results from
the store, leads to the same decisions, so an interrupted run can be resumed anywhere.

A format owns the keys of a config that only it takes, its decisions, and the words of its result. Its module
in this package is all that there is of it: formats are found by their names.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count, groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Final, NamedTuple, Protocol, Self

import msgspec

from arena.columns.column import Column, ColumnDoc, ColumnDocs, Columns, column_docs, documented
from arena.columns.kinds import COUNT, INTEGER, NAME, PERCENT, TEXT, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import NO_MARKS, Sheet, TableSet, label_names
from arena.errors import ConfigError
from arena.plugins.bot_spec import VERSION_CHARS
from arena.rating.two_bots import format_los
from arena.tournament.files import CommittedSeed, RunFolder
from arena.tournament.schedule import Block, commitment
from arena.tournament.setup.config import FORMATS, Config
from arena.tournament.store.bot_statistics import FaultLosses
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.metadata import RunMetadata
from arena.tournament.store.played_blocks import Game, read_outcomes
from arena.tournament.store.store import Store

Played = Iterable[tuple[Block, BlockResult]]


class Stage(Protocol):
    """Blocks in order, decided together, each made when it is iterated over."""

    @property
    def indices(self) -> range:
        """The indices of the blocks; a stage begins where the one before ends."""
        ...

    def __iter__(self) -> Iterator[Block]: ...


class BlockRange:
    """A stage whose blocks are made from their indices."""

    def __init__(self, indices: range, make_block: Callable[[int], Block]) -> None:
        self.indices = indices
        self._make_block = make_block

    def __iter__(self) -> Iterator[Block]:
        return map(self._make_block, self.indices)


class Format(ABC):
    """A tournament in play: it gives a stage, observes its results, and gives the next."""

    name: ClassVar[str]
    """The name in configs; a class without one is a part of others."""

    class Keys(msgspec.Struct, frozen=True):
        """The keys of a config that this format takes and that are not those of `Config`."""

    takes: ClassVar[frozenset[str]] = frozenset({"max_blocks"})
    """Keys that it takes of those that are in `Config`, but not for every format."""
    is_adaptive: ClassVar[bool] = True
    """True if results decide later blocks."""
    seats_copies: ClassVar[bool] = False
    """True if one bot may have several seats at a table."""
    takes_withdrawals: ClassVar[bool] = False
    """True if a bot can be withdrawn while it is played."""
    eliminates: ClassVar[bool] = False
    """True if bots are out before its end."""
    disqualifies: ClassVar[bool] = True
    """True if a bot is disqualified for losing too many matches by its faults."""
    has_leader: ClassVar[bool] = True
    """True if the bot with the best mean over all matches so far is the one that leads."""
    stops_by_results: bool = False
    """True if looks at the results decide when it ends, so that errors must hold at all of them."""

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            FORMATS[cls.name] = cls

    @abstractmethod
    def __init__(self, config: Config, seed: str) -> None:
        """Begin a tournament; configs that `check` accepts are valid."""

    @classmethod
    def create(cls, config: Config, seed: str) -> Format:
        """Return the format of a config, before its first stage."""
        return cls(config, seed)

    @classmethod
    def check(cls, config: Config) -> None:
        """Refuse a config that cannot be played; raise ConfigError."""
        if config.withdrawn and not cls.takes_withdrawals:
            raise ConfigError(f"withdrawn: no bot can be withdrawn from a {config.format}")

    @classmethod
    def of(cls, stages: StageIterator) -> Self:
        """Return the format of the stages; TypeError, if it is another than this one."""
        if not isinstance(stages.format, cls):
            raise TypeError(f"the format is {type(stages.format).__name__}, not {cls.__name__}")
        return stages.format

    @property
    def total(self) -> int | None:
        """The number of blocks there will be in all if no bot is withdrawn; None if the results decide it."""
        return None

    @property
    def total_range(self) -> tuple[int, int] | None:
        """The least and the greatest number of blocks there can be; None where that is unknown."""
        return None if self.total is None else (self.total, self.total)

    def count_to(self, stage: Stage) -> int:
        """Return the number of blocks that the progress counts to while a stage is played."""
        return stage.indices.stop if self.total is None else self.total

    @property
    def status(self) -> str:
        """A few words to show while it is played; may be empty."""
        return ""

    def draws_tables(self, game: Game) -> bool:
        """Return whether the tables of a game are a sample of those possible, drawn at random or by results.

        Each of them is then one observation of how strong its bots are.
        """
        return False

    def seed_at(self, index: int) -> str | None:
        """Return the seed of a block: empty for the run's, None where its stage is not decided yet."""
        return ""

    @abstractmethod
    def next_stage(self) -> Stage | None:
        """Return the next stage, which has at least one block; None at the end."""

    @abstractmethod
    def observe(self, played: Played) -> None:
        """Take in all results of the last stage, in its order."""

    def scoreboard(self) -> Scoreboard | None:
        """Return the ranking after the stages observed; None if the ratings are the ranking."""
        return None

    def announcement(self, run: RunFacts, workers: str, where: Path | None) -> str:
        """Return the message before a run of which `where` is the folder, if it is kept, is played."""
        return playing_message(f"a {self.name}{f' into {where}' if where else ''}", run, workers)

    def verdict(self, run: RunFacts, width: int | None = None) -> str:
        """Return what the results so far show, fit into `width`; empty if that is the table of ratings."""
        return ""

    def fields(self, run: RunFacts) -> dict[str, Any]:
        """Return the verdict as JSON: shares in percent, nothing rounded."""
        return {}

    def files(self, run: RunFacts) -> Iterable[tuple[str, bytes]]:
        """Return further files of a run, by their paths in its folder, with their content."""
        return ()

    def docs(self, run: RunFacts) -> ColumnDocs:
        """Return the documentation of what the verdict has: by default of the standings' columns."""
        board = self.scoreboard()
        return column_docs(board.columns) if board else {}


class RunFacts(Protocol):
    """The facts of a run from which a format makes its words."""

    folder: RunFolder
    config: Config
    seed: str

    @property
    def metadata(self) -> RunMetadata: ...

    @property
    def committed_seed(self) -> CommittedSeed | None: ...

    def count_blocks(self) -> int: ...

    def fault_losses(self) -> FaultLosses: ...

    def results(self) -> Any:
        """Return the counted results, `RunResults`, whose module imports this one."""


class StageIterator:
    """The stages of a format; each is decided once, however often they are iterated over."""

    def __init__(self, format: Format) -> None:
        self.format = format
        self._stages: list[Stage] = []
        self._observed = 0

    def decided(self, store: Store) -> Iterator[Stage]:
        """Yield the stages that the results in a store decide, from the first; only the last may lack blocks.

        Those may be played before the next stage is taken.
        """
        for number in count():
            if number == len(self._stages):
                stage = self.format.next_stage()
                if stage is None:
                    return
                self._stages.append(stage)
            stage = self._stages[number]
            yield stage
            if number == self._observed:
                if store.count(stage.indices) < len(stage.indices):
                    return
                self.format.observe(read_outcomes(stage, store, stage.indices))
                self._observed += 1


# --- scoreboards ---
# The ranking by the rules of a format, and the tables of its rounds.

ELO_LEAD: Final = "elo lead"
"""Heading of a difference in Elo."""
LOS: Final = Kind(".1f", is_share=True, write=format_los)


def board_column(
    name: str, doc: ColumnDoc | None, kind: Kind = INTEGER, *, field: str = "", **options: Any
) -> Column[Any]:
    """Return a column of a scoreboard: an attribute of its rows, empty where that is None.

    Args:
        name: Name of the column; that of the attribute, with underscores, if `field` is empty.
        doc: Its documentation; None for a column that only programs get.
        kind: Kind of its values, which have as many digits machine-readable as printed.
        field: Name of the attribute, and of the machine-readable column.
        options: Further arguments of `Column`.
    """
    return Column(name, doc, kind=kind, missing="", field=field, digits=kind.digits, **options)


BOT: Final = board_column("bot", ColumnDoc("The bot, as the config names it."), NAME)
WITHDRAWN: Final = Column[Any]("withdrawn", value=lambda row: "yes" if row.is_withdrawn else "no")
"""Column of machine-readable tables: `yes` for a bot that was withdrawn, else `no`."""


class Pairing(NamedTuple):
    """One bot in one round of a tournament."""

    round: int
    """Number of the round, from 1."""
    table: int | None
    """Number of the table, from 1; None for a bot that sat out."""
    bot: str
    score: float | None
    """Share of the points that it took at this table; None without a table or before results."""
    blocks: int
    """Blocks of the table so far, over all games."""
    result: str
    """`sits out`, or in a knockout `advances`, `out` or `wins`; may be empty."""
    error: float | None = None
    """Half width of the 95 % interval of the score; None where there is none."""


PAIRINGS: Final = (
    board_column("round", None),
    board_column("table", ColumnDoc("Number of the table in the round; empty for a bot that sat out.")),
    board_column("bot", ColumnDoc("The bot; at each table the best first."), NAME),
    board_column(
        "score",
        ColumnDoc(
            "Share of points taken at this table.",
            "percent",
            "100 · (better places + ties / 2) / all it could take there; ± in a knockout as in the standings",
        ),
        PERCENT,
        error=attrgetter("error"),
    ),
    board_column("blocks", ColumnDoc("Blocks of the table over all games."), COUNT),
    board_column(
        "result", ColumnDoc("Empty, `sits out`, or in a knockout `advances`, `out` or `wins`."), TEXT
    ),
    board_column("error", None, PERCENT),
)


@dataclass(frozen=True)
class Scoreboard:
    """The ranking by the rules of a format; the ratings are another table.

    Attributes:
        title: What it ranks, and how far the tournament is.
        columns: Columns of the rows.
        rows: Rows, best first: named tuples with a `bot` and a `place`, where the format ranks bots.
        pairings: Tables by round; None for a format that does not pair bots by their results.
        disqualified: Bots that were disqualified for their faults.
        labels: What is printed for the names of bots.
        stretches_elo: True if results decide who meets whom in few matches, which stretches the ratings:
            readable tables have them on request alone.
    """

    title: str
    columns: Columns[Any]
    rows: Sequence[Any]
    pairings: Sequence[Pairing] | None = None
    disqualified: frozenset[str] = frozenset()
    labels: Mapping[str, str] = field(default_factory=lambda: NO_MARKS)
    stretches_elo: bool = False

    @cached_property
    def marks(self) -> Mapping[str, str]:
        """The reason for which a bot has no place, by name."""
        withdrawn = [row.bot for row in self.rows if getattr(row, "is_withdrawn", False)]
        return {**dict.fromkeys(withdrawn, "withdrawn"), **dict.fromkeys(self.disqualified, "disqualified")}

    @property
    def ranked_rows(self) -> Sequence[Any]:
        """The rows, the bots with a mark last and without a place; the places of the others follow."""
        marks = self.marks
        if not marks or "place" not in (column.name for column in self.columns):
            return self.rows
        ranked = [row for row in self.rows if row.bot not in marks]
        return [
            *(row._replace(place=row.place and number) for number, row in enumerate(ranked, 1)),
            *(row._replace(place=None) for row in self.rows if row.bot in marks),
        ]

    @property
    def standings(self) -> TableSet:
        """The ranking as a table."""
        rows = self.ranked_rows
        columns = [
            column
            for column in documented(self.columns)
            if column.name != "note" or any(row.note for row in rows)
        ]
        names = [column for column in self.columns if column.name == "bot"]
        sheet = Sheet(self.title, columns, rows, marks=self.marks)
        table = TableSet([*self.columns, *(self._mark for _ in names)], [sheet], rows)
        return label_names(table, self.labels)

    @property
    def rounds(self) -> TableSet:
        """The tables of each round."""
        columns, pairings = documented(PAIRINGS), self.pairings or ()
        sheets = [
            Sheet(f"Round {number}", columns, list(own), marks=self.marks)
            for number, own in groupby(pairings, key=attrgetter("round"))
        ]
        return label_names(TableSet([*PAIRINGS, self._mark], sheets, pairings), self.labels)

    @property
    def _mark(self) -> Column[Any]:
        marks = self.marks
        return Column("mark", value=lambda row: marks.get(row.bot, ""))


# --- messages ---


def playing_message(what: str, run: RunFacts, workers: str, verb: str = "Playing") -> str:
    """Return what `workers` play, with the hash of the seed if that is still a secret."""
    levels = Counter(run.metadata.isolation.values())
    bots = ", ".join(f"{format_count(number, 'bots')} {level}" for level, number in levels.items())
    lines = [f"{verb} {what}: {workers}, {bots}."]
    if committed := run.committed_seed:
        lines.append(f"The seed was committed to as {committed.commitment}; it is revealed at the end.")
    elif not run.config.seed:
        lines.append(f"Random seed, revealed at the end; its hash is {commitment(run.seed)}.")
    return "\n".join([*lines, *_version_lines(run)])


def _version_lines(run: RunFacts) -> list[str]:
    """Return where the bots are from whose names are told apart by nothing but a hash."""
    content = run.metadata.bots
    return [
        f"{bot.name} is {bot.source.relative_to(Path())}."
        for bot in run.config.bots
        if bot.name.endswith(f"@{content[bot.name][:VERSION_CHARS]}")
    ]
