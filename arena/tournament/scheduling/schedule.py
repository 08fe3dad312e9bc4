"""The blocks of a round robin or a gauntlet, each computed from its index.

A repetition is one block for every table of every variant and size that has as many blocks. It takes them in
an order of which every part covers variants and bots evenly, so that early standings mean something.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import accumulate, count
from math import gcd
from typing import Any, NamedTuple

import msgspec

from arena.errors import ConfigError
from arena.play.bot import MAX_COUNT
from arena.tournament.matchmaking.tables import AllTables, BalancedTables, HeroTables, Table, Tables
from arena.tournament.scheduling.seeds import schedule_rng
from arena.tournament.setup.config import Config
from arena.tournament.setup.variant_entries import VariantEntry

MAX_TABLES = 1000
"""Maximum number of tables of a variant and size; if more are possible, this many are chosen."""
MAX_LISTED_TABLES = 100_000
"""Limit on tables balanced up front."""
GOLDEN_RATIO = 0.6180339887498949


class Block(msgspec.Struct, frozen=True, dict=True):
    """One deal seed and the seatings played on it."""

    index: int
    """Index in the schedule, from 0."""
    variant: str
    """Variant as printed."""
    players: int
    bots: tuple[str, ...]
    """Bots of the table, sorted."""
    repetition: int
    """Largest number of blocks of this table that come before."""
    seatings: tuple[tuple[str, ...], ...]
    """Bot of each seat, by rotation."""
    disqualified: tuple[str, ...] = ()
    """Disqualified bots of the table, which are not asked, sorted."""
    seed: str = ""
    """Seed of its deals and bots, where it is not the run's: those of a league's updates have their own."""
    settings: dict[str, dict[str, Any]] | None = None
    """Settings of bots, by name, beside those of their specs: those of a candidate in a search."""

    @cached_property
    def address(self) -> str:
        """The key of the block's seeds, the same in every schedule that has this block."""
        return block_address(self.variant, self.bots, self.repetition)

    @property
    def all_bots(self) -> tuple[str, ...]:
        """All bots that have a seat in it, each once: those of its table, then the others.

        Two that are compared in a field replace each other, so one of them is not of the table.
        """
        others = frozenset().union(*self.seatings).difference(self.bots)
        return (*self.bots, *sorted(others))


class RoundRobin:
    """The blocks of a round robin, by index or in order, none kept in memory.

    A gauntlet is a round robin of the other bots, with the hero at every table.
    """

    def __init__(self, config: Config, seed: str) -> None:
        self._seed = seed
        groups = [
            _Group(str(entry.rules), size, blocks, tables)
            for entry in config.variants
            for size in entry.players
            for tables, blocks in _tables(config, entry, size, seed)
        ]
        self._drawn = {(group.variant, group.players) for group in groups if group.tables.are_drawn}
        self._spans, begin = list[_Span](), 0
        for end in sorted({group.blocks for group in groups}):
            self._spans.append(_Span([group for group in groups if group.blocks >= end], begin, end))
            begin = end
        self._ends = list(accumulate(len(span) for span in self._spans))

    def __len__(self) -> int:
        return self._ends[-1]

    @property
    def indices(self) -> range:
        return range(len(self))

    def draws_tables(self, game: tuple[str, int]) -> bool:
        """Return whether the tables of a variant and size are a sample of those possible."""
        return game in self._drawn

    def __iter__(self) -> Iterator[Block]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Block:
        if not 0 <= index < len(self):
            raise IndexError(f"block {index} of {len(self)}")
        number = bisect_right(self._ends, index)
        span = self._spans[number]
        variant, table, met = span.pick(index - self._ends[number] + len(span))
        return make_block(index, variant, table, met, self._seed)


class _Group(NamedTuple):
    """Tables of a variant and size that have the same number of blocks."""

    variant: str
    players: int
    blocks: int
    """Number of blocks of each table."""
    tables: Tables


class _Span:
    """The repetitions from one number to another, in which the same groups play."""

    def __init__(self, groups: Sequence[_Group], begin: int, end: int) -> None:
        self._groups, self._begin, self._repetitions = groups, begin, end - begin
        self._ends = list(accumulate(len(group.tables) for group in groups))
        self._stride = _spreading_stride(self._ends[-1])

    def __len__(self) -> int:
        return self._ends[-1] * self._repetitions

    def pick(self, index: int) -> tuple[str, Table, int]:
        """Return the variant and table of a block of the span, and how many came before at this table."""
        repetition, step = divmod(index, self._ends[-1])
        place = step * self._stride % self._ends[-1]
        number = bisect_right(self._ends, place)
        group = self._groups[number]
        table, met = group.tables.pick(
            place - self._ends[number] + len(group.tables), self._begin + repetition
        )
        return group.variant, table, met


def make_block(index: int, variant: str, table: Table, repetition: int, seed: str) -> Block:
    """Return a block of a table of sorted bots: in random order, rotated through all seats."""
    order = schedule_rng(seed, "seating", block_address(variant, table, repetition)).sample(table, len(table))
    seatings = tuple(tuple(order[turn:] + order[:turn]) for turn in range(len(order)))
    return Block(index, variant, len(table), table, repetition, seatings)


def block_address(variant: str, bots: Sequence[str], repetition: int) -> str:
    """Return a text that is unique to these parts, whatever characters the names have."""
    return f"{_table_address(variant, tuple(bots))}/{repetition}"


@lru_cache(maxsize=1 << 12)
def _table_address(variant: str, bots: tuple[str, ...]) -> str:
    """Return the common part of the addresses of a table's blocks (cached, as tables repeat)."""
    table = "+".join(_escape(bot, "%/+") for bot in bots)
    return game_address(variant, len(bots)) + table


def game_address(variant: str, players: int) -> str:
    """Return how the addresses of all blocks of a game begin, which `parse_game` reads."""
    return f"{_escape(variant, '%/')}/{players}/"


@cache
def _game(variant: str, players: str) -> tuple[str, int]:
    for sign in "/%":  # the percent sign last
        variant = variant.replace(f"%{ord(sign):02X}", sign)
    return variant, int(players)


def parse_game(address: str) -> tuple[str, int]:
    """Return the variant and the number of players of an address.

    Raises:
        ValueError: If it is none.
    """
    variant, players, _ = address.split("/", 2)
    return _game(variant, players)


def _escape(text: str, signs: str) -> str:
    for sign in signs:  # the percent sign first
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def _tables(config: Config, entry: VariantEntry, size: int, seed: str) -> Iterator[tuple[Tables, int]]:
    """Yield all tables of a variant and size, or balanced ones of many, with the number of blocks of each.

    Those with a bot of `blocks_with` come first, for the smallest number first.
    """
    names, variant = list(config.field(entry)), str(entry.rules)
    blocks = entry.blocks or config.blocks
    if config.format == "gauntlet":
        yield _tables_with(config.hero or names[0], names, variant, size, config, seed), blocks
        return
    for bot, number in sorted(entry.blocks_with.items(), key=lambda item: (item[1], item[0])):
        if len(tables := _tables_with(bot, names, variant, size, config, seed)):
            yield tables, number
        names.remove(bot)
    if len(rest := _tables_of(names, variant, size, config, seed)):
        yield rest, blocks


def _tables_with(bot: str, names: list[str], variant: str, size: int, config: Config, seed: str) -> Tables:
    """Return tables at which a bot sits with bots of other teams."""
    teams = config.teams
    others = [name for name in names if teams[name] != teams[bot]]
    return HeroTables(bot, _tables_of(others, variant, size - 1, config, seed))


def _tables_of(names: list[str], variant: str, size: int, config: Config, seed: str) -> Tables:
    every = AllTables(names, size, config.teams)
    number = every.number if config.tables == "all" else config.tables or MAX_TABLES
    if MAX_LISTED_TABLES < number < every.number:
        raise ConfigError(f'tables: takes a number up to {MAX_LISTED_TABLES:,}, or "all"', key="tables")
    if every.number > MAX_COUNT and number >= every.number:
        raise ConfigError(f"tables: all are more than {MAX_COUNT:,}: take fewer, or fewer bots", key="tables")
    if number >= every.number:
        return every
    rng = schedule_rng(seed, "tables", variant, size, *sorted(names))
    return BalancedTables(names, size, number, rng, config.teams)


def _spreading_stride(number: int) -> int:
    """Return a step that visits each of so many places once and spreads any few visits over all of them."""
    return next(step for step in count(round(number * GOLDEN_RATIO)) if gcd(step, number) == 1)
