"""Measure the site of a large league: its size, its largest page, and what an update without news costs.

    .venv/bin/python -m benchmarks.league_site --bots 300 --rounds 1

All bots play at random, in every game at its usual size; in a round each plays one block of each game.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np

from arena.games import VARIANTS
from arena.league.blocks import LeagueBlocks, TableRequest
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.settings import Settings, make_settings
from arena.league.standings import Standings
from arena.output.site.site import write_site
from arena.plugins import BotSpec, InstalledBot
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.schedule import Block
from arena.tournament.setup.config import Config
from arena.tournament.store.codec import PackedBlock, pack
from benchmarks.league_season import SimulatedLeague

PLAYERS = 4


class RandomLeague(SimulatedLeague):
    """A league whose bots are all copies of `random`, and really play."""

    def play_rounds(self, rounds: int) -> int:
        """Play blocks in which each bot meets others at random; return how many."""
        self.updates += 1
        field = Field.read(self.database, self.settings)
        blocks = LeagueBlocks(self.database, field)
        tables = [
            TableRequest(terms, tuple(map(int, table)), 1)
            for _ in range(rounds)
            for terms, (_, players) in field.games.items()
            for table in np.array_split(self.rng.permutation(len(field.rated)), len(field.rated) // players)
            if len(table) == players
        ]
        step = blocks.plan(self.updates, tables)
        blocks.add(self._played_by_random(list(blocks.of_step(step))), {}, {})
        standings = Standings(field)
        standings.add(blocks.outcomes())
        with self.database.transaction() as connection:
            connection.execute(
                "INSERT INTO league_update VALUES (?, ?, 'done', ?)",
                [self.updates, f"2026-01-{self.updates:02}", self.settings.toml()],
            )
            self.database.store_ladders(connection, self.updates, standings.rows(self.updates, []))
        return len(tables)

    def _played_by_random(self, planned: list[Block]) -> Iterator[PackedBlock]:
        specs = tuple(BotSpec(InstalledBot("random"), f"v{number}") for number in range(len(self.strength)))
        config = Config(bots=specs, variants=self.settings.variants, limits=self.settings.limits)
        levels = {spec.name: "inline" for spec in specs}
        player = BlockPlayer(RunPlan.from_config(config, self.database.seed, levels))
        for block in planned:
            yield pack(block.address, player.play(block))
        player.close()


def _settings() -> Settings:
    variants = [
        {"name": rules.name, "players": PLAYERS if PLAYERS in rules.players else rules.players[0]}
        for rules in VARIANTS
    ]
    return make_settings({"variants": variants}, "the benchmark")


@click.command()
@click.option("--bots", default=300, show_default=True)
@click.option("--rounds", default=1, show_default=True, help="Blocks of each bot in each game.")
@click.option("--seed", default=1, show_default=True)
def main(bots: int, rounds: int, seed: int) -> None:
    """Play a large league, write its site twice, and print what it costs."""
    with TemporaryDirectory() as home:
        folder = Path(home)
        (folder / "league.toml").write_text(_settings().toml())
        league = RandomLeague(folder, _settings(), np.random.default_rng(seed))
        for _ in range(bots):
            league.admit(0.0)
        blocks = league.play_rounds(rounds)
        league.database.close()
        for what in ("all pages", "nothing new"):
            start = time.process_time()
            writer = write_site(LeagueFolder.open(folder))
            seconds = time.process_time() - start
            files = writer.written + writer.kept
            click.echo(f"{what}: {writer.written:,} of {files:,} files written, {seconds:.1f} s CPU")
        sizes = {path: path.stat().st_size for path in (folder / "site").rglob("*") if path.is_file()}
        pages = [size for path, size in sizes.items() if path.suffix == ".html"]
        total, games = sum(sizes.values()) / 1e6, len(_settings().variants)
        click.echo(
            f"{bots} bots, {games} games, {blocks:,} blocks: {total:.1f} MB, "
            f"largest of {len(pages):,} pages {max(pages) / 1e3:.0f} kB"
        )


if __name__ == "__main__":
    main()
