"""WebAssembly modules that are bots, compiled and checked; docs/protocol.md has their interface."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from wasmtime import FuncType, MemoryType, Module, WasmtimeError

from arena.errors import PluginError
from arena.play.bot import DEFAULT_LIMITS, Info
from arena.play.bot_runtime.flat_views import FlatCache
from arena.play.bot_runtime.wasm_instance import ENCODE, Instance, WasmBot
from arena.play.bot_runtime.wasm_runtime import (
    EVENT,
    EXPORTS,
    OVER,
    VIEW_FORMAT,
    Slot,
    find_address,
    find_place,
    open_engine,
)
from arena.play.faults import BotFailure

MAX_MODULE_BYTES: Final = 1 << 20
"""Maximum size of a module: the time to compile it is not metered."""
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
"""What removes a feature that is refused, by a part of wasmtime's message."""


class WasmModule:
    """A compiled module, checked for what a bot exports.

    Raises:
        PluginError: If it is no bot, with what would help.
    """

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.module = self._compile(self._read(path))
        self.exports = self._check_exports()
        self.places = [
            (name.encode(), len(name), find_place(name)) for name in EXPORTS if name in self.exports
        ]
        self._engine = open_engine()
        self.engine, self.pointer = find_address(self._engine.ptr()), find_address(self.module.ptr())
        self.slots: list[Slot] = []
        """Slots of instances that are gone."""
        self.flat_cache = FlatCache()
        self.is_flat = self._find_format() == FLAT_FORMAT

    def _read(self, path: Path) -> bytes:
        try:
            with path.open("rb") as file:
                data = file.read(MAX_MODULE_BYTES + 1)
        except OSError as error:
            raise PluginError(f"{self.name} cannot be read: {error.strerror}") from error
        if len(data) > MAX_MODULE_BYTES:
            raise PluginError(f"{self.name} is larger than {MAX_MODULE_BYTES >> 20} MiB: compile with -Os -s")
        if not data.startswith(HEADER):
            raise PluginError(f"{self.name} is not a WebAssembly module in binary form, version 1")
        return data

    def _compile(self, data: bytes) -> Module:
        try:
            return Module(open_engine(), data)
        except WasmtimeError as error:
            text = " ".join(str(error).split())[-300:]
            remedies = [remedy for part, remedy in REMEDIES.items() if part in text.lower()]
            raise PluginError("; ".join([f"{self.name} does not compile: {text}", *remedies[:1]])) from None

    def _check_exports(self) -> frozenset[str]:
        for needed in self.module.imports:
            raise PluginError(
                f"{self.name} imports {needed.module}.{needed.name}: a bot imports nothing; compile it "
                "without WASI and with all functions defined (C: clang --target=wasm32 -nostdlib)"
            )
        found: dict[str, Any] = {export.name: export.type for export in self.module.exports}
        if not isinstance(found.get("memory"), MemoryType):
            raise PluginError(f"{self.name} does not export its memory as 'memory'")
        for name, signature in SIGNATURES.items():
            kind = found.get(name)
            if kind is None and name in OPTIONAL:
                continue
            expected = f"{name}({', '.join(signature[0])})" + "".join(f" -> {item}" for item in signature[1])
            if not isinstance(kind, FuncType):
                raise PluginError(f"{self.name} does not export the function {expected}")
            if (list(map(str, kind.params)), list(map(str, kind.results))) != signature:
                raise PluginError(f"{self.name} exports {name} with other types: it is {expected}")
        return frozenset(found)

    def _find_format(self) -> int:
        if "view_format" not in self.exports:
            return JSON_FORMAT
        try:
            chosen = Instance(self, DEFAULT_LIMITS, DEFAULT_LIMITS.match_fuel).call(VIEW_FORMAT)
        except BotFailure as failure:
            raise PluginError(f"{self.name}: view_format failed: {failure.detail}") from None
        if chosen not in (JSON_FORMAT, FLAT_FORMAT):
            raise PluginError(
                f"{self.name}: view_format is {chosen}; there are {JSON_FORMAT} and {FLAT_FORMAT}"
            )
        return chosen


def load_module(path: str) -> type[WasmBot]:
    """Compile the module of a bot, and return the bot's class.

    Raises:
        PluginError: If it is no bot, with what would help.
    """
    module = WasmModule(Path(path))

    def make(bot: WasmBot, info: Info) -> None:
        WasmBot.__init__(bot, module, info)

    def observe(bot: WasmBot, event: str) -> None:
        bot.notify(EVENT, event.encode())

    def deal_over(bot: WasmBot, result: dict[str, Any]) -> None:
        bot.notify(OVER, ENCODE(result))

    members: dict[str, Any] = {"__init__": make, "is_flat": module.is_flat}
    if "event" in module.exports:
        members["observe"] = observe
    if "over" in module.exports:
        members["deal_over"] = deal_over
    return type("WasmModuleBot", (WasmBot,), members)
