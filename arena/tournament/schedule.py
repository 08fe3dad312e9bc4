"""The schedule: seeds, and blocks computed from their index.

Round robins and gauntlets play all tables, or a balanced number of them; other formats assign bots to tables.
"""

from __future__ import annotations

import secrets
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate, count
from math import gcd
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec

from arena.errors import ConfigError
from arena.play.bot import MAX_COUNT
from arena.tournament.setup.config import Config, VariantEntry

if TYPE_CHECKING:
    from arena.tournament.tables import Table, Tables

# --- seeds ---
# Each seed is a hash of the run's seed, a stream, and the address of the choice.
#
# Nothing is drawn in sequence, so order, interruption and the number of workers change nothing, and one
# stream reveals nothing about another.

SEED_BITS = 128


def make_seed(text: str = "") -> str:
    """Return the text given as the seed of a run, or else 128 random bits in hexadecimal."""
    return text or secrets.token_hex(SEED_BITS // 8)


def commitment(run: str) -> str:
    """Return a hash of a run's seed that may be shown before its end: it reveals no deal."""
    return _key("commitment", run)


@lru_cache(maxsize=1 << 4)
def deal_seed(run: str, address: str) -> str:
    """Return the seed of a block's cards, the same in all its seatings."""
    return _key("deal", run, address)


def bot_seed(run: str, address: str, rotation: int, seat: int) -> str:
    """Return the seed of the bot in one seat of a match of a block; it reveals no other seat's."""
    return _key("bot", run, address, rotation, seat)


def order_key(run: str, address: str, rotation: int) -> str:
    """Return the place of a match among those of its bot processes, which tells them nothing of its block."""
    return _key("order", run, address, rotation)


def sample_key(seed: str, purpose: str, index: int) -> str:
    """Return the place of a block in the order in which samples draw it; it has its own seed, not a run's."""
    return _key("sample", seed, purpose, index)


def update_secret(league: str, update: int) -> str:
    """Return the secret of a league's update, which reveals neither the league's nor another update's."""
    return _key("update", league, update)


def luck_seed(run: str, variant: str, players: int, seats: int) -> str:
    """Return the seed of the packs from which the mean of a baseline's losses is computed."""
    return _key("luck", run, variant, players, seats)


def schedule_rng(run: str, *what: str | int) -> Random:
    """Return the generator of one choice of the schedule."""
    return Random(int(_key("schedule", run, *what), 16))


def _key(*fields: str | int) -> str:
    """Return a hash of the fields; each is hashed with its length, so that no other fields give the same."""
    return blake2b(b"".join(map(_encode, fields)), digest_size=SEED_BITS // 8).hexdigest()


@lru_cache(maxsize=1 << 8)
def _encode(field: str | int) -> bytes:
    """Return a field after its length (cached, as most seeds of a block differ in a seat or rotation)."""
    data = str(field).encode("utf-8", "surrogatepass")
    return len(data).to_bytes(8, "big") + data


# --- blocks ---
# A repetition is one block for every table of every variant and size that has as many blocks. It takes them
# in an order of which every part covers variants and bots evenly, so that early standings mean something.

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

    Args:
        config: Its games, bots and number of blocks per table.
        seed: The seed of the run.
        tables: Number of tables for each variant and size; None for all up to a limit.
        hero: The hero of a gauntlet.
    """

    def __init__(
        self,
        config: Config,
        seed: str,
        tables: int | Literal["all"] | None = None,
        hero: str | None = None,
    ) -> None:
        self._seed = seed
        plan = _TablePlan(config, tables or MAX_TABLES, seed)
        groups = [
            _Group(str(entry.rules), size, blocks, chosen)
            for entry in config.variants
            for size in entry.players
            for chosen, blocks in plan.tables(entry, size, hero)
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
    """Return the variant and the number of players of an address."""
    variant, players, _ = address.split("/", 2)
    return _game(variant, players)


def _escape(text: str, signs: str) -> str:
    for sign in signs:  # the percent sign first
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


class _TablePlan(NamedTuple):
    """Choice of tables: how many of a variant and size, at most, and from which seed."""

    config: Config
    number: int | Literal["all"]
    seed: str

    def tables(self, entry: VariantEntry, size: int, hero: str | None) -> Iterator[tuple[Tables, int]]:
        """Yield all tables of a variant and size, or balanced ones of many, and the number of blocks of each.

        Those with a bot of `blocks_with` come first, for the smallest number first.
        """
        names, variant = list(self.config.field(entry)), str(entry.rules)
        blocks = entry.blocks or self.config.blocks
        if hero is not None:
            yield self._with(hero, names, variant, size), blocks
            return
        for bot, number in sorted(entry.blocks_with.items(), key=lambda item: (item[1], item[0])):
            if len(tables := self._with(bot, names, variant, size)):
                yield tables, number
            names.remove(bot)
        if len(rest := self._of(names, variant, size)):
            yield rest, blocks

    def _with(self, bot: str, names: list[str], variant: str, size: int) -> Tables:
        """Return tables at which a bot sits with bots of other teams."""
        from arena.tournament.tables import HeroTables

        teams = self.config.teams
        others = [name for name in names if teams[name] != teams[bot]]
        return HeroTables(bot, self._of(others, variant, size - 1))

    def _of(self, names: list[str], variant: str, size: int) -> Tables:
        from arena.tournament.tables import AllTables, BalancedTables  # here: a browser has no numpy

        every = AllTables(names, size, self.config.teams)
        number = every.number if self.number == "all" else self.number
        if MAX_LISTED_TABLES < number < every.number:
            raise ConfigError(f'tables: takes a number up to {MAX_LISTED_TABLES:,}, or "all"', key="tables")
        if every.number > MAX_COUNT and number >= every.number:
            raise ConfigError(
                f"tables: all are more than {MAX_COUNT:,}: take fewer, or fewer bots", key="tables"
            )
        if number >= every.number:
            return every
        rng = schedule_rng(self.seed, "tables", variant, size, *sorted(names))
        return BalancedTables(names, size, number, rng, self.config.teams)


def _spreading_stride(number: int) -> int:
    """Return a step that visits each of `number` places once and spreads any few visits over all of them."""
    return next(step for step in count(round(number * GOLDEN_RATIO)) if gcd(step, number) == 1)
