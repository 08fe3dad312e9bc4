"""What is not on a worker as it is here, and must be: the arena, Python, rules, bots, levels of isolation."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

import arena
from arena.play.isolation import probe
from arena.tournament.cluster.run_bundle import Luggage
from arena.tournament.workers.block_player import RunPlan

SHOWN: Final = 12
"""Signs of the hash of the arena's files."""


class Installation(msgspec.Struct, frozen=True):
    """What an arena is of."""

    version: str
    python: str
    """Without the patch level."""
    source: str
    """The hash of its files."""

    @classmethod
    def here(cls) -> Installation:
        """This process's."""
        top = Path(arena.__file__).parent
        whole = hashlib.sha256()
        for path in sorted(top.rglob("*.py")):
            if not path.with_name("__init__.py").exists():
                continue  # a template, which may lie elsewhere
            whole.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        python = ".".join(platform.python_version_tuple()[:2])
        return cls(arena.__version__, python, whole.hexdigest()[:SHOWN])

    def unlike(self, other: Installation) -> Iterator[str]:
        """What another has otherwise, in its words."""
        if other.python != self.python:
            yield f"it runs Python {other.python}, and this is {self.python}"
        if other.version != self.version:
            yield f"its arena is of version {other.version}, and this is {self.version}"
        elif other.source != self.source:
            yield f"its arena {other.version} has other files ({other.source}) than this one ({self.source})"


def other_rules(luggage: Luggage) -> Iterator[str]:
    """The variants whose rules are of another version here than they are to be."""
    for entry in luggage.plan.variants:
        variant = str(entry.rules)
        if entry.rules.version != luggage.rules[variant]:
            yield f"its rules of {variant} are {entry.rules.version}, and these are {luggage.rules[variant]}"


def other_bots(luggage: Luggage, plan: RunPlan) -> Iterator[str]:
    """The bots of the plan, as it is here, that are not what they are to be."""
    for spec in plan.bots:
        if spec.source.digest() != luggage.bots[spec.name]:
            yield f"its {spec.name} is made of something else than this one"


def missing_levels(luggage: Luggage) -> Iterator[str]:
    """The levels of isolation that cannot be had here."""
    for found in map(probe, sorted(set(luggage.plan.levels.values()))):
        if not found.usable:
            yield f"it cannot keep bots at the level {found.level}: {found.reason} ({found.fix})"
