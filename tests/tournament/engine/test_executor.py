"""The executor of a cluster, where the worker that plays dies while another joins."""

import os
import signal
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

pytest.importorskip("distributed", reason="the extra cluster is not installed")

from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.dask import ClusterExecutor
from arena.tournament.engine.run_bundle import build_bundle
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.setup.config import make_config
from tests.tournament.engine.dask_cluster import DaskCluster


def test_calls_left_without_a_worker_break_although_another_has_joined(tmp_path: Path) -> None:
    """The scheduler gives them to none that joins later, so a run would wait for them for ever."""
    config = make_config(
        {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}]},
        base=tmp_path,
        where="a test",
    )
    bundle = build_bundle(RunPlan.from_config(config, "seed"), 1)
    with DaskCluster() as cluster:
        cluster.add_worker()
        with ClusterExecutor(Cluster.parse(cluster.address), bundle) as executor:
            second = cluster.add_worker()
            wait_for_workers(executor, 2)
            os.kill(second.pid, signal.SIGSTOP)
            executor._registry.refresh()  # asks the second, which cannot answer yet
            call = executor.submit(os._exit, 1)
            wait_for_workers(executor, 1)
            os.kill(second.pid, signal.SIGCONT)
            executor._registry.wait_for_answer(seconds=60)
            executor._checked_at = 0.0
            executor.check()
            with pytest.raises(BrokenExecutor, match="all workers that played are gone"):
                call.result(timeout=0)


def wait_for_workers(executor: ClusterExecutor, number: int) -> None:
    """Wait until the scheduler knows that many."""
    while len(executor._registry._present()) != number:
        time.sleep(0.02)
