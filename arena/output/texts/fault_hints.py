"""Hints at the causes of faults, found by what the faults say."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import PurePath
from typing import Final

from arena.output.words.text_format import strip_unprintable
from arena.play.faults import escape_unprintable, indent_later_lines
from arena.play.isolation import MAX_TASKS
from arena.plugins import BotSpec
from arena.plugins.bot_classes import explain_single_file
from arena.plugins.manifest import MANIFEST

HINTS: Final = {
    "ModuleNotFoundError": "a bot can import Python's standard library, arena and msgspec; in a folder with "
    "a bot.toml also its other files, and the packages in its requirements.txt.",
    "MemoryError": "it ran out of memory; use less, or raise limits.memory_mb in a config.",
    "failed to map segment": "its libraries need more memory: raise limits.memory_mb in a config.",
    "(status -9)": "it may have run out of memory, see limits.memory_mb.",
    "cannot be decoded": "standard output is for the protocol; print anything else to standard error.",
    "EOF when reading a line": "nobody answers input(): remove it.",
    "can't start new thread": f"a bot may have {MAX_TASKS} threads and no other process; the CPU time of all "
    "counts, so threads do not make it faster.",
    "Action.__init__() missing": "a bot does not make actions, it returns one of view.legal. The legal kinds "
    "are {action.kind for action in view.legal}; `arena docs adapters` lists those of each family.",
    " threads (allowed": "end threads before starting others; the CPU time of all counts, so threads do not "
    "make a bot faster.",
}
"""Hint by a text that occurs in the fault."""
SELF_HINT: Final = (
    "is self missing? The methods are __init__(self, info), act(self, view), observe(self, event) and "
    "deal_over(self, result)."
)
SELF: Final = re.compile(
    r"TypeError: (\w+\.)*(act|observe|deal_over|__init__)\(\) takes \d+ positional argument"
)
MODULE: Final = re.compile(r"No module named '([^'.]+)")
RELATIVE: Final = re.compile(r"^\s*from (\.+)(\S*) (import .+)$", re.MULTILINE)
"""A relative import in a traceback: its dots, module, and names."""
NO_PACKAGE: Final = ("No module named 'arena bot ", "attempted relative import with no known parent package")
"""Errors of a relative import in a file of a bot, and in another file that it imports."""
FILE: Final = re.compile(r"(?:No such file or directory|Permission denied): '([^']+)'")


def hint_lines(faults: Iterable[tuple[BotSpec, str]]) -> list[str]:
    """Return a line for each hint at the faults of bots, with the name of the bot, each line once."""
    lines = [
        f"Hint for {strip_unprintable(spec.name)}: {hint}"
        for spec, fault in faults
        for hint in find_hints(fault, spec.source.beside)
    ]
    return list(dict.fromkeys(lines))


def startup_error_text(spec: BotSpec, error: str) -> str:
    """Return why a bot does not start, and what may be the cause."""
    detail = indent_later_lines(escape_unprintable(error))
    hints = [f"    Hint: {hint}" for hint in find_hints(error, spec.source.beside)]
    return "\n".join([f"{strip_unprintable(spec.name)} does not start: {detail}", *hints])


def find_hints(fault: str, beside: Collection[str]) -> list[str]:
    """Return what may have caused a fault and what to do about it.

    Args:
        fault: The text of the fault, with a traceback where there is one.
        beside: The names of the files and folders beside a bot in a single file; empty for other bots.
    """
    if neighbour := _find_neighbour(fault, beside):
        return [f"{neighbour} is beside the bot, but {explain_single_file(MANIFEST in beside)}."]
    if any(text in fault for text in NO_PACKAGE) and (parts := RELATIVE.search(fault)):
        dots, module, names = parts.groups()
        absolute = f"from {module} {names}" if module else names
        return [f"the files of a bot are no package: `{absolute}`, not `from {dots}{module} {names}`."]
    hints = [hint for text, hint in HINTS.items() if text in fault]
    return [*hints, SELF_HINT] if SELF.search(fault) else hints


def _find_neighbour(fault: str, beside: Collection[str]) -> str:
    """Return the name of a file or folder beside the bot that it could not import or read; empty for none."""
    modules = [*MODULE.findall(fault), *[parts[1] for parts in RELATIVE.findall(fault)]]
    names = [name for module in modules for name in (f"{module}.py", module)]
    names += [part for path in FILE.findall(fault) for part in PurePath(path).parts[::-1]]
    return next((name for name in names if name in beside), "")
