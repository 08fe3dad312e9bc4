"""The entries of bots in configs that the arena writes, and reading them again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.plugins import RESERVED_KEYS, BotSpec, restore_source
from arena.plugins.spec import check_display_name
from arena.plugins.submissions import portable_text


def restore_bot(entry: object, base: Path) -> BotSpec:
    """Return the bot that a config written by `Config.toml` names, whether it still exists or not."""
    if not isinstance(entry, Mapping):
        return BotSpec(restore_source(str(entry)), str(entry))
    text, name, team = (str(entry.get(key, "")) for key in RESERVED_KEYS)
    settings = {key: entry[key] for key in sorted(entry) if key not in RESERVED_KEYS}
    check_display_name(name)
    return BotSpec(restore_source(text), name, settings, team)


def bot_table(bot: BotSpec, folder: Path | None) -> str | dict[str, Any]:
    """Return a config's entry of a bot; paths are relative to `folder`, without one absolute."""
    text = portable_text(bot.source, folder) if folder else str(bot.source)
    if bot == BotSpec(bot.source, name=text):
        return text
    team = {"team": bot.team} if bot.team else {}
    return {"bot": text, "name": bot.name, **team, **bot.settings}
