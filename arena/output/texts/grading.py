"""The result of grading a bot against the rungs of a ladder, as text and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote
from typing import Any

from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import format_table
from arena.output.texts.comparison import disqualification_text
from arena.output.words.text import format_duration
from arena.plugins.bot_spec import label_bots
from arena.plugins.games import arena_command
from arena.rating.two_bots import format_los
from arena.tournament.formats.grading import Grading, RungResult
from arena.tournament.run import Run
from arena.tournament.setup.config import Config

ERROR_NOTE = (
    "At most 2.5 of 100 gradings say that a bot beats one that it does not beat. Tries are not counted: "
    "grading more versions or seeds makes a wrong answer among them more likely."
)
SEVERAL_NOTE = (
    "That holds for each of the {} gradings, not for all together: the more there are, the more likely is a "
    "wrong one among them."
)


def estimate_text(run: Run, block_s: float, jobs: int) -> str:
    """Return how long a grading can take, given the mean wall seconds of a block while all jobs play."""
    _, most = Grading.of(run.stages).total_range
    return (
        f"At most {format_count(most, 'blocks')}, about {format_duration(most * block_s)} with "
        f"{format_count(jobs, 'jobs')}; it ends sooner where a rung is clearly beaten or not."
    )


def grading_text(run: Run, width: int | None = None, *, is_kept: bool = True) -> str:
    """Return the table of the rungs, fit into `width`, the grade in a sentence, and the next step.

    A run that is not kept is in a folder of which nothing will be left.
    """
    format = Grading.of(run.stages)
    if not format.is_begun:
        title = grading_title(run.config)
        return f"{title}: stopped before the first look, no result yet. Its seed is {run.seed}."
    table = format_table(format.scoreboard().standings, "plain", width)
    parts = [
        table,
        f"{_grade_sentence(run)}\n{ERROR_NOTE} Its seed is {run.seed}.",
        *_next_step(run, is_kept),
    ]
    return "\n\n".join(parts)


def _next_step(run: Run, is_kept: bool) -> list[str]:
    """Return where the run is, and the command that shows where the grade comes from, if there is one."""
    format, path = Grading.of(run.stages), quote(str(run.folder.path))
    bot, arena = format.label, arena_command()
    place = f"The run is in {path}." if is_kept else "The run is not kept: out=FOLDER keeps it."
    if format.disqualification:
        return [f"{place} What fails: {arena} check {quote(str(run.config.bots[0].source))}"]
    rungs = [rung for rung in format.results if rung.compared]
    last = next((rung for rung in rungs if not rung.is_beaten), rungs[-1])
    if not is_kept or (last.compared and last.compared.is_alike):
        return [place]
    where = "gains on" if last.is_beaten else "loses to"
    command = f"{arena} why {quote(bot)} {quote(last.bot)} {path}"
    return [f"{place} Where {bot} {where} {last.bot}: {command}"]


def unplayed_text(config: Config) -> str:
    """Return a sentence on a grading that was stopped before it began."""
    return f"{grading_title(config)}: not begun."


def grading_title(config: Config) -> str:
    """Return which bot is graded, and at which game."""
    [entry] = config.variants
    bot = config.bots[0].name
    return f"{label_bots([bot])[bot]} at {entry.rules}, {entry.players[0]} players"


def _grade_sentence(run: Run) -> str:
    """Return the grade: the highest rung beaten and the first that was not, or the disqualification."""
    format, rungs = Grading.of(run.stages), Grading.of(run.stages).results
    [entry] = run.config.variants
    where = f"rung {format.rung} of {len(rungs)} at {entry.rules}, {entry.players[0]} players."
    if format.disqualification:
        return f"{disqualification_text(format.label, *format.disqualification)}; {where}"
    parts = []
    if format.rung:
        best = rungs[format.rung - 1]
        parts.append(f"beats {best.bot}{_los(best)}")
    if format.rung < len(rungs):
        parts.append(_not_beaten(rungs[format.rung]))
    faults = f" It had {format_count(format.faults, 'faults')}." if format.faults else ""
    return f"{format.label} {', '.join(parts)}; {where}{faults}"


def _los(rung: RungResult) -> str:
    los = rung.compared.result.los if rung.compared else None
    return "" if los is None else f" (LOS {format_los(los)})"


def _not_beaten(rung: RungResult) -> str:
    if rung.compared is None:
        return f"not yet compared with {rung.bot}"
    if not rung.is_over:
        return f"comparison with {rung.bot} not finished"
    if rung.compared.is_alike:
        played = format_count(rung.compared.result.blocks, "blocks")
        return f"plays like {rung.bot}, with the same result in each of {played}"
    if rung.compared.resolved:
        return f"loses to {rung.bot}"
    return f"not shown to beat {rung.bot}"


def grading_fields(run: Run, ladder: str) -> dict[str, Any]:
    """Return the result for programs: shares in percent, nothing rounded."""
    format = Grading.of(run.stages)
    fields = _fields(format, run.config, run.metadata.bots[format.graded], ladder, run.seed)
    return fields | {"folder": str(run.folder.path)}


def unplayed_fields(config: Config, ladder: str, seed: str | None) -> dict[str, Any]:
    """Return the fields of a grading that was stopped before it began, whose result is open."""
    fields = _fields(Grading(config, seed or ""), config, config.bots[0].source.digest(), ladder, seed)
    return fields | {"folder": None}


def _fields(format: Grading, config: Config, digest: str, ladder: str, seed: str | None) -> dict[str, Any]:
    [entry] = config.variants
    rungs = format.results
    return {
        "bot": format.graded,
        "label": format.label,
        "hash": digest,
        "ladder": ladder,
        "variant": str(entry.rules),
        "players": entry.players[0],
        "rung": format.rung if rungs[0].is_over else None,
        "rungs": len(rungs),
        "beats": [rung.bot for rung in rungs[: format.rung]],
        "results": [_rung_fields(rung) for rung in rungs if rung.compared],
        "done": format.is_over,
        "seed": seed,
        "disqualified": format.disqualification is not None,
    }


def _rung_fields(rung: RungResult) -> dict[str, Any]:
    assert rung.compared
    result = rung.compared.result
    return {
        "rung": rung.rung,
        "bot": rung.bot,
        "beaten": rung.is_beaten if rung.is_over else None,
        "resolved": rung.compared.resolved,
        "score": to_percent(result.score),
        "error": to_percent(result.error),
        "los": to_percent(result.los),
        "elo": result.elo,
        "low": result.low,
        "high": result.high,
        "alike": rung.compared.is_alike,
        "faults": rung.compared.faults[0],
        "blocks": result.blocks,
        "matches": rung.compared.matches,
    }


CSV_FIELDS = (
    *("bot", "hash", "ladder", "variant", "players", "rung", "rungs", "beats", "next"),
    *("score", "error", "los", "faults", "blocks", "done", "seed", "disqualified"),
)


def grading_record(fields: dict[str, Any]) -> tuple[Any, ...]:
    """Return the row of a CSV file: the grade, and the score against the first rung that was not beaten."""
    results: Sequence[dict[str, Any]] = fields["results"]
    first: dict[str, Any] = next((result for result in results if not result["beaten"]), {})
    beats = fields["beats"][-1] if fields["beats"] else ""
    totals = {name: sum(result[name] for result in results) for name in ("faults", "blocks")}
    row = {**fields, **{name: first.get(name) for name in ("score", "error", "los")}, **totals}
    row |= {"beats": beats, "next": first.get("bot", "")}
    row |= {name: "yes" if fields[name] else "no" for name in ("done", "disqualified")}
    return tuple(row[name] for name in CSV_FIELDS)
