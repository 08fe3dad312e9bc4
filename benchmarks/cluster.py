"""Measure a dask cluster's share of the local pool's speed on the same machine, in turns of the same run.

    .venv/bin/python -m benchmarks.cluster --seconds 10

Both have as many workers as there are cores. In each turn the local pool and the cluster play the same blocks
one after the other, so that what else the machine does meets both; the time is that from where all workers
are warm to the last block being stored. To play on a cluster takes a scheduler's time besides, on the same
cores.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import msgspec

from arena.tournament.engine.block_player import PlayChunk, RunPlan, play_chunk
from arena.tournament.engine.cores import usable_cores
from arena.tournament.engine.dask import make_cluster_workers
from arena.tournament.engine.engine import run_blocks
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.engine.workers import Workers, make_workers
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.config import QUICK, Config, read_config
from arena.tournament.store.metadata import collect_metadata
from arena.tournament.store.store import Store
from tests.tournament.engine.dask_cluster import DaskCluster

WARM_UP = 400
"""Blocks that are played first: the worth of a hand is worked out when it is first seen."""
MakeWorkers = Callable[[], tuple[Workers, PlayChunk]]


@click.command()
@click.option("--turns", default=5, show_default=True)
@click.option("--seconds", default=10.0, show_default=True, help="About how long a side of a turn takes.")
def main(turns: int, seconds: float) -> None:
    """Print the matches a second of both and their ratio, turn by turn, and its median."""
    config = msgspec.structs.replace(read_config(QUICK), blocks=1 << 20)
    plan, jobs, ratios = RunPlan.from_config(config, "speed"), usable_cores(), []
    local: MakeWorkers = lambda: (make_workers(jobs), partial(play_chunk, msgspec.msgpack.encode(plan)))  # noqa: E731
    with DaskCluster() as dask:
        for _ in range(jobs):
            dask.add_worker()
        there: MakeWorkers = partial(make_cluster_workers, Cluster.parse(dask.address), config, plan)
        blocks = round(seconds * speed(config, local, 200))
        for turn in range(turns):
            here, away = speed(config, local, blocks), speed(config, there, blocks)
            ratios.append(away / here)
            click.echo(f"{turn}: {here:7.0f} {away:7.0f} blocks/s  {ratios[-1]:.3f}")
    click.echo(f"median {statistics.median(ratios):.3f}")


def speed(config: Config, make: MakeWorkers, blocks: int) -> float:
    """Blocks a second."""
    with TemporaryDirectory() as folder, StopRequest() as stop:
        made, play = make()
        with Store.create(Path(folder), collect_metadata(config, "speed", {})) as store, made as pool:
            run_blocks(islice(RoundRobin(config, "speed"), WARM_UP), play, store, pool, stop)
            begun = time.perf_counter()
            rest = islice(RoundRobin(config, "speed"), WARM_UP, WARM_UP + blocks)
            run_blocks(rest, play, store, pool, stop)
            return blocks / (time.perf_counter() - begun)


if __name__ == "__main__":
    main()
