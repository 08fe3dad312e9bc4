"""Finding bots: installed as entry points of the group `arena.bots`, in a file, in a folder, or a command.

`spec` names a bot as a small value; the modules `installed`, `file`, `folder` and `command` know one kind
of source each. No code of a bot's is run but by `load`, in this process, and by `discover`, in others.
"""

from arena.plugins.discovery import BotEntry, answer, discover
from arena.plugins.source import Kind, Launch
from arena.plugins.spec import RESERVED, BotSpec, claimed, content, declared, kind, launch, load, parse_bot
from arena.plugins.supported_games import refuse_unclaimed

__all__ = [
    "RESERVED",
    "BotEntry",
    "BotSpec",
    "Kind",
    "Launch",
    "answer",
    "claimed",
    "content",
    "declared",
    "discover",
    "kind",
    "launch",
    "load",
    "parse_bot",
    "refuse_unclaimed",
]
