"""Bots that are WebAssembly modules, run by wasmtime; docs/protocol.md has their interface.

Each seat of each match has an instance of its own. The same class plays in the bot's process and, at the
level `wasm`, in the arena's. Fuel counts the instructions of a module: it does not depend on the machine, nor
do the faults of a bot that uses it up. The functions of wasmtime's C API are called directly, which takes
2 µs a decision; its Python interface takes 18.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable
from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    Structure,
    addressof,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint64,
    c_void_p,
    cast,
    memmove,
)
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec
from wasmtime import Config, Engine, FuncType, MemoryType, Module, Trap, TrapCode, WasmtimeError
from wasmtime import _bindings as c_types
from wasmtime._ffi import dll as library

from arena.errors import PluginError
from arena.games import View
from arena.games.action import Action
from arena.play.bot import DEFAULT_LIMITS, MODULE_MATCHES, Info, Limits
from arena.play.bot_runtime.flat_views import FlatEncoder
from arena.play.bot_runtime.json_views import view_to_json
from arena.play.faults import BotFailure

VERSION: Final = 1
"""Version of the interface."""
MAX_MODULE_BYTES: Final = 1 << 20
"""Maximum size of a module: the time to compile it is not metered."""
MAX_MEMORY_BYTES: Final = 1 << 28
"""Address space of an instance's memory: within it, memory grows without moving."""
MAX_STACK_BYTES: Final = 1 << 18
MAX_TABLES, MAX_TABLE_ELEMENTS = 4, 10_000
POOL_SIZES: Final = (2048, 64)
"""Instances at a time in a process; the smaller number where address space is limited."""
POOL_LIMITS: Final = {
    "max_memory_size": MAX_MEMORY_BYTES,
    "max_memories_per_module": 1,
    "max_tables_per_module": MAX_TABLES,
    "table_elements": MAX_TABLE_ELEMENTS,
    "max_core_instance_size": 1 << 18,
    "linear_memory_keep_resident": 1 << 17,
    "table_keep_resident": 1 << 12,
    "max_unused_warm_slots": 128,
    "total_stacks": 0,
    "total_gc_heaps": 0,
}
MIN_ROOM_BYTES: Final = 1 << 12
"""Minimum size of the buffer that a module is asked for."""
MAX_REASON_CHARS: Final = 300
MIB: Final = 1 << 20
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
ENCODE: Final = msgspec.json.Encoder().encode


# --- wasmtime ---
# Functions of its C API. Numbers stand for addresses, which takes a third of the time of typed pointers.


def declare(name: str, result: Any, *arguments: Any, short: bool = True) -> Any:
    """Return a function of the library; a `short` one keeps other threads waiting."""
    kind = PYFUNCTYPE if short else CFUNCTYPE
    return kind(result, *arguments)((name, library))


new_store = declare("wasmtime_store_new", c_void_p, c_void_p, c_void_p, c_void_p)
delete_store = declare("wasmtime_store_delete", None, c_void_p)
get_context = declare("wasmtime_store_context", c_void_p, c_void_p)
limit_store = declare("wasmtime_store_limiter", None, c_void_p, *[c_int64] * 5)
set_fuel = declare("wasmtime_context_set_fuel", c_void_p, c_void_p, c_uint64)
get_fuel = declare("wasmtime_context_get_fuel", c_void_p, c_void_p, c_void_p)
instantiate = declare(
    "wasmtime_instance_new", c_void_p, *[c_void_p] * 3, c_size_t, c_void_p, c_void_p, short=False
)
find_export = declare(
    "wasmtime_instance_export_get", c_int32, c_void_p, c_void_p, c_char_p, c_size_t, c_void_p
)
get_memory = declare("wasmtime_memory_data", c_void_p, c_void_p, c_void_p)
get_memory_size = declare("wasmtime_memory_data_size", c_size_t, c_void_p, c_void_p)
call_function = declare(
    "wasmtime_func_call_unchecked", c_void_p, *[c_void_p] * 3, c_size_t, c_void_p, short=False
)


class Slot(Structure):
    """What the library reads and writes of one instance."""

    first: int
    second: int
    fuel: int
    trap: int | None
    _fields_ = (
        ("first", c_int32),
        ("_", c_int32 * 3),
        ("second", c_int32),
        ("__", c_int32 * 3),
        ("fuel", c_uint64),
        ("trap", c_void_p),
        ("instance", c_types.wasmtime_instance_t),
        *((name, c_types.wasmtime_extern_t) for name in ("memory", *SIGNATURES)),
    )


def _place(name: str) -> int:
    place: int = getattr(Slot, name).offset
    return place


FUEL, TRAP, INSTANCE = map(_place, ("fuel", "trap", "instance"))
OF: Final[int] = c_types.wasmtime_extern_t.of.offset
MEMORY, ALLOC, BEGIN, ACT, EVENT, OVER, VIEW_FORMAT = (_place(name) + OF for name in ("memory", *SIGNATURES))
"""Places in a slot of what a module exports."""


@cache
def open_engine() -> Engine:
    """Return the engine of all modules: what could differ between two machines is turned off."""
    instances = next(filter(_can_reserve, POOL_SIZES), 0)
    if not instances:
        raise PluginError("a WebAssembly module needs more address space than this process has (ulimit -v)")
    config = Config()
    config.consume_fuel = True
    config.cranelift_nan_canonicalization = True
    config.wasm_threads = config.shared_memory = False
    config.wasm_relaxed_simd = config.wasm_tail_call = config.wasm_wide_arithmetic = False
    config.wasm_memory64 = config.wasm_multi_memory = config.wasm_custom_page_sizes = False
    config.wasm_exceptions = config.wasm_gc = config.wasm_function_references = False
    config.wasm_stack_switching = config.wasm_component_model = False
    config.parallel_compilation = False  # it would start threads
    config.signals_based_traps = False  # signals are the arena's
    config.memory_init_cow = False  # there are no memory files in the sandbox
    config.memory_reservation = MAX_MEMORY_BYTES
    config.memory_may_move = False
    config.memory_guard_size = config.memory_reservation_for_growth = 0
    config.max_wasm_stack = MAX_STACK_BYTES
    pool = c_types.wasmtime_pooling_allocation_config_new()
    sizes = {
        **POOL_LIMITS,
        "total_core_instances": instances,
        "total_memories": instances,
        "total_tables": MAX_TABLES * instances,
    }
    for name, value in sizes.items():
        getattr(c_types, f"wasmtime_pooling_allocation_config_{name}_set")(pool, value)
    c_types.wasmtime_pooling_allocation_strategy_set(config.ptr(), pool)
    c_types.wasmtime_pooling_allocation_config_delete(pool)
    return Engine(config)


def _can_reserve(instances: int) -> bool:
    """Return whether a pool fits into the address space: the library would end the process if not."""
    if os.name != "posix":
        return True
    try:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        mmap.mmap(-1, 2 * instances * MAX_MEMORY_BYTES, flags=flags, prot=0).close()
        return True
    except OSError:
        return False


def _address(pointer: Any) -> int:
    return cast(pointer, c_void_p).value or 0


# --- modules ---


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
            (name.encode(), len(name), _place(name))
            for name in ("memory", *SIGNATURES)
            if name in self.exports
        ]
        self.engine, self.pointer = _address(open_engine().ptr()), _address(self.module.ptr())
        self.slots: list[Slot] = []
        """Slots of instances that are gone."""
        self.legal: dict[Any, Any] = {}
        self.cards: dict[Any, Any] = {}
        """Caches of the encoder."""
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
            instance = Instance(self, DEFAULT_LIMITS)
            chosen = instance.call(VIEW_FORMAT, DEFAULT_LIMITS.fuel)
        except BotFailure as failure:
            raise PluginError(f"{self.name}: view_format failed: {failure.detail}") from None
        if chosen not in (JSON_FORMAT, FLAT_FORMAT):
            raise PluginError(
                f"{self.name}: view_format is {chosen}; there are {JSON_FORMAT} and {FLAT_FORMAT}"
            )
        return chosen


# --- instances ---


class Instance:
    """An instance of a module, with memory of its own and a buffer in it for messages.

    Raises:
        BotFailure: If it cannot be made: its memory is too large, or what it runs at its start fails.
    """

    __slots__ = ("_address", "_at", "_base", "_context", "_module", "_pointer", "_room", "_store", "slot")

    def __init__(self, module: WasmModule, limits: Limits) -> None:
        self._module = module
        self.slot = slot = module.slots.pop() if module.slots else Slot()
        slot.trap = None
        self._at = at = addressof(slot)
        self._store = new_store(module.engine, None, None)
        self._context = context = get_context(self._store)
        memory = min(limits.memory_mb * MIB // MODULE_MATCHES, MAX_MEMORY_BYTES)
        limit_store(self._store, memory, MAX_TABLE_ELEMENTS, 1, MAX_TABLES, 1)
        set_fuel(context, limits.fuel)
        error = instantiate(context, module.pointer, None, 0, at + INSTANCE, at + TRAP)
        if error or slot.trap:
            raise self._explain(error)
        for name, size, place in module.places:
            find_export(context, at + INSTANCE, name, size, at + place)
        self._base: int = get_memory(context, at + MEMORY) or 0
        self._room = self._pointer = self._address = 0

    def __del__(self, delete: Any = delete_store) -> None:
        delete(self._store)
        self._module.slots.append(self.slot)

    def call(self, function: int, fuel: int, first: int = 0, second: int = 0) -> int:
        """Call a function with two numbers, as far as it takes any, and return its result.

        `slot.fuel` then has the fuel that is left.

        Raises:
            BotFailure: If it traps.
        """
        context, slot, at = self._context, self.slot, self._at
        set_fuel(context, fuel)
        slot.first, slot.second = first, second
        error = call_function(context, at + function, at, 2, at + TRAP)
        get_fuel(context, at + FUEL)
        if error or slot.trap:
            raise self._explain(error)
        return slot.first

    def send(self, function: int, data: bytes, fuel: int) -> int:
        """Write data into the buffer, call a function with its place and size, and return the result.

        Raises:
            BotFailure: If it traps, or does not allocate a buffer.
        """
        size = len(data)
        if size > self._room:
            self._make_room(size, fuel)
            fuel = self.slot.fuel
        memmove(self._address, data, size)
        return self.call(function, fuel, self._pointer, size)

    def _make_room(self, size: int, fuel: int) -> None:
        room = max(MIN_ROOM_BYTES, 1 << (size - 1).bit_length())
        pointer = self.call(ALLOC, fuel, room) & 0xFFFF_FFFF
        total = get_memory_size(self._context, self._at + MEMORY)
        if not pointer or pointer + room > total:
            where = f"{pointer}, and its memory has {total:,} bytes"
            raise BotFailure("crash", f"alloc({room}) returned no buffer in its memory: {where}")
        self._room, self._pointer, self._address = room, pointer, self._base + pointer

    def _explain(self, error: int | None) -> BotFailure:
        """Return the failure of a call that returned an error or trapped."""
        if error:
            failure = WasmtimeError._from_ptr(cast(error, POINTER(c_types.wasmtime_error_t)))
            return BotFailure("crash", " ".join(str(failure).split())[:MAX_REASON_CHARS])
        trap = Trap._from_ptr(cast(self.slot.trap or 0, POINTER(c_types.wasm_trap_t)))
        if trap.trap_code is TrapCode.OUT_OF_FUEL:
            return BotFailure("timeout", "it used up its fuel")
        reason = str(trap).strip().splitlines()[-1].strip().removeprefix("wasm trap: ")
        names = [name for frame in trap.frames[:1] if (name := frame.func_name)]
        return BotFailure("crash", "".join([reason, *[f", in {name}" for name in names]])[:MAX_REASON_CHARS])


# --- bots ---


class WasmBot:
    """The bot of a module in one seat of one match; a subclass has the module.

    After a failure the next decision has a new instance, as a bot in a process has a new process.
    """

    module: ClassVar[WasmModule]
    _instance: Instance | None = None
    _failure: BotFailure | None = None
    """The failure of an event or a result, which counts at the next decision."""

    def __init__(self, info: Info) -> None:
        limits = info.limits
        self._fuel, self._left = limits.fuel, limits.match_fuel
        self._limits = limits
        self._encode: Callable[[View], bytes] = (
            FlatEncoder(self.module.legal, self.module.cards).encode if self.module.is_flat else encode_json
        )
        self._match = ENCODE(
            {
                "v": VERSION,
                "variant": info.variant,
                "options": info.options,
                "players": info.players,
                "seat": info.seat,
                "rng": info.key,
                "limits": {"fuel": limits.fuel, "match_fuel": limits.match_fuel},
                "settings": info.settings,
            }
        )
        self._begin()

    def act(self, view: View) -> Action:
        """Return the action that the module chooses.

        Raises:
            BotFailure: If it traps, runs out of fuel, or returns no index of a legal action.
        """
        if self._failure:
            failure, self._failure = self._failure, None
            raise failure
        if self._instance is None:
            self._begin()
        index = self._send(ACT, self._encode(view))
        legal = view.legal
        if 0 <= index < len(legal):
            return legal[index]
        raise BotFailure("invalid", f"{index} is not an index of its {len(legal)} legal actions")

    def _begin(self) -> None:
        self._instance = Instance(self.module, self._limits)
        self._send(BEGIN, self._match)

    def _send(self, function: int, data: bytes) -> int:
        """Return what a function of the module answers to a message; its fuel counts for the match."""
        instance = self._instance
        assert instance is not None
        fuel = self._fuel if self._fuel < self._left else self._left
        try:
            answer = instance.send(function, data, fuel)
        except BotFailure as failure:
            self._instance = None
            self._left -= fuel - instance.slot.fuel
            if failure.kind == "timeout":
                limits = self._limits
                what = (
                    f"{limits.fuel:,} for a decision" if self._left else f"{limits.match_fuel:,} for a match"
                )
                raise BotFailure("timeout", f"it used up its fuel: {what}") from None
            raise
        self._left -= fuel - instance.slot.fuel
        return answer

    def _notify(self, function: int, data: bytes) -> None:
        if self._instance is not None and not self._failure:
            try:
                self._send(function, data)
            except BotFailure as failure:
                self._failure = failure


def _observe(bot: WasmBot, event: str) -> None:
    bot._notify(EVENT, event.encode())


def _deal_over(bot: WasmBot, result: dict[str, Any]) -> None:
    bot._notify(OVER, ENCODE(result))


def load_module(path: str) -> type[WasmBot]:
    """Compile the module of a bot, and return the bot's class.

    Raises:
        PluginError: If it is no bot, with what would help.
    """
    module = WasmModule(Path(path))
    members: dict[str, Any] = {"module": module}
    if "event" in module.exports:
        members["observe"] = _observe
    if "over" in module.exports:
        members["deal_over"] = _deal_over
    return type("WasmBot", (WasmBot,), members)


def encode_json(view: View) -> bytes:
    """Return the message of a view in JSON."""
    return ENCODE(view_to_json(view))
