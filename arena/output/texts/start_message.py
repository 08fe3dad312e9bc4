"""The message before a run is played."""

from collections import Counter
from pathlib import Path

from arena.columns.number_format import format_count
from arena.plugins.bot_spec import VERSION_CHARS
from arena.tournament.engine.engine import RunOptions
from arena.tournament.run import Run
from arena.tournament.schedule import commitment


def start_message(run: Run, options: RunOptions) -> str:
    """Return what is about to be played, where, and by which workers."""
    total = run.total
    what = f"a {run.config.format}" if total is None else format_count(total, "blocks")
    if not run.shard.is_whole:
        what = f"shard {run.shard}, {what}"
    shards = len(run.metadata.merging)
    if shards:
        what = f"{what} of {format_count(shards, 'shards')}"
    verb = "Merging" if shards else "Playing"
    return playing_message(f"{what} into {run.folder.path}", run, options, verb)


def playing_message(what: str, run: Run, options: RunOptions, verb: str = "Playing") -> str:
    """Return the message, with the hash of the seed if that is still a secret."""
    cluster = options.cluster
    workers = f"the workers at {cluster.address}" if cluster else format_count(options.jobs, "jobs")
    levels = Counter(run.metadata.isolation.values())
    bots = ", ".join(f"{format_count(number, 'bots')} {level}" for level, number in levels.items())
    lines = [f"{verb} {what}: {workers}, {bots}."]
    if committed := run.committed_seed:
        lines.append(f"The seed was committed to as {committed.commitment}; it is revealed at the end.")
    elif not run.config.seed:
        lines.append(f"Random seed, revealed at the end; its hash is {commitment(run.seed)}.")
    return "\n".join([*lines, *_version_lines(run)])


def _version_lines(run: Run) -> list[str]:
    """Return where the bots are from whose names are told apart by nothing but a hash."""
    content = run.metadata.bots
    return [
        f"{bot.name} is {bot.source.relative_to(Path())}."
        for bot in run.config.bots
        if bot.name.endswith(f"@{content[bot.name][:VERSION_CHARS]}")
    ]
