"""How a bot that somebody named is started at its level."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import PluginError
from arena.play.isolation import Level, Program
from arena.plugins import BotSpec


class LaunchSpec(NamedTuple):
    """Where a bot lives, and as what."""

    level: Level
    program: Program
    settings: dict[str, Any]


def make_launch_spec(spec: BotSpec, level: Level) -> LaunchSpec:
    """Where a bot lives, and as what.

    Raises: PluginError, for a bot that is not there, or whose files lie too far apart to be shown to it.
    """
    way = spec.source.launch()
    program = Program(
        home=_home(spec.name, way.reads),
        command=way.command,
        arguments=() if way.command else (way.target,),
        installed=spec.source.kind == "plug-in",
        built_in=spec.source.kind == "built-in",
    )
    return LaunchSpec(level, program, spec.settings)


def _home(name: str, reads: Sequence[str]) -> Path | None:
    """The file or folder that holds all that the bot reads."""
    if not reads:
        return None
    home = Path(os.path.commonpath(reads)).resolve()
    if home in (Path(home.anchor), Path.home()):
        raise PluginError(
            f"{name} names files that lie too far apart: a bot sees one folder, so put them into one"
        )
    return home
