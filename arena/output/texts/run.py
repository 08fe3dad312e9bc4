"""Texts around a run: estimates before it, results and hints on faults after it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path, PurePath
from shlex import quote
from typing import Any, Final

from arena.columns.column import explain_columns
from arena.columns.number_format import format_count
from arena.columns.table_formats import Format, Sheet, TableSet, format_sheet, format_table, wrap_text
from arena.errors import ConfigError
from arena.output.tables.breakdowns import FAILURE_COLUMNS, list_failures
from arena.output.tables.ratings import explain_ratings, rating_table, versions_note, withdrawn_notes
from arena.output.words.text import format_duration, strip_unprintable
from arena.play.faults import escape_unprintable, indent_later_lines
from arena.play.isolation import LEVELS, MAX_TASKS
from arena.play.isolation.level_selector import INSTALLED
from arena.plugins import BotSpec
from arena.plugins.bot_spec import format_setting, label_bots
from arena.plugins.games import arena_command, game_text
from arena.plugins.inspection import explain_single_file
from arena.plugins.manifest import MANIFEST
from arena.tournament.engine.engine import Ending, RunOptions
from arena.tournament.formats.base import playing_message
from arena.tournament.results.rating_table import rating_notes
from arena.tournament.review.forecast import FirstBlocks
from arena.tournament.run import Run
from arena.tournament.setup.config import VariantEntry

# --- before a run ---


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
    return playing_message(f"{what} into {run.folder.path}", run, options.workers, verb)


def run_estimate_text(run: Run, first: FirstBlocks, jobs: int) -> str:
    """Return how many blocks a run takes and how long, and what a bot that uses all its time would add."""
    config = run.config
    least, most = run.stages.format.total_range or (0, config.max_blocks)
    blocks = format_count(most, "blocks")
    count = blocks if least == most else f"{least:,} to {blocks}" if least else f"up to {blocks}"
    played = f"{format_count(len(config.bots), 'bots')}, {format_count(len(config.variants), 'games')}"
    time = f"{format_duration(most * first.block_s)} with {format_count(jobs, 'jobs')}"
    lines = [f"No errors: {played}, {config.format}.", f"Estimate: {count}, about {time}."]
    if any(LEVELS[level].has_process for level in run.metadata.isolation.values()):
        decisions = most * first.decisions / len(config.bots)
        slow_s = decisions * config.limits.decision_ms / 1000 / jobs
        lines.append(
            f"A bot that takes {config.limits.decision_ms:,} ms for each decision would add about "
            f"{format_duration(slow_s)}."
        )
    return "\n".join(lines)


def grading_estimate_text(most: int, block_s: float, jobs: int) -> str:
    """Return how long a grading can take, given the mean wall seconds of a block while all jobs play."""
    return (
        f"At most {format_count(most, 'blocks')}, about {format_duration(most * block_s)} with "
        f"{format_count(jobs, 'jobs')}; it ends sooner where a rung is clearly beaten or not."
    )


# --- fault hints ---
# Causes of faults, guessed from their messages.

HINTS: Final = {
    "ModuleNotFoundError": "a bot can import Python's standard library, arena and msgspec; in a folder with "
    "a bot.toml also its other files, and the packages in its requirements.txt.",
    "MemoryError": "it ran out of memory; use less, or raise limits.memory_mb in a config.",
    "failed to map segment": "its libraries need more memory: raise limits.memory_mb in a config.",
    "(status -9)": "it may have run out of memory, see limits.memory_mb.",
    "cannot be decoded": "standard output is for the protocol; print anything else to standard error.",
    "left in the time bank": "each time-out delays the run: make the bot faster there, or allow more time "
    "with decision_ms and bank_ms under [limits] in a config.",
    "EOF when reading a line": "nobody answers input(): remove it.",
    "can't start new thread": f"a bot may have {MAX_TASKS} threads and no other process; the CPU time of all "
    "counts, so threads do not make it faster.",
    "Action.__init__() missing": "a bot does not make actions, it returns one of view.legal. The legal kinds "
    "are {action.kind for action in view.legal}; `arena docs adapters` lists those of each family.",
    " threads (allowed": "end threads before starting others; the CPU time of all counts, so threads do not "
    "make a bot faster.",
}
"""Hint by a text that occurs in the fault."""
SELF_HINT: Final = (
    "is self missing? The methods are __init__(self, info), act(self, view), observe(self, event) and "
    "deal_over(self, result)."
)
SELF: Final = re.compile(
    r"TypeError: (\w+\.)*(act|observe|deal_over|__init__)\(\) takes \d+ positional argument"
)
MODULE: Final = re.compile(r"No module named '([^'.]+)")
RELATIVE: Final = re.compile(r"^\s*from (\.+)(\S*) (import .+)$", re.MULTILINE)
"""A relative import in a traceback: its dots, module, and names."""
NO_PACKAGE: Final = ("No module named 'arena bot ", "attempted relative import with no known parent package")
"""Errors of a relative import in a file of a bot, and in another file that it imports."""
FILE: Final = re.compile(r"(?:No such file or directory|Permission denied): '([^']+)'")


def _hint_lines(faults: Iterable[tuple[BotSpec, str]]) -> list[str]:
    lines = [
        f"Hint for {strip_unprintable(spec.name)}: {hint}"
        for spec, fault in faults
        for hint in find_hints(fault, spec.source.beside)
    ]
    return list(dict.fromkeys(lines))


def startup_error_text(spec: BotSpec, error: str) -> str:
    """Return why a bot does not start, and what may be the cause."""
    detail = indent_later_lines(escape_unprintable(error))
    hints = [f"    Hint: {hint}" for hint in find_hints(error, spec.source.beside)]
    return "\n".join([f"{strip_unprintable(spec.name)} does not start: {detail}", *hints])


def find_hints(fault: str, beside: Collection[str]) -> list[str]:
    """Return what may have caused a fault and what to do about it.

    Args:
        fault: The text of the fault, with a traceback where there is one.
        beside: The names of the files and folders beside a bot in a single file; empty for other bots.
    """
    if neighbour := _find_neighbour(fault, beside):
        return [f"{neighbour} is beside the bot, but {explain_single_file(MANIFEST in beside)}."]
    if any(text in fault for text in NO_PACKAGE) and (parts := RELATIVE.search(fault)):
        dots, module, names = parts.groups()
        absolute = f"from {module} {names}" if module else names
        return [f"the files of a bot are no package: `{absolute}`, not `from {dots}{module} {names}`."]
    hints = [hint for text, hint in HINTS.items() if text in fault]
    return [*hints, SELF_HINT] if SELF.search(fault) else hints


def _find_neighbour(fault: str, beside: Collection[str]) -> str:
    """Return the name of a file or folder beside the bot that it could not import or read; empty for none."""
    modules = [*MODULE.findall(fault), *[parts[1] for parts in RELATIVE.findall(fault)]]
    names = [name for module in modules for name in (f"{module}.py", module)]
    names += [part for path in FILE.findall(fault) for part in PurePath(path).parts[::-1]]
    return next((name for name in names if name in beside), "")


# --- results ---

NO_ELO_NOTE: Final = "--wide adds the ratings; their Elo is stretched, as results decided who met whom."


def run_table(run: Run, style: Format = "plain", width: int | None = None, *, wide: bool = False) -> str:
    """Return the standings, where the format has any, and the ratings; plain text fits into `width`.

    With `wide` the ratings have every column.

    As CSV they are two tables with an empty line between; as JSON an object with the arrays `standings`,
    `pairings` and `ratings`. Without standings both are the ratings alone. For people, standings of a format
    that stretches Elo stand alone, unless `wide`.
    """
    results = run.results()
    ratings = rating_table(results, style, [*rating_notes(results), *withdrawn_notes(run)], width, wide=wide)
    board = results.scoreboard
    if not board:
        return ratings
    standings = format_table(board.standings, style, width)
    if board.stretches_elo and not wide and style not in ("csv", "json"):
        faults = format_count(results.faults.total(), "faults")
        notes = [f"{faults}; --wide has them by bot."] if results.faults else []
        notes = [*notes, *withdrawn_notes(run), NO_ELO_NOTE] if style == "plain" else []
        return "\n\n".join([standings, *(wrap_text(note, width) for note in notes)])
    if style != "json":
        return f"{standings}\n\n{ratings}"
    pairings = format_table(board.rounds, style)
    return f'{{"standings":{standings},"pairings":{pairings},"ratings":{ratings}}}'


def standings_or_pairings(run: Run, which: str) -> TableSet:
    """Return the standings alone, or the tables by round."""
    board = run.results().scoreboard
    if board is None or (which == "rounds" and board.pairings is None):
        raise ConfigError(f"--show {which}: a {run.config.format} like this run has none; leave it out")
    return board.rounds if which == "rounds" else board.standings


def with_title(run: Run, table: str, style: Format = "plain") -> str:
    """Return a readable table below the run's title, if it has one."""
    return f"{run.config.title}\n\n{table}" if run.config.title and style in ("plain", "md") else table


def table_and_versions(run: Run, style: Format, width: int | None = None, *, wide: bool = False) -> str:
    """Return `run_table`; if printed, followed by the versions of rules and bots."""
    table = with_title(run, run_table(run, style, width, wide=wide), style)
    if style != "plain" or not run.results().blocks:
        return table
    return f"{table}\n\n{wrap_text(versions_note(run), width)}"


def explain_run_table(run: Run) -> str:
    """Return the documentation of every column of `run_table`."""
    board, ratings = run.results().scoreboard, explain_ratings(run.results().rows)
    if not board:
        return ratings
    return f"The standings:\n\n{explain_columns(board.standings.docs)}\n\nThe ratings:\n\n{ratings}"


def ending_text(run: Run, ending: Ending, width: int | None = None) -> str:
    """Return the results, fit into `width`, where they are, and what to do next."""
    path, arena = quote(str(run.folder.path)), arena_command()
    verdict = run.stages.format.verdict(run, width) or run_table(run, width=width)
    text = with_title(run, verdict)
    text = "\n\n".join([text, *failure_texts(run)])
    if ending != "done":
        return f"{text}\n\n{stopped_text(run)}"
    if not run.shard.is_whole:
        return f"{text}\n\n{_shard_text(run)}"
    loser = label_bots(bot.name for bot in run.config.bots)[_choose_loser(run)]
    hints = [
        (quote(str(run.folder.report)), "report with figures and replays"),
        (f"{arena} table {path} --explain", "what the columns mean"),
    ]
    if run.config.replays:
        hints += [
            (f"{arena} replay list {path} --worst {quote(loser)}", f"why {loser} lost"),
            (f"{arena} verify {path}", "check every match and table"),
        ]
    longest = max(len(call) for call, _ in hints)
    lines = "\n".join(f"  {call:{longest}}   {why}" for call, why in hints)
    return f"{text}\n\nResults are in {path}; the seed is {run.seed}{_commitment_text(run)}\n\n{lines}"


def _shard_text(run: Run) -> str:
    """Return how a shard that is done becomes part of a run."""
    return (
        f"Shard {run.shard} is done, in {quote(str(run.folder.path))}. "
        f"When all {run.shard.shards} are, `{arena_command()} merge DIR...` makes them one run."
    )


def _commitment_text(run: Run) -> str:
    """Return how the seed follows from the secret that was committed to; empty without a commitment."""
    if not (committed := run.committed_seed):
        return ""
    path = quote(str(run.folder.commitment))
    return f",\nthe hash of the secret committed to as {committed.commitment}; {path} reveals it"


def failure_texts(run: Run) -> list[str]:
    """Return all distinct failures with who was disqualified, and hints at causes; empty without faults."""
    results = run.results()
    if not results.failures:
        return []
    specs = {spec.name: spec for spec in run.config.bots}
    hints = _hint_lines((specs[bot], reason) for bot, _, reason in results.failures)
    rows = list_failures(results.failures, results.disqualified)
    sheet = Sheet("", FAILURE_COLUMNS, rows, labels=results.labels)
    return [format_sheet(sheet), *(["\n".join(hints)] if hints else [])]


def compare_command(bots: Sequence[BotSpec], entry: VariantEntry) -> str:
    """Return the command that compares the first two bots at one game, in a field if there are more.

    Without a field one seat is of the first, the others are copies of the second.
    """
    first, second, *field = (quote(str(spec.source)) for spec in bots)
    options = [f"--set {quote(f'{key}={format_setting(value)}')}" for key, value in entry.options.items()]
    how = f"--field {','.join(field)}" if field else "--alone"
    game = f"--game {quote(game_text(entry.rules, Path()))} --players {entry.players[0]}"
    return " ".join(["arena compare", first, second, how, game, *options])


def stopped_text(run: Run) -> str:
    """Return how to resume a run that was stopped."""
    return f"Stopped early; resume with `{resume_command(run)}`."


def resume_command(run: Run) -> str:
    """Return the command that continues a run."""
    return f"{arena_command()} resume {quote(str(run.folder.path))}{level_option(run)}"


def level_option(run: Run) -> str:
    """Return the option that allows a run's bots to play unconfined again; empty where all are confined."""
    levels = run.metadata.isolation
    unsafe = [
        level
        for bot in run.config.bots
        if bot.source.kind not in INSTALLED
        and (level := levels.get(bot.name))
        and not LEVELS[level].is_confined
    ]
    return f" --isolation {unsafe[0]}" if unsafe else ""


def ending_fields(run: Run, ending: Ending) -> dict[str, Any]:
    """Return the ending as JSON; the total is None if the results decide it."""
    return {
        "ending": ending,
        "blocks": run.results().blocks,
        "total": run.total,
        "folder": str(run.folder.path),
        "seed": run.seed if ending == "done" else None,
    }


def ending_line(run: Run, ending: Ending) -> str:
    """Return the ending for scripts, quoted for a shell; the total is empty if results decide it."""
    total = run.total
    of = "" if total is None else str(total)
    return f"ending={ending} blocks={run.results().blocks} total={of} folder={quote(str(run.folder.path))}"


def _choose_loser(run: Run) -> str:
    """Return the lowest rated bot of those that are not built in, or of all if there are none."""
    names = [bot.name for bot in run.config.bots if bot.source.kind != "built-in"]
    names = names or [bot.name for bot in run.config.bots]
    ranked = [row.bot for row in run.results().rows if row.bot in names and row.rank is not None]
    return ranked[-1] if ranked else names[-1]
