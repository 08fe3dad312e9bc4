"""Seasons of a league with bots of known strength, simulated by numbers: no game is played.

    python -m benchmarks.league_season coverage --seasons 300
    python -m benchmarks.league_season blocks --bots 200 --precision 25
    python -m benchmarks.league_season rest --bots 6 --seats 4

`coverage` prints how many 95 % intervals hold the true rating, under the league's own choice of opponents and
of when to stop. `blocks` prints how many blocks the league needs until all bots are rated to a precision, and
how many random tables with equally many blocks for each bot.

In a simulated match each bot draws its strength plus Gumbel noise, so that a pair's odds are exactly those of
the Bradley–Terry model; in a share of the blocks all matches have the same noise, as on the same cards.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

from arena.league.blocks import LeagueBlocks, TableRequest
from arena.league.field import Field, store_terms
from arena.league.settings import Settings, make_settings
from arena.league.standings import Standings
from arena.league.store import LeagueDatabase, insert
from arena.league.update import choose_tables
from arena.rating.elo_fit import find_center
from arena.rating.two_bots import ELO_PER_UNIT
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult, MatchResult, PackedBlock, pack

SPREAD_ELO = 200.0
"""Standard deviation of the bots' strengths."""
EQUAL_NOISE = 0.3
"""Share of the blocks whose matches have the same noise."""
WEAK_ELO = -1500.0
"""Strength of a bot that is hopeless at everything."""
LONE_ELO = 900.0
"""Strength of a bot without comparable opponents."""
NEW_UPDATE = 5
"""The update in which the new bot joins."""


class SimulatedLeague:
    """A league whose blocks are drawn at random."""

    def __init__(self, folder: Path, settings: Settings, rng: np.random.Generator) -> None:
        LeagueDatabase.create(folder)
        self.database = LeagueDatabase.open(folder, "rw")
        self.database.connection.execute("PRAGMA synchronous = OFF")
        secret = f"{rng.integers(1 << 62)}"
        self.database.connection.execute("UPDATE fact SET value = ? WHERE name = 'seed'", [secret])
        self.settings, self.rng = settings, rng
        self.strength: list[float] = []  # Elo by version
        self.table_elo = 0.0
        """Standard deviation of what a bot's opponents at a table add to its strength there."""
        self.decisions = self.updates = 0
        store_terms(self.database, settings)

    def admit(self, elo: float, bot: int | None = None, team: str = "") -> None:
        """Add a new bot, or a new version of one."""
        number = len(self.strength)
        self.strength.append(elo)
        with self.database.transaction() as connection:
            if bot is None:
                name = f"bot{number}"
                row = {"name": name, "folded_name": name, "owner": "", "state": "active", "version": number}
                bot = insert(connection, "bot", row)
            else:
                connection.execute("UPDATE bot SET version = ? WHERE number = ?", [number, bot])
            empty = dict.fromkeys(("source", "team", "author", "description"), "")
            row = {"number": number, "bot": bot, "ordinal": 1, "digest": f"{number}", "label": f"v{number}"}
            row |= {**empty, "team": team, "variants": "[]", "admitted": self.updates + 1}
            insert(connection, "version", row)

    def update(self) -> Standings:
        """Play an update, and return the standings after it."""
        self.updates += 1
        field = Field.read(self.database, self.settings)
        blocks, standings = LeagueBlocks(self.database, field), Standings(field)
        standings.add(blocks.outcomes())
        while tables := choose_tables(
            *(field, standings, blocks.count_since(self.updates), ()),
            *(self.database.seed, self.decisions),
        ):
            self.play(blocks, standings, tables)
        return standings

    def play(self, blocks: LeagueBlocks, standings: Standings, tables: list[TableRequest]) -> None:
        """Play one decision."""
        self.decisions += 1
        step = blocks.plan(self.updates, tables)
        blocks.add(self._played(blocks.of_step(step)), {}, {})
        standings.add(blocks.outcomes(step.first_block, step.end_block))

    def count_blocks(self) -> int:
        """Return how many blocks have been played."""
        [(count,)] = self.database.query("SELECT count(*) FROM block")
        return int(count)

    def _played(self, planned: Iterable[Block]) -> Iterator[PackedBlock]:
        for block in list(planned):
            yield pack(block.address, self._result(block))

    def _result(self, block: Block) -> BlockResult:
        bots = [int(label[1:]) for label in block.bots]
        place = {label: number for number, label in enumerate(block.bots)}
        strength = np.array([self.strength[bot] for bot in bots]) / ELO_PER_UNIT
        if self.table_elo:
            at_table = np.random.default_rng([*bots, *block.variant.encode()])
            strength += at_table.normal(0, self.table_elo / ELO_PER_UNIT, len(bots))
        noise = self.rng.gumbel(size=(len(block.seatings), len(bots)))
        if self.rng.random() < EQUAL_NOISE:
            noise[:] = noise[0]
        matches = []
        for seating, drawn in zip(block.seatings, strength + noise, strict=True):
            placings = tuple(int((drawn > drawn[place[label]]).sum()) + 1 for label in seating)
            matches.append(MatchResult(placings, tuple(-placing for placing in placings), (), b""))
        return BlockResult(block.index, tuple(matches))


def _settings(precision: float, blocks: int, games: int, seats: int = 4) -> Settings:
    variants = [{"name": name, "players": seats} for name in ("lives", "schwimmen")[:games]]
    return make_settings({"precision": precision, "blocks": blocks, "variants": variants}, "the simulation")


def count_covered(seasons: int, seed: int, precision: float) -> tuple[int, int, int]:
    """Return how many intervals hold the true rating, how many there are, and how many leaders' hold it.

    They are those at the ends of some seasons.
    """
    held = made = leaders = 0
    for season in range(seasons):
        rng = np.random.default_rng([seed, season])
        with TemporaryDirectory() as home:
            league = SimulatedLeague(Path(home), _settings(precision, 300, 1), rng)
            for _ in range(10):
                league.admit(rng.normal(0, SPREAD_ELO))
            league.update()
            for _ in range(4):
                for _ in range(2):
                    league.admit(rng.normal(0, SPREAD_ELO))
                older = int(rng.integers(10))
                league.admit(league.strength[older] + rng.normal(30, 30), bot=older + 1)
                standings = league.update()
            is_held = _intervals(league, standings)
            league.database.close()
        held += sum(is_held)
        made += len(is_held)
        leaders += is_held[0]
    return held, made, leaders


def _intervals(league: SimulatedLeague, standings: Standings) -> list[bool]:
    """Return for each rated version with an error, best first, whether its interval holds its true rating."""
    field = Field.read(league.database, league.settings)
    fit = standings.fit(next(iter(field.games.values())))
    true = np.array([league.strength[entry.number] for entry in field.counted])
    true += 1500 - find_center(true).elo
    rated = sorted(range(len(field.rated)), key=lambda place: -fit.elo[place])
    return [abs(fit.elo[place] - true[place]) <= error for place in rated if (error := fit.error[place])]


def count_blocks(bots: int, games: int, precision: float, seed: int) -> tuple[int, int]:
    """Return the blocks that a league needs until all bots are rated, and those of random tables."""
    counts = []
    for adaptive in (True, False):
        rng = np.random.default_rng(seed)
        with TemporaryDirectory() as home:
            league = SimulatedLeague(Path(home), _settings(precision, 1_000_000, games), rng)
            for elo in rng.normal(0, SPREAD_ELO, bots):
                league.admit(float(elo))
            standings = league.update() if adaptive else _play_balanced(league, precision)
            counts.append(league.count_blocks())
            field = Field.read(league.database, league.settings)
            bars = [bar for game in field.games.values() for bar in standings.compare(game)[1]]
            known = [bar for bar in bars if bar]
            what = "the league" if adaptive else "random tables"
            click.echo(
                f"{what}: {counts[-1]:,} blocks, {league.decisions} decisions, ± up to "
                f"{max(known):.1f}, median {np.median(known):.1f}, without: {len(bars) - len(known)}"
            )
            if adaptive:
                _add_newcomer(league)
            league.database.close()
    return counts[0], counts[1]


def _add_newcomer(league: SimulatedLeague) -> None:
    """Print how many blocks rate one bot more."""
    before = league.count_blocks()
    league.admit(float(league.rng.normal(0, SPREAD_ELO)))
    league.update()
    click.echo(f"one bot more: {league.count_blocks() - before:,} blocks")


def _play_balanced(league: SimulatedLeague, precision: float) -> Standings:
    """Play rounds of random tables, in which all bots sit equally often, until all ± are small."""
    league.updates += 1
    field = Field.read(league.database, league.settings)
    blocks, standings = LeagueBlocks(league.database, field), Standings(field)
    bots = np.array([entry.number for entry in field.rated])
    while True:
        tables = []
        for terms, (_, size) in field.games.items():
            for _ in range(10):
                order = league.rng.permutation(bots)[: len(bots) // size * size].reshape(-1, size)
                tables += [TableRequest(terms, tuple(table.tolist()), 1) for table in order]
        league.play(blocks, standings, tables)
        bars = [bar for game in field.games.values() for bar in standings.compare(game)[1]]
        if all(bar is not None and bar <= precision for bar in bars):
            return standings


def play_until_rest(
    league: SimulatedLeague, newcomers: Sequence[tuple[float, str]], max_updates: int, every: int = 10
) -> int | None:
    """Update a league until no bot asks for more blocks; return the number of the last update.

    Args:
        league: The league, with its first bots.
        newcomers: Strength and team of the bots that join in update `NEW_UPDATE`.
        max_updates: Updates after which it returns None.
        every: Updates from one that is printed to the next.
    """
    while league.updates < max_updates:
        if league.updates + 1 == NEW_UPDATE:
            for elo, team in newcomers:
                league.admit(elo, team=team)
        before = league.count_blocks()
        standings = league.update()
        field = Field.read(league.database, league.settings)
        is_at_rest = not choose_tables(field, standings, Counter(), (), league.database.seed, 0)
        if is_at_rest or league.updates in (1, NEW_UPDATE) or league.updates % every == 0:
            now = league.count_blocks()
            click.echo(f"update {league.updates}: {now - before:,} blocks, {now:,} in all")
            _print_errors(league, field, standings)
        if is_at_rest and league.updates >= NEW_UPDATE:
            return league.updates
    return None


def _print_errors(league: SimulatedLeague, field: Field, standings: Standings) -> None:
    """Print the blocks and the ± of each version in each game."""
    for game in field.games.values():
        fit, bars = standings.compare(game)
        texts = [
            f"{league.strength[entry.number]:+.0f}: {fit.blocks[place]}"
            + (f" ±{bar:.0f}" if (bar := bars[place]) and fit.elo_bound[place] is None else " no ±")
            for place, entry in enumerate(field.counted)
        ]
        click.echo(f"  {game[0]}: {', '.join(texts)}")


@click.group()
def main() -> None:
    """Simulate seasons of a league."""


@main.command()
@click.option("--seasons", default=300, show_default=True)
@click.option("--precision", default=40.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
def coverage(seasons: int, precision: float, seed: int) -> None:
    """Print the share of intervals that hold the true rating."""
    held, made, leaders = count_covered(seasons, seed, precision)
    click.echo(
        f"{seasons} seasons: {held:,} of {made:,} intervals hold the true rating ({held / made:.1%}); of the "
        f"leaders' alone {leaders} ({leaders / seasons:.1%})"
    )


@main.command()
@click.option("--bots", default=200, show_default=True)
@click.option("--games", type=click.IntRange(1, 2), default=2, show_default=True)
@click.option("--precision", default=25.0, show_default=True)
@click.option("--seed", default=1, show_default=True)
def blocks(bots: int, games: int, precision: float, seed: int) -> None:
    """Print the blocks until all bots are rated, in the league and at random tables."""
    started = time.process_time()
    league, random = count_blocks(bots, games, precision, seed)
    seconds = time.process_time() - started
    click.echo(f"{league / random:.1%} of the blocks of random tables; {seconds:.0f} s of CPU time")


@main.command()
@click.option("--bots", default=6, show_default=True, help="Bots beside the hopeless, lone and new ones.")
@click.option("--seats", default=4, show_default=True)
@click.option("--blocks", "limit", default=60, show_default=True, help="Blocks of a bot in an update.")
@click.option("--precision", default=25.0, show_default=True)
@click.option(
    "--spread", default=100.0, show_default=True, help="Standard deviation of the strengths, in Elo."
)
@click.option("--table-elo", default=40.0, show_default=True, help="The same of what opponents add to it.")
@click.option("--teams", default=0, show_default=True, help="Number of teams; 0 for none.")
@click.option("--weak", default=1, show_default=True, help="Number of hopeless bots.")
@click.option("--lone", default=1, show_default=True, help="Number of bots far above the others, level.")
@click.option("--max-updates", default=150, show_default=True)
@click.option("--seed", default=1, show_default=True)
def rest(
    bots: int,
    seats: int,
    limit: int,
    precision: float,
    spread: float,
    table_elo: float,
    teams: int,
    weak: int,
    lone: int,
    max_updates: int,
    seed: int,
) -> None:
    """Print the updates of a league until it rests, with blocks and errors by bot and game."""
    started = time.process_time()
    rng = np.random.default_rng(seed)
    with TemporaryDirectory() as home:
        league = SimulatedLeague(Path(home), _settings(precision, limit, 2, seats), rng)
        league.table_elo = table_elo
        strengths = [*rng.normal(0, spread, bots).tolist(), *[WEAK_ELO] * weak, *[LONE_ELO] * lone]
        for number, elo in enumerate(strengths):
            league.admit(elo, team=f"team {number % teams}" if teams else "")
        last = play_until_rest(league, [(float(rng.normal(0, spread)), "new")], max_updates)
        how = f"rests after update {last}" if last else f"does not rest in {max_updates} updates"
        click.echo(
            f"{how}, {league.count_blocks():,} blocks; {time.process_time() - started:.0f} s of CPU time"
        )
        league.database.close()


if __name__ == "__main__":
    main()
