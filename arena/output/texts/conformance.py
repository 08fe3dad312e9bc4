"""The report card of a bot's conformance check, as text and for programs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from arena.output.texts.fault_hints import find_hints
from arena.output.words.text_format import strip_unprintable
from arena.play.bot import Limits
from arena.play.conformance import Findings, Issue, OneGameFindings
from arena.play.faults import FAULT_KINDS

HASH_CHARS = 12
LABEL_CHARS = 18
KIND_TEXT = {
    "illegal": "it answered with an action that is not legal",
    "invalid": "its answer was not an action",
    "timeout": "it took too long",
    "crash": "it raised an exception or ended",
    "oversize": "it wrote too much",
    "no-start": "it did not start",
    "keeps-state": "it played the same match differently after another: it keeps something between matches, "
    "in its class, a module or a default argument; keep it in self",
    "not-repeated": "it played differently when the same match was repeated: use no randomness but info.rng",
    "peeking": "it answered differently with other hidden cards: it sees more than its view",
}
WAITING_NOTE = (
    "These times include waiting for a CPU, which is not charged, and what the bank of a match allows."
)
OUTPUT_HINT = "Hint: nobody sees this output in a tournament, and too much of it is a fault: remove it."
MAX_PRINTED_LINES = 10
MAX_ISSUES_PER_KIND = 3


def card_text(
    name: str,
    origin: str,
    content: str,
    findings: Findings,
    limits: Limits,
    beside: Collection[str] = (),
) -> str:
    """Return the report card: what was played, the time and memory it took, and all issues.

    `beside` are the names of the files and folders beside a bot in a single file.
    """
    rows = {
        "source": f"{origin}, content {content[:HASH_CHARS]}",
        "runs in": findings.level,
        "start-up time": f"{findings.start_seconds * 1000:,.0f} ms (allowed {limits.start_ms:,})",
        "games": _games(findings),
        "decisions": f"{findings.decisions:,}",
        "decision time": _decision_time(findings, limits),
        "first decision": _first_decision(findings, limits),
        "memory": _memory(findings, limits),
        "played again": _repeated(findings),
        "hidden cards": _asked_again(findings),
        "faults": _faults(findings),
    }
    lines = [strip_unprintable(name), *(f"  {label:<{LABEL_CHARS}}{text}" for label, text in rows.items())]
    ending = "Fix these issues before a tournament." if findings.issues else "Ready for a tournament."
    notes = ["", WAITING_NOTE] if _has_waited(findings, limits) else []
    issues = _issue_lines(findings.issues, beside)
    return "\n".join([*lines, *notes, *issues, *_printed_lines(findings), "", ending])


def public_card(card: str) -> str:
    """Return a report card without tracebacks and output, which are the author's and the organiser's."""
    shown = (line for line in card.splitlines() if not line.startswith(("    ", "  and ")))
    return "\n".join(
        line for line in shown if not line.endswith(":")
    )  # without the headings of what is left out


def card_fields(name: str, origin: str, content: str, findings: Findings) -> dict[str, Any]:
    """Return the report card for programs; times in milliseconds."""
    return {
        "bot": name,
        "origin": origin,
        "content": content,
        "isolation": findings.level,
        "ok": not findings.issues,
        "start_ms": _ms(findings.start_seconds),
        "median_ms": _ms(findings.quantile(0.5)),
        "p99_ms": _ms(findings.quantile(0.99)),
        "longest_ms": _ms(findings.quantile(1)),
        "first_ms": _ms(findings.first_seconds),
        "memory_mb": findings.memory_mb,
        "decisions": findings.decisions,
        "asked_again": findings.asked_again,
        "games": [
            {"variant": game.variant, "players": game.players, "matches": game.matches,
             "decisions": game.decisions, "ok": not game.issues}
            for game in findings.games
        ],
        "left_out": findings.left_out,
        "flaws": findings.issues,
        "printed": findings.printed,
    }  # fmt: skip


def game_line(game: OneGameFindings) -> str:
    """Return the result of one game as a line."""
    result = ", ".join(sorted({issue.kind for issue in game.issues})) or "ok"
    sizes = ", ".join(map(str, game.players))
    return f"{game.variant}, {sizes} players: {game.decisions} decisions, {result}"


def result_line(findings: Findings) -> str:
    """Return the result of a whole check as a line."""
    if not findings.issues:
        return f"ready for a tournament, {findings.decisions:,} decisions"
    kinds = [issue.kind for issue in findings.issues]
    return ", ".join(f"{kind} ×{kinds.count(kind)}" for kind in dict.fromkeys(kinds))


def debug_text(issue: Issue) -> str:
    """Return what is about to be debugged, and the debugger's most useful commands."""
    what = f"decision {issue.decision}" if issue.decision else "what failed"
    return (
        f"\nDebugging {what} of match {issue.match + 1} at {issue.variant}, {issue.players} players, seat "
        f"{issue.seat} ({issue.kind}).\nThe bot now runs in this process, with your rights. In pdb: n next "
        "line, s step into, p NAME print,\nc continue, q quit; Ctrl-C stops an endless loop."
    )


def _games(findings: Findings) -> str:
    bad = [game.variant for game in findings.games if game.issues]
    left_out = f"; {findings.left_out} more were not played" if findings.left_out else ""
    if not bad:
        return f"{len(findings.games)}, no issues{left_out}"
    shown = ", ".join(bad[:5]) + (", …" if len(bad) > 5 else "")
    return f"{len(findings.games)}, {len(bad)} with issues: {shown}{left_out}"


def _decision_time(findings: Findings, limits: Limits) -> str:
    median, most, longest = (_ms(findings.quantile(share)) for share in (0.5, 0.99, 1))
    if longest is None:
        return "no decisions"
    allowed = f"allowed {limits.decision_ms:,}"
    if longest > limits.decision_ms:
        allowed += f", beyond it {limits.bank_ms:,} in a match"
    return f"median {median} ms, 99 % within {most} ms, longest {longest} ms ({allowed})"


def _has_waited(findings: Findings, limits: Limits) -> bool:
    """Return whether a time beyond its limit was no fault."""
    times = (
        (findings.start_seconds, limits.start_ms),
        (findings.first_seconds or 0, limits.start_ms + limits.decision_ms),
        (findings.quantile(1) or 0, limits.decision_ms),
    )
    is_late = any(1000 * seconds > allowed_ms for seconds, allowed_ms in times)
    return is_late and not any(_count(findings, kind) for kind in ("timeout", "no-start"))


def _first_decision(findings: Findings, limits: Limits) -> str:
    if findings.first_seconds is None:
        return "no decisions"
    return f"{_ms(findings.first_seconds)} ms (allowed {limits.start_ms + limits.decision_ms:,})"


def _memory(findings: Findings, limits: Limits) -> str:
    if findings.memory_mb is None:
        return "not measured" + (": the bot shares the arena's process" if findings.level == "inline" else "")
    return f"{findings.memory_mb:,.0f} MB (allowed {limits.memory_mb:,})"


def _repeated(findings: Findings) -> str:
    if not findings.repeated:
        return "not tried"
    times = _count(findings, "not-repeated") + _count(findings, "keeps-state")
    if not times:
        return "every match went the same"
    return f"{times} {'match' if times == 1 else 'matches'} went differently"


def _asked_again(findings: Findings) -> str:
    if not findings.asked_again:
        return "not tried"
    changed = _count(findings, "peeking") or "no"
    return f"{findings.asked_again:,} decisions asked again with others, {changed} answers changed"


def _count(findings: Findings, kind: str) -> int:
    return sum(issue.kind == kind for issue in findings.issues)


def _faults(findings: Findings) -> str:
    kinds = [issue.kind for issue in findings.issues if issue.kind in FAULT_KINDS]
    return ", ".join(f"{kind} ×{kinds.count(kind)}" for kind in dict.fromkeys(kinds)) or "none"


def _issue_lines(issues: Sequence[Issue], beside: Collection[str]) -> list[str]:
    lines = []
    for kind, group in groupby(sorted(issues, key=lambda issue: issue.kind), key=lambda issue: issue.kind):
        of_kind = list(group)
        distinct = list({issue.detail: issue for issue in of_kind}.values())
        lines += ["", f"{kind} ×{len(of_kind)}: {KIND_TEXT.get(kind, 'it failed')}"]
        for issue in distinct[:MAX_ISSUES_PER_KIND]:
            lines.append(f"  {issue.variant}, {issue.players} players, seat {issue.seat}, deal {issue.deal}:")
            lines += [f"    {strip_unprintable(line)}" for line in issue.detail.strip().splitlines()]
            lines += [f"    Hint: {hint}" for hint in find_hints(issue.detail, beside)]
        if len(distinct) > MAX_ISSUES_PER_KIND:
            lines.append(f"  and {len(distinct) - MAX_ISSUES_PER_KIND} more with other details")
    return lines


def _printed_lines(findings: Findings) -> list[str]:
    lines = findings.printed.strip().splitlines()
    if not lines:
        return []
    which = (
        f"the last {MAX_PRINTED_LINES} lines of its output"
        if len(lines) > MAX_PRINTED_LINES
        else "its output"
    )
    return [
        "",
        f"{which}:",
        *(f"    {strip_unprintable(line)}" for line in lines[-MAX_PRINTED_LINES:]),
        f"    {OUTPUT_HINT}",
    ]


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000, 2)
