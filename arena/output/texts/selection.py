"""The result of a selection among several bots, as text and for programs."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import format_table
from arena.output.texts.comparison import (
    describe_disqualified,
    describe_shared_seats,
    hash_code,
    uncounted_text,
)
from arena.output.texts.start_message import playing_message
from arena.rating.student_t import CONFIDENCE
from arena.tournament.engine.engine import RunOptions
from arena.tournament.formats.selection import CandidateResult, Selection
from arena.tournament.run import Run

BEHIND_NOTE = "Compare by behind: the scores of bots that were out early are against other opponents."


def selection_announcement(run: Run, options: RunOptions, where: Path | None) -> str:
    """Return the message before a selection is played."""
    most = format_count(Selection.of(run.stages).terms.looks[-1], "blocks")
    kept = f" into {where}" if where else ""
    return "\n".join([playing_message(f"at most {most}{kept}", run, options), *_identity_notes(run)])


def selection_text(run: Run, width: int | None = None) -> str:
    """Return `selection_verdict`, how to read its scores, and the seed if the selection is over."""
    text, format = selection_verdict(run, width), Selection.of(run.stages)
    if format.test.decided and not format.terms.field:
        text += f"\n\n{BEHIND_NOTE}"
    return f"{text}\n\nIts seed is {run.seed}" if format.is_over else text


def selection_verdict(run: Run, width: int | None = None) -> str:
    """Return the table of the candidates, fit into `width`, what is known, and why the selection ended."""
    format = Selection.of(run.stages)
    if not format.test.blocks:
        return uncounted_text(run, 0, format.terms.looks[0])
    disqualified = _describe_disqualified(run)
    labels, out = format.terms.labels, frozenset(disqualified)
    board = replace(format.scoreboard(), disqualified=out, labels=labels)
    table = format_table(board.standings, "plain", width)
    played = f"{format_count(format.test.blocks, 'blocks')}, {format_count(format.matches, 'matches')}"
    ending = "\n".join([*disqualified.values(), _ending(format, disqualified), _error_note(format)])
    parts = [_setting(format), table, f"{ending}\nPlayed: {played}."]
    if not format.is_over:
        parts.append(uncounted_text(run, format.test.blocks, format.terms.looks[0]))
    return "\n\n".join(parts)


def selection_fields(run: Run) -> dict[str, Any]:
    """Return the result for programs: shares in percent, nothing rounded."""
    format = Selection.of(run.stages)
    terms, test = format.terms, format.test
    disqualified = _describe_disqualified(run)
    return {
        "variant": terms.variant,
        "players": terms.players,
        "goal": terms.goal,
        "bots": terms.candidates,
        "field": terms.field,
        "blocks": test.blocks,
        "matches": format.matches,
        "confidence": CONFIDENCE,
        "interval_confidence": test.confidence,
        "candidates": [
            _candidate_fields(result, disqualified, terms.labels[result.bot]) for result in format.results()
        ],
        "left": format.names(test.active),
        "open": [format.names(pair) for pair in test.open_pairs()],
        "shown": [
            {"worse": terms.candidates[worse], "better": terms.candidates[better], "blocks": blocks}
            for (worse, better), blocks in test.decided.items()
        ],
        "resolved": test.is_resolved and not _is_best_out(format, disqualified),
        "blocks_missing": test.blocks_missing(),
        "seed": run.seed if format.is_over else None,
        "disqualified": list(disqualified),
        "blocks_not_counted": 0 if format.is_over else run.count_blocks() - test.blocks,
    }


def _candidate_fields(result: CandidateResult, disqualified: Collection[str], label: str) -> dict[str, Any]:
    shares = {name: to_percent(getattr(result, name)) for name in ("score", "behind", "error")}
    place = None if result.bot in disqualified else result.place
    return result._asdict() | shares | {"place": place, "label": label}


def _describe_disqualified(run: Run) -> dict[str, str]:
    """Return a sentence for each disqualified candidate, by name."""
    names = Selection.of(run.stages).terms.candidates
    faults = {result.bot: result.faults for result in Selection.of(run.stages).results()}
    return describe_disqualified(run, [faults[name] for name in names])


def _is_best_out(format: Selection, disqualified: Collection[str]) -> bool:
    """Return whether the best is sought, and the candidate with the best score is disqualified."""
    return format.terms.goal == "best" and format.names(format.test.order())[0] in disqualified


def _identity_notes(run: Run) -> list[str]:
    """Return a line for each group of candidates that are one bot with the same settings."""
    same = defaultdict(list)
    terms = Selection.of(run.stages).terms
    for bot in run.config.bots[: len(terms.candidates)]:
        same[hash_code(run, bot), str(bot.settings)].append(terms.labels[bot.name])
    return [
        f"{', '.join(names)} are the same bot, content {sha[:12]}: any difference is chance"
        for (sha, _), names in same.items()
        if len(names) > 1
    ]


def _setting(format: Selection) -> str:
    """Return what is compared, and the seating."""
    terms = format.terms
    if terms.field:
        field = ", ".join(terms.labels[name] for name in terms.field)
        how = f"each in turn in the same place at tables of {field}"
    else:
        how = f"in pairs drawn for each block, {describe_shared_seats(terms.players)}"
    number = len(terms.candidates)
    return f"{number} bots at {terms.variant}, {terms.players} players: {how}; all on the same cards"


def _ending(format: Selection, disqualified: Collection[str]) -> str:
    """Return what is known, and what it lacks."""
    test, best = format.test, format.terms.goal == "best"
    if test.is_resolved and _is_best_out(format, disqualified):
        return "The best of the others is not known: compare them without it."
    if test.is_resolved:
        first = format.labels(test.order())[0]
        return f"{first} is the best." if best else "The order of all is known."
    at = "at the maximum of blocks" if format.is_over else "early"
    if best:
        left = ", ".join(format.labels(candidate for candidate in test.order() if candidate in test.active))
        known = f"The best is one of these {len(test.active)}: {left}."
    else:
        pairs = [" and ".join(format.labels(pair)) for pair in test.open_pairs()]
        known = f"Not known is the order of {', '.join(pairs)}."
    missing = test.blocks_missing()
    more = (
        "No number of blocks is known to resolve it."
        if missing is None
        else f"If the scores stay the same, {format_count(missing, 'blocks')} more resolve it "
        "with a chance of 80 %."
    )
    return f"Not resolved: stopped {at}. {known}\n{more}"


def _error_note(format: Selection) -> str:
    looks = format_count(len(format.terms.looks), "looks")
    if format.terms.goal == "best":
        return (
            "A bot that is the best, alone or tied, is left in at least 95 of 100 selections, over all "
            f"{looks}\ntogether; of 3 to 8 exact equals one or another is out in 7 to 16 of 100."
        )
    return f"These places are right in at least 95 of 100 selections, over all {looks} together."
