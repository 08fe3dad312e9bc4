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
from arena.plugins.class_loading import contestant, words
from arena.plugins.installed import GROUP, distribution, is_house, only, points

LOAD_SECONDS = 10.0

# The child gets its parent's path, so that what was listed is what is loaded.
CHILD = "import sys; sys.path[:] = sys.argv[2:]; from arena.plugins import answer; answer(sys.argv[1])"


class BotEntry(msgspec.Struct, frozen=True):
    """What is known of one installed bot without playing it; `error` says why it cannot play."""

    name: str
    distribution: str
    version: str
    built_in: bool
    origin: str  # "package.module:Class"
    title: str = ""
    error: str | None = None


class _Answer(msgspec.Struct):
    """What a child process found out about one entry point."""

    title: str = ""
    error: str | None = None


def discover(seconds: float = LOAD_SECONDS) -> list[BotEntry]:
    """All installed bots, the built-in ones first, each loaded in a child process of its own.

    Nothing that a bot does there stops the listing, be it raising, printing, exiting, crashing, or
    taking longer than `seconds`.
    """
    everything = points()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        rows = list(pool.map(lambda point: _row(point, everything, seconds), everything))
    return sorted(rows, key=lambda row: (not row.built_in, row.name, row.distribution))


def answer(value: str) -> NoReturn:
    """Writes to standard output, as JSON, what loading an entry point gives, and ends this process."""
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the bot prints is nobody's answer
    try:
        title = (contestant(EntryPoint("", value, GROUP).load(), value).__doc__ or "").strip()
        found = _Answer(title=title.partition("\n")[0][:200])
    except PluginError as error:
        found = _Answer(error=str(error))
    except BaseException as error:
        found = _Answer(error=words(error))
    os.write(output, msgspec.json.encode(found))
    os._exit(0)  # threads and exit handlers of the bot's could go on for ever


def _row(point: EntryPoint, everything: tuple[EntryPoint, ...], seconds: float) -> BotEntry:
    try:
        if only(point.name, everything) is not point:
            raise PluginError(f"{point.name} is the name of a built-in bot: offer it under another")
        found = _ask(point.value, seconds)
    except PluginError as error:
        found = _Answer(error=str(error))
    offered_by, _, version = distribution(point).partition(" ")
    house = is_house(point)
    return BotEntry(point.name, offered_by, version, house, point.value, found.title, found.error)


def _ask(value: str, seconds: float) -> _Answer:
    """What a child process says of an entry point; what became of the child where it says nothing."""
    command = [sys.executable, "-c", CHILD, value, *sys.path]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=quiet, stdout=subprocess.PIPE, stderr=quiet, start_new_session=True
    ) as child:
        try:
            output, _ = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            _kill(child)
            return _Answer(error=f"does not load within {seconds:g} s")
    try:
        return msgspec.json.decode(output, type=_Answer)
    except msgspec.DecodeError:
        code = child.returncode
        how = f"status {code}" if code >= 0 else f"signal {-code}"
        return _Answer(error=f"ends the process while it loads ({how})")


def _kill(child: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        child.kill()
    else:
        os.killpg(child.pid, signal.SIGKILL)  # with what it started, which may hold the pipe open
