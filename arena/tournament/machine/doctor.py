"""Checks that this machine can run tournaments, and says what to do about each problem."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec
from packaging.requirements import Requirement

from arena.entry_points import BUILT_IN_DISTRIBUTION
from arena.play.isolation import LEVELS, ProbeResult, probe
from arena.tournament.machine.compilation import (
    IS_CHECKOUT,
    advise_compiling,
    is_compiled,
    read_compile_failure,
)
from arena.tournament.machine.cpu import usable_cores

State = Literal["ok", "warn", "bad"]

MIN_PYTHON: Final = (3, 11)
NEWEST_TESTED_PYTHON: Final = (3, 14)
MIN_SQLITE: Final = (3, 37)
"""The first with strict tables."""
MAX_CLOCK_STEP_S: Final = 1e-4
"""A coarser clock cannot measure time limits."""
MAX_LOAD_SHARE: Final = 0.5
"""Largest load, as a share of the cores, at which other programs take no time from bots."""
LONG_RUN_BYTES, ANY_RUN_BYTES = 2 << 30, 100 << 20
"""Free disk space: with less than the first a long run may fail, with less than the second any."""
BYTES_PER_CORE: Final = 512 << 20
CPU_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
MEMINFO: Final = Path("/proc/meminfo")


class Finding(msgspec.Struct, frozen=True):
    """The result of one check; `bad` prevents runs."""

    name: str
    state: State
    found: str
    advice: str = ""
    """Advice, unless the state is ok."""


def examine_machine(folder: Path) -> Iterator[Finding]:
    """Check everything, for runs whose results go into this folder."""
    yield _python(sys.version_info[:3])
    yield from _packages()
    yield _compiled(is_compiled(), read_compile_failure(), is_checkout=IS_CHECKOUT)
    yield _sqlite(sqlite3.sqlite_version_info)
    yield from (_level(probe(level)) for level in LEVELS)
    yield _cores()
    yield _load()
    yield _clock(time.perf_counter)
    yield _disk(folder)
    yield _memory()


def _python(version: tuple[int, ...]) -> Finding:
    text = f"{platform.python_implementation()} {'.'.join(map(str, version))}"
    if version < MIN_PYTHON:
        return Finding("Python", "bad", text, "install Python 3.11 or newer")
    if version[:2] > NEWEST_TESTED_PYTHON:
        return Finding("Python", "warn", text, f"not tested; use 3.11 to 3.{NEWEST_TESTED_PYTHON[1]}")
    return Finding("Python", "ok", text)


def _compiled(compiled: bool, failure: str, *, is_checkout: bool) -> Finding:
    """Report whether the rules are compiled; `failure` is why the build could not."""
    if compiled:
        return Finding("rule book", "ok", "compiled")
    problem = f"not compiled, because the build failed: {failure}" if failure else "not compiled"
    advice = advise_compiling(failure, is_checkout=is_checkout)
    return Finding("rule book", "warn", problem, f"to play twice as fast, {advice}")


def _packages() -> Iterator[Finding]:
    """Check what the arena requires, without its extras."""
    for text in importlib.metadata.requires(BUILT_IN_DISTRIBUTION) or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            requirement.marker = None
            yield _package(str(requirement))


def _package(text: str) -> Finding:
    """Check a requirement such as `click>=8.1`."""
    requirement = Requirement(text)
    advice = f"pip install '{requirement}'"
    try:
        version = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(requirement.name, "bad", "is not installed", advice)
    if not requirement.specifier.contains(version, prereleases=True):
        return Finding(requirement.name, "bad", f"{version} is too old", advice)
    return Finding(requirement.name, "ok", version)


def _sqlite(version: tuple[int, ...]) -> Finding:
    text = ".".join(map(str, version))
    if version < MIN_SQLITE:
        return Finding("SQLite", "bad", f"{text} is too old", "install a Python with SQLite 3.37 or newer")
    return Finding("SQLite", "ok", text)


def _level(result: ProbeResult) -> Finding:
    name = f"isolation {result.level}"
    if result.usable:
        return Finding(name, "ok", "available")
    state: State = "bad" if result.level == "process" else "warn"
    return Finding(name, state, result.reason, result.fix)


def _cores() -> Finding:
    there, ours = os.cpu_count() or 1, usable_cores()
    allowed = _quota()
    if allowed is not None and allowed < ours:
        jobs = max(1, int(allowed))
        text = f"{ours}, limited to the CPU time of {allowed:g}"
        return Finding("cores", "warn", text, f"--jobs {jobs}: more would only wait")
    return Finding("cores", "ok", f"{ours}" if ours == there else f"{ours} of {there} usable")


def _quota() -> float | None:
    """Return how many cores' time a container may use; None without a limit."""
    try:
        most, _, period = CPU_QUOTA.read_text().partition(" ")
        return None if most == "max" else int(most) / int(period)
    except (OSError, ValueError):
        return None


def _load() -> Finding:
    if not hasattr(os, "getloadavg"):
        return Finding("load", "ok", "unknown here")
    load, cores = os.getloadavg()[0], usable_cores()
    text = f"{load:.1f} of {cores} cores are busy"
    if load > MAX_LOAD_SHARE * cores:
        return Finding(
            "load", "warn", text, "stop other programs or use fewer --jobs: bots may lose time to them"
        )
    return Finding("load", "ok", text)


def _clock(clock: Callable[[], float]) -> Finding:
    step = min(_steps(clock))
    text = f"steps of {step * 1e6:.2g} µs"
    if step > MAX_CLOCK_STEP_S:
        return Finding("clock", "warn", text, "set the time limits in [limits] well above it")
    return Finding("clock", "ok", text)


def _steps(clock: Callable[[], float]) -> Iterator[float]:
    for _ in range(100):
        start = clock()
        while (now := clock()) == start:
            pass
        yield now - start


def _disk(folder: Path) -> Finding:
    there = next(parent for parent in (folder.resolve(), *folder.resolve().parents) if parent.exists())
    free = shutil.disk_usage(there).free
    text = f"{_size(free)} free for {folder}"
    if not os.access(there, os.W_OK):
        return Finding("disk", "bad", f"{there} is not writable", "use another folder, or --out")
    if free < LONG_RUN_BYTES:
        state: State = "bad" if free < ANY_RUN_BYTES else "warn"
        return Finding("disk", state, text, "free some space: a million matches take a gigabyte")
    return Finding("disk", "ok", text)


def _memory() -> Finding:
    try:
        lines = MEMINFO.read_text().splitlines()
    except OSError:
        return Finding("memory", "ok", "unknown here")
    [kilobytes] = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    text, cores = f"{_size(kilobytes << 10)} available", usable_cores()
    if kilobytes << 10 < BYTES_PER_CORE * cores:
        fewer = max(1, (kilobytes << 10) // BYTES_PER_CORE)
        return Finding("memory", "warn", text, f"--jobs {fewer}, or fewer bots in processes of their own")
    return Finding("memory", "ok", text)


def _size(number: int) -> str:
    return f"{number / (1 << 30):.1f} GiB" if number >= 1 << 30 else f"{number / (1 << 20):.0f} MiB"
