"""Refusing to play on with other bots or rules than a run began with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.errors import ConfigError
from arena.plugins import BotSpec
from arena.plugins.submissions import content_hash
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.setup.config import Config
from arena.tournament.storage.metadata import (
    RunMetadata,
    find_changed_bots,
    find_changed_rules,
    find_missing_bots,
)


def refuse_changes(metadata: RunMetadata, config: Config, folder: RunFolder) -> None:
    """Refuse to mix blocks of different versions of bots or rules.

    Raises:
        ConfigError: If one has changed since the run began, or is not there.
    """
    changed = [*find_changed_bots(metadata, config)]  # also those that are not there
    if changed and (missing := list(find_missing_bots(config))):
        raise ConfigError(_explain_missing(missing))
    changed += find_changed_rules(metadata, config)
    if changed:
        raise ConfigError(
            f"{' and '.join(changed)} changed since this run began, so its new blocks would not be "
            f"comparable: start another run with `arena run {folder.config} --reuse {folder.path}`, which "
            "plays only the blocks that this affects"
        )


def _explain_missing(bots: Sequence[BotSpec]) -> str:
    """Return which bots are not there, and what to do."""
    stored = [bot for bot in bots if content_hash(bot.source)]
    others = [f"{bot.name} ({bot.source})" for bot in bots if not content_hash(bot.source)]
    reasons = [f"these bots are not there: {', '.join(others)}"] if others else []
    if stored:
        named = ", ".join(f"{bot.name} (submitted:{content_hash(bot.source)})" for bot in stored)
        store = Path(str(stored[0].source)).parents[1]
        reasons.insert(0, f"the store {store} does not have {named}: name their store with --store")
    return "; ".join(reasons)
