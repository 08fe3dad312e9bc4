"""What is said before a run is played."""

from collections import Counter

from arena.report.text_format import format_count
from arena.tournament.running.run import Means, Run
from arena.tournament.scheduling.seeds import commitment
from arena.tournament.setup.config import Config
from arena.tournament.workers.isolation_plan import isolation


def announcement(run: Run, means: Means) -> str:
    """What is about to be played, where, and by what means."""
    total = run.walk.course.total
    what = f"a {run.config.format}" if total is None else format_count(total, "blocks")
    return announced(f"{what} into {run.folder.path}", run, means)


def announced(what: str, run: Run, means: Means) -> str:
    """That this is about to be played, by what means, and the hash of the seed if that is a secret yet."""
    who = f"the workers at {means.cluster.address}" if means.cluster else format_count(means.jobs, "jobs")
    said = f"Playing {what}: {who}, {_places(run.config)}."
    if run.config.seed:
        return said
    return f"{said}\nThe seed is drawn and told at the end; its hash is {commitment(run.seed)}."


def _places(config: Config) -> str:
    """How many bots live where."""
    levels = Counter(isolation(config).values())
    return ", ".join(f"{format_count(number, 'bots')} {level}" for level, number in levels.items())
