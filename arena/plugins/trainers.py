"""Trainers of bots, offered by distributions as entry points that have the name of their game."""

from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Final

from arena.errors import PluginError
from arena.games import variant

GROUP: Final = "arena.trainers"

Trainer = Callable[[str, Path], None]
"""Trains with a seed and writes what a bot plays by; the same seed writes the same bytes."""


def load_trainer(game: str) -> Trainer:
    """Load the trainer for a game, by its name or alias.

    Raises:
        UnknownVariant: No game has that name.
        PluginError: No installed distribution trains for it, or more than one does.
        MissingPackage: The trainer needs a package that is not installed.
    """
    points = entry_points(group=GROUP)
    matching = [point for point in points if point.name == variant(game).name]
    if len(matching) != 1:
        names = ", ".join(sorted({point.name for point in points})) or "none"
        raise PluginError(f"{len(matching)} trainers are installed for {game}; games with a trainer: {names}")
    trainer: Trainer = matching[0].load()
    return trainer
