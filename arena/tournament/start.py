"""Tournaments started from Python."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.config import make_config, read_config
from arena.tournament.workers.isolation_levels import choose_levels


def run_tournament(
    config: Mapping[str, Any] | Path | str, out: Path | str, *, jobs: int = 1, isolation: str | None = None
) -> Run:
    """Play a tournament and return its run; a run that was stopped is continued by `arena resume`.

    Args:
        config: A table with the keys of a config file, in which paths of bots are relative to the working
            directory; or the path of a config file.
        out: The run's folder, which must be new or empty.
        jobs: Number of worker processes, 1 or more; 1 plays in this process. With more, a script needs
            `if __name__ == "__main__":` around its call.
        isolation: Instead of the config's level of isolation. For bots that are not installed, a config file
            cannot ask for `inline` or `process`, at which they run with your rights; this argument, and a
            table given as `config`, can.

    Returns:
        The run: `results().rows` are the rows of the table of ratings, `results().scoreboard` the standings,
        `outcomes()` the blocks with their matches, `folder` the paths of its files.

    Raises:
        ConfigError: The config is wrong; the message names the key.
        StoreError: The folder is not empty, or cannot be written.
        PluginError: A bot does not exist.
    """
    changes = {"isolation": isolation} if isolation else {}
    if isinstance(config, Mapping):
        checked = make_config({**config, **changes}, base=Path(), where="the config")
        confirmed: str | None = checked.isolation
    else:
        checked, confirmed = read_config(Path(config), changes), isolation
    levels = choose_levels(checked, confirmed=confirmed)
    run = Run.create(checked, RunFolder.create(Path(out)), levels)
    run.play(RunOptions(jobs=jobs, log_level=logging.WARNING))
    return run
