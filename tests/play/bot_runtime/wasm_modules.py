"""WebAssembly modules as text: one that plays, and changes of it that fail in some way."""

from pathlib import Path

MEMORY = '(memory (export "memory") 1)'
ALLOC = '(func (export "alloc") (param i32) (result i32) (i32.const 1024))'
BEGIN = '(func (export "begin") (param i32 i32))'
ENDLESS = "(loop (br 0)) unreachable"
LEAF = "(i32.const 0)"


def module(
    act: str = LEAF, more: str = "", *, memory: str = MEMORY, alloc: str = ALLOC, begin: str = BEGIN
) -> str:
    """Return a module whose `act` has this body, by default one that plays the first legal action."""
    played = f'(func $act (export "act") (param i32 i32) (result i32) {act})'
    return f"(module {memory} {more} {alloc} {begin} {played})"


RECURSION = "(i32.add (i32.const 1) (call $act (local.get 0) (local.get 1)))"
GROWTH = "(loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) unreachable"
NOT_A_NUMBER = "(i32.and (i32.reinterpret_f32 (f32.div (f32.const 0) (f32.const 0))) (i32.const 3))"
ONCE_IN_FOUR = """(if (i32.eqz (i32.and (i32.load8_u (i32.add (local.get 0) (i32.const 12))) (i32.const 3)))
    (then (loop (br 0)))) (i32.const 0)"""
IN_MATCHES = {
    "plays": (module(), ""),
    "loops": (module(ENDLESS), "timeout"),
    "recursion": (module(RECURSION), "crash"),
    "out-of-bounds": (module("(i32.load (i32.const 65533))"), "crash"),
    "index": (module("(i32.const 999)"), "invalid"),
    "negative": (module("(i32.const -1)"), "invalid"),
    "growth": (module(GROWTH), "crash"),
    "division": (module("(i32.div_u (i32.const 1) (i32.const 0))"), "crash"),
    "not-a-number": (module(NOT_A_NUMBER), ""),
    "event": (module(more='(func (export "event") (param i32 i32) (loop (br 0)))'), "timeout"),
    "buffer": (module(alloc=ALLOC.replace("1024", "-16")), "no-start"),
    "externref": (module(more="(table 10 externref)"), "no-start"),
    "no-buffer": (module(alloc=ALLOC.replace("1024", "0")), "no-start"),
    "start": (module(more="(start $s) (func $s (loop (br 0)))"), "no-start"),
    "data": (module(more='(data (i32.const 1073741824) "a byte at one gigabyte")'), "no-start"),
    "large": (module(memory=MEMORY.replace("1)", "200)")), "no-start"),
}
"""Modules that load, and the faults they make in matches; empty for none."""
FORMAT = '(func (export "view_format") (result i32) {})'
REFUSED = {
    "imports": (
        module(memory=f'(import "wasi" "clock" (func (result i64))) {MEMORY}'),
        "imports wasi.clock: a bot imports nothing; compile it without WASI",
    ),
    "nothing": ("(module)", "does not export its memory as 'memory'"),
    "no act": (f"(module {MEMORY} {ALLOC} {BEGIN})", r"does not export the function act\(i32, i32\) -> i32"),
    "types": (
        module(begin='(func (export "begin"))'),
        r"exports begin with other types: it is begin",
    ),
    "format": (module(more=FORMAT.format("(i32.const 7)")), "view_format is 7; there are 0 and 1"),
    "endless format": (module(more=FORMAT.format(ENDLESS)), "view_format failed: it used up its fuel"),
    "four gigabytes": (
        module(memory=MEMORY.replace("1)", "65536)")),
        "begins with more than 256 MiB",
    ),
    "64 bits": (module(memory=MEMORY.replace("1)", "i64 1)")), "compile for wasm32, not wasm64"),
    "shared": (module(memory=MEMORY.replace("1)", "1 2 shared)")), "compile without -pthread and -matomics"),
    "two memories": (module(more="(memory 1)"), "multiple memories .*; compile with -mno-multimemory"),
    "atomics": (module("(i32.atomic.load (i32.const 0))"), "compile without -pthread and -matomics"),
    "relaxed": (
        module("(drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0))) (i32.const 0)"),
        "compile with -mno-relaxed-simd",
    ),
    "tail call": (
        module("(return_call $act (local.get 0) (local.get 1))"),
        "compile with -mno-tail-call",
    ),
    "exceptions": (module("(throw $e)", "(tag $e)"), "compile with -fno-exceptions"),
    "collected": (module(more="(type (struct (field i32)))"), "without garbage collection by WebAssembly"),
    "table": (
        module(more="(table 100000 funcref)"),
        "more than 4 tables, or one of over 10,000",
    ),
    "globals": (module(more="(global i64 (i64.const 0))" * 20_000), "has 20,000 globals, and at most 5,000"),
    "functions": (module(more="(func)" * 5_000), "has 5,003 functions, and at most 5,000 are allowed"),
    "many types": (module(more="(type (func))" * 6_000), "has 6,00. types, and at most 5,000"),
    "function": (
        module("(drop (i64.const 1000000000000000000))" * 13_000 + LEAF),
        "has a function of 1.*,... bytes, and at most 128 KiB are allowed",
    ),
}
"""Modules that do not load, and why."""


def write_bot(folder: Path, text: str) -> Path:
    """Write the folder of a bot with this module, and return it."""
    from wasmtime import wat2wasm

    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text(f'name = "{folder.name}"\nwasm = "bot.wasm"\n')
    (folder / "bot.wasm").write_bytes(wat2wasm(text))
    return folder
