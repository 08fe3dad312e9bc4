"""What is said before a run is played."""

from collections import Counter

from arena.report.text_format import format_count
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.scheduling.seeds import commitment


def start_message(run: Run, options: RunOptions) -> str:
    """What is about to be played, where, and by what options."""
    total = run.stages.format.total
    what = f"a {run.config.format}" if total is None else format_count(total, "blocks")
    return playing_message(f"{what} into {run.folder.path}", run, options)


def playing_message(what: str, run: Run, options: RunOptions) -> str:
    """That this is about to be played, by what means, and the hash of the seed if that is a secret yet."""
    who = (
        f"the workers at {options.cluster.address}" if options.cluster else format_count(options.jobs, "jobs")
    )
    said = f"Playing {what}: {who}, {_places(run)}."
    if run.config.seed:
        return said
    return f"{said}\nThe seed is drawn and told at the end; its hash is {commitment(run.seed)}."


def _places(run: Run) -> str:
    """How many bots live where."""
    levels = Counter(run.metadata.isolation.values())
    return ", ".join(f"{format_count(number, 'bots')} {level}" for level, number in levels.items())
