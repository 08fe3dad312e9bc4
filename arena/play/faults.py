"""Failures of bots in processes of their own."""

from __future__ import annotations

import re
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Final, Literal, get_args

FaultKind = Literal["illegal", "invalid", "timeout", "crash", "oversize", "no-start"]
FAULT_KINDS: Final = get_args(FaultKind)
MAX_FAULT_CHARS: Final = 10_000
MAX_SUMMARY_CHARS: Final = 200
PRINTED: Final = "; it had printed:\n"
"""Between what happened and what the bot had printed before."""
TRACEBACK_LINE: Final = re.compile(r'File "([^"\n]+)", line (\d+)')


class BotFailure(Exception):
    """A failure in place of an answer.

    Attributes:
        kind: The kind of fault.
        detail: What happened, safe to print.
    """

    def __init__(self, kind: FaultKind, detail: str) -> None:
        self.kind = kind
        if len(detail) > MAX_FAULT_CHARS:
            detail = f"{detail[: MAX_FAULT_CHARS // 2]} … {detail[-MAX_FAULT_CHARS // 2 :]}"
        self.detail = escape_unprintable(detail)
        super().__init__(self.detail)


class HostUnavailable(BrokenExecutor):
    """The machine could not start a process: no bot's fault, and the matches are played again."""


def escape_unprintable(text: str) -> str:
    """Return text that is safe to print: unprintable characters become escape sequences."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def summarize_failure(detail: str) -> str:
    """Return what happened in one line: of a traceback the exception, without what the bot has printed."""
    text = detail.partition(PRINTED)[0].strip()
    lines = text.splitlines()
    if len(lines) > 1 and lines[0].startswith(("Traceback", "File ")):
        where = [f" ({Path(file).name}:{line})" for file, line in TRACEBACK_LINE.findall(text)]
        text = next(line for line in reversed(lines) if line.strip()) + "".join(where[-1:])
    text = " ".join(text.split())
    return text if len(text) <= MAX_SUMMARY_CHARS else f"{text[: MAX_SUMMARY_CHARS - 2]} …"


def failure_pattern(summary: str) -> str:
    """Return a summary without its numbers, the same for failures that differ only in those."""
    return re.sub(r"\d+(\.\d+)?", "#", summary)


def indent_later_lines(text: str) -> str:
    """Return text with all lines but the first indented, so that none looks like a line of the log."""
    return text.rstrip().replace("\n", "\n    ")
