"""`bot.toml`, the description of a bot in its folder: how it is read, and the names and games in it."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec

from arena.errors import BotNameError, ConfigError, PluginError, UnknownVariant, suggest_nearest
from arena.plugins.bot_source import SYSTEM_FOLDERS, is_zip_archive, open_without_links

if TYPE_CHECKING:
    from arena.games import Rules

# --- untrusted toml ---
# TOML of unknown origin: limits on what `tomllib` takes minutes or gigabytes for.

MAX_KEY_PARTS: Final = 32
"""Maximum number of parts of a dotted key: the time that `tomllib` takes grows with their cube."""
MAX_LEVELS: Final = 64
"""Maximum depth of nested arrays and tables: writing them takes a call or more for each level."""
_PART: Final = r"""\.[ \t]*+(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
LONG_KEY: Final = re.compile(f"(?:{_PART}){{{MAX_KEY_PARTS}}}")


def parse_untrusted_toml(text: str, max_bytes: int) -> dict[str, Any]:
    """Return the table in TOML text.

    Raises:
        ValueError: If it is not TOML, is longer than `max_bytes`, or has a key of too many parts.
    """
    if len(text.encode()) > max_bytes:
        raise ValueError(f"it is larger than {max_bytes >> 10} KiB")
    if LONG_KEY.search(text):
        raise ValueError(f"a dotted key has more than {MAX_KEY_PARTS} parts")
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(_describe(error, text)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if _is_deeper(table, MAX_LEVELS):
        raise ValueError(f"it is nested more than {MAX_LEVELS} levels deep")
    return table


def _describe(error: tomllib.TOMLDecodeError, text: str) -> str:
    """Return an error's message with its line at the end."""
    problem, _, place = str(error).rpartition(" (at ")
    match = re.match(r"line (\d+)", place)
    line = int(match[1]) if match else text.rstrip().count("\n") + 1
    return f"{problem[:1].lower()}{problem[1:]} (line {line})"


def _is_deeper(value: object, levels: int) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return not levels or any(_is_deeper(part, levels - 1) for part in parts)


# --- manifest ---
# `bot.toml`, the description of a bot in its folder.

MANIFEST = "bot.toml"
MAX_MANIFEST_BYTES = 1 << 14
MAX_NAME_CHARS = 40
NAME = rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{MAX_NAME_CHARS - 1}}}"
NAME_SIGNS = "._-"
SPELLINGS: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe", "œ": "oe", "ł": "l"}
    | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Æ": "Ae", "Ø": "Oe", "Œ": "Oe", "Ł": "L"}
)
"""Letters that are written as others in ASCII than those without their marks."""
Line = Annotated[str, msgspec.Meta(max_length=200)]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, rename={"target": "class"}, omit_defaults=True):
    """A bot as its folder describes it: a class, a command or a WebAssembly module."""

    name: str
    target: str = ""
    """`class`: "bot.py:Name", a file in the folder and the class in it."""
    command: tuple[str, ...] = ()
    """The program and its arguments, run in the folder."""
    wasm: str = ""
    """The file of a WebAssembly module in the folder."""
    variants: tuple[str, ...] = ()
    """The games it plays; empty for all."""
    parameters: tuple[Line, ...] = ()
    """Settings that `arena tune` searches, as `NAME=LOW..HIGH@START`."""
    integers: tuple[Line, ...] = ()
    """Settings that take whole numbers, in the same form; each setting is in one of the two lists."""
    isolation: Literal["", "process"] = ""
    """`process` for a bot that needs the network or its folder: it cannot be confined."""
    environment: tuple[Line, ...] = ()
    """Names of environment variables that are passed on to it there."""
    team: Line = ""
    author: Line = ""
    description: Line = ""


def read_manifest(folder: Path) -> Manifest:
    """Return the `bot.toml` of a folder.

    Raises:
        PluginError: For a wrong manifest, with the file and the key.
    """
    path = folder / MANIFEST
    if folder.is_file() and is_zip_archive(folder):
        raise PluginError(f"{folder} is a zip archive: unpack it, or submit it with `arena submit`")
    if folder.is_file():
        right = f"a folder with a {MANIFEST}, path/bot.py:Class or cmd:./program"
        raise PluginError(f"{folder} is neither Python nor a zip archive of a bot: name {right}")
    if not folder.is_dir():
        raise PluginError(f"there is no folder {folder}")
    if not path.is_file():
        raise PluginError(
            f"{folder} is not a bot: it has neither a {MANIFEST} nor exactly one Python class with a method "
            "act(self, view); `arena new NAME` creates a bot to start from"
        )
    with open_without_links(folder.resolve() / MANIFEST) as file:
        text = file.read(MAX_MANIFEST_BYTES + 1)
    if len(text) > MAX_MANIFEST_BYTES:
        raise PluginError(f"{path} is larger than {MAX_MANIFEST_BYTES >> 10} KiB")
    try:
        table = parse_untrusted_toml(text.decode(), MAX_MANIFEST_BYTES)
    except ValueError as error:
        raise PluginError(f"{path} is not valid TOML: {error}") from error
    try:
        return parse_manifest(table)
    except PluginError as error:
        raise PluginError(f"{path}: {error}") from error


def parse_manifest(table: dict[str, Any]) -> Manifest:
    """Return the manifest in a table.

    Raises:
        PluginError: For a wrong table, with the key.
    """
    known = [field.encode_name for field in msgspec.structs.fields(Manifest)]
    for key in table:
        if key not in known:
            raise PluginError(f"{key}: there is no such key; {suggest_nearest(key, known)}")
    try:
        manifest = msgspec.convert(table, Manifest)
    except msgspec.ValidationError as error:
        raise PluginError(str(error).replace("Object", "the table").replace("`$.", "`")) from error
    check_name(manifest.name)
    if sum(map(bool, (manifest.target, manifest.command, manifest.wasm))) != 1:
        raise PluginError('a bot has either class = "bot.py:Name", command = ["./bot"] or wasm = "bot.wasm"')
    if manifest.target:
        _check_class(manifest.target)
    if manifest.wasm:
        _check_module(manifest.wasm)
    expand_variants(manifest.variants)
    _check_command(manifest.command)
    if manifest.environment and not manifest.isolation:
        raise PluginError('environment: variables are only passed on with isolation = "process"')
    for text in (
        *manifest.command,
        *manifest.parameters,
        *manifest.integers,
        *manifest.environment,
        manifest.team,
        manifest.author,
        manifest.description,
    ):
        if not text.isprintable():
            raise PluginError(f"{text!r} has characters that do not print")
    return manifest


def check_name(name: str) -> None:
    """Refuse text that cannot be a bot's name, and propose one that can.

    Raises:
        BotNameError: If it cannot be a bot's name.
    """
    if not re.fullmatch(NAME, name):
        proposal = name_of_file(name)
        raise BotNameError(
            f"name: {name[:60]!r} is not 1 to {MAX_NAME_CHARS} letters (a to z, A to Z), digits, dots, "
            "dashes and underscores, a letter or digit first"
            + (f"; {proposal!r} is such a name" if proposal else "")
        )


def name_of_file(stem: str) -> str:
    """Return the name of a bot in a file or folder called `stem`, without a suffix; empty if nothing is left.

    Example:
        >>> name_of_file("my bot!"), name_of_file("müller")
        ('my-bot', 'mueller')
    """
    name = re.sub("[^A-Za-z0-9._-]+", "-", spell_in_ascii(stem[: 4 * MAX_NAME_CHARS])).lstrip(NAME_SIGNS)
    return name[:MAX_NAME_CHARS].rstrip("-")


def spell_in_ascii(text: str) -> str:
    """Return a text without accents, with umlauts as they are spelled out; letters of other scripts stay."""
    chars = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(SPELLINGS))
    return "".join(char for char in chars if unicodedata.category(char)[0] != "M")


def fold_case(name: str) -> str:
    """Return the text in which two names agree if they differ only in case or in Unicode form (NFKC)."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _check_command(command: tuple[str, ...]) -> None:
    """Refuse a program, or any path, outside of the folder and the system: it is not part of the bot."""
    for number, word in enumerate(command):
        path = PurePosixPath(word)
        is_foreign = number == 0 and path.is_absolute() and not word.startswith(SYSTEM_FOLDERS)
        if is_foreign or ".." in path.parts:
            raise PluginError(
                f"command: {word!r} is neither in the folder nor the system's: put it into the folder, and "
                'write command = ["./bot"]'
            )


def _check_class(target: str) -> None:
    path, _, name = target.rpartition(":")
    if not name.isidentifier() or not _is_inside(path, ".py"):
        raise PluginError(f'class: {target!r} names no class in the folder: write class = "bot.py:Name"')


def _check_module(path: str) -> None:
    if not _is_inside(path, ".wasm"):
        raise PluginError(f'wasm: {path!r} names no module in the folder: write wasm = "bot.wasm"')


def _is_inside(path: str, suffix: str) -> bool:
    """Return whether a path names a file in the folder with this suffix."""
    inside = PurePosixPath(path)
    is_safe = path.isprintable() and not inside.is_absolute() and ".." not in inside.parts
    return inside.suffix == suffix and is_safe


# --- games ---
# The games that a bot declares.


def expand_variants(names: Any) -> frozenset[str]:
    """Return the variants that a declaration of variants and families names; empty for all.

    Raises:
        PluginError: For what is not a list of names of games and families.
    """
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(n, str) for n in names):
        raise PluginError(f'variants: {names!r} is not a list of games: write variants = ["lives"]')
    return frozenset(game for name in names for game in _expand(name))


def supported_rules(names: Any) -> tuple[Rules, ...]:
    """Return the games that a declaration names, in the order of all games.

    Raises:
        PluginError: For what is not a list of names of games and families.
    """
    from arena.games.registry import list_variants  # here, so that a listing of bots needs no rules

    allowed = expand_variants(names)
    return tuple(rules for rules in list_variants() if not allowed or rules.name in allowed)


def check_supported(bot: str, names: Any, games: Iterable[Rules]) -> None:
    """Check that a bot that declares `names` plays all of `games`.

    Raises:
        ConfigError: If it does not play one of them, with bot and game.
        PluginError: For what is not a declaration.
    """
    try:
        supported = expand_variants(names)
    except PluginError as error:
        raise PluginError(f"{bot}: {error}") from error
    for rules in games if supported else ():
        if rules.installed_name not in supported:
            raise ConfigError(
                f"{bot} does not play {rules}: its variants are {', '.join(sorted(names))}; "
                "leave out the bot or the game"
            )


def _expand(name: str) -> frozenset[str]:
    from arena.games import variant  # here, so that a listing of bots needs no rules
    from arena.games.registry import list_variants

    known = tuple(list_variants())  # also those of games that were loaded since the start
    of_family = frozenset(rules.name for rules in known if rules.family == name)
    try:
        return of_family or frozenset([variant(name).name])
    except UnknownVariant as error:
        names = {name for rules in known for name in (rules.name, rules.family)}
        raise PluginError(
            f"variants: no game and no family is called {name!r}; {suggest_nearest(name, names)}"
        ) from error
