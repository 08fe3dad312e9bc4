"""What a run is of: its config and seed, and which versions of rules, bots and packages play it."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version
from typing import Final

import msgspec

from arena.errors import PluginError
from arena.play.isolation import Level
from arena.tournament.setup.config import Config

PLAYING: Final = ("msgspec", "numpy", "scipy")
SHOWN: Final = 8
"""Signs of a hash that are enough to tell bots apart by eye."""


class RunMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for a run as a whole: with the schedule it spells, all that is needed to go on."""

    config: str  # TOML
    seed: str
    versions: dict[str, str]  # of Python and of the packages that play
    rules: dict[str, int]  # the version of each variant's rules
    bots: dict[str, str]  # the hash of what each is made of
    isolation: dict[str, Level]  # the level used for each bot


def collect_metadata(config: Config, seed: str, isolation: dict[str, Level]) -> RunMetadata:
    """The facts of a run that begins here and now.

    Raises: PluginError for a bot that is not there; OSError for one that cannot be read.
    """
    return RunMetadata(
        config=config.toml(),
        seed=seed,
        versions=_versions(),
        rules={str(entry.rules): entry.rules.version for entry in config.variants},
        bots={spec.name: spec.source.digest() for spec in config.bots},
        isolation=isolation,
    )


def find_changed_bots(facts: RunMetadata, config: Config) -> Iterator[str]:
    """The bots that are not what they were when the run began."""
    for spec in config.bots:
        try:
            now = spec.source.digest()
        except (PluginError, OSError):
            now = ""
        if now != facts.bots[spec.name]:
            yield spec.name


def find_changed_rules(facts: RunMetadata, config: Config) -> Iterator[str]:
    """The variants whose rules have another version than when the run began, as printed."""
    for entry in config.variants:
        if facts.rules[str(entry.rules)] != entry.rules.version:
            yield str(entry.rules)


def version_differences(facts: RunMetadata, config: Config) -> Iterator[str]:
    """What is here in another version than the run was begun with, for which it may come out otherwise."""
    for variant in find_changed_rules(facts, config):
        yield f"the rules of {variant} were of version {facts.rules[variant]}, and are of another here"
    for name, now in _versions().items():
        if facts.versions.get(name) != now:
            yield f"it was begun with {name} {facts.versions.get(name)}, here is {now}"


def describe_versions(facts: RunMetadata) -> Iterator[str]:
    """Which rules and bots a run is of, in lines."""
    for variant, number in facts.rules.items():
        yield f"rules of {variant}: {number}"
    for bot, made_of in facts.bots.items():
        yield f"{bot}: {made_of}"


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: version(name) for name in PLAYING}}
