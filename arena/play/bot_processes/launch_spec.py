"""Launch settings of the bot that a spec names: its level, which program, with which settings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import PluginError
from arena.game_source_files import find_game_paths
from arena.play.isolation import Level, Program
from arena.plugins import BotSpec


class LaunchSpec(NamedTuple):
    """Settings to launch a bot's process."""

    level: Level
    program: Program
    settings: dict[str, Any]


def make_launch_spec(spec: BotSpec, level: Level) -> LaunchSpec:
    """Return how to launch a bot at an isolation level.

    Raises:
        PluginError: If the bot does not exist, or has files that no single folder holds.
    """
    way = spec.source.launch()
    games, packages = ((), ()) if way.command else find_game_paths()
    program = Program(
        home=_home(spec.name, way.reads),
        parts=tuple(map(Path, way.parts)),
        packages=Path(way.packages) if way.packages else None,
        command=way.command,
        arguments=() if way.command else (way.target,),
        games=games,
        game_packages=packages,
        installed=spec.source.kind == "plug-in",
        built_in=spec.source.kind == "built-in",
    )
    return LaunchSpec(level, program, spec.settings)


def _home(name: str, reads: Sequence[str]) -> Path | None:
    """Return the file or folder that holds all that the bot reads."""
    if not reads:
        return None
    home = Path(os.path.commonpath(reads)).resolve()
    if home in (Path(home.anchor), Path.home()):
        raise PluginError(
            f"{name} names files that lie too far apart: a bot can read only one folder, so put them into one"
        )
    return home
