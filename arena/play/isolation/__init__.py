"""Runs bots that are not trusted with the arena's own process.

`start` runs a program at a level; `probe` says whether a level is available on this machine, and why not.
docs/isolation.md says what each level keeps out, and what it does not.
"""

from arena.play.isolation.launch import (
    count_threads,
    held_memory_kb,
    peak_memory_kb,
    read_process_file,
    start,
    stop,
    tree_pids,
)
from arena.play.isolation.level_selector import LevelSelector, ProbeResult, probe
from arena.play.isolation.levels import BASE_MB, LEVELS, MAX_TASKS, IsolationLevel, Level
from arena.play.isolation.program_files import Program

__all__ = [
    "BASE_MB",
    "LEVELS",
    "MAX_TASKS",
    "IsolationLevel",
    "Level",
    "LevelSelector",
    "ProbeResult",
    "Program",
    "count_threads",
    "held_memory_kb",
    "peak_memory_kb",
    "probe",
    "read_process_file",
    "start",
    "stop",
    "tree_pids",
]
