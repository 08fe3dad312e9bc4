"""The options for playing a run."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from arena.tournament.cluster.scheduler_address import Cluster
from arena.tournament.workers.executors import StartMethod


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options for playing a run; none of them changes the results."""

    jobs: int = 1
    start: StartMethod = "forkserver"
    time_limit_s: float | None = None
    reuse: Path | None = None
    """The folder of another run, whose blocks are imported where this run has equal ones."""
    log_level: int = logging.INFO
    """Lowest level that the console shows; above INFO it shows no progress either."""
    strict: bool = False
    """True if the first fault stops the run."""
    ends_at_limit: bool = False
    """True if a swiss or knockout is decided by the blocks finished when its time limit is over."""
    keep_going: bool = False
    """True to play also with bots that do not start."""
    is_held: bool = False
    """True if the progress must not show who leads."""
    cluster: Cluster | None = None
    """Address of the cluster whose workers play instead of this machine's."""

    @property
    def quiet(self) -> bool:
        """True if the console shows only warnings."""
        return self.log_level > logging.INFO

    def __str__(self) -> str:
        """Return the command-line options for who plays."""
        if self.cluster:
            return f"--cluster {self.cluster.address}"
        return f"--jobs {self.jobs} --start {self.start}"
