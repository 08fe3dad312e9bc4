"""Differences for which a worker cannot play a run: the arena, Python, rules, bots or isolation levels."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from arena import __version__
from arena.errors import PluginError
from arena.play.isolation import probe
from arena.tournament.cluster.run_bundle import RunBundle
from arena.tournament.storage.metadata import digest_variants
from arena.tournament.workers.block_player import RunPlan

DIGEST_CHARS: Final = 12


class Installation(msgspec.Struct, frozen=True):
    """An installed arena: its version, Python's (as in 3.11), and a hash of its source files."""

    version: str
    python: str
    source: str

    @classmethod
    def local(cls) -> Installation:
        """Return that of this process."""
        top = Path(__file__).parents[2]  # arena/
        digest = hashlib.sha256()
        for path in sorted(top.rglob("*.py")):
            if not path.with_name("__init__.py").exists():
                continue  # a template, which may be installed elsewhere
            digest.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        python = ".".join(platform.python_version_tuple()[:2])
        return cls(__version__, python, digest.hexdigest()[:DIGEST_CHARS])

    def differences(self, other: Installation) -> Iterator[str]:
        """Yield what differs in another one."""
        if other.python != self.python:
            yield f"it runs Python {other.python}, and this is {self.python}"
        if other.version != self.version:
            yield f"its arena is of version {other.version}, and this is {self.version}"
        elif other.source != self.source:
            yield f"its arena {other.version} has other files ({other.source}) than this one ({self.source})"


def rule_differences(bundle: RunBundle) -> Iterator[str]:
    """Yield the variants whose rules have another version here."""
    for entry in bundle.plan.variants:
        variant = str(entry.rules)
        if entry.rules.version != bundle.rules[variant]:
            yield f"its rules of {variant} are {entry.rules.version}, and these are {bundle.rules[variant]}"
    here = digest_variants(bundle.plan.variants)
    for variant in sorted({*here, *bundle.codes}):
        if here.get(variant) != bundle.codes.get(variant):
            yield f"its code of {variant} is another than this one"


def bot_differences(bundle: RunBundle, plan: RunPlan) -> Iterator[str]:
    """Yield the bots that differ or lack packages here, given the plan as it was extracted here."""
    for spec in plan.bots:
        if spec.source.digest() != bundle.digests[spec.name]:
            yield f"its {spec.name} is made of something else than this one"
        try:
            spec.source.launch()
        except PluginError as error:
            yield f"it cannot start {spec.name}: {error}"


def missing_levels(bundle: RunBundle) -> Iterator[str]:
    """Yield the isolation levels of the run that do not work here."""
    for support in map(probe, sorted(set(bundle.plan.levels.values()))):
        if not support.usable:
            yield f"it cannot run bots at the level {support.level}: {support.reason} ({support.fix})"
