"""Which check finds which forgery? Copies of a small run are forged, and every check is made of each.

    .venv/bin/python -m benchmarks.forged_runs
    .venv/bin/python -m benchmarks.forged_runs --copies 50 --blocks 200 --play-again 20

A run is played with a seed that was committed to, and sealed. Then it is forged again and again, by
somebody who can write each of its files and knows how the arena does: digests, tables and replays of a
forged run follow from what is stored. Only the signature of the seal cannot be made again, but where the
seed is chosen: that is done before the run is sealed, by the organiser. Printed is, for each kind of
forgery, how many copies each check finds by itself, and the chance that `verify` prints for its sample.
"""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import closing
from math import ceil
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import msgspec
from tabulate import tabulate

from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.workers import Workers, make_workers
from arena.tournament.files import CommittedSeed, RunFolder, commit, read_committed
from arena.tournament.review.seal import check_seal, write_seal
from arena.tournament.review.verification import choose_blocks, play_blocks_again, verify
from arena.tournament.run import Run
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, PackedBlock, pack, unpack
from arena.tournament.store.store import Store

BOTS: Final = ("greedy", "prudent", "random")
SHARES: Final = (0.01, 0.05, 0.2, 0.9)
CHECKS: Final = ("verify", "--play-again", "--commitment", "--sealed")
Forge = Callable[[Path, Random], None]


def play(folder: Path, blocks: int, committed: CommittedSeed | None) -> Run:
    """Play the run that is forged, or the same with another seed."""
    table = {
        "bots": list(BOTS),
        "blocks": blocks,
        "variants": [{"name": "lives", "players": 3, "tokens": 1}],
        "replays": 0,
    }
    config = make_config(table, base=Path(), where="the benchmark")
    run = Run.create(config, RunFolder.create(folder), committed=committed)
    run.play(RunOptions(log_level=100))
    return run


def replace_blocks(folder: Path, forged: dict[int, PackedBlock]) -> None:
    """Store other results of blocks, and write tables and replays that follow from them."""
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        for index, block in forged.items():
            values = block.outcome, block.actions, block.digest, index
            connection.execute(
                "UPDATE block SET outcome = ?, actions = ?, digest = ? WHERE place = ?", values
            )
    Run.open(folder).write()


def draw_blocks(run: Run, share: float, rng: Random) -> list[int]:
    """Draw the blocks that are forged."""
    blocks = run.count_blocks()
    return rng.sample(range(blocks), ceil(share * blocks))


def swap_bots(share: float) -> Forge:
    """Have two bots play under each other's names in a share of the blocks."""

    def forge(folder: Path, rng: Random) -> None:
        run = Run.open(folder)
        sources = {spec.name: spec.source for spec in run.config.bots}
        swapped = {BOTS[0]: BOTS[2], BOTS[2]: BOTS[0]}
        bots = tuple(
            msgspec.structs.replace(spec, source=sources[swapped.get(spec.name, spec.name)])
            for spec in run.config.bots
        )
        plan = RunPlan.from_config(msgspec.structs.replace(run.config, bots=bots), run.seed)
        player, chosen = BlockPlayer(plan), set(draw_blocks(run, share, rng))
        blocks = [block for block, _ in run.outcomes() if block.index in chosen]
        replace_blocks(folder, {block.index: pack(block.address, player.play(block)) for block in blocks})

    return forge


def invent_faults(share: float) -> Forge:
    """Charge a bot with time-outs that it did not have, in a share of the blocks."""

    def forge(folder: Path, rng: Random) -> None:
        chosen, forged = draw_blocks(Run.open(folder), share, rng), {}
        with Store.open(folder) as store:
            for index in chosen:
                stored = next(store.read(range(index, index + 1)))
                first, *others = unpack(stored).matches
                first = msgspec.structs.replace(first, faults=((0, "timeout", 0),))
                forged[index] = pack(stored.address, BlockResult(index, (first, *others)))
        replace_blocks(folder, forged)

    return forge


def edit_result(folder: Path, rng: Random) -> None:
    """Exchange the payoffs and placings of two seats in one block, and leave its actions."""
    [index] = draw_blocks(Run.open(folder), 1e-9, rng)
    with Store.open(folder) as store:
        stored = next(store.read(range(index, index + 1)))
    matches = [
        msgspec.structs.replace(match, placings=match.placings[::-1], payoffs=match.payoffs[::-1])
        for match in unpack(stored).matches
    ]
    replace_blocks(folder, {index: pack(stored.address, BlockResult(index, tuple(matches)))})


def choose_seed(blocks: int, tries: int) -> Forge:
    """Play honestly with several seeds, and publish the run in which one bot did best."""

    def forge(folder: Path, rng: Random) -> None:
        best, most = None, -1.0
        for number in range(tries):
            other = folder.with_name(f"{folder.name}-{number}")
            run = play(other, blocks, CommittedSeed(f"{rng.getrandbits(256):064x}"))
            elo = next(row.elo for row in run.results().rows if row.bot == BOTS[1])
            if elo is not None and elo > most:
                best, most = other, elo
        assert best is not None
        shutil.rmtree(folder)
        best.rename(folder)

    return forge


def cut_history(folder: Path, rng: Random) -> None:
    """Leave out the last blocks, and say in the config that so many were planned."""
    run = Run.open(folder)
    left = run.count_blocks() * 3 // 4
    config = msgspec.structs.replace(run.config, blocks=left)
    with Store.resume(folder) as store:
        store.remove_from(left)
        store.change_config(config.toml(folder))
    Run.open(folder).write()


def check(folder: Path, commitment: str, key: Path, number: int, pool: Workers) -> dict[str, bool]:
    """Return which checks find that a run is not the one that was announced, played and sealed."""
    run = Run.open(folder)
    sample, committed = choose_blocks(run, number), run.committed_seed
    if not run.folder.seal.exists():  # the organiser's own, in which the seed was chosen
        write_seal(run, pool, key)
    return {
        "verify": bool(verify(run, pool).wrong),
        "--play-again": bool(play_blocks_again(run, sample.blocks, RunOptions(log_level=100))),
        "--commitment": committed is None or committed.commitment != commitment,
        "--sealed": bool(check_seal(run, pool, Path(f"{key}.pub")).wrong),
    }


@click.command()
@click.option("--copies", default=20, show_default=True, help="Forged copies of each kind.")
@click.option("--blocks", default=100, show_default=True, help="Blocks of the run.")
@click.option("--play-again", "number", default=20, show_default=True, help="Blocks played again.")
@click.option("--tries", default=5, show_default=True, help="Seeds that are tried where one is chosen.")
def main(copies: int, blocks: int, number: int, tries: int) -> None:
    """Forge copies of a run, and print which checks find it."""
    kinds: dict[str, tuple[float | None, Forge]] = {
        **{f"two bots swapped in {share:.0%} of the blocks": (share, swap_bots(share)) for share in SHARES},
        **{f"faults invented in {share:.0%}": (share, invent_faults(share)) for share in (0.05, 0.2)},
        "results of one block exchanged": (None, edit_result),
        f"seed chosen among {tries}": (None, choose_seed(blocks, tries)),
        "last quarter of the blocks left out": (None, cut_history),
        "nothing": (None, lambda folder, rng: None),
    }
    rows: list[list[Any]] = []
    with tempfile.TemporaryDirectory() as scratch, make_workers(1) as pool:
        key = Path(scratch, "key")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        true = RunFolder.create(Path(scratch, "true"))
        commitment = commit(true)
        run = play(true.path, blocks, read_committed(true, None, ""))
        write_seal(run, pool, key)
        sample = choose_blocks(run, number)
        for kind, (share, forge) in kinds.items():
            hits = dict.fromkeys(CHECKS, 0)
            for copy in range(copies):
                folder = Path(shutil.copytree(true.path, Path(scratch, "forged")))
                forge(folder, Random(f"{kind} {copy}"))
                for name, hit in check(folder, commitment, key, number, pool).items():
                    hits[name] += hit
                for path in Path(scratch).glob("forged*"):
                    shutil.rmtree(path)
            printed = f"{sample.detection(share):.0%}" if share is not None else ""
            rows.append([kind, *(f"{hits[name]} of {copies}" for name in CHECKS), printed])
            click.echo(rows[-1], err=True)
    click.echo(tabulate(rows, ["forged", *CHECKS, "printed"], tablefmt="github"))


if __name__ == "__main__":
    main()
