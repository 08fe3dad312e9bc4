"""What runs on a worker of a cluster: its welcome to a run, the blocks, and its farewell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
from distributed import get_worker

from arena.errors import PluginError
from arena.tournament.cluster.bot_bundle import clear, lay_out
from arena.tournament.cluster.compatibility import Installation, missing_levels, other_bots, other_rules
from arena.tournament.cluster.log_forwarding import Line, kept
from arena.tournament.cluster.run_bundle import Luggage, settled
from arena.tournament.scheduling.schedule import Block
from arena.tournament.storage.block_results import BlockResult
from arena.tournament.workers.block_player import MAX_BOT_PROCESSES, BlockPlayer, RunPlan
from arena.tournament.workers.isolation_plan import processes_with_memory


class Greeting(msgspec.Struct, frozen=True):
    """What a worker is to be like, and what it is to have."""

    house: Installation
    sharers: int
    """The workers on its machine, it among them."""
    luggage: msgspec.Raw
    """Not looked at where the house is another."""


class NotWelcomed(Exception):
    """The worker has not met the run: it is another than was met at its address."""


def welcome(greeting: bytes) -> list[str]:
    """Unpacks what a run takes with it; gives what is not here as it is there, nothing if all is."""
    met = msgspec.msgpack.decode(greeting, type=Greeting)
    if unlike := list(met.house.unlike(Installation.here())):
        return unlike
    for other in _guests().values():
        other.close()  # it may have been cut off, and its bots be idle for ever
    luggage = msgspec.msgpack.decode(met.luggage, type=Luggage)
    plan, memory = luggage.plan, luggage.plan.limits.memory_mb
    hosts = min(processes_with_memory(memory, met.sharers), MAX_BOT_PROCESSES)
    unlike = [*other_rules(luggage), *missing_levels(luggage)]
    if hosts < luggage.least:
        unlike.append(f"it has room for {hosts} bots with {memory} MB each, and a table has {luggage.least}")
    try:
        plan = msgspec.structs.replace(_unpacked(luggage), hosts=hosts)
        unlike += other_bots(luggage, plan)
    except (PluginError, OSError) as error:
        unlike.append(str(error))
    if not unlike:
        _guests()[luggage.token] = BlockPlayer(plan)
    return unlike


def farewell(token: str) -> None:
    """Ends and removes what a run has brought."""
    if guest := _guests().pop(token, None):
        guest.close()
    clear(_folder(token))


def play_here(token: str, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Plays blocks of a run that was welcomed, in their order.

    Raises: NotWelcomed; MachineFault, if there is no room for its bots.
    """
    if (guest := _guests().get(token)) is None:
        raise NotWelcomed(token)
    return guest.play_all(blocks)


def call(function: Callable[..., Any], args: Any, kwargs: Any, level: int) -> tuple[Any, str, list[Line]]:
    """What a call gives, with this worker's address, and what is logged meanwhile from a level on."""
    with kept(level) as lines:
        result = function(*args, **kwargs)
    return result, get_worker().address, lines


def _unpacked(luggage: Luggage) -> RunPlan:
    base = _folder(luggage.token)
    base.mkdir(mode=0o700, exist_ok=True)
    for parcel in luggage.parcels:
        lay_out(parcel, base)
    return settled(luggage.plan, base)


def _folder(token: str) -> Path:
    """Where this worker keeps the files of a run; if all else fails dask removes it with the worker."""
    return Path(get_worker().local_directory, f"arena-{token}")


def _guests() -> dict[str, BlockPlayer]:
    """The runs that this worker has welcomed, by their tokens; they end with it."""
    return cast(dict[str, BlockPlayer], vars(get_worker()).setdefault("arena_guests", {}))
