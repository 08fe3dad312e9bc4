"""Lines of a game that no match of a check has reached, such as a reshuffle that takes a long deal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from arena.games import Rules, View

ARENA: Final = "arena"
MAX_LISTED: Final = 8
"""Limit on the places that are listed."""


Line = tuple[CodeType, int]
"""A function and the number of one of its lines."""


class LineTracer:
    """Notes which lines of a game are reached while it is active.

    Attributes:
        missing: The lines of each function that were not reached yet.
    """

    def __init__(self, lines: Iterable[Line]) -> None:
        self.missing: dict[CodeType, set[int]] = {}
        for code, line in lines:
            self.missing.setdefault(code, set()).add(line)

    @property
    def lines(self) -> set[Line]:
        """The lines that were not reached yet."""
        return {(code, line) for code, lines in self.missing.items() for line in lines}

    def discard(self, lines: Iterable[Line]) -> None:
        """Note lines that were reached otherwise."""
        for code, line in lines:
            self.missing[code].discard(line)

    @contextmanager
    def active(self) -> Iterator[None]:
        """Note lines in this thread, unless a debugger or a measurement of coverage does."""
        if sys.gettrace() is not None or not any(self.missing.values()):
            yield
            return
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(None)

    def _enter(self, frame: FrameType, event: str, argument: object) -> Any:
        return self._reach if self.missing.get(frame.f_code) else None

    def _reach(self, frame: FrameType, event: str, argument: object) -> Any:
        lines = self.missing[frame.f_code]
        lines.discard(frame.f_lineno)
        return self._reach if lines else None


def list_lines(rules: Rules) -> list[Line]:
    """Return the lines of a game by which matches go: of its deal, view, ranking, settlement and policies.

    The arena's own code, and what a match does not need, such as a heuristic, is left out. A game that is
    in no file, as in a notebook, has none.
    """
    kinds = [rules.deal_type, getattr(rules.deal_type, "view_type", View)]
    kinds += [type(getattr(rules, field.name)) for field in fields(rules)]
    classes = dict.fromkeys(
        [base for kind in kinds for base in kind.__mro__ if not _is_foreign(base.__module__)]
    )
    pending = [code for kind in classes for value in vars(kind).values() for code in _find_code(value)]
    names = dict.fromkeys([kind.__module__ for kind in classes])
    modules = [sys.modules[name] for name in names if name in sys.modules]
    files = {getattr(module, "__file__", None) for module in modules}
    codes: dict[CodeType, None] = {}
    while pending:
        code = pending.pop()
        if code in codes or code.co_filename not in files:
            continue
        codes[code] = None
        pending += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        for module in modules:
            functions = [getattr(module, name, None) for name in code.co_names]
            pending += [value.__code__ for value in functions if isinstance(value, FunctionType)]
    return [(code, line) for code in codes for line in _find_lines(code)]


def describe_lines(lines: Iterable[Line], all_lines: Iterable[Line]) -> list[str]:
    """Return a text for each run of lines, the first ones: `MyDeal.draw (lines 80-84)`."""
    missing, existing = set(lines), sorted({(code.co_filename, line) for code, line in all_lines})
    owners = {(code.co_filename, line): code.co_qualname for code, line in sorted(missing, key=_place)}
    texts: list[str] = []
    run: list[int] = []
    name = ""
    for place in [*existing, ("", 0)]:
        owner = owners.get(place, "").replace(".<locals>", "").partition(".<")[0]
        if run and owner != name:
            numbers = f"line {run[0]}" if run[0] == run[-1] else f"lines {run[0]}-{run[-1]}"
            texts.append(f"{name} ({numbers})")
            run = []
        name = owner
        if owner:
            run.append(place[1])
    more = len(texts) - MAX_LISTED
    return [*texts[:MAX_LISTED], *([f"{more} other places"] if more > 0 else [])]


def _place(line: Line) -> tuple[str, int, int]:
    code, number = line
    return code.co_filename, number, -code.co_firstlineno


def _is_foreign(module: str) -> bool:
    """Return whether a module is the arena's own, the standard library's or of a package that games use."""
    top = module.partition(".")[0]
    return top in (ARENA, "msgspec") or top in sys.stdlib_module_names


def _find_code(value: Any) -> Iterator[CodeType]:
    """Yield the code of what a class has: of methods, properties and such."""
    for name in ("fget", "func", "__func__", "__wrapped__"):
        value = getattr(value, name, None) or value
    if isinstance(value, FunctionType):
        yield value.__code__


def _find_lines(code: CodeType) -> set[int]:
    """Return the lines of a function without its first, that of `def`."""
    return {line for *_, line in code.co_lines() if line and line != code.co_firstlineno}
