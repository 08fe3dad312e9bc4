"""A WebAssembly module that plays: one instance for each seat of each match, and its fuel.

The same class plays in the bot's process and, at the level `wasm`, in the arena's. Fuel counts the
instructions of a module: it does not depend on the machine, nor do the faults of a bot that uses it up.
"""

# mypyc: compile

from __future__ import annotations

from collections.abc import Callable
from ctypes import addressof, c_ubyte
from typing import Any, Final

import msgspec

from arena.compiled_classes import mypyc_attr
from arena.games import View
from arena.games.action import Action
from arena.play.bot import MODULE_MATCHES, Info, Limits
from arena.play.bot_runtime.flat_views import FlatCache, FlatEncoder
from arena.play.bot_runtime.json_views import view_to_json
from arena.play.bot_runtime.wasm_runtime import (
    ACT,
    ALLOC,
    BEGIN,
    FUEL,
    INSTANCE,
    MAX_MEMORY_BYTES,
    MAX_TABLE_ELEMENTS,
    MAX_TABLES,
    MEMORY,
    TRAP,
    CompiledModule,
    InstanceStore,
    call_function,
    explain_failure,
    find_export,
    get_context,
    get_fuel,
    get_memory,
    get_memory_size,
    instantiate,
    limit_store,
    set_fuel,
)
from arena.play.faults import BotFailure

VERSION: Final = 1
"""Version of the interface."""
MIN_ROOM_BYTES: Final = 1 << 12
"""Minimum size of the buffer that a module is asked for."""
MIB: Final = 1 << 20
ENCODE: Final = msgspec.json.Encoder().encode


class Instance:
    """An instance of a module, with memory of its own and a buffer in it for messages.

    Attributes:
        fuel: The fuel of the match that is left.

    Raises:
        BotFailure: If it cannot be made: its memory is too large, or what it runs at its start fails.
    """

    def __init__(self, module: CompiledModule, limits: Limits, fuel: int) -> None:
        self.fuel = fuel
        self._limit = limits.fuel
        self._store = store = InstanceStore(module.engine, module.slots)
        self._slot: Any = store.slot
        self._at: Any = addressof(store.slot)
        self._context: Any = get_context(store.address)
        memory = min(limits.memory_mb * MIB // MODULE_MATCHES, MAX_MEMORY_BYTES)
        limit_store(store.address, memory, MAX_TABLE_ELEMENTS, 1, MAX_TABLES, 1)
        set_fuel(self._context, limits.fuel)
        instance, trap = self._at + INSTANCE, self._at + TRAP
        error: Any = instantiate(self._context, module.pointer, None, 0, instance, trap)
        if error or self._slot.trap:
            raise explain_failure(error, self._slot.trap)
        for name, size, place in module.places:
            find_export(self._context, instance, name, size, self._at + place)
        self._base: Any = get_memory(self._context, self._at + MEMORY) or 0
        self._trap: Any = trap
        self._left: Any = self._at + FUEL
        self._room = 0
        self._pointer = 0
        self._buffer: Any = None

    def send(self, function: int, data: bytes) -> int:
        """Write data into the buffer, call a function with its place and size, and return the result.

        Raises:
            BotFailure: If it traps, or does not allocate a buffer.
        """
        size = len(data)
        if size >= self._room:
            self._make_room(size)
        self._buffer[:size] = data
        return self.call(function, self._pointer, size)

    def call(self, function: int, first: int = 0, second: int = 0) -> int:
        """Call a function with two numbers, as far as it takes any, and return its result.

        Raises:
            BotFailure: If it traps.
        """
        context, slot, at = self._context, self._slot, self._at
        fuel = self._limit if self._limit < self.fuel else self.fuel
        set_fuel(context, fuel)
        slot.first = first
        slot.second = second
        error: Any = call_function(context, at + function, at, 2, self._trap)
        get_fuel(context, self._left)
        left: int = slot.fuel
        self.fuel -= fuel - left
        if error or slot.trap:
            raise explain_failure(error, slot.trap)
        answer: int = slot.first
        return answer

    def _make_room(self, size: int) -> None:
        room = max(MIN_ROOM_BYTES, 1 << size.bit_length())  # larger than the message
        pointer = self.call(ALLOC, room) & 0xFFFF_FFFF
        total: int = get_memory_size(self._context, self._at + MEMORY)
        if not pointer or pointer + room > total:
            where = f"{pointer}, and its memory has {total:,} bytes"
            raise BotFailure("crash", f"alloc({room}) returned no buffer in its memory: {where}")
        self._room, self._pointer = room, pointer
        self._buffer = memoryview((c_ubyte * room).from_address(self._base + pointer)).cast("B")


@mypyc_attr(allow_interpreted_subclasses=True)
class WasmBot:
    """The bot of a module in one seat of one match.

    After a failure the next decision has a new instance, as a bot in a process has a new process.
    """

    def __init__(self, module: CompiledModule, info: Info, cache: FlatCache | None) -> None:
        """Make an instance; with a cache it is sent its views as integers, else as JSON."""
        self._module = module
        self._limits = info.limits
        self._fuel = info.limits.match_fuel
        """The fuel of the match, when the last instance was made."""
        self._instance: Instance | None = None
        self._failure: BotFailure | None = None
        """The failure of an event or a result, which counts at the next decision."""
        self._encode: Callable[[View], bytes] = encode_json
        if cache:
            self._encode = FlatEncoder(cache).encode
        self._match = ENCODE(
            {
                "v": VERSION,
                "variant": info.variant,
                "options": info.options,
                "players": info.players,
                "seat": info.seat,
                "rng": info.key,
                "limits": {"fuel": self._limits.fuel, "match_fuel": self._limits.match_fuel},
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
        instance = self._instance or self._begin()
        try:
            index = instance.send(ACT, self._encode(view))
        except BotFailure as failure:
            raise self._stop(failure) from None
        legal = view.legal
        if 0 <= index < len(legal):
            return legal[index]
        raise BotFailure("invalid", f"{index} is not an index of its {len(legal)} legal actions")

    def _begin(self) -> Instance:
        instance = self._instance = Instance(self._module, self._limits, self._fuel)
        try:
            instance.send(BEGIN, self._match)
        except BotFailure as failure:
            raise self._stop(failure) from None
        return instance

    def notify(self, function: int, data: bytes) -> None:
        """Send an event or a result to a function."""
        if self._instance is not None:
            try:
                self._instance.send(function, data)
            except BotFailure as failure:
                self._failure = self._stop(failure)

    def _stop(self, failure: BotFailure) -> BotFailure:
        """Give up the instance, and return its failure."""
        assert self._instance is not None
        self._fuel, self._instance = self._instance.fuel, None
        if failure.kind != "timeout":
            return failure
        limits = self._limits
        used = f"{limits.fuel:,} for a decision" if self._fuel else f"{limits.match_fuel:,} for a match"
        return BotFailure("timeout", f"it used up its fuel, {used}")


def encode_json(view: View) -> bytes:
    """Return the message of a view in JSON."""
    return ENCODE(view_to_json(view))
