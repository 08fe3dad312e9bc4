"""A track: a folder with a run of each checkpoint, all of the same field and the same deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec

from arena.errors import ConfigError
from arena.play.isolation import Level
from arena.plugins.bot_spec import check_display_name
from arena.plugins.file_bots import FolderBot
from arena.tournament.files.run_folder import RunFolder, refuse_other_content
from arena.tournament.running.block_runner import Ending
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.config_origin import COMMAND_LINE
from arena.tournament.storage.database import DATABASE
from arena.tournament.storage.metadata import find_changed_bots, find_changed_rules
from arena.tournament.tracking.checkpoints import (
    Checkpoint,
    DataBot,
    bot_text,
    changed_error,
    natural_key,
)
from arena.tournament.workers.isolation_levels import choose_levels

HERO: Final = "checkpoint"
"""The name that every checkpoint has in its run: blocks of the same names have the same deals."""
PAGE: Final = "track.html"


class Track:
    """The runs of the checkpoints of a bot: each a gauntlet of one checkpoint against the field.

    Args:
        folder: Folder of the track; new, or one begun with the same terms.
        terms: Keys and values of a config, with the field as its bots.
        completed: The bot that the checkpoints complete, if they are files of what it has learnt.
        isolation: The level that the user asked for.
        reuse: The folder of another track, whose seed this one takes if it is new.
    """

    def __init__(
        self,
        folder: Path,
        terms: Mapping[str, Any],
        *,
        completed: DataBot | None = None,
        isolation: str | None = None,
        reuse: Path | None = None,
    ) -> None:
        self.folder = folder
        self._terms = terms
        self._completed = completed
        self._isolation = isolation
        self._reuse = reuse

    @property
    def page(self) -> Path:
        """The file of the page with the curve."""
        return self.folder / PAGE

    def runs(self) -> Iterator[tuple[str, Run]]:
        """Yield the names and runs of all checkpoints that were rated, also of those since deleted."""
        return _open_runs(self.folder)

    def play(
        self,
        checkpoints: Iterable[Checkpoint],
        options: RunOptions,
        announce: Callable[[str], None],
        check_bots: Callable[[Config, Mapping[str, Level]], None],
    ) -> Ending:
        """Play the blocks that checkpoints lack, in their order; the time limit is for all together.

        Args:
            checkpoints: Checkpoints to rate.
            options: Options of each of their runs.
            announce: Called with the name of each that lacks blocks.
            check_bots: Called before a run is created or resumed; it may raise an error.

        Raises:
            ConfigError: If the track was begun with other terms, or what it rated has changed.
            StoreError: If something else is in the folder.
        """
        refuse_other_content(self.folder, "a track", "runs", "bots")
        limit = options.time_limit_s
        end = None if limit is None else time.monotonic() + limit
        for checkpoint in checkpoints:
            config = self._make_config(checkpoint)
            run = self._open_run(checkpoint.name, config)
            if run and run.count_blocks() == run.stages.format.total:
                continue
            announce(checkpoint.name)
            levels = run.check_levels() if run else choose_levels(config, confirmed=self._isolation)
            check_bots(config, levels)
            run = run or self._create_run(checkpoint.name, config, levels)
            left = None if end is None else max(end - time.monotonic(), 0.0)
            own = replace(options, time_limit_s=left, reuse=self._reused_run(checkpoint.name))
            if run.play(own) != "done":
                return "interrupted"
        return "done"

    def _open_run(self, name: str, config: Config) -> Run | None:
        """Return the run of a checkpoint, if there is one."""
        path = self._run_path(self.folder, name)
        if not RunFolder(path).database.exists():
            return None
        run = Run.open(path, isolation=self._isolation)
        self._refuse_other_terms(run, config)
        if HERO in find_changed_bots(run.metadata, config):
            raise changed_error(name, path)
        return run

    def _create_run(self, name: str, config: Config, levels: Mapping[str, Level]) -> Run:
        first = next(self.runs(), None)
        if first:
            self._refuse_other_terms(first[1], config)
            self._refuse_changed_field(first[1])
        seed = first[1].seed if first else self._seed_of_reused(config)
        return Run.create(config, RunFolder.create(self._run_path(self.folder, name)), levels, seed=seed)

    def _reused_run(self, name: str) -> Path | None:
        path = self._reuse and self._run_path(self._reuse, name)
        return path if path and RunFolder(path).database.exists() else None

    @staticmethod
    def _run_path(folder: Path, name: str) -> Path:
        return folder / "runs" / name

    def _make_config(self, checkpoint: Checkpoint) -> Config:
        if not self._completed:
            return self._config_of(checkpoint.name, bot_text(checkpoint.path))
        config = self._config_of(checkpoint.name, str(self._completed.bot))  # nothing is copied if it fails
        path = (self.folder / "bots" / checkpoint.name).resolve()
        is_rated = RunFolder(self._run_path(self.folder, checkpoint.name)).database.exists()
        if not (is_rated and path.is_dir()):
            self._completed.copy(checkpoint, path)
        elif not self._completed.is_copy(checkpoint, path):
            raise changed_error(checkpoint.name, path)
        source = FolderBot.parse(str(path), Path())
        return msgspec.structs.replace(
            config, bots=(msgspec.structs.replace(config.bots[0], source=source), *config.bots[1:])
        )

    def _config_of(self, name: str, bot: str) -> Config:
        bots = [{"bot": bot, "name": HERO}, *self._terms["bots"]]
        table = {**self._terms, "title": name, "bots": bots}
        return make_config(table, base=Path(), where=COMMAND_LINE)

    def _seed_of_reused(self, config: Config) -> str:
        first = next(_open_runs(self._reuse), None) if self._reuse else None
        if self._reuse and not first:
            raise ConfigError(f"{self._reuse} is not a track: it contains no run of a checkpoint")
        if first and config.seed not in ("", first[1].seed):
            raise ConfigError(f"nothing of {self._reuse} holds with another seed: leave --seed out")
        return first[1].seed if first else ""

    def _refuse_other_terms(self, run: Run, config: Config) -> None:
        """Refuse what would make the checkpoints' ratings differ for other reasons than the checkpoints."""
        if keys := _differing_keys(run.config, config):
            raise ConfigError(
                f"{self.folder} was begun with other {' and '.join(keys)}: give the same options as then, or "
                f"name a new folder with --out; with --reuse {self.folder} it takes over what is the same"
            )

    def _refuse_changed_field(self, run: Run) -> None:
        changed = [name for name in find_changed_bots(run.metadata, run.config) if name != HERO]
        changed += find_changed_rules(run.metadata, run.config)
        if changed:
            raise ConfigError(
                f"{' and '.join(changed)} changed since {self.folder} was begun, and ratings from before and "
                "after would not compare: begin another with --out"
            )


def _open_runs(folder: Path) -> Iterator[tuple[str, Run]]:
    """Yield the names and runs of the checkpoints in a track, which may be a stranger's.

    Raises:
        ConfigError: For a run of something else, or of other terms.
        PluginError: For an unsafe name.
    """
    first: Run | None = None
    folders = [path.parent for path in (folder / "runs").glob(f"*/{DATABASE}")]
    for path in sorted(folders, key=lambda path: natural_key(path.name)):
        check_display_name(path.name)
        run = Run.open(path)
        config, first = run.config, first or run
        is_gauntlet = config.format == "gauntlet" and not config.hero and config.bots[0].name == HERO
        if not is_gauntlet or run.seed != first.seed or _differing_keys(config, first.config):
            raise ConfigError(
                f"{path} is not a run of a checkpoint, or not of the same field and deals as the others: "
                "take it out of there"
            )
        yield path.name, run


def _differing_keys(config: Config, other: Config) -> list[str]:
    """Return the keys in which the configs of two checkpoints differ beside the checkpoint itself."""
    same = msgspec.structs.replace(config, bots=(other.bots[0], *config.bots[1:]), title=other.title)
    return [key for key in Config.__struct_fields__ if getattr(same, key) != getattr(other, key)]
