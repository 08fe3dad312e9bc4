"""Code that runs on a worker of a cluster: join a run, play its blocks, and make calls sent as bytes."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
from distributed import Worker, WorkerPlugin, get_worker
from distributed.utils import sync

from arena.errors import PluginError, UnknownVariant
from arena.plugins.games import forget_games
from arena.tournament.cluster.compatibility import (
    Installation,
    bot_differences,
    missing_levels,
    rule_differences,
)
from arena.tournament.cluster.log_forwarding import collect_records
from arena.tournament.cluster.run_bundle import RunBundle, extract, remove_folder
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_result_encoding import BlockResult
from arena.tournament.workers.block_player import MAX_BOT_PROCESSES, BlockPlayer, RunPlan
from arena.tournament.workers.process_budget import processes_with_memory


class JoinRequest(msgspec.Struct, frozen=True):
    """A request to a worker to play a run."""

    installation: Installation
    """Installation of the arena that asks."""
    workers_on_machine: int
    """Workers that share the memory of the worker's machine, it among them."""
    bundle: msgspec.Raw
    """Decoded only if the installations are equal."""


class RunPlugin(WorkerPlugin):  # type: ignore[misc]  # dask is not typed
    """A run on this worker: its files and the processes of its bots."""

    def __init__(self, folder: Path, plan: RunPlan) -> None:
        self.folder = folder
        self.player = BlockPlayer(plan)

    def teardown(self, worker: Worker) -> None:
        """Remove both: dask calls this when the plugin is removed, and when the worker ends."""
        self.player.close()
        _remove_files(self.folder)


def join(request: bytes) -> list[str]:
    """Prepare this worker to play a run; return the reasons why it cannot, none if it can.

    A worker that can has the run's resource, named by its token.
    """
    asked, worker = msgspec.msgpack.decode(request, type=JoinRequest), get_worker()
    if differences := list(asked.installation.differences(Installation.local())):
        return differences
    bundle = msgspec.msgpack.decode(asked.bundle, type=RunBundle)
    if bundle.token in worker.plugins:
        return []
    for plugin in worker.plugins.values():
        if isinstance(plugin, RunPlugin):
            plugin.player.close()  # its run may have been cut off, which leaves its bots' processes idle
    folder = Path(worker.local_directory, f"arena-{bundle.token}")
    plan, reasons = _prepare(bundle, folder, asked.workers_on_machine)
    if plan is None or reasons:
        _remove_files(folder)
    else:
        sync(worker.loop, worker.plugin_add, plugin=RunPlugin(folder, plan), name=bundle.token)
        sync(worker.loop, worker.set_resources, **{bundle.token: 1})
    return reasons


def play_here(token: str, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Play blocks of a run that this worker has joined, in their order.

    Raises:
        HostUnavailable: If there is no memory for its bots.
    """
    return cast(RunPlugin, get_worker().plugins[token]).player.play_all(blocks)


def call(
    function: Callable[..., Any], args: Any, kwargs: Any, level: int
) -> tuple[Any, list[logging.LogRecord]]:
    """Return a call's result, and what is logged meanwhile from a level on."""
    with collect_records(level, get_worker().address) as records:
        result = function(*args, **kwargs)
    return result, records


def _remove_files(folder: Path) -> None:
    """Remove the files of a run, and forget its games, for which later runs would look there."""
    forget_games(folder)
    remove_folder(folder)


def _prepare(bundle: RunBundle, folder: Path, sharers: int) -> tuple[RunPlan | None, list[str]]:
    """Return the run's plan on this worker, None without its files, and the reasons against playing it."""
    memory_mb = bundle.plan.limits.memory_mb
    processes = min(processes_with_memory(memory_mb, sharers), MAX_BOT_PROCESSES)
    reasons = [*missing_levels(bundle)]
    if processes < bundle.min_processes:
        reasons.append(
            f"it has room for {processes} bots with {memory_mb} MB each, "
            f"and a table has {bundle.min_processes}"
        )
    try:
        plan = msgspec.structs.replace(extract(bundle, folder), max_processes=processes)
        return plan, [*reasons, *rule_differences(bundle), *bot_differences(bundle, plan)]
    except (PluginError, UnknownVariant, OSError) as error:
        return None, [*reasons, str(error)]


class _FrozenCall:
    """A call of a module's function; unpickling it makes the call."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._parts = (function, args)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._parts


def freeze_call(function: Callable[..., Any], *args: Any) -> bytes:
    """Pickle a call, so that `run_frozen` makes it and returns its result.

    dask sees bytes and a function of the standard library only: a scheduler may be without the arena, and a
    worker without it fails in this call alone.
    """
    return pickle.dumps(_FrozenCall(function, args))


run_frozen = pickle.loads
