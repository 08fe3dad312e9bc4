"""Finding bots: installed as entry points of the group `arena.bots`, in a file, in a folder, or a command.

`parse_bot` turns the text or table of a config into a `BotSpec`, whose `source` is one of four classes with
the interface of `BotSource`. Only `BotSource.load` runs a bot's code in this process; `discover` does so in
others.
"""

from arena.plugins.bot_source import BotSource, Kind, Launch
from arena.plugins.bot_spec import (
    RESERVED_KEYS,
    BotSpec,
    label_versions,
    parse_bot,
    parse_source,
    restore_source,
)
from arena.plugins.installed_bot_list import BotEntry, discover
from arena.plugins.manifest import check_supported, supported_rules
from arena.plugins.sources import CommandBot, FileBot, FolderBot, InstalledBot

__all__ = [
    "RESERVED_KEYS",
    "BotEntry",
    "BotSource",
    "BotSpec",
    "CommandBot",
    "FileBot",
    "FolderBot",
    "InstalledBot",
    "Kind",
    "Launch",
    "check_supported",
    "discover",
    "label_versions",
    "parse_bot",
    "parse_source",
    "restore_source",
    "supported_rules",
]
