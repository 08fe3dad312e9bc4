"""The games that a bot says it plays, and the parameters that it declares."""

from __future__ import annotations

import ast
import os
import threading
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.errors import ConfigError, PluginError, UnknownVariant, suggest_nearest
from arena.plugins.bot_source import ParameterKind, open_without_links

if TYPE_CHECKING:
    from arena.games import Rules


# --- supported games ---
# The games a bot declares that it plays, read from its class or `bot.toml` without running it.

ATTRIBUTE: Final = "variants"
MAX_SOURCE_BYTES: Final = 1 << 20
"""Larger files are not searched for a declaration."""
MAX_BRACES_TIMES_BYTES: Final = 1 << 33
"""Python 3.11 looks for each part of an f-string from its beginning: a megabyte takes minutes."""
_PARSING: Final = threading.Lock()
"""Held while a file is parsed.

Python 3.11 counts the depth of a syntax tree for all threads: when the garbage collector lets another
thread parse meanwhile, the first fails with SystemError. The filter of warnings is of all threads, too.
"""
UNPARSABLE: Final = (PluginError, OSError, SyntaxError, ValueError, RecursionError, MemoryError)
"""Exceptions raised by files that are too large, unreadable or not Python."""


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


def read_variants(path: Path, class_name: str) -> tuple[str, ...]:
    """Return what a class declares by `variants = ("lives", "cox")` in its body; empty for all.

    Only literal names can be read without running the file.

    Raises:
        PluginError: For what is not a list of names of games and families.
    """
    value = find_class_attribute(path, class_name, ATTRIBUTE)
    return _literal_names(value, f"{path}:{value.lineno}") if value else ()


def find_class_attribute(path: Path, class_name: str, name: str) -> ast.expr | None:
    """Return the expression that the body of a class assigns to a name; the file is not run."""
    for node in _class_body(path, class_name):
        if isinstance(node, ast.AnnAssign):
            targets: list[ast.expr] = [node.target]
        elif isinstance(node, ast.Assign):
            targets = node.targets
        else:
            continue
        if node.value and any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return node.value
    return None


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


def _literal_names(value: ast.expr, where: str) -> tuple[str, ...]:
    try:
        names = ast.literal_eval(value)
        expand_variants(names)
        return tuple(names)
    except PluginError as error:
        raise PluginError(f"{where}: {error}") from error
    except (ValueError, TypeError, RecursionError, MemoryError):
        return ()


def parse_source(path: Path) -> ast.Module | None:
    """Return the syntax tree of a Python file in UTF-8; None for one that is too large or not Python.

    Other encodings are not read: Python's decoders of some take hours.
    """
    try:
        return _parse_file(path)
    except UNPARSABLE:
        return None


def explain_unparsable(path: Path) -> str:
    """Return why `parse_source` gives no tree for a file, with the line of a syntax error."""
    try:
        _parse_file(path)
    except SyntaxError as error:
        line = "" if error.lineno is None else f", line {error.lineno}"  # none for a NUL byte
        return f"{path.name}{line}: {error.msg}"
    except UNPARSABLE:
        pass
    return f"{path.name} is not Python in UTF-8, or larger than {MAX_SOURCE_BYTES >> 20} MiB"


def _parse_file(path: Path) -> ast.Module:
    """Return the syntax tree of a file; raises one of UNPARSABLE."""
    real = Path(os.path.realpath(path))
    with open_without_links(real) as file:  # which may be replaced by a pipe at any time
        source = file.read(MAX_SOURCE_BYTES + 1)
    if len(source) > MAX_SOURCE_BYTES or source.count(b"{") * len(source) > MAX_BRACES_TIMES_BYTES:
        raise ValueError("too large to parse")
    text = source.decode("utf-8-sig")
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _class_body(path: Path, class_name: str) -> list[ast.stmt]:
    """Return the statements of a class; none where it cannot be found by reading the file."""
    tree = parse_source(path)
    nodes = tree.body if tree else []
    classes = [node for node in nodes if isinstance(node, ast.ClassDef) and node.name == class_name]
    return classes[-1].body if classes else []


# --- declared parameters ---
# The parameters a bot declares, those that `arena tune` searches, read from its class without running it.


def read_parameters(path: Path, class_name: str, kind: ParameterKind) -> tuple[str, ...]:
    """Return what a class declares by `parameters = ["safe=0.6..0.99@0.95"]` in its body.

    Raises:
        PluginError: For anything but a list of literal texts.
    """
    value = find_class_attribute(path, class_name, kind)
    if value is None:
        return ()
    try:
        texts = ast.literal_eval(value)
    except (ValueError, TypeError, RecursionError, MemoryError):
        texts = None
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        example = "safe=0.6..0.99@0.95" if kind == "parameters" else "draws=4..16@8"
        raise PluginError(
            f'{path}:{value.lineno}: {kind} must be a list of literal texts, such as {kind} = ["{example}"]'
        )
    return tuple(texts)
