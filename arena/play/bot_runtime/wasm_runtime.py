"""Runtime of WebAssembly modules: wasmtime's C API, the engine of all modules, and the stores of instances.

The functions of the C API are called directly, which takes 2 µs a decision; its Python interface takes 18.
"""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from ctypes import (
    CFUNCTYPE,
    POINTER,
    PYFUNCTYPE,
    Structure,
    c_char_p,
    c_int32,
    c_int64,
    c_size_t,
    c_uint64,
    c_void_p,
    cast,
)
from functools import cache
from time import process_time
from typing import Any, Final

from wasmtime import Config, Engine, Instance, Module, Store, Trap, TrapCode, WasmtimeError, wat2wasm
from wasmtime import _bindings as c_types
from wasmtime._ffi import dll as library

from arena.errors import PluginError
from arena.play.faults import BotFailure

MAX_MEMORY_BYTES: Final = 1 << 28
"""Address space of an instance's memory: within it, memory grows without moving."""
MAX_STACK_BYTES: Final = 1 << 18
MAX_TABLES, MAX_TABLE_ELEMENTS = 4, 10_000
POOL_SIZES: Final = (2048, 128)
"""Instances at a time in a process; the smaller number where address space is limited."""
POOL_LIMITS: Final = {
    "max_memory_size": MAX_MEMORY_BYTES,
    "max_memories_per_module": 1,
    "max_tables_per_module": MAX_TABLES,
    "table_elements": MAX_TABLE_ELEMENTS,
    "max_core_instance_size": 1 << 18,
    "linear_memory_keep_resident": 1 << 16,
    "table_keep_resident": 1 << 12,
    "max_unused_warm_slots": 128,
    "total_stacks": 0,
    "total_gc_heaps": 0,
}
MAX_REASON_CHARS: Final = 300
EXPORTS: Final = ("memory", "alloc", "begin", "act", "event", "over", "view_format")
"""Names of the exports that the arena uses."""
LOOP: Final = """(module (memory 1) (func (export "run") (local $x i32)
    (loop $next (local.set $x (i32.add (i32.mul (local.get $x) (i32.const 69069)) (i32.const 1)))
        (i32.store (i32.and (local.get $x) (i32.const 0xfffc)) (local.get $x)) (br $next))))"""
"""A loop without an end."""

# --- C API ---
# Numbers stand for addresses, which takes a third of the time of typed pointers.


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
    """Fields of one instance that the library reads and writes."""

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
        *((name, c_types.wasmtime_extern_t) for name in EXPORTS),
    )


def find_place(name: str) -> int:
    place: int = getattr(Slot, name).offset
    return place


FUEL, TRAP, INSTANCE = map(find_place, ("fuel", "trap", "instance"))
OF: Final[int] = c_types.wasmtime_extern_t.of.offset
MEMORY, ALLOC, BEGIN, ACT, EVENT, OVER, VIEW_FORMAT = (find_place(name) + OF for name in EXPORTS)
"""Places in a slot of what a module exports."""


class CompiledModule:
    """A compiled module, as its instances need it.

    Attributes:
        exports: The names of what it exports, as far as the arena uses it.
        engine: The address of its engine.
        pointer: Its own address.
        places: The name of each export, its length, and its place in a slot.
        slots: Slots of instances that are gone.
    """

    def __init__(self, module: Module) -> None:
        self._kept = open_engine(), module  # as long as their addresses are used
        self.engine, self.pointer = (find_address(kept.ptr()) for kept in self._kept)
        exported = {export.name for export in module.exports}
        self.exports = [name for name in EXPORTS if name in exported]
        self.places = [(name.encode(), len(name), find_place(name)) for name in self.exports]
        self.slots: list[Slot] = []


class InstanceStore:
    """A store of the library, and a slot; an instance keeps both as long as it is used."""

    __slots__ = ("_slots", "address", "slot")

    def __init__(self, engine: int, slots: list[Slot]) -> None:
        """Open a store; `slots` has those that are free."""
        self._slots = slots
        self.slot = slots.pop() if slots else Slot()
        self.slot.trap = None
        self.address = new_store(engine, None, None)

    def __del__(self, delete: Any = delete_store) -> None:
        delete(self.address)
        self._slots.append(self.slot)


def explain_failure(error: int | None, trap: int | None) -> BotFailure:
    """Return the failure of a call that returned an error or trapped, given their addresses."""
    if error:
        failure = WasmtimeError._from_ptr(cast(error, POINTER(c_types.wasmtime_error_t)))
        reason = " ".join(str(failure).split())
        if "GC heap" in reason:
            reason = "it uses externref, which the arena does not have: compile with -mno-reference-types"
        return BotFailure("crash", reason[:MAX_REASON_CHARS])
    trapped = Trap._from_ptr(cast(trap or 0, POINTER(c_types.wasm_trap_t)))
    if trapped.trap_code is TrapCode.OUT_OF_FUEL:
        return BotFailure("timeout", "it used up its fuel")
    reason = str(trapped).strip().splitlines()[-1].strip().removeprefix("wasm trap: ")
    names = [" ".join(name.split()) for frame in trapped.frames[:1] if (name := frame.func_name)]
    return BotFailure("crash", "".join([reason, *[f", in {name}" for name in names]])[:MAX_REASON_CHARS])


# --- engine ---


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
        mmap.mmap(-1, (instances + 16) * MAX_MEMORY_BYTES, flags=flags, prot=0).close()
        return True
    except OSError:
        return False


def find_address(pointer: Any) -> int:
    return cast(pointer, c_void_p).value or 0


def measure_fuel(fuel: int) -> float:
    """Return the seconds of CPU time for which fuel lasts here, in a loop of arithmetic and memory."""
    store = Store(open_engine())
    store.set_fuel(fuel)
    run: Any = Instance(store, Module(open_engine(), bytes(wat2wasm(LOOP))), []).exports(store)["run"]
    started = process_time()
    with suppress(Trap):
        run(store)
    return process_time() - started
