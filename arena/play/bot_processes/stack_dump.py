"""The stack of a Python bot that does not answer, as its process writes it when it is sent a signal.

The process has `faulthandler` write it, which works also while the bot is in a call that does not return to
the interpreter. What it writes is the bot's word, like all that it prints: it is shown and decides nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from arena.play.bot_runtime.wire import STACK_SIGNAL
from arena.play.isolation import read_process_file, tree_pids

HEADER: Final = b"Stack (most recent call first):\n"
ENDINGS: Final = (b" in <module>\n", b"  ...\n")
"""The last line of a stack, whole or cut off."""
FRAME: Final = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
RUNTIME: Final = "/arena/play/bot_runtime/"
"""The folder of the code that calls the bot."""
LOADER: Final = "<frozen importlib"
MAX_FRAMES: Final = 12
MAX_FRAME_CHARS: Final = 240


def request_stack(pid: int) -> bool:
    """Send the signal to those of a process and its descendants that handle it; return whether any does."""
    asked = False
    for process in tree_pids(pid):
        if _handles_signal(process):
            with suppress(OSError):
                os.kill(process, STACK_SIGNAL)
                asked = True
    return asked


def _handles_signal(pid: int) -> bool:
    for line in read_process_file(f"/proc/{pid}/status").splitlines():
        if line.startswith(b"SigCgt:"):
            return bool(int(line.split()[1], 16) >> (STACK_SIGNAL - 1) & 1)
    return False


def is_complete(written: bytes) -> bool:
    """Return whether a whole stack was written."""
    return HEADER in written and written.endswith(ENDINGS)


def format_stack(written: bytes) -> str:
    """Return the frames of the bot's code, the innermost last; empty if there are none."""
    text = written.rpartition(HEADER)[2].decode(errors="backslashreplace")
    frames = FRAME.findall(text)[::-1]
    server = [place for place, frame in enumerate(frames) if frame[0].endswith(f"{RUNTIME}server.py")]
    own = [frame for frame in frames[server[-1] + 1 if server else 0 :] if not frame[0].startswith(LOADER)]
    if own and RUNTIME in own[0][0]:
        return ""
    lines = [f'  File "{file}", line {line}, in {name}'[:MAX_FRAME_CHARS] for file, line, name in own]
    return "\n".join(_shorten(lines))


def _shorten(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines without those in the middle if there are too many."""
    left_out = len(lines) - MAX_FRAMES
    if left_out <= 0:
        return lines
    half = MAX_FRAMES // 2
    return [*lines[:half], f"  … {left_out} more …", *lines[-half:]]
