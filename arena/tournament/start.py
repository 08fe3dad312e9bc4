"""Tournaments started from Python."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import make_config, read_config
from arena.tournament.workers.isolation_levels import choose_levels


def run_tournament(config: Mapping[str, Any] | Path | str, out: Path | str, *, jobs: int = 1) -> Run:
    """Play a tournament and return its run; a run that was stopped is continued by `arena resume`.

    Args:
        config: A table with the keys of a config file, in which paths of bots are relative to the working
            directory; or the path of a config file.
        out: The run's folder, which must be new or empty.
        jobs: Number of worker processes, 1 or more; 1 plays in this process. With more, a script needs
            `if __name__ == "__main__":` around its call.

    Returns:
        The run: `results().rows` are the rows of the table of ratings, `results().scoreboard` the standings,
        `outcomes()` the blocks with their matches, `folder` the paths of its files.

    Raises:
        ConfigError: The config is wrong; the message names the key.
        StoreError: The folder is not empty, or cannot be written.
        PluginError: A bot does not exist.
    """
    if isinstance(config, Mapping):
        checked = make_config(config, base=Path(), where="the config")
    else:
        checked = read_config(Path(config))
    levels = choose_levels(checked)
    run = Run.create(checked, RunFolder.create(Path(out)), levels)
    run.play(RunOptions(jobs=jobs, log_level=logging.WARNING))
    return run
