"""Where a bot lives that is not trusted with the arena's own process.

`start` runs its program at a level, `probe` says whether a level can be had here, and why not.
docs/isolation.md says what each level keeps out, and what it does not.
"""

from arena.play.isolation.launch import start, stop
from arena.play.isolation.level_probe import ProbeResult, probe
from arena.play.isolation.level_selection import LevelSelector
from arena.play.isolation.levels import LEVELS, Level
from arena.play.isolation.program import Program

__all__ = ["LEVELS", "Level", "LevelSelector", "ProbeResult", "Program", "probe", "start", "stop"]
