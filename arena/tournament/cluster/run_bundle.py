"""What a worker of a cluster is sent of a run before it plays: the plan, and the files of its bots.

Nothing in it is run by being unpacked: it is text, and files as bytes.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import ConfigError
from arena.plugins import parse_source
from arena.tournament.cluster.bot_bundle import Parcel, parcel, portable, travels
from arena.tournament.workers.block_player import RunPlan

LARGEST: Final = 100 << 20
"""Bytes of the files of all bots of a run."""


class Luggage(msgspec.Struct, frozen=True):
    """A run as it travels."""

    token: str
    """Names the folder that a worker keeps for it."""
    plan: RunPlan
    """With the places of its bots from that folder on."""
    parcels: tuple[Parcel, ...]
    bots: dict[str, str]
    """The hash of what each bot is made of."""
    rules: dict[str, int]
    """The version of each variant's rules."""
    least: int
    """How many processes the bots of a table may take."""


def packed(plan: RunPlan, least: int = 0) -> Luggage:
    """The luggage of a plan, the bots of whose tables may take so many processes.

    Raises: PluginError, for a bot that is not there or too large; ConfigError, if all of them are together.
    """
    bots = {spec.name: spec.source.digest() for spec in plan.bots}
    specs = {bots[spec.name]: spec for spec in plan.bots if travels(spec)}
    parcels = tuple([parcel(spec, made_of) for made_of, spec in specs.items()])
    if (size := sum(one.size for one in parcels)) > LARGEST:
        raise ConfigError(
            f"the bots' files are of {size >> 20} MiB in all, and a worker is sent {LARGEST >> 20} at most"
        )
    moved = [
        msgspec.structs.replace(spec, source=portable(spec.source, bots[spec.name]))
        if travels(spec)
        else spec
        for spec in plan.bots
    ]
    plan = msgspec.structs.replace(plan, bots=tuple(moved))
    rules = {str(entry.rules): entry.rules.version for entry in plan.variants}
    return Luggage(secrets.token_hex(8), plan, parcels, bots, rules, least)


def settled(plan: RunPlan, base: Path) -> RunPlan:
    """The plan with the places of its bots in the folder where their files lie.

    Raises: PluginError, for a bot that is not there.
    """
    bots = [msgspec.structs.replace(spec, source=parse_source(str(spec.source), base)) for spec in plan.bots]
    return msgspec.structs.replace(plan, bots=tuple(bots))
