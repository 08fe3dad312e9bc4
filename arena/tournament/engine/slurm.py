"""Scripts that play a run as an array job of SLURM, a shard a task, and merge the shards."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import join, quote
from typing import Final, NamedTuple

from arena.errors import ConfigError, StoreError

PLAY, MERGE, SUBMIT = "play.sbatch", "merge.sbatch", "submit.sh"
SHARDS, LOGS, MERGED = "shards", "logs", "merged"
MARGIN_SHARE: Final = 0.1
"""Share of the walltime in which a task finishes its blocks and writes its files."""
MIN_MARGIN_S: Final = 20
MAX_MARGIN_S: Final = 600

PLAY_TEXT: Final = """\
#!/bin/bash
{directives}
#SBATCH --array=1-{tasks}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={logs}/%a.log
# Plays one shard. A task that is requeued, at its time limit or because its node failed, resumes its shard.
cd {directory} || exit 2
shard="$SLURM_ARRAY_TASK_ID"
folder={shards}/"$shard"
if [ -e "$folder/arena.db" ]; then
  set -- resume "$folder"
else
  set -- run {config} --seed {seed} --shard "$shard/{tasks}" --out "$folder"
fi
{arena} "$@" {options} --jobs "${{SLURM_CPUS_PER_TASK:-1}}" --time-limit {limit_s}
status=$?
if [ "$status" = 1 ] && [ "$SECONDS" -ge {limit_s} ]; then
  exec scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
fi
exit "$status"
"""

MERGE_TEXT: Final = """\
#!/bin/bash
{directives}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={logs}/merge.log
# Merges the shards. A job that is requeued continues; when all is merged, it changes nothing.
cd {directory} || exit 2
{arena} merge {shards}/* {options} --jobs "${{SLURM_CPUS_PER_TASK:-1}}" --out {merged} >/dev/null &&
  {arena} table {merged}
"""

SUBMIT_TEXT: Final = """\
#!/bin/sh
# Submits the array job, and the job that merges its shards when all of them are done.
set -e
array=$(sbatch --parsable {play})
sbatch --dependency="afterok:${{array%%;*}}" {merge}
"""


class ArrayJob(NamedTuple):
    """An array job that plays a run."""

    config: Path
    seed: str
    tasks: int
    """Number of tasks, each of which plays one shard."""
    walltime_s: int
    cpus: int
    """Processors of a task."""
    sbatch_options: Sequence[str]
    """Further options of `sbatch`, as `--partition=short`."""
    arena_options: Sequence[str]
    """Further options of all of the arena's commands."""

    @property
    def limit_s(self) -> int:
        """Seconds after which a task stops by itself and is requeued."""
        margin = min(MAX_MARGIN_S, max(MIN_MARGIN_S, round(MARGIN_SHARE * self.walltime_s)))
        return self.walltime_s - margin

    def write(self, folder: Path) -> None:
        """Write the scripts into a new or empty folder, with folders for the shards and the logs."""
        texts = self._texts(folder.absolute())
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if held := sorted(entry.name for entry in folder.iterdir()):
                raise StoreError(
                    f"{folder} is not empty, it contains {held[0]}: name a new folder with --out"
                )
            for name in (SHARDS, LOGS):
                (folder / name).mkdir()
            for name, text in texts.items():
                (folder / name).write_text(text)
                (folder / name).chmod(0o700)  # they hold the seed
        except OSError as error:
            raise StoreError(f"{folder} cannot be written: {error.strerror}") from error

    def _texts(self, folder: Path) -> dict[str, str]:
        hours, rest = divmod(self.walltime_s, 3600)
        directives = [
            f"--job-name=arena-{re.sub('[^A-Za-z0-9_-]', '-', self.config.stem)}",
            f"--time={hours:02}:{rest // 60:02}:{rest % 60:02}",
            f"--cpus-per-task={self.cpus}",
            *self.sbatch_options,
        ]
        logs = _directive_path(folder / LOGS)
        if broken := [text for text in (*directives, logs, self.seed) if not text.isprintable()]:
            raise ConfigError(f"{broken[0]!a} has characters that a line of a script cannot hold")
        fields = {
            "directives": "\n".join(f"#SBATCH {text}" for text in directives),
            "tasks": self.tasks,
            "logs": logs,
            "directory": quote(str(Path.cwd())),
            "shards": quote(str(folder / SHARDS)),
            "merged": quote(str(folder / MERGED)),
            "config": quote(str(self.config.absolute())),
            "seed": quote(self.seed),
            "arena": join([sys.executable, "-P", "-m", "arena"]),
            "options": join([*self.arena_options, "--quiet"]),
            "limit_s": self.limit_s,
        }
        submit = {"play": quote(str(folder / PLAY)), "merge": quote(str(folder / MERGE))}
        return {
            PLAY: PLAY_TEXT.format_map(fields),
            MERGE: MERGE_TEXT.format_map(fields),
            SUBMIT: SUBMIT_TEXT.format_map(submit),
        }


def _directive_path(path: Path) -> str:
    """Return a path as an `#SBATCH` line takes it, where a percent sign begins a placeholder."""
    text = str(path).replace("%", "%%")
    if re.search(r"[\s\"'\\#]", text):
        raise ConfigError(
            f"{path}: SLURM takes no path with spaces, quotes or backslashes: name another --out"
        )
    return text


def parse_walltime(text: str) -> int:
    """Return the seconds of a time such as `4:00`, hours and minutes, or `0:01:30` with seconds."""
    match = re.fullmatch(r"([0-9]{1,4}):([0-5][0-9])(?::([0-5][0-9]))?", text, re.ASCII)
    hours, minutes, seconds = (int(part or 0) for part in match.groups()) if match else (0, 0, 0)
    total = 3600 * hours + 60 * minutes + seconds
    if total < 60:
        raise ConfigError(f"--time takes hours and minutes, as in 4:00, at least 0:01, not {text!r}")
    return total
