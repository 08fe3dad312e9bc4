"""Failures of bots in processes of their own."""

from __future__ import annotations

import re
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Final, Literal, get_args

from arena.errors import Unavailable

FaultKind = Literal["illegal", "invalid", "timeout", "crash", "oversize", "no-start"]
FAULT_KINDS: Final = get_args(FaultKind)
MAX_FAULT_CHARS: Final = 10_000
MAX_SUMMARY_CHARS: Final = 200
MAX_FILE_CHARS: Final = 60
"""Characters of a file's name in a summary."""
PRINTED: Final = "; it had printed:\n"
"""Between what happened and what the bot had printed before."""
STACK: Final = "; it was in:\n"
"""Between what happened and the lines of the bot's code that were running."""
LAST_FAILURE: Final = "; the last failure:\n"
"""Between the reason why a bot was stopped and its last failure."""
LEGAL: Final = "; the legal actions are:\n"
"""Between a wrong answer and what it might have been."""
DETAILS: Final = re.compile("|".join(map(re.escape, (PRINTED, STACK, LAST_FAILURE, LEGAL))))
"""Begins what is left out of a summary."""
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

    def lead_to_no_start(self, reason: str) -> BotFailure:
        """Return the failure of a bot that is stopped for a reason, after this one as the last."""
        return BotFailure("no-start", f"{reason}{LAST_FAILURE}{self.detail}")


class HostUnavailable(BrokenExecutor):
    """The machine could not start a process: no bot's fault, and the matches are played again."""


def catch_failure(error: BaseException) -> BaseException:
    """Return an exception raised by a bot's code; the user's interrupt and `Unavailable` are raised again."""
    if issubclass(type(error), KeyboardInterrupt | Unavailable):  # what it claims as its class may be false
        raise error
    return error


def escape_unprintable(text: str) -> str:
    """Return text that is safe to print: unprintable characters become escape sequences."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def summarize_failure(detail: str) -> str:
    """Return what happened in one line: of a traceback the exception, without what the bot has printed."""
    text = DETAILS.split(detail, maxsplit=1)[0].strip()
    where = _own_line(DETAILS.split(detail.partition(STACK)[2], maxsplit=1)[0])
    lines = text.splitlines()
    if len(lines) > 1 and lines[0].startswith(("Traceback", "File ")):
        places = TRACEBACK_LINE.findall(text)
        text, where = next(line for line in reversed(lines) if line.strip()), _locate(*places[-1:])
    text = " ".join(text.split())
    if len(text + where) <= MAX_SUMMARY_CHARS:
        return text + where
    return f"{text[: MAX_SUMMARY_CHARS - 2 - len(where)]} …{where}"


def _own_line(stack: str) -> str:
    """Return the last line of the bot's own code on a stack, whose first frame is the bot's."""
    frames = TRACEBACK_LINE.findall(stack)
    own = [frame for frame in frames if Path(frame[0]).parent == Path(frames[0][0]).parent]
    return _locate(*own[-1:])


def _locate(frame: tuple[str, str] | None = None) -> str:
    """Return file and line of a frame in brackets, without the folder; empty without a frame."""
    return f" ({Path(frame[0]).name[:MAX_FILE_CHARS]}:{frame[1]})" if frame else ""


def failure_pattern(summary: str) -> str:
    """Return a summary without its numbers, the same for failures that differ only in those."""
    return re.sub(r"\d+(\.\d+)?", "#", summary)


def indent_later_lines(text: str) -> str:
    """Return text with all lines but the first indented, so that none looks like a line of the log."""
    return text.rstrip().replace("\n", "\n    ")
