"""What is said before and after a run is played."""

from collections import Counter

from arena.report.remarks import remarks
from arena.report.tables import elo_table, scoreboard_table
from arena.report.words import counted
from arena.tournament.config import Config
from arena.tournament.ratings import rated
from arena.tournament.run import Means, Run, isolation
from arena.tournament.runner import Ending
from arena.tournament.seeds import commitment


def announcement(run: Run, means: Means) -> str:
    """What is about to be played, where, and by what means."""
    how = f"{counted(means.jobs, 'jobs')}, {places(run.config)}"
    total = run.walk.course.total
    what = f"a {run.config.format}" if total is None else counted(total, "blocks")
    said = f"Playing {what} into {run.folder.path}: {how}."
    return with_hash(said, run)


def with_hash(said: str, run: Run) -> str:
    """What is said of a run, and the hash of its seed if that is a secret yet."""
    if run.config.seed:
        return said
    return f"{said}\nThe seed is drawn and told at the end; its hash is {commitment(run.seed)}."


def places(config: Config) -> str:
    """How many bots live where."""
    levels = Counter(isolation(config).values())
    return ", ".join(f"{counted(number, 'bots')} {level}" for level, number in levels.items())


def ending_text(run: Run, ending: Ending) -> str:
    """The standings and the table, where the results are, and how to go on from there."""
    path = run.folder.path
    board = run.scoreboard()
    tallies = run.tallies()
    ratings = elo_table(rated(tallies), notes=remarks(tallies))
    table = "\n\n".join([*([scoreboard_table(board)] if board else []), ratings])
    if ending != "done":
        return f"{table}\n\nStopped before its end; `arena resume {path}` goes on with it."
    last = run.config.bots[-1].name
    return f"""{table}

All of it is in {path}; its seed is {run.seed}

  arena table {path} --explain         what the numbers mean
  arena replay list {path} --worst {last}   why {last} lost
  arena replay verify {path}           check every card of it"""
