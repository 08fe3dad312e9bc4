"""Bots and games in a Python file, found in its syntax tree: no code of it runs."""

from __future__ import annotations

import ast
import os
import threading
import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from arena.errors import PluginError, suggest_nearest
from arena.game_source_files import ARENA
from arena.plugins.bot_source import ParameterKind, open_without_links
from arena.plugins.manifest import MANIFEST, Manifest, expand_variants, name_of_file

BOT_METHODS: Final = frozenset({"act", "act_many"})
GAME_MODULE: Final = f"{ARENA}.games.authoring"
"""The module that authors of games import."""
VARIANTS: Final = "variants"
"""The attribute by which a class declares its games."""
BLOCKS: Final = ("body", "handlers", "orelse", "finalbody", "cases")
"""Attributes of statements that hold others."""
MAX_SOURCE_BYTES: Final = 1 << 20
"""Larger files are not parsed."""
MAX_BRACES_TIMES_BYTES: Final = 1 << 33
"""Python 3.11 looks for each part of an f-string from its beginning: a megabyte takes minutes."""
UNPARSABLE: Final = (PluginError, OSError, SyntaxError, ValueError, RecursionError, MemoryError)
"""Exceptions raised by files that are too large, unreadable or not Python."""
NOT_LITERAL: Final = (ValueError, TypeError, RecursionError, MemoryError)
"""Exceptions raised by expressions that are not literal."""
_PARSING: Final = threading.Lock()
"""Held while a file is parsed.

Python 3.11 counts the depth of a syntax tree for all threads: when the garbage collector lets another
thread parse meanwhile, the first fails with SystemError. The filter of warnings is of all threads, too.
"""


class PythonFile:
    """A Python file, read once; one that is too large or not Python in UTF-8 has nothing in it.

    Other encodings are not read: Python's decoders of some take hours.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """Why the file has no syntax tree, with the line of a syntax error; empty if it has one."""
        self._tree = ast.Module([], [])
        try:
            self._tree = _parse(path)
        except SyntaxError as error:
            line = "" if error.lineno is None else f", line {error.lineno}"  # none for a NUL byte
            self.problem = f"{path.name}{line}: {error.msg}"
        except UNPARSABLE:
            size = MAX_SOURCE_BYTES >> 20
            self.problem = f"{path.name} is not Python in UTF-8, or larger than {size} MiB"

    # --- bots ---

    @cached_property
    def bots(self) -> list[str]:
        """The names of the classes that have a method `act` or `act_many`.

        The heuristic in a game's file has one, too, and is left out.
        """
        bots = [node for node in self._classes if _has_bot_method(node)]
        if self.is_game:
            bots = [node for node in bots if "Heuristic" not in map(_last_name, node.bases)]
        return list(dict.fromkeys(node.name for node in bots))

    def find_bot(self) -> str:
        """Return the name of the one class in the file that has a method `act` or `act_many`.

        Raises:
            PluginError: For none or several, or for a file that is not Python.
        """
        if self.problem or not self.bots:
            raise PluginError(self.problem or self.explain_no_bot())
        if len(self.bots) > 1:
            name = self.path.name
            raise PluginError(
                f"{name} has several classes with a method act ({', '.join(self.bots)[:200]}): name one, as "
                f"in {name}:{self.bots[0]}, or in the {MANIFEST} of a folder"
            )
        return self.bots[0]

    def explain_no_bot(self) -> str:
        """Return that the file has no class of a bot, and the likely reason."""
        name = self.path.name
        reason = f"{name} has no class with a method act(self, view), which makes a bot"
        if self.is_game:
            return f"{reason}; it has the rules of a game: name it where a game is expected, as by --game"
        if neighbour := self._find_neighbour():
            return f"{reason}; it imports {neighbour}, but {explain_single_file(self._is_beside_manifest)}"
        if any(isinstance(node, ast.FunctionDef) and node.name == "act" for node in self._statements):
            return f"{reason}; its act is a function: put it into a class"
        derived = [node.name for node in self._classes if node.bases]
        return f"{reason}; if a class inherits it, name that: {name}:{derived[-1]}" if derived else reason

    def check_class(self, name: str) -> None:
        """Refuse the name of a class that the file neither defines nor imports, unless it has no classes.

        A file behind a link is not judged: the message would tell what is in it.

        Raises:
            PluginError: With the most similar name.
        """
        if self.path != self.path.resolve():
            return
        nodes = list(ast.walk(self._tree))
        classes = [node.name for node in nodes if isinstance(node, ast.ClassDef)]
        imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
        known = {node.id for node in nodes if isinstance(node, ast.Name)}.union(
            classes, (alias.asname or alias.name for node in imports for alias in node.names)
        )
        if classes and not {name, "*"} & known:
            raise PluginError(f"{self.path} has no class {name}; {suggest_nearest(name, classes)}")

    def read_variants(self, class_name: str) -> tuple[str, ...]:
        """Return what a class declares by `variants = ("lives", "cox")` in its body; empty for all.

        Only literal names can be read without running the file.

        Raises:
            PluginError: For what is not a list of names of games and families.
        """
        value = self._find_attribute(class_name, VARIANTS)
        if value is None:
            return ()
        try:
            names = ast.literal_eval(value)
            expand_variants(names)
            return tuple(names)
        except PluginError as error:
            raise PluginError(f"{self.path}:{value.lineno}: {error}") from error
        except NOT_LITERAL:
            return ()

    def read_parameters(self, class_name: str, kind: ParameterKind) -> tuple[str, ...]:
        """Return what a class declares by `parameters = ["safe=0.6..0.99@0.95"]` in its body.

        Raises:
            PluginError: For anything but a list of literal texts.
        """
        value = self._find_attribute(class_name, kind)
        if value is None:
            return ()
        try:
            texts = ast.literal_eval(value)
        except NOT_LITERAL:
            texts = None
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            example = "safe=0.6..0.99@0.95" if kind == "parameters" else "draws=4..16@8"
            raise PluginError(
                f"{self.path}:{value.lineno}: {kind} must be a list of literal texts, such as "
                f'{kind} = ["{example}"]'
            )
        return tuple(texts)

    # --- games ---

    @cached_property
    def is_game(self) -> bool:
        """True if the file imports what games are written with, and assigns rules to a name.

        They are made by a call of the arena's `Rules`, or others so called, of `Family`, or of a class of the
        file that derives from another and is not a bot. A file beside a `bot.toml` that imports a neighbour,
        as bots do, is part of a bot.
        """
        derived = [node.name for node in self._classes if node.bases and not _has_bot_method(node)]
        values = [node.value for node in self._statements if isinstance(node, ast.Assign | ast.AnnAssign)]
        calls = [part for value in values if value for part in ast.walk(value) if isinstance(part, ast.Call)]
        makers = [_last_name(call.func) for call in calls]
        return (
            any(map(_imports_rules, self._statements))
            and any(name.endswith("Rules") or name in ("Family", *derived) for name in makers)
            and not (self._is_beside_manifest and self._find_neighbour())
        )

    def has_game(self, name: str) -> bool:
        """Return whether a name may be that of a game in the file: one that its text has, and no class."""
        texts = {node.value for node in ast.walk(self._tree) if isinstance(node, ast.Constant)}
        return self.is_game and name in texts and name not in [node.name for node in self._classes]

    # --- statements ---

    @cached_property
    def _statements(self) -> list[ast.AST]:
        """Statements that an import of the file runs: not those in functions or classes."""
        return list(_list_statements(self._tree))

    @cached_property
    def _classes(self) -> list[ast.ClassDef]:
        return [node for node in self._statements if isinstance(node, ast.ClassDef)]

    @property
    def _is_beside_manifest(self) -> bool:
        return self.path.with_name(MANIFEST).is_file()

    def _find_neighbour(self) -> str:
        """Return the name of a file in the same folder that this one imports; empty for none."""
        names: list[str] = []
        for node in self._statements:
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level < 2:
                names += [node.module] if node.module else [alias.name for alias in node.names]
        return next((f"{name}.py" for name in names if self.path.with_name(f"{name}.py").is_file()), "")

    def _find_attribute(self, class_name: str, name: str) -> ast.expr | None:
        """Return the expression that the body of a class assigns to a name."""
        classes = [node for node in self._tree.body if isinstance(node, ast.ClassDef)]
        body = next((node.body for node in reversed(classes) if node.name == class_name), [])
        for node in body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    return node.value
        return None


def describe_folder(folder: Path) -> Manifest | None:
    """Return the description of a folder without a `bot.toml`: its one file with one bot; None if unclear."""
    files = [PythonFile(path) for path in sorted(folder.glob("*.py")) if not path.is_symlink()]
    targets = [f"{file.path.name}:{name}" for file in files for name in file.bots]
    if len(targets) != 1:
        return None
    return Manifest(name=name_of_file(folder.resolve().name) or "bot", target=targets[0])


def explain_single_file(has_manifest: bool) -> str:
    """Return that a bot in a single file has no other, and what to do; is a `bot.toml` beside the file?"""
    remedy = f"name the folder, which has a {MANIFEST}"
    if not has_manifest:
        remedy = f"use a folder with a {MANIFEST}, see docs/submitting.md"
    return f"a bot in a single file has no other file: {remedy}"


def _parse(path: Path) -> ast.Module:
    """Return the syntax tree of a file; raises one of UNPARSABLE."""
    with open_without_links(Path(os.path.realpath(path))) as file:  # may be replaced by a pipe at any time
        source = file.read(MAX_SOURCE_BYTES + 1)
    if len(source) > MAX_SOURCE_BYTES or source.count(b"{") * len(source) > MAX_BRACES_TIMES_BYTES:
        raise ValueError("too large to parse")
    text = source.decode("utf-8-sig")
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _list_statements(module: ast.Module) -> Iterator[ast.AST]:
    pending: list[ast.AST] = [*module.body[::-1]]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = [statement for block in BLOCKS for statement in getattr(node, block, [])]
            pending += inner[::-1]


def _has_bot_method(node: ast.ClassDef) -> bool:
    """Return whether a class plays; also one that is `async` by mistake, which a check then names."""
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)]
    return any(method.name in BOT_METHODS for method in methods)


def _imports_rules(node: ast.AST) -> bool:
    """Return whether a statement imports the module for authors of games, or rules from another one."""
    if isinstance(node, ast.Import):
        return any(alias.name == GAME_MODULE for alias in node.names)
    if not isinstance(node, ast.ImportFrom) or node.level or not node.module:
        return False
    names = [alias.name for alias in node.names]
    is_of_arena = node.module.partition(".")[0] == ARENA
    return (
        node.module == GAME_MODULE
        or GAME_MODULE in [f"{node.module}.{name}" for name in names]
        or (is_of_arena and any(name.endswith("Rules") for name in names))
    )


def _last_name(expression: ast.expr) -> str:
    """Return `Rules` for `Rules`, `authoring.Rules` and `Rules[int]`; empty for other expressions."""
    if isinstance(expression, ast.Subscript):
        return _last_name(expression.value)
    if isinstance(expression, ast.Attribute):
        return expression.attr
    return expression.id if isinstance(expression, ast.Name) else ""
