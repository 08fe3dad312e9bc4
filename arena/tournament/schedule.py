"""The schedule: seeds, tables drawn, balanced or assigned, and blocks computed from their index.

Round robins and gauntlets play all tables, or a balanced number of them; other formats assign bots to tables.
"""

import secrets
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from itertools import accumulate, count
from math import gcd
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.errors import ConfigError
from arena.play.bot import MAX_COUNT
from arena.tournament.setup.config import Config, VariantEntry

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


# --- table assignment ---
# Bots are numbers. Two bots of a team never share a table; a bot without a team has a team number of its own.

Numbers = NDArray[np.int64]

MAX_SEARCH_STEPS = 200_000
"""A third of a second, and many times what 24 bots ever need."""


def max_tables(teams: Sequence[int], size: int) -> int:
    """Return how many tables the bots of these teams can fill at once."""
    members = Counter(teams).values()
    most = len(teams) // size
    return next(n for n in range(most, -1, -1) if sum(min(of, n) for of in members) >= n * size)


def select_seated(order: Sequence[int], size: int, teams: Sequence[int]) -> list[int]:
    """Return the bots, the first of `order` preferred, that fill as many tables as possible."""
    tables = max_tables([teams[bot] for bot in order], size)
    of_team: Counter[int] = Counter()
    chosen: list[int] = []
    for bot in order:
        if len(chosen) < tables * size and of_team[teams[bot]] < tables:
            of_team[teams[bot]] += 1
            chosen.append(bot)
    return chosen


def assign(order: Sequence[int], size: int, teams: Sequence[int], *costs: Numbers) -> list[list[int]]:
    """Return tables for all of these bots, which must fill them; the bots of each in ascending order.

    Each of `costs` has the cost of two bots meeting, by their numbers; the sum over the tables is made small
    by local search. The first cost outweighs all others together, and is brought to zero if the exact search
    finds a way. From two starts, neighbours of `order` together and far apart, bots are exchanged as long as
    that lowers the cost. The result depends on the arguments alone.
    """
    bots, tables = np.array(order, np.int64), len(order) // size
    if not tables:
        return []
    own = [cost[np.ix_(bots, bots)] for cost in costs]
    team = np.array(teams, np.int64)[bots]
    clash = (team[:, None] == team).astype(np.int64)
    cost = _combine([clash, *own], pairs=len(bots) * (size - 1) // 2)
    starts = [np.arange(len(bots)) // size, _spread_teams(team, tables)]
    best = min(
        (_exchange(cost, start) for start in starts), key=lambda table_of_bot: _total(cost, table_of_bot)
    )
    if own and _total(own[0], best):
        without_clash = _search((clash == 0) & (own[0] == 0), size)
        best = best if without_clash is None else _exchange(cost, without_clash)
    return [sorted(bots[best == table].tolist()) for table in range(tables)]


def _combine(costs: Sequence[Numbers], pairs: int) -> Numbers:
    """Return one cost, in which the least of each outweighs the greatest possible sum of those after it."""
    combined, highest = np.zeros_like(costs[0]), 0
    for cost in reversed(costs):
        weight = highest + 1
        combined = combined + cost * weight
        highest += int(cost.max()) * weight * pairs
    np.fill_diagonal(combined, 0)
    return combined


def _spread_teams(team: Numbers, tables: int) -> Numbers:
    """Return a table for each bot, in turn, team after team, so that no team has two bots at one."""
    _, first, number = np.unique(team, return_index=True, return_inverse=True)
    turns = np.argsort(first[number], kind="stable")
    table_of = np.empty(len(team), np.int64)
    table_of[turns] = np.arange(len(team)) % tables
    return table_of


def _total(cost: Numbers, table_of: Numbers) -> int:
    together = table_of[:, None] == table_of
    np.fill_diagonal(together, False)
    return int(cost[together].sum()) // 2


def _exchange(cost: Numbers, table_of: Numbers) -> Numbers:
    """Return the tables after exchanging the pairs of bots that gain most, until no exchange gains anything.

    A gain depends on the two tables alone, so each table takes part in one exchange at a time.
    """
    table_of = table_of.copy()
    by_table = np.argsort(table_of, kind="stable")
    at_table = cost[:, by_table].reshape(len(cost), table_of.max() + 1, -1).sum(axis=2)
    while True:
        joining = at_table[:, table_of]  # cost of the row's bot at the table of the column's
        staying = joining.diagonal()
        gain = staying[:, None] + staying - joining - joining.T + 2 * cost
        gain[table_of[:, None] == table_of] = 0
        partner, most = gain.argmax(axis=1), gain.max(axis=1)
        if most.max() <= 0:
            return table_of
        changed: set[int] = set()
        for bot in np.argsort(-most, kind="stable"):
            other = partner[bot]
            tables = {int(table_of[bot]), int(table_of[other])}
            if most[bot] > 0 and not tables & changed:
                moved = cost[:, other] - cost[:, bot]
                at_table[:, table_of[bot]] += moved
                at_table[:, table_of[other]] -= moved
                table_of[[bot, other]] = table_of[[other, bot]]
                changed |= tables


def _search(allowed: NDArray[np.bool_], size: int) -> Numbers | None:
    """Return tables at which only allowed pairs meet; None if there are none, or the search takes too long.

    Backtracking: take the bot with the fewest possible partners, try each table it could have, and go back
    when the rest cannot be seated.
    """
    search = _Search(allowed, size)
    free = (1 << len(allowed)) - 1
    chosen: list[int] = []
    open_ = [search.tables_of_most_constrained(free)]
    while free and open_:
        table = next(open_[-1], None)
        if table is not None:
            chosen.append(table)
            free ^= table
            open_.append(search.tables_of_most_constrained(free))
        else:
            open_.pop()
            free |= chosen.pop() if chosen else 0
    return None if free else _table_of(chosen, len(allowed))


class _Search:
    """The tables that bots could have, as long as steps are left; sets of bots are bits of an integer."""

    def __init__(self, allowed: NDArray[np.bool_], size: int) -> None:
        self._partners = [sum(1 << int(other) for other in np.flatnonzero(row)) for row in allowed]
        self._size = size
        self._steps = iter(range(MAX_SEARCH_STEPS))

    def tables_of_most_constrained(self, free: int) -> Iterator[int]:
        """Yield all tables of the free bot that has the fewest free partners."""
        free_bots = [bot for bot in range(len(self._partners)) if free >> bot & 1]
        bot = min(free_bots, key=lambda bot: (self._partners[bot] & free).bit_count(), default=0)
        return (rest | 1 << bot for rest in self._tables(self._partners[bot] & free, self._size - 1))

    def _tables(self, among: int, seats: int) -> Iterator[int]:
        if not seats:
            yield 0
        while seats and among and next(self._steps, None) is not None:
            member = among & -among
            among ^= member
            for rest in self._tables(among & self._partners[member.bit_length() - 1], seats - 1):
                yield rest | member


def _table_of(tables: Sequence[int], bots: int) -> Numbers:
    """Return the number of each bot's table, given tables as sets."""
    numbers = [next(number for number in count() if tables[number] >> bot & 1) for bot in range(bots)]
    return np.array(numbers, np.int64)


# --- sets of tables ---
# Two bots to which `teams` gives the same number never share a table; without `teams` any two may.

Table = tuple[str, ...]
Teams = Mapping[str, int]


class Tables(Protocol):
    """Tables by index."""

    @property
    def are_drawn(self) -> bool:
        """True if these tables are a sample of those possible."""
        ...

    def __len__(self) -> int: ...

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        """Return the table of an index, and how often it has met before."""
        ...


class AllTables:
    """Each table of `size` of these bots once, in alphabetical order, computed when it is picked."""

    are_drawn = False

    def __init__(self, bots: Sequence[str], size: int, teams: Teams | None = None) -> None:
        of_team: dict[object, list[str]] = {}
        for bot in sorted(bots):
            of_team.setdefault(teams[bot] if teams else bot, []).append(bot)
        self._teams = list(of_team.values())
        self._size = size
        self._ways = _ways([len(members) for members in self._teams], size)
        self.number = self._ways[0][size]
        """Number of tables; may be too large for `len`."""

    def __len__(self) -> int:
        return self.number

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        table = []
        left = self._size
        for members, ways_after in zip(self._teams, self._ways[1:], strict=True):
            with_each = ways_after[left - 1] if left else 0
            if index < with_each * len(members):
                member, index = divmod(index, with_each)
                table.append(members[member])
                left -= 1
            else:
                index -= with_each * len(members)
        return tuple(sorted(table)), repetition


class BalancedTables:
    """A number of tables at which bots, and pairs of bots, sit as equally often as possible.

    A table may come several times; each time counts as one more of its meetings.
    """

    are_drawn = True

    def __init__(
        self, bots: Sequence[str], size: int, number: int, rng: Random, teams: Teams | None = None
    ) -> None:
        self._times: Counter[Table] = Counter()
        self._tables: list[tuple[Table, int]] = []
        for table in balanced_tables(sorted(bots), size, number, rng, teams):
            self._tables.append((table, self._times[table]))
            self._times[table] += 1

    def __len__(self) -> int:
        return len(self._tables)

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        table, earlier = self._tables[index]
        return table, repetition * self._times[table] + earlier


class HeroTables:
    """Tables of others, with the same bot added to each."""

    def __init__(self, hero: str, others: Tables) -> None:
        self._hero = hero
        self._others = others

    @property
    def are_drawn(self) -> bool:
        """True if those of the others are."""
        return self._others.are_drawn

    def __len__(self) -> int:
        return len(self._others)

    def pick(self, index: int, repetition: int) -> tuple[Table, int]:
        others, met = self._others.pick(index, repetition)
        return tuple(sorted((self._hero, *others))), met


class PairHistory:
    """The number of times bots, by their numbers, have played, and have met each other."""

    def __init__(self, teams: Sequence[int]) -> None:
        self.teams = teams
        self.played = np.zeros(len(teams), np.int64)
        self.met = np.zeros((len(teams), len(teams)), np.int64)

    def reset_pairs(self) -> None:
        """Forget who has met, but not how often each has played."""
        self.met[:] = 0

    def add(self, tables: Sequence[Sequence[int]]) -> None:
        """Count tables."""
        for table in tables:
            self.played[table] += 1
            self.met[np.ix_(table, table)] += 1

    def by_play(self, bots: Sequence[int], rng: Random) -> list[int]:
        """Return the bots, those that have played least first, ties in random order."""
        return sorted(rng.sample(bots, len(bots)), key=lambda bot: int(self.played[bot]))

    def assign_balanced(self, bots: Sequence[int], size: int, rng: Random) -> list[list[int]]:
        """Return as many tables as the bots fill, at which bots meet those they have met least.

        Bots that have played most are left out, ties at random. The others are assigned so that the sum
        over all pairs of their squared numbers of meetings grows least.
        """
        order = select_seated(self.by_play(bots, rng), size, self.teams)
        rng.shuffle(order)
        return assign(order, size, self.teams, 2 * self.met + 1)  # (met + 1)² - met²


def balanced_tables(
    bots: Sequence[str], size: int, number: int, rng: Random, teams: Teams | None = None
) -> list[Table]:
    """Return that number of tables, made in balanced rounds; within a table bots keep the order of `bots`.

    There must be at least as many teams as seats at a table.
    """
    history = PairHistory([teams[bot] for bot in bots] if teams else range(len(bots)))
    tables: list[Table] = []
    while len(tables) < number:
        assigned = history.assign_balanced(range(len(bots)), size, rng)
        history.add(assigned)
        tables += [tuple(bots[bot] for bot in members) for members in assigned]
    return tables[:number]


def _ways(teams: Sequence[int], size: int) -> list[list[int]]:
    """Return in how many ways the teams from one on can fill seats, by that team and the number of seats."""
    ways = [[1] + [0] * size]
    for members in reversed(teams):
        after = ways[-1]
        ways.append([1] + [after[n] + members * after[n - 1] for n in range(1, size + 1)])
    return ways[::-1]


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
        teams = self.config.teams
        others = [name for name in names if teams[name] != teams[bot]]
        return HeroTables(bot, self._of(others, variant, size - 1))

    def _of(self, names: list[str], variant: str, size: int) -> Tables:
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
