"""How a bot in a process of its own fails."""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from typing import Literal, get_args

FaultKind = Literal["illegal", "invalid", "timeout", "crash", "oversize", "no-start"]
FAULT_KINDS = get_args(FaultKind)


MAX_FAULT_CHARS = 10_000
"""Characters of what is said about a fault."""


class BotFailure(Exception):
    """What stands in place of an answer: the kind of fault, and what there is to say about it."""

    def __init__(self, kind: FaultKind, words: str) -> None:
        self.kind = kind
        if len(words) > MAX_FAULT_CHARS:
            words = f"{words[: MAX_FAULT_CHARS // 2]} … {words[-MAX_FAULT_CHARS // 2 :]}"
        self.detail = escape_unprintable(words)
        super().__init__(self.detail)


def escape_unprintable(words: str) -> str:
    """What a stranger has written as a terminal may show it: what does not print is spelled out."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in words)


def indent_later_lines(words: str) -> str:
    """The same with its later lines set in, so that none looks like a line of the log."""
    return words.rstrip().replace("\n", "\n    ")


class HostUnavailable(BrokenExecutor):
    """The machine could not start a process: nobody's fault, and what was played is played again."""
