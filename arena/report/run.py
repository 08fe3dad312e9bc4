"""What is said after a run was played, and the whole of its table."""

from shlex import quote

from arena.report.column_docs import explain_columns
from arena.report.comparison import verdict_text
from arena.report.rating_table import elo_table, explanation
from arena.report.standings import standings_docs, standings_table
from arena.report.table_formats import Format
from arena.report.table_notes import remarks, versions_note
from arena.tournament.files.export import Row
from arena.tournament.files.rating_rows import rated
from arena.tournament.running.block_runner import Ending
from arena.tournament.running.run import Run


def run_table(run: Run, style: Format = "plain") -> str:
    """The standings of a run, where its format has any, and its ratings; for programs the ratings alone."""
    tallies = run.tallies()
    ratings = elo_table(rated(tallies), style, remarks(tallies))
    board = run.scoreboard() if style in ("plain", "md") else None
    return f"{standings_table(board, style)}\n\n{ratings}" if board else ratings


def table_and_versions(run: Run, style: Format) -> str:
    """The same, and for people which versions of rules and bots it is of."""
    table = run_table(run, style)
    return f"{table}\n\n{versions_note(run)}" if style == "plain" and run.count_blocks() else table


def run_explanation(run: Run) -> str:
    """What every column of `run_table` is."""
    standings = standings_docs(run.config)
    if not standings:
        return explanation()
    return f"The standings:\n\n{explain_columns(standings)}\n\nThe ratings:\n\n{explanation()}"


def ending_text(run: Run, ending: Ending) -> str:
    """What came out, where the results are, and how to go on from there."""
    path = quote(str(run.folder.path))
    found = verdict_text(run) if run.config.format == "comparison" else run_table(run)
    if ending != "done":
        return f"{found}\n\n{stopped_text(run)}"
    loser = _worth_a_look(run)
    hints = [
        (quote(str(run.folder.report)), "all of it on one page, with matches to watch"),
        (f"arena table {path} --explain", "what the numbers mean"),
    ]
    if run.config.replays:
        hints += [
            (f"arena replay list {path} --worst {quote(loser)}", f"why {loser} lost"),
            (f"arena replay verify {path}", "check every card of it"),
        ]
    width = max(len(call) for call, _ in hints)
    lines = "\n".join(f"  {call:{width}}   {why}" for call, why in hints)
    return f"{found}\n\nAll of it is in {path}; its seed is {run.seed}\n\n{lines}"


def stopped_text(run: Run) -> str:
    """How to go on with a run that was stopped."""
    return f"Stopped before its end; `arena resume {quote(str(run.folder.path))}` goes on with it."


def ending_line(run: Run, ending: Ending) -> str:
    """How it ended, for a script: words that a shell can read; the total is left out if results decide it."""
    total = run.stages.format.total
    of = "" if total is None else str(total)
    return f"ending={ending} blocks={run.count_blocks()} total={of} folder={quote(str(run.folder.path))}"


def _worth_a_look(run: Run) -> str:
    """The bot whose losses tell most: of those that are not built in, or else of all, the lowest rated."""
    own = [bot.name for bot in run.config.bots if bot.source.kind != "built-in"]
    return _lowest(run.rows(), own or [bot.name for bot in run.config.bots])


def _lowest(rows: list[Row], bots: list[str]) -> str:
    """The last of some bots in the last table, which is the overall if there is one."""
    ranked = [row.bot for row in rows if row.bot in bots and row.rank is not None]
    return ranked[-1] if ranked else bots[-1]
