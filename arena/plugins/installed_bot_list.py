"""Listing installed bots: each is loaded in a child process, so that a broken one is a row with its error."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from typing import NoReturn

import msgspec

from arena.errors import PluginError
from arena.game_source_files import describe_error
from arena.installed import distribution, is_builtin, select_entry_point
from arena.plugins.sources import GROUP, bot_entry_points, check_bot_class

LOAD_TIMEOUT_S = 10.0
MAX_TITLE_CHARS = 200

# The child gets its parent's path, so that what was listed is what is loaded.
CHILD = """\
import sys
sys.path[:] = sys.argv[2:]
from arena.plugins.installed_bot_list import load_and_report
load_and_report(sys.argv[1])
"""


class BotEntry(msgspec.Struct, frozen=True):
    """An installed bot that was loaded, not played; `error` says why it cannot play."""

    name: str
    distribution: str
    version: str
    built_in: bool
    origin: str  # "package.module:Class"
    title: str = ""
    error: str | None = None


class _LoadResult(msgspec.Struct):
    """The child process's message about one entry point."""

    title: str = ""
    error: str | None = None


def discover(timeout_s: float = LOAD_TIMEOUT_S) -> list[BotEntry]:
    """Return all installed bots, built-in ones first; others are loaded in child processes of their own.

    Nothing that a bot does there stops the listing, be it raising, printing, exiting, crashing, or
    taking longer than `timeout_s`.
    """
    points = bot_entry_points()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        rows = list(pool.map(lambda point: _entry(point, points, timeout_s), points))
    return sorted(rows, key=lambda row: (not row.built_in, row.name, row.distribution))


def load_and_report(value: str) -> NoReturn:
    """Load an entry point, write the result to standard output as JSON, and end this process."""
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the bot prints must not mix with the result
    try:
        result = _load(value)
    except PluginError as error:
        result = _LoadResult(error=str(error))
    except BaseException as error:
        result = _LoadResult(error=describe_error(error))
    os.write(output, msgspec.json.encode(result))
    os._exit(0)  # the bot's threads and exit handlers could run for ever


def _load(value: str) -> _LoadResult:
    title = (check_bot_class(EntryPoint("", value, GROUP).load(), value).__doc__ or "").strip()
    return _LoadResult(title=title.partition("\n")[0][:MAX_TITLE_CHARS])


def _entry(point: EntryPoint, points: tuple[EntryPoint, ...], timeout_s: float) -> BotEntry:
    try:
        if select_entry_point(point.name, points) is not point:
            raise PluginError(f"{point.name} is the name of a built-in bot: offer it under another")
        result = _load(point.value) if is_builtin(point) else _load_in_child(point.value, timeout_s)
    except PluginError as error:
        result = _LoadResult(error=str(error))
    offered_by, _, version = distribution(point).partition(" ")
    built_in = is_builtin(point)
    return BotEntry(point.name, offered_by, version, built_in, point.value, result.title, result.error)


def _load_in_child(value: str, timeout_s: float) -> _LoadResult:
    command = [sys.executable, "-P", "-c", CHILD, value, *sys.path]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, start_new_session=True
    ) as child:
        try:
            output, _ = child.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            _kill(child)
            return _LoadResult(error=f"does not load within {timeout_s:g} s")
    try:
        return msgspec.json.decode(output, type=_LoadResult)
    except msgspec.DecodeError:
        code = child.returncode
        how = f"status {code}" if code >= 0 else f"signal {-code}"
        return _LoadResult(error=f"ends the process while it loads ({how})")


def _kill(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        child.kill()
    else:
        os.killpg(child.pid, signal.SIGKILL)  # with what it started, which may hold the pipe open
