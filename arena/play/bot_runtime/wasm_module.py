"""WebAssembly modules that are bots, compiled and checked; docs/protocol.md has their interface."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import Any, Final

from wasmtime import FuncType, MemoryType, Module, WasmtimeError

from arena.errors import PluginError
from arena.play.bot import DEFAULT_LIMITS, Info
from arena.play.bot_runtime.flat_views import FlatCache
from arena.play.bot_runtime.wasm_instance import ENCODE, Instance, WasmBot
from arena.play.bot_runtime.wasm_runtime import (
    EVENT,
    MAX_MEMORY_BYTES,
    MAX_REASON_CHARS,
    MAX_TABLE_ELEMENTS,
    MAX_TABLES,
    OVER,
    VIEW_FORMAT,
    CompiledModule,
    open_engine,
)
from arena.play.faults import BotFailure, escape_unprintable

MAX_MODULE_BYTES: Final = 1 << 20
"""Maximum size of a module: the time to compile it is not metered."""
MAX_ITEMS: Final = 5000
"""Maximum number of functions, types, globals and the like: each takes far more memory than it is long."""
MAX_FUNCTION_BYTES: Final = 1 << 17
"""Maximum size of a function: to compile it takes up to a thousand times as much memory."""
SECTIONS: Final = {
    1: "types",
    3: "functions",
    6: "globals",
    7: "exports",
    9: "parts of tables",
    10: "functions",
    11: "parts of memory",
}
"""Sections of a module that begin with the number of their items."""
CODE: Final = 10
HEADER: Final = b"\0asm\1\0\0\0"
SIGNATURES: Final = {
    "alloc": (["i32"], ["i32"]),
    "begin": (["i32", "i32"], []),
    "act": (["i32", "i32"], ["i32"]),
    "event": (["i32", "i32"], []),
    "over": (["i32", "i32"], []),
    "view_format": ([], ["i32"]),
}
"""Parameters and results of the functions that a module exports."""
OPTIONAL: Final = ("event", "over", "view_format")
JSON_FORMAT, FLAT_FORMAT = 0, 1
REMEDIES: Final = {
    "thread": "compile without -pthread and -matomics",
    "atomic": "compile without -pthread and -matomics",
    "shared memor": "compile without -pthread and -matomics",
    "relaxed": "compile with -mno-relaxed-simd",
    "exception": "compile with -fno-exceptions",
    "tail call": "compile with -mno-tail-call",
    "memory64": "compile for wasm32, not wasm64",
    "64-bit": "compile for wasm32, not wasm64",
    "multi-memory": "compile with -mno-multimemory",
    "multiple memories": "compile with -mno-multimemory",
    "gc ": "compile a language without garbage collection by WebAssembly",
    "wide arithmetic": "compile with -mno-wide-arithmetic",
    "stack switching": "compile without stack switching",
}
"""Remedies for features that are refused, by a part of wasmtime's message."""
PLAIN_WORDS: Final = {
    "module table": f"it has more than {MAX_TABLES} tables, or one of over {MAX_TABLE_ELEMENTS:,} elements",
    "module memory": f"its memory begins with more than {MAX_MEMORY_BYTES >> 20} MiB",
    "module instance size": "its globals need more than 256 KiB",
}
"""Reasons in plain words, by the beginnings of wasmtime's messages about sizes."""


def load_module(path: str) -> type[WasmBot]:
    """Compile the module of a bot, and return the bot's class.

    Raises:
        PluginError: If it cannot play, with what would help.
    """
    file = Path(path)
    data = _read(file)
    _check_sizes(file.name, data)
    compiled = _compile(file.name, data)
    _check_exports(file.name, compiled)
    module = CompiledModule(compiled)
    cache = FlatCache() if _find_format(file.name, module) == FLAT_FORMAT else None

    def make(bot: WasmBot, info: Info) -> None:
        WasmBot.__init__(bot, module, info, cache)

    def observe(bot: WasmBot, event: str) -> None:
        bot.notify(EVENT, event.encode())

    def deal_over(bot: WasmBot, result: dict[str, Any]) -> None:
        bot.notify(OVER, ENCODE(result))

    members: dict[str, Any] = {"__init__": make, "is_flat": cache is not None}
    if "event" in module.exports:
        members["observe"] = observe
    if "over" in module.exports:
        members["deal_over"] = deal_over
    return type("WasmModuleBot", (WasmBot,), members)


def _read(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # it may be a pipe by now
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(MAX_MODULE_BYTES + 1) if S_ISREG(os.fstat(descriptor).st_mode) else b""
    except OSError as error:
        raise PluginError(f"{path.name} cannot be read: {error.strerror}") from error
    if len(data) > MAX_MODULE_BYTES:
        raise PluginError(f"{path.name} is larger than {MAX_MODULE_BYTES >> 20} MiB: compile with -Os -s")
    if not data.startswith(HEADER):
        raise PluginError(f"{path.name} is not a WebAssembly module in binary form, version 1")
    return data


def _check_sizes(name: str, data: bytes) -> None:
    """Refuse what would take much memory to compile; a module that is cut off is left to the compiler."""
    at = len(HEADER)
    with suppress(IndexError):
        while at < len(data):
            section = data[at]
            size, begin = _read_number(data, at + 1)
            at = begin + size
            if section not in SECTIONS:
                continue
            count, place = _read_number(data, begin)
            if count > MAX_ITEMS:
                found = f"{count:,} {SECTIONS[section]}"
                raise PluginError(f"{name} has {found}, and at most {MAX_ITEMS:,} are allowed")
            for _ in range(count if section == CODE else 0):
                size, place = _read_number(data, place)
                if size > MAX_FUNCTION_BYTES:
                    limit = f"{MAX_FUNCTION_BYTES >> 10} KiB are allowed: inline less, or compile with -Os"
                    raise PluginError(f"{name} has a function of {size:,} bytes, and at most {limit}")
                place += size


def _read_number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of variable length (LEB128), and the place behind it."""
    number = 0
    for shift in range(0, 35, 7):  # more bytes than of 32 bits are refused by the compiler
        number |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            break
    return number, at


def _compile(name: str, data: bytes) -> Module:
    try:
        return Module(open_engine(), data)
    except WasmtimeError as error:
        told = " ".join(str(error).split())
        plain = [words for start, words in PLAIN_WORDS.items() if told.startswith(start)]
        text = plain[0] if plain else escape_unprintable(told)[-MAX_REASON_CHARS:]
        remedies = [remedy for part, remedy in REMEDIES.items() if part in text.lower()]
        raise PluginError("; ".join([f"{name} does not compile: {text}", *remedies[:1]])) from None


def _check_exports(name: str, module: Module) -> None:
    for needed in module.imports:
        imported = escape_unprintable(f"{needed.module}.{needed.name}")[:MAX_REASON_CHARS]
        raise PluginError(
            f"{name} imports {imported}: a bot imports nothing; compile it without WASI and with all "
            "functions defined (C: clang --target=wasm32 -nostdlib)"
        )
    found: dict[str, Any] = {export.name: export.type for export in module.exports}
    if not isinstance(found.get("memory"), MemoryType):
        raise PluginError(f"{name} does not export its memory as 'memory'")
    for function, (parameters, results) in SIGNATURES.items():
        kind = found.get(function)
        if kind is None and function in OPTIONAL:
            continue
        expected = f"{function}({', '.join(parameters)})" + "".join(f" -> {result}" for result in results)
        if not isinstance(kind, FuncType):
            raise PluginError(f"{name} does not export the function {expected}")
        if (list(map(str, kind.params)), list(map(str, kind.results))) != (parameters, results):
            raise PluginError(f"{name} exports {function} with other types: it is {expected}")


def _find_format(name: str, module: CompiledModule) -> int:
    if "view_format" not in module.exports:
        return JSON_FORMAT
    try:
        chosen = Instance(module, DEFAULT_LIMITS, DEFAULT_LIMITS.match_fuel).call(VIEW_FORMAT)
    except BotFailure as failure:
        raise PluginError(f"{name}: view_format failed: {failure.detail}") from None
    if chosen not in (JSON_FORMAT, FLAT_FORMAT):
        formats = f"there are {JSON_FORMAT} and {FLAT_FORMAT}"
        raise PluginError(f"{name}: view_format is {chosen}; {formats}")
    return chosen
