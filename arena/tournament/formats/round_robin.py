"""Round robin and gauntlet, played in one stage or until their ranking is statistically separated."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from arena.columns.column import ColumnDoc
from arena.columns.kinds import ELO, LABEL, NAME
from arena.errors import ConfigError, suggest_nearest
from arena.play.bot import MAX_COUNT, PositiveInt
from arena.rating.elo_fit import Fit
from arena.rating.separation import SeparationTest
from arena.rating.sequential import adjust_confidence, plan_checkpoints
from arena.rating.student_t import MIN_BLOCKS
from arena.rating.two_bots import BURN_IN_BLOCKS
from arena.tournament.formats.base import (
    ELO_LEAD,
    LOS,
    BlockRange,
    Format,
    Played,
    Scoreboard,
    Stage,
    board_column,
)
from arena.tournament.formats.paired_design import GROWTH
from arena.tournament.schedule import MAX_TABLES, Block, RoundRobin
from arena.tournament.setup.config import Config
from arena.tournament.store.played_blocks import Game, Tally, add_blocks


class SingleRoundRobin(Format):
    """A tournament of a single stage; with `until_resolved` one with a group-sequential test at its end.

    Its games may have their own bots and numbers of blocks, without `until_resolved`.
    """

    name = "round-robin"
    takes = frozenset({"max_blocks", "variants.bots", "variants.blocks", "variants.blocks_with"})
    is_adaptive = False

    class Keys(Format.Keys, frozen=True):
        tables: Annotated[
            PositiveInt | Literal["all"] | None,
            msgspec.Meta(description=f'"all" or a whole number from 1 to {MAX_COUNT:,}'),
        ] = None
        """Per variant and size; None: all up to a limit, then a balanced part of them."""
        until_resolved: bool = False
        """Play until adjacent bots are statistically separated."""

    @classmethod
    def create(cls, config: Config, seed: str) -> Format:
        return UntilSeparated(config, seed) if config.keys.until_resolved else cls(config, seed)

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        keys = ("bots", "blocks", "blocks_with")
        by_game = [key for key in keys if any(getattr(entry, key) for entry in config.variants)]
        if config.keys.until_resolved and by_game:
            raise ConfigError(
                "until_resolved: takes the same bots and blocks for all games: remove "
                f"{' and '.join(by_game)} from [[variants]]"
            )

    def __init__(self, config: Config, seed: str) -> None:
        self._schedule = _make_schedule(config, seed)
        self._stages = iter([self._schedule])
        self._total = len(self._schedule)

    @property
    def total(self) -> int:
        return self._total

    def draws_tables(self, game: Game) -> bool:
        return self._schedule.draws_tables(game)

    def next_stage(self) -> Stage | None:
        return next(self._stages, None)

    def observe(self, played: Played) -> None:
        pass


class Gauntlet(SingleRoundRobin):
    """A round robin of all bots but one, the hero, who sits at every table."""

    name = "gauntlet"
    takes = frozenset({"max_blocks"})

    class Keys(SingleRoundRobin.Keys, frozen=True):
        hero: str = ""
        """The bot that meets the field; empty for the first."""

    @classmethod
    def check(cls, config: Config) -> None:
        super().check(config)
        hero, names = config.keys.hero, [bot.name for bot in config.bots]
        if hero and hero not in names:
            raise ConfigError(f"hero: no bot is called {hero!r}; {suggest_nearest(hero, names)}")


def _find_hero(config: Config) -> str | None:
    """Return the bot that sits at every table, if there is one."""
    keys = config.keys
    return keys.hero or config.bots[0].name if isinstance(keys, Gauntlet.Keys) else None


def _make_schedule(config: Config, seed: str, blocks: int | None = None) -> RoundRobin:
    """Return the schedule of a config, or one with another number of blocks per table."""
    config = msgspec.structs.replace(config, blocks=blocks or config.blocks)
    return RoundRobin(config, seed, tables=config.keys.tables, hero=_find_hero(config))


# --- until separated ---

COLUMNS: Final = (
    board_column("variant", ColumnDoc("The game with its options, as the config names it."), LABEL),
    board_column("players", ColumnDoc("Seats at the table.")),
    board_column(
        "better",
        ColumnDoc(
            "The bot with the higher Elo of two that should be separated.",
            formula="neighbours in the table of ratings; in a gauntlet the hero and each other bot",
            warning="It need not be the stronger one until the two are resolved.",
        ),
        NAME,
    ),
    board_column("worse", ColumnDoc("The bot with the lower Elo."), NAME),
    board_column(
        ELO_LEAD,
        ColumnDoc(
            "Difference of their ratings; `elo` in CSV and JSON.",
            "Elo",
            "Elo of the better - Elo of the worse",
        ),
        ELO,
        field="elo",
    ),
    board_column(
        "±",
        ColumnDoc(
            """Half width of the interval that decides: those of all looks hold together in 95 of 100
            tournaments; empty without an honest estimate. `error` in CSV and JSON.""",
            "Elo",
            """Student's t, widened for the number of looks · √(squared standard error of the difference +
            what one virtual block won by each side adds)""",
        ),
        ELO,
        field="error",
    ),
    board_column(
        "los",
        ColumnDoc(
            """Likelihood of superiority: one minus the one-sided p-value of the hypothesis that the better
            one is not the stronger; empty if no difference between blocks was seen.""",
            "percent; 50 means equal, 97.5 has 0 at the end of the interval",
            "Student's t distribution at its 97.5 % quantile · the difference / ±",
        ),
        LOS,
    ),
    board_column(
        "resolved",
        ColumnDoc(
            "Whether the two are statistically separated, yes or no.",
            formula="""yes if the interval of the difference excludes zero; so wide that those of all looks
            hold together in 95 of 100 tournaments; without an interval, if all points went one way in 32
            blocks""",
            warning="No does not mean that they are equal.",
        ),
        LABEL,
    ),
)


class SeparationRow(NamedTuple):
    """Two bots that should be separated."""

    variant: str
    players: int
    better: str
    worse: str
    elo: float
    error: float | None
    los: float | None
    resolved: str


Pairs = Iterator[tuple[int, int]]


class UntilSeparated(Format):
    """A round robin or gauntlet with a group-sequential test at its end.

    The first look is after `blocks` blocks a table, or as many as give each bot 32 blocks. Each of the others
    comes after half as many more, as long as the run has no more than `max_blocks` (but one block a table in
    any case). It ends when in each game and size all neighbours in the ranking are separated; in a gauntlet,
    the hero from each of the others. Two bots are separated if the interval of the difference of their
    ratings excludes zero; it is so wide that the intervals of all looks hold together in 95 of 100 cases.
    """

    stops_by_results = True

    def __init__(self, config: Config, seed: str) -> None:
        tables = len(_make_schedule(config, seed, blocks=1))
        most = max(1, config.max_blocks // tables)
        self._schedule = _make_schedule(config, seed, blocks=most)
        _check_all_meet(islice(self._schedule, tables), config)
        _check_samples(self._schedule, tables, config)
        self._names = tuple(bot.name for bot in config.bots)
        hero = _find_hero(config)
        self._hero = None if hero is None else self._names.index(hero)
        self._tables = tables
        self._decided = self._played = 0  # blocks a table
        first = max(
            config.blocks, math.ceil(BURN_IN_BLOCKS / _count_least_tables(islice(self._schedule, tables)))
        )
        looks = plan_checkpoints(min(first, most), most, GROWTH)
        self._looks = iter(looks)
        self._confidence = adjust_confidence(looks)
        self._tallies: dict[Game, Tally] = {}
        self._resolved = False

    @property
    def status(self) -> str:
        return f"at most {len(self._schedule):,}"

    def draws_tables(self, game: Game) -> bool:
        return self._schedule.draws_tables(game)

    def next_stage(self) -> Stage | None:
        """Return the blocks up to the next look; None after the last, or if the ranking is separated."""
        decided = None if self._resolved else next(self._looks, None)
        if decided is None:
            return None
        start, self._decided = self._decided, decided
        return BlockRange(range(start * self._tables, decided * self._tables), self._schedule.__getitem__)

    def observe(self, played: Played) -> None:
        add_blocks(self._tallies, played, self._names)
        self._played = self._decided
        tests = [self._test(game, tally) for game, tally in self._tallies.items()]
        self._resolved = all(test.is_separated(*pair) for test in tests for pair in self._pairs(test.fit))

    def scoreboard(self) -> Scoreboard:
        """Return the pairs of bots that should be separated."""
        rows = []
        for (variant, players), tally in self._tallies.items():
            test = self._test((variant, players), tally)
            rows += [self._row((variant, players), test, *pair) for pair in self._pairs(test.fit)]
        what = "Resolved" if self._resolved else "Not resolved"
        title = f"{what} after {self._played:,} blocks a table"
        return Scoreboard(title, COLUMNS, rows)

    def _test(self, game: Game, tally: Tally) -> SeparationTest:
        counts = tally.pair_counts()
        return SeparationTest(counts, self._confidence, are_tables_drawn=self.draws_tables(game))

    def _pairs(self, fit: Fit) -> Pairs:
        """Yield the pairs of bots that should be separated, the better one first."""
        if self._hero is None:
            yield from pairwise(fit.ranking)
            return
        for place, bot in enumerate(fit.ranking):
            if bot != self._hero:
                ahead = place < fit.ranking.index(self._hero)
                yield (bot, self._hero) if ahead else (self._hero, bot)

    def _row(self, game: Game, test: SeparationTest, better: int, worse: int) -> SeparationRow:
        return SeparationRow(
            *game,
            better=self._names[better],
            worse=self._names[worse],
            elo=test.fit.elo[better] - test.fit.elo[worse],
            error=test.error(better, worse),
            los=test.los(better, worse),
            resolved="yes" if test.is_separated(better, worse) else "no",
        )


def _count_least_tables(tables: Iterable[Block]) -> int:
    """Return the number of tables of the bot that sits at the fewest, in any game and size."""
    counted = Counter((block.variant, block.players, bot) for block in tables for bot in block.bots)
    return min(counted.values())


def _check_all_meet(tables: Iterable[Block], config: Config) -> None:
    """Refuse tables that leave, in some game, groups of bots that can never be compared."""
    names = [bot.name for bot in config.bots]
    games = [(str(entry.rules), size) for entry in config.variants for size in entry.players]
    apart = {game: [{name} for name in names] for game in games}
    for block in tables:
        groups = apart[block.variant, block.players]
        at_table = [group for group in groups if not group.isdisjoint(block.bots)]
        apart[block.variant, block.players] = [
            set().union(*at_table),
            *(group for group in groups if group not in at_table),
        ]
        if all(len(groups) == 1 for groups in apart.values()):
            return
    variant, players = next(game for game, groups in apart.items() if len(groups) > 1)
    named = [sorted(group, key=names.index) for group in apart[variant, players]]
    raise ConfigError(
        f"until_resolved: at {variant}, {players} players, the chosen tables leave bots that never meet, "
        f"directly or through others: {' – '.join(map(', '.join, sorted(named, key=len, reverse=True)))}; "
        f'set tables above {config.keys.tables or MAX_TABLES} or to "all", or use another seed'
    )


def _check_samples(schedule: RoundRobin, tables: int, config: Config) -> None:
    """Refuse a sample of tables in which a bot sits at fewer than its errors need."""
    chosen = {
        (block.variant, block.players, block.bots)
        for block in islice(schedule, tables)
        if schedule.draws_tables((block.variant, block.players))
    }
    numbers = Counter((variant, players, bot) for variant, players, table in chosen for bot in table)
    for (variant, players, bot), number in sorted(numbers.items()):
        if number < MIN_BLOCKS:
            raise ConfigError(
                f"until_resolved: at {variant}, {players} players, {bot} sits at {number} of the tables, "
                f"which are a sample; errors take at least {MIN_BLOCKS} for each bot: set tables above "
                f'{config.keys.tables or MAX_TABLES} or to "all"'
            )
