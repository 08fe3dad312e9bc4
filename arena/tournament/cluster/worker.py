"""What runs on a worker of a cluster: its welcome to a run, the blocks, and its farewell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from distributed import get_worker

from arena.errors import PluginError
from arena.tournament.block import Plan, play_chunk
from arena.tournament.cluster.lines import Line, kept
from arena.tournament.cluster.luggage import Luggage, settled
from arena.tournament.cluster.parcels import clear, lay_out
from arena.tournament.cluster.terms import House, missing_levels, other_bots, other_rules
from arena.tournament.results import BlockResult
from arena.tournament.schedule import Block


class Greeting(msgspec.Struct, frozen=True):
    """What a worker is to be like, and what it is to have."""

    house: House
    luggage: msgspec.Raw
    """Not looked at where the house is another."""


class NotWelcomed(Exception):
    """The worker has not met the run: it is another than was met at its address."""


def welcome(greeting: bytes) -> list[str]:
    """Unpacks what a run takes with it; gives what is not here as it is there, nothing if all is."""
    met = msgspec.msgpack.decode(greeting, type=Greeting)
    if unlike := list(met.house.unlike(House.here())):
        return unlike
    luggage = msgspec.msgpack.decode(met.luggage, type=Luggage)
    base = _folder(luggage.token)
    try:
        base.mkdir(mode=0o700, exist_ok=True)
        for parcel in luggage.parcels:
            lay_out(parcel, base)
        bots = list(other_bots(luggage, settled(luggage.plan, base)))
    except (PluginError, OSError) as error:
        bots = [str(error)]
    return [*other_rules(luggage), *bots, *missing_levels(luggage)]


def farewell(token: str) -> None:
    """Removes what a run has brought."""
    clear(_folder(token))


def play_here(token: str, plan: bytes, blocks: Sequence[Block]) -> Iterable[BlockResult]:
    """Plays blocks of a plan whose bots' files have come, in their order."""
    base = _folder(token)
    if not base.is_dir():
        raise NotWelcomed(base)
    return play_chunk(_settled(base, plan), blocks)


def call(function: Callable[..., Any], args: Any, kwargs: Any, level: int) -> tuple[Any, str, list[Line]]:
    """What a call gives, with this worker's address, and what is logged meanwhile from a level on."""
    with kept(level) as lines:
        result = function(*args, **kwargs)
    return result, get_worker().address, lines


def _folder(token: str) -> Path:
    """Where this worker keeps what a run has brought; if all else fails dask removes it with the worker."""
    return Path(get_worker().local_directory, f"arena-{token}")


@lru_cache(maxsize=1)
def _settled(base: Path, plan: bytes) -> bytes:
    return msgspec.msgpack.encode(settled(msgspec.msgpack.decode(plan, type=Plan), base))
