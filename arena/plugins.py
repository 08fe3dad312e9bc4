"""Finding bots: installed under the entry-point group `arena.bots`, in a file, or behind a command.

Listing loads every installed bot in a child process, so that a broken one is a row with its error.
`load` runs the bot's module in this process; whether it may is for the caller to decide, see `kind`.
"""

import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, Literal, NoReturn

import msgspec

from arena.errors import PluginError, nearest

GROUP = "arena.bots"
HOUSE = "commerce-arena"  # the distribution whose bots are the built-in ones
LOAD_SECONDS = 10.0
RESERVED = ("bot", "name", "team")

Kind = Literal["built-in", "plug-in", "file", "command"]

# The child gets its parent's path, so that what was listed is what is loaded.
CHILD = "import sys; sys.path[:] = sys.argv[2:]; from arena.plugins import answer; answer(sys.argv[1])"


class BotSpec(msgspec.Struct, frozen=True):
    """A contestant as a small value from which any process can make the bot."""

    source: str  # "greedy", "/absolute/path/bot.py:Class" or "cmd:./bot --flag"
    name: str  # as printed in tables, unique in a run
    settings: dict[str, Any] = {}
    team: str = ""


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
    points = tuple(entry_points(group=GROUP))
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        rows = list(pool.map(lambda point: _row(point, points, seconds), points))
    return sorted(rows, key=lambda row: (not row.built_in, row.name, row.distribution))


def parse_bot(entry: object, base: Path) -> BotSpec:
    """The bot that a config or a command line names, by text or by a table with settings.

    Files are looked for from `base` on. No code of the bot's is run.
    Raises: PluginError, for a bot that is not there.
    """
    table = {"bot": entry} if isinstance(entry, str) else entry
    if not isinstance(table, Mapping) or "bot" not in table:
        raise PluginError(f'{entry!r} is no bot: write "greedy", or {{bot = "greedy"}} and its settings')
    texts = {key: table.get(key, "") for key in RESERVED}
    for key, text in texts.items():
        if not isinstance(text, str):
            raise PluginError(f"{key} is a text, not {text!r}")
    settings = {key: table[key] for key in sorted(table) if key not in RESERVED}
    name = texts["name"] or _printed(texts["bot"], settings)
    if not name.isprintable():
        raise PluginError(f"{name!r} is no name: it has characters that do not print")
    return BotSpec(_source(texts["bot"], base), name, settings, texts["team"])


def kind(spec: BotSpec) -> Kind:
    """Where a bot comes from, which decides how far it is trusted.

    Raises: PluginError, for a name that is not installed.
    """
    if spec.source.startswith("cmd:"):
        return "command"
    if _is_file(spec.source):
        return "file"
    return "built-in" if _is_house(_find(spec.source)) else "plug-in"


def load(spec: BotSpec) -> type[Any]:
    """The bot's class, its module imported into this process.

    Raises: PluginError, with what was wrong, for a bot that does not load or is not one.
    """
    if spec.source.startswith("cmd:"):
        raise PluginError(f"{spec.source} is a program of its own and cannot be loaded into this process")
    if _is_file(spec.source):
        return _load_file(spec.source)
    point = _find(spec.source)
    where = f"{point.name} ({_distribution(point)}, {point.value})"
    try:
        found = point.load()
    except (Exception, SystemExit) as error:
        raise PluginError(f"{where} does not load: {_words(error)}") from error
    return _contestant(found, where)


def answer(value: str) -> NoReturn:
    """Writes to standard output, as JSON, what loading an entry point gives, and ends this process."""
    output = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what the bot prints is nobody's answer
    try:
        title = (_contestant(EntryPoint("", value, GROUP).load(), value).__doc__ or "").strip()
        found = _Answer(title=title.partition("\n")[0][:200])
    except PluginError as error:
        found = _Answer(error=str(error))
    except BaseException as error:
        found = _Answer(error=_words(error))
    os.write(output, msgspec.json.encode(found))
    os._exit(0)  # threads and exit handlers of the bot's could go on for ever


def _row(point: EntryPoint, points: tuple[EntryPoint, ...], seconds: float) -> BotEntry:
    try:
        if _only(point.name, points) is not point:
            raise PluginError(f"{point.name} is the name of a built-in bot: offer it under another")
        found = _ask(point.value, seconds)
    except PluginError as error:
        found = _Answer(error=str(error))
    distribution, _, version = _distribution(point).partition(" ")
    house = _is_house(point)
    return BotEntry(point.name, distribution, version, house, point.value, found.title, found.error)


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


def _find(name: str) -> EntryPoint:
    return _only(name, tuple(entry_points(group=GROUP)))


def _only(name: str, points: tuple[EntryPoint, ...]) -> EntryPoint:
    """The one entry point of that name.

    A built-in bot keeps its name, whoever else offers it.
    Raises: PluginError, where there is none, or several: to guess would let a plug-in replace another.
    """
    found = [point for point in points if point.name == name]
    found = [point for point in found if _is_house(point)] or found
    if not found:
        raise PluginError(f"no bot is called {name!r}; {nearest(name, {point.name for point in points})}")
    if len(found) > 1:
        who = " and ".join(sorted(map(_distribution, found)))
        raise PluginError(f"{name} is offered by {who}: uninstall all but one")
    return found[0]


def _distribution(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "?"


def _is_house(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == HOUSE


def _source(text: str, base: Path) -> str:
    """Where to find the bot again from any working directory."""
    if text.startswith("cmd:"):
        return text
    if not _is_file(text):
        return _find(text).name
    path, _, name = text.rpartition(":")
    if not path.endswith(".py") or not name.isidentifier():
        raise PluginError(f"{text} does not name a class in a file: write path/bot.py:Class")
    whole = (base / path).resolve()
    if not whole.is_file():
        raise PluginError(f"{text}: there is no file {whole}")
    return f"{whole}:{name}"


def _is_file(text: str) -> bool:
    return ".py" in text or ":" in text or "/" in text


def _load_file(source: str) -> type[Any]:
    path, _, name = source.rpartition(":")
    found = getattr(_module(path), name, None)
    if found is None:
        raise PluginError(f"{path} has no class {name}")
    return _contestant(found, source)


def _module(path: str) -> Any:
    """The module in a file, run once a process: its classes stay the same however often it is asked for."""
    name = f"arena bot {path}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None, path
    assert spec.loader is not None, path
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PluginError(f"{path} does not load: {_words(error)}") from error
    return module


def _contestant(found: object, where: str) -> type[Any]:
    if not isinstance(found, type):
        raise PluginError(f"{where} is not a class")
    if not callable(getattr(found, "act", None)):
        raise PluginError(f"{where} is not a bot: its class has no method act(self, view)")
    return found


def _printed(text: str, settings: Mapping[str, object]) -> str:
    """The name of a bot that was not given one."""
    if not settings:
        return text
    values = (f"{key}={_value(value)}" for key, value in settings.items())
    return f"{text}({', '.join(values)})"


def _value(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]
