"""Metadata of a run, and what has changed since it began."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import PluginError, StoreError
from arena.game_source_files import digest_games
from arena.play.isolation import Level
from arena.plugins import BotSource, BotSpec
from arena.plugins.sources import WASM_PACKAGE
from arena.tournament.setup.bots import relative_store
from arena.tournament.setup.config import Config, VariantEntry

PACKAGES: Final = ("msgspec", "numpy", "scipy")
"""Packages on which results depend."""
DIGEST_CHARS: Final = 8
"""Characters of a digest that tell bots apart."""


class RunMetadata(msgspec.Struct, frozen=True, kw_only=True):
    """The stored metadata of a run: with the schedule it implies, enough to resume it."""

    config: str  # TOML
    seed: str
    versions: dict[str, str]  # of Python and PACKAGES
    rules: dict[str, int]  # version by variant
    bots: dict[str, str]  # digest of the content by bot
    isolation: dict[str, Level]  # level by bot
    authors: dict[str, str] = {}  # of the bots that name one
    store: str = ""  # of submissions, relative to the run's folder
    secret: str = ""  # of a seed that was committed to
    mix: str = ""  # mixed into that seed
    shard: str = "1/1"  # the part of the run that is played here
    extensions: int = 0  # times that blocks were added to results that had been seen
    games: dict[str, str] = {}  # digest of the code by variant, of games that are not the arena's own
    merging: tuple[str, ...] = ()  # folders of its shards, relative to its own, until all are merged into it


def collect_metadata(
    config: Config,
    seed: str,
    isolation: dict[str, Level],
    folder: Path | None = None,
    extensions: int = 0,
) -> RunMetadata:
    """Return the metadata of a run that begins now in a folder, to which the paths in it are relative."""
    digest = cache(_compute_digest)  # many bots may have one source
    return RunMetadata(
        config=config.toml(folder),
        seed=seed,
        versions=package_versions(config.bots),
        rules={str(entry.rules): entry.rules.version for entry in config.variants},
        bots={spec.name: digest(spec.source) for spec in config.bots},
        isolation=isolation,
        authors={spec.name: spec.source.author for spec in config.bots if spec.source.author},
        store=relative_store(config.bots, folder) if folder else "",
        games=digest_variants(config.variants),
        extensions=extensions,
    )


def digest_variants(entries: Iterable[VariantEntry]) -> dict[str, str]:
    """Return the digest of the code of each variant, as printed, whose game is not the arena's own."""
    digests, games = digest_games(), [entry.rules for entry in entries]
    return {str(rules): digests[rules.family] for rules in games if rules.family in digests}


def credit(metadata: RunMetadata, bot: str, label: str = "") -> str:
    """Return a bot's label, by default its name, and, where it is known, its author."""
    author = metadata.authors.get(bot)
    return f"{label or bot} by {author}" if author else label or bot


def check_complete(metadata: RunMetadata, config: Config, database: Path) -> None:
    """Raise StoreError if the metadata lack a bot or a variant of the config."""
    bots = {spec.name for spec in config.bots}
    variants = {str(entry.rules) for entry in config.variants}
    if not (bots <= metadata.bots.keys() & metadata.isolation.keys() and variants <= metadata.rules.keys()):
        raise StoreError(f"{database} is damaged: it lacks the hash or level of a bot, or a version of rules")


def find_missing_bots(config: Config) -> Iterator[BotSpec]:
    """Yield the bots whose files are not there, or cannot be read."""
    for spec in config.bots:
        try:
            spec.source.digest()
        except (PluginError, OSError):
            yield spec


def find_changed_bots(metadata: RunMetadata, config: Config) -> Iterator[str]:
    """Yield the bots that have changed since the run began."""
    digest = cache(_compute_digest)
    for spec in config.bots:
        try:
            now = digest(spec.source)
        except (PluginError, OSError):
            now = ""
        if now != metadata.bots[spec.name]:
            yield spec.name


def _compute_digest(source: BotSource) -> str:
    return source.digest()


def find_changed_rules(metadata: RunMetadata, config: Config) -> Iterator[str]:
    """Yield the variants, as printed, whose rules have changed since the run began."""
    digests = digest_variants(config.variants)
    for entry in config.variants:
        variant = str(entry.rules)
        is_same_code = metadata.games.get(variant) == digests.get(variant)
        if metadata.rules[variant] != entry.rules.version or not is_same_code:
            yield variant


def version_differences(metadata: RunMetadata, config: Config) -> Iterator[str]:
    """Yield a sentence for each version that differs from the run's, so that it may come out differently."""
    for variant in find_changed_rules(metadata, config):
        code = f", and code {metadata.games[variant][:DIGEST_CHARS]}" if variant in metadata.games else ""
        yield f"the rules of {variant} had version {metadata.rules[variant]}{code}, and have another here"
    for name, now in package_versions(config.bots).items():
        if metadata.versions.get(name) != now:
            yield f"the run began with {name} {metadata.versions.get(name)}, this is {now}"


def describe_versions(metadata: RunMetadata) -> Iterator[str]:
    """Yield lines with the versions of the rules and the digests of the bots."""
    for variant, number in metadata.rules.items():
        yield f"rules of {variant}: {number}"
    for variant, digest in metadata.games.items():
        yield f"code of {variant}: {digest}"
    for bot, digest in metadata.bots.items():
        yield f"{bot}: {digest}"


def package_versions(bots: Iterable[BotSpec] = ()) -> dict[str, str]:
    """Return the versions of Python and of the packages that the results of bots depend on."""
    versions = {"python": platform.python_version(), **_read_versions()}
    if any(spec.source.kind == "module" for spec in bots):
        try:
            versions[WASM_PACKAGE] = version(WASM_PACKAGE)
        except PackageNotFoundError:  # where a run is only read
            versions[WASM_PACKAGE] = "not installed"
    return versions


@cache
def _read_versions() -> Mapping[str, str]:
    """Return the versions of PACKAGES, from metadata as long as their descriptions."""
    return {name: version(name) for name in PACKAGES}
