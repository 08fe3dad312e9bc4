"""The checkpoints of a bot in training, rated on one curve by a series of runs.

Checkpoints are found in a folder. A track has a run of each, against the same field on the same deals, and
these runs give the ratings.
"""

from __future__ import annotations

import filecmp
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePosixPath
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import msgspec

from arena.errors import ConfigError, PluginError
from arena.play.isolation import Level
from arena.plugins.bot_spec import check_display_name, parse_source
from arena.plugins.inspection import PythonFile
from arena.plugins.manifest import MANIFEST
from arena.plugins.sources import FolderBot
from arena.rating.student_t import MeanEstimate, estimate_mean
from arena.rating.two_bots import EloEstimate, estimate_block_elo
from arena.tournament.engine.engine import Ending, RunOptions
from arena.tournament.engine.levels import choose_levels
from arena.tournament.files import RunFolder, refuse_other_content
from arena.tournament.formats.paired_design import score_bot
from arena.tournament.run import Run
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.toml_checks import COMMAND_LINE
from arena.tournament.store.database import DATABASE
from arena.tournament.store.metadata import find_changed_bots, find_changed_rules

# --- checkpoints ---
# Bots in a folder, or files of what one bot has learnt so far.


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
        """Return the bot in the folder `bot` whose file `data` each checkpoint replaces."""
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
        """Copy the bot with the file of a checkpoint in it, in place of a copy that is there."""
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


def _changed_error(name: str, folder: Path) -> ConfigError:
    """Return the error for a checkpoint that is not what was rated under its name."""
    return ConfigError(
        f"{name} has changed since it was rated: give the new one another name, or delete {folder} and what "
        "else has that name there, to rate it again"
    )


def find_checkpoints(folder: Path, completed: DataBot | None = None) -> FoundCheckpoints:
    """Return the checkpoints in a folder: its bots or, to complete a bot, its files of the same kind.

    Links are ignored: they lead to another checkpoint, as `latest` does.
    """
    checkpoints, ignored = [], []
    for path in folder.resolve().iterdir():
        if path.name.startswith((".", "__pycache__")):
            continue
        if _is_file_of(completed, path) if completed else _is_bot(path):
            checkpoints.append(Checkpoint(path.name if path.is_dir() else path.stem, path))
        else:
            is_broken = path.suffix == ".py" and path.is_file() and PythonFile(path).problem != ""
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


def _bot_text(path: Path) -> str:
    """Return the text that names the bot in a folder or a Python file."""
    return f"{path}:{PythonFile(path).find_bot()}" if path.suffix == ".py" and path.is_file() else str(path)


def _is_bot(path: Path) -> bool:
    if path.is_symlink():
        return False
    if path.is_dir():
        return (path / MANIFEST).is_file()
    if path.suffix != ".py":
        return False
    try:
        PythonFile(path).find_bot()
    except PluginError:
        return False
    return True


def _is_file_of(completed: DataBot, path: Path) -> bool:
    same = path.suffix == PurePosixPath(completed.data).suffix
    return same and path.is_file() and not path.is_symlink()


# --- runs ---

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
            raise _changed_error(name, path)
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
            return self._config_of(checkpoint.name, _bot_text(checkpoint.path))
        config = self._config_of(checkpoint.name, str(self._completed.bot))  # nothing is copied if it fails
        path = (self.folder / "bots" / checkpoint.name).resolve()
        is_rated = RunFolder(self._run_path(self.folder, checkpoint.name)).database.exists()
        if not (is_rated and path.is_dir()):
            self._completed.copy(checkpoint, path)
        elif not self._completed.is_copy(checkpoint, path):
            raise _changed_error(checkpoint.name, path)
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
    """Yield the names and runs of the checkpoints in a track, which may be a stranger's."""
    first: Run | None = None
    folders = [path.parent for path in (folder / "runs").glob(f"*/{DATABASE}")]
    for path in sorted(folders, key=lambda path: natural_key(path.name)):
        check_display_name(path.name)
        run = Run.open(path)
        config, first = run.config, first or run
        is_gauntlet = config.format == "gauntlet" and not config.keys.hero and config.bots[0].name == HERO
        if not is_gauntlet or run.seed != first.seed or _differing_keys(config, first.config):
            raise ConfigError(
                f"{path} is not a run of a checkpoint, or not of the same field and deals as the others: "
                "take it out of there"
            )
        yield path.name, run


def _differing_keys(config: Config, other: Config) -> list[str]:
    """Return the keys in which the configs of two checkpoints differ beside the checkpoint itself."""
    same = msgspec.structs.replace(other, bots=(config.bots[0], *other.bots[1:]), title=config.title)
    return config.list_differences(same)


# --- ratings ---
# Each checkpoint is rated by its own blocks; its gain over another is measured on the same deals.


@dataclass(frozen=True, kw_only=True)
class CheckpointRating:
    """The rating of one checkpoint."""

    name: str
    score: float | None
    """Mean of its blocks, 0 to 1."""
    elo: EloEstimate
    """Elo difference at which the score is expected."""
    blocks: int
    gain: MeanEstimate | None
    """Gain in score over the checkpoint before, on the same deals; None for the first."""
    total_gain: MeanEstimate | None
    """Gain in score over the first checkpoint, on the same deals; None for the first."""
    matches: int
    faults: int
    disqualified: int | None
    """Blocks of its run before it was disqualified for its faults; None if it was not."""
    identical_to: str | None = None
    """Name of the first checkpoint before it with the same files; None without one."""


def rate_checkpoints(runs: Iterable[tuple[str, Run]]) -> list[CheckpointRating]:
    """Return the ratings of checkpoints by their names and runs, in the same order."""
    ratings: list[CheckpointRating] = []
    first: Mapping[str, float] | None = None
    before: Mapping[str, float] | None = None
    names_by_content: dict[str, str] = {}
    for name, run in runs:
        content = run.metadata.bots[HERO]
        scores = {block.address: score_bot(block, result, HERO) for block, result in run.outcomes()}
        rating = _rate(name, run, scores, before, first)
        ratings.append(replace(rating, identical_to=names_by_content.get(content)))
        names_by_content.setdefault(content, name)
        before, first = scores, scores if first is None else first
    return ratings


def _rate(
    name: str,
    run: Run,
    scores: Mapping[str, float],
    before: Mapping[str, float] | None,
    first: Mapping[str, float] | None,
) -> CheckpointRating:
    results = run.results()
    return CheckpointRating(
        name=name,
        score=fmean(scores.values()) if scores else None,
        elo=estimate_block_elo(list(scores.values())),
        blocks=len(scores),
        gain=_estimate_gain(scores, before),
        total_gain=_estimate_gain(scores, first),
        matches=results.matches,
        faults=sum(number for (bot, _), number in results.faults.items() if bot == HERO),
        disqualified=results.disqualified.get(HERO),
    )


def _estimate_gain(scores: Mapping[str, float], other: Mapping[str, float] | None) -> MeanEstimate | None:
    if other is None:
        return None
    return estimate_mean([score - other[block] for block, score in scores.items() if block in other])
