"""Whether this machine is fit to play tournaments: what is needed and what helps, each with what to do."""

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

from arena.play.isolation import LEVELS, ProbeResult, probe
from arena.plugins.installed import BUILT_IN_DISTRIBUTION
from arena.tournament.machine.benchmark import is_compiled
from arena.tournament.machine.cpu import usable_cores

State = Literal["ok", "warn", "bad"]

PYTHON: Final = (3, 11)
TESTED: Final = (3, 14)
"""The last Python that the tests have been run with, or are to be."""
SQLITE: Final = (3, 37)
"""From here on it has strict tables."""
COARSE_S: Final = 1e-4
"""A clock that steps further than this cannot tell who was late."""
BUSY: Final = 0.5
"""Share of the cores that others may keep busy before bots lose time to them."""
TIGHT: Final = 2 << 30
LEAST: Final = 100 << 20
"""Bytes free on the disk: below the first a long run may fill it, below the second any."""
MEMORY: Final = 512 << 20
"""Bytes a core should have."""
QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")
MEMINFO: Final = Path("/proc/meminfo")


class Finding(msgspec.Struct, frozen=True):
    """One thing that was looked at; `bad` is what no run can do without."""

    name: str
    state: State
    found: str
    advice: str = ""
    """What to do about it, if it is not ok."""


def examine_machine(folder: Path) -> Iterator[Finding]:
    """All there is to look at, for runs whose results go into a folder."""
    yield _python(sys.version_info[:3])
    yield from _packages()
    yield _compiled(is_compiled())
    yield _sqlite(sqlite3.sqlite_version_info)
    yield from (_level(probe(level)) for level in LEVELS)
    yield _cores()
    yield _load()
    yield _clock(time.perf_counter)
    yield _disk(folder)
    yield _memory()


def _python(found: tuple[int, ...]) -> Finding:
    said = f"{platform.python_implementation()} {'.'.join(map(str, found))}"
    if found < PYTHON:
        return Finding("Python", "bad", said, "install Python 3.11 or newer")
    if found[:2] > TESTED:
        return Finding("Python", "warn", said, f"nobody has tried it; 3.11 to 3.{TESTED[1]} are tested")
    return Finding("Python", "ok", said)


def _compiled(is_so: bool) -> Finding:
    """Whether the busiest modules were compiled when the arena was installed."""
    if is_so:
        return Finding("rule book", "ok", "compiled")
    advice = (
        "with a C compiler install the arena once more (in a checkout `make plain compiled`): it plays faster"
    )
    return Finding("rule book", "warn", "its source runs as it stands", advice)


def _packages() -> Iterator[Finding]:
    """Those that the arena needs itself."""
    for text in importlib.metadata.requires(BUILT_IN_DISTRIBUTION) or ():
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            requirement.marker = None
            yield _package(str(requirement))


def _package(text: str) -> Finding:
    """Whether a requirement such as `click>=8.1` is met."""
    requirement = Requirement(text)
    advice = f"pip install '{requirement}'"
    try:
        found = importlib.metadata.version(requirement.name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(requirement.name, "bad", "is not there", advice)
    if not requirement.specifier.contains(found, prereleases=True):
        return Finding(requirement.name, "bad", f"{found} is too old", advice)
    return Finding(requirement.name, "ok", found)


def _sqlite(found: tuple[int, ...]) -> Finding:
    said = ".".join(map(str, found))
    if found < SQLITE:
        return Finding("SQLite", "bad", f"{said} is too old", "install a Python with SQLite 3.37 or newer")
    return Finding("SQLite", "ok", said)


def _level(tried: ProbeResult) -> Finding:
    name = f"isolation {tried.level}"
    if tried.usable:
        return Finding(name, "ok", "can be had")
    state: State = "bad" if tried.level == "process" else "warn"
    return Finding(name, state, tried.reason, tried.fix)


def _cores() -> Finding:
    there, ours = os.cpu_count() or 1, usable_cores()
    allowed = _quota()
    if allowed is not None and allowed < ours:
        jobs = max(1, int(allowed))
        said = f"{ours}, but only the time of {allowed:g} may be used"
        return Finding("cores", "warn", said, f"--jobs {jobs}: more would wait for each other")
    return Finding("cores", "ok", f"{ours}" if ours == there else f"{ours} of {there} may be used")


def _quota() -> float | None:
    """How many cores' time a container may use; None without a limit."""
    try:
        most, _, period = QUOTA.read_text().partition(" ")
        return None if most == "max" else int(most) / int(period)
    except (OSError, ValueError):
        return None


def _load() -> Finding:
    if not hasattr(os, "getloadavg"):
        return Finding("load", "ok", "unknown here")
    load, cores = os.getloadavg()[0], usable_cores()
    said = f"{load:.1f} of {cores} cores are busy"
    if load > BUSY * cores:
        return Finding(
            "load", "warn", said, "end what else is running, or take fewer --jobs: bots may lose time to it"
        )
    return Finding("load", "ok", said)


def _clock(clock: Callable[[], float]) -> Finding:
    step = min(_steps(clock))
    said = f"steps of {step * 1e6:.2g} µs"
    if step > COARSE_S:
        return Finding("clock", "warn", said, "give limits of time well above it in [limits]")
    return Finding("clock", "ok", said)


def _steps(clock: Callable[[], float]) -> Iterator[float]:
    for _ in range(100):
        start = clock()
        while (now := clock()) == start:
            pass
        yield now - start


def _disk(folder: Path) -> Finding:
    there = next(one for one in (folder.resolve(), *folder.resolve().parents) if one.exists())
    free = shutil.disk_usage(there).free
    said = f"{_size(free)} free for {folder}"
    if not os.access(there, os.W_OK):
        return Finding("disk", "bad", f"{there} is not writable", "work in another folder, or with --out")
    if free < TIGHT:
        state: State = "bad" if free < LEAST else "warn"
        return Finding("disk", state, said, "make room: a million matches take a gigabyte")
    return Finding("disk", "ok", said)


def _memory() -> Finding:
    try:
        lines = MEMINFO.read_text().splitlines()
    except OSError:
        return Finding("memory", "ok", "unknown here")
    [kilobytes] = [int(line.split()[1]) for line in lines if line.startswith("MemAvailable:")]
    said, cores = f"{_size(kilobytes << 10)} available", usable_cores()
    if kilobytes << 10 < MEMORY * cores:
        fewer = max(1, (kilobytes << 10) // MEMORY)
        return Finding("memory", "warn", said, f"--jobs {fewer}, or fewer bots in processes of their own")
    return Finding("memory", "ok", said)


def _size(number: int) -> str:
    return f"{number / (1 << 30):.1f} GiB" if number >= 1 << 30 else f"{number / (1 << 20):.0f} MiB"
