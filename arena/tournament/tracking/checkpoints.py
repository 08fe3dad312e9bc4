"""Checkpoints in a folder: bots, or files of what one bot has learnt so far."""

from __future__ import annotations

import filecmp
import re
import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple

from arena.errors import ConfigError, PluginError
from arena.plugins.bot_classes import find_bot_class
from arena.plugins.bot_spec import check_display_name, parse_source
from arena.plugins.file_bots import FolderBot
from arena.plugins.manifest import MANIFEST
from arena.plugins.supported_games import parse_source as parse_python


class Checkpoint(NamedTuple):
    """A state of a bot in training."""

    name: str
    path: Path
    """Path of its folder, its Python file, or its file of weights."""


class FoundCheckpoints(NamedTuple):
    """The entries of a folder."""

    checkpoints: Sequence[Checkpoint]
    """Checkpoints by name, numbers in the names by their value."""
    ignored: Sequence[str]
    """Names of entries that are not checkpoints, sorted."""


class DataBot(NamedTuple):
    """A bot in a folder, of which one file is what it has learnt: each checkpoint is another such file."""

    bot: FolderBot
    data: str
    """The name of that file in the folder."""

    @classmethod
    def parse(cls, bot: str, data: str) -> DataBot:
        """Return the bot in the folder `bot` whose file `data` each checkpoint replaces.

        Raises:
            PluginError: If there is no such bot, or its packages are not installed.
            ConfigError: If `data` names no file in its folder.
        """
        inside = PurePosixPath(data)
        is_hidden = any(part.startswith(".") for part in inside.parts)
        if inside.is_absolute() or is_hidden or not inside.name or data == MANIFEST:
            raise ConfigError(f"{data!r} names no file in the bot's folder: write one such as weights.npz")
        source = parse_source(bot, Path())
        if not isinstance(source, FolderBot):
            raise ConfigError(
                f"{bot} is not a folder with a {MANIFEST}: files are replaced in such a bot alone"
            )
        source.launch()  # raises PluginError if its packages are missing, naming the folder of the user
        return cls(source, data)

    def copy(self, checkpoint: Checkpoint, target: Path) -> None:
        """Copy the bot with the file of a checkpoint in it, in place of a copy that is there.

        Raises:
            PluginError: For a bot with files that cannot be copied.
            OSError: If the copy cannot be written.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=".new-", dir=target.parent) as scratch:
            whole = Path(scratch, "bot")
            files = [(name, path) for name, path in self.bot.files() if name != self.data]
            for name, path in [*files, (self.data, checkpoint.path)]:
                (whole / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, whole / name)
            if target.is_dir():
                shutil.rmtree(target)
            whole.rename(target)

    def is_copy(self, checkpoint: Checkpoint, target: Path) -> bool:
        """Return whether a copy has the file of the checkpoint."""
        return filecmp.cmp(checkpoint.path, target / self.data, shallow=False)


def changed_error(name: str, folder: Path) -> ConfigError:
    """Return the error for a checkpoint that is not what was rated under its name."""
    return ConfigError(
        f"{name} has changed since it was rated: give the new one another name, or delete {folder} and what "
        "else has that name there, to rate it again"
    )


def find_checkpoints(folder: Path, completed: DataBot | None = None) -> FoundCheckpoints:
    """Return the checkpoints in a folder: its bots or, to complete a bot, its files of the same kind.

    Links are ignored: they lead to another checkpoint, as `latest` does.

    Raises:
        ConfigError: If there is none, or two have one name.
        PluginError: For a name that cannot be shown.
    """
    checkpoints, ignored = [], []
    for path in folder.resolve().iterdir():
        if path.name.startswith((".", "__pycache__")):
            continue
        if _is_file_of(completed, path) if completed else _is_bot(path):
            checkpoints.append(Checkpoint(path.name if path.is_dir() else path.stem, path))
        else:
            is_broken = path.suffix == ".py" and path.is_file() and parse_python(path) is None
            ignored.append(f"{path.name} (not valid Python)" if is_broken else path.name)
    if not checkpoints:
        wanted = f"no file *{PurePosixPath(completed.data).suffix}" if completed else "no bot"
        raise ConfigError(
            f"{folder} has no checkpoint: there is {wanted} in it"
            + ("" if completed else "; for files of weights name their bot with --bot and --data")
        )
    checkpoints.sort(key=lambda checkpoint: natural_key(checkpoint.name))
    for earlier, following in pairwise(checkpoints):
        if earlier.name == following.name:
            raise ConfigError(f"{earlier.path.name} and {following.path.name} have one name: rename one")
    for checkpoint in checkpoints:
        check_display_name(checkpoint.name)
    return FoundCheckpoints(checkpoints, sorted(ignored))


def natural_key(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return a key that sorts names by their numbers' values, as step-9 before step-10."""
    parts = re.split(r"([0-9]+)", name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts], name


def bot_text(path: Path) -> str:
    """Return the text that names the bot in a folder or a Python file.

    Raises:
        PluginError: For a file with no class of a bot, or several.
    """
    return f"{path}:{find_bot_class(path)}" if path.suffix == ".py" and path.is_file() else str(path)


def _is_bot(path: Path) -> bool:
    if path.is_symlink():
        return False
    if path.is_dir():
        return (path / MANIFEST).is_file()
    if path.suffix != ".py":
        return False
    try:
        find_bot_class(path)
    except PluginError:
        return False
    return True


def _is_file_of(completed: DataBot, path: Path) -> bool:
    same = path.suffix == PurePosixPath(completed.data).suffix
    return same and path.is_file() and not path.is_symlink()
