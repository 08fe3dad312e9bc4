"""The names of the levels, as a config, the results and the tables write them."""

from typing import Literal

Level = Literal["inline", "process", "landlock", "sandbox"]

LEVELS: tuple[Level, ...] = ("inline", "process", "landlock", "sandbox")
"""Weakest first."""
