"""The table of a run, and the messages after it was played."""

from shlex import quote
from typing import Any, Final

from arena.columns.column import explain_columns
from arena.columns.number_format import format_count
from arena.columns.table_formats import Format, Sheet, TableSet, format_sheet, format_table, wrap_text
from arena.errors import ConfigError
from arena.output.tables.failures import FAILURE_COLUMNS as FAILURE_COLUMNS
from arena.output.tables.failures import list_failures
from arena.output.tables.ratings import explain_ratings, rating_table, versions_note, withdrawn_notes
from arena.output.texts.comparison import verdict_text
from arena.output.texts.fault_hints import hint_lines
from arena.output.texts.grading import grading_text
from arena.output.texts.selection import selection_verdict
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.tournament.engine.engine import Ending
from arena.tournament.results.rating_table import rating_notes
from arena.tournament.run import Run

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
    """Return the standings alone, or the tables by round.

    Raises:
        ConfigError: For a format that has none.
    """
    board = run.results().scoreboard
    if board is None or (which == "rounds" and board.pairings is None):
        takes = (
            "a swiss or knockout"
            if which == "rounds"
            else "a swiss, knockout, comparison, selection or until_resolved"
        )
        raise ConfigError(f"--{which} is for {takes}; this run is a {run.config.format}")
    if which == "rounds":
        return board.rounds
    return board.standings


def with_title(run: Run, table: str, style: Format = "plain") -> str:
    """Return a table for people below the run's title, if it has one."""
    return f"{run.config.title}\n\n{table}" if run.config.title and style in ("plain", "md") else table


def table_and_versions(run: Run, style: Format, width: int | None = None, *, wide: bool = False) -> str:
    """Return `run_table`; for people followed by the versions of rules and bots."""
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
    text = with_title(run, _result_text(run, width))
    text = "\n\n".join([text, *failure_text(run)])
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
            (f"{arena} replay verify {path}", "check every recorded match"),
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


def _result_text(run: Run, width: int | None) -> str:
    match run.config.format:
        case "comparison":
            return verdict_text(run)
        case "selection":
            return selection_verdict(run, width)
        case "grading":
            return grading_text(run, width)
        case _:
            return run_table(run, width=width)


def failure_text(run: Run) -> list[str]:
    """Return all distinct failures with who was disqualified, and hints at causes; empty without faults."""
    results = run.results()
    if not results.failures:
        return []
    specs = {spec.name: spec for spec in run.config.bots}
    hints = hint_lines((specs[bot], reason) for bot, _, reason in results.failures)
    rows = list_failures(results.failures, results.disqualified)
    sheet = Sheet("", FAILURE_COLUMNS, rows, labels=results.labels)
    return [format_sheet(sheet), *(["\n".join(hints)] if hints else [])]


def stopped_text(run: Run) -> str:
    """Return how to resume a run that was stopped."""
    return f"Stopped early; resume with `{arena_command()} resume {quote(str(run.folder.path))}`."


def ending_fields(run: Run, ending: Ending) -> dict[str, Any]:
    """Return the ending for programs; the total is None if the results decide it."""
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
