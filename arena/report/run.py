"""What is said before and after a run is played."""

from collections import Counter

from arena.report.tables import elo_table
from arena.report.words import counted
from arena.tournament.run import Means, Run, isolation
from arena.tournament.runner import Ending
from arena.tournament.seeds import commitment


def announcement(run: Run, means: Means) -> str:
    """What is about to be played, where, and by what means."""
    levels = Counter(isolation(run.config).values())
    bots = ", ".join(f"{counted(number, 'bots')} {level}" for level, number in levels.items())
    lines = [
        f"{counted(len(run.schedule), 'blocks')} into {run.folder.path}, {counted(means.jobs, 'jobs')}, {bots}"
    ]
    if not run.config.seed:
        lines.append(f"The seed is drawn, its hash is {commitment(run.seed)}")
    return "\n".join(lines)


def ending_text(run: Run, ending: Ending) -> str:
    """The table, where the results are, and how to go on from there."""
    path = run.folder.path
    rows = run.rows()
    if ending != "done":
        return f"{elo_table(rows)}\n\nStopped before the end. Go on with\n  arena resume {path}"
    lines = [elo_table(rows), f"Everything is in {path}. The seed is {run.seed}", "Go on with"]
    ...
    return "\n\n".join(lines)
