"""What a comparison of two bots came to, in words and for programs."""

from pathlib import Path
from typing import Any

from tabulate import tabulate

from arena.rating import BURN_IN
from arena.report.announcement import announced
from arena.report.words import counted
from arena.tournament.formats.comparison import Compared, Comparison, Terms, llr_bar
from arena.tournament.run import Means, Run

UNKNOWN = "unknown: the blocks do not differ, or are fewer than six"


def announcement(run: Run, means: Means, where: Path | None) -> str:
    """What is about to be compared, by what means, and the folder if it is kept in one."""
    most = counted(_course(run).terms.looks[-1], "blocks")
    kept = f" into {where}" if where else ""
    return announced(f"at most {most}{kept}", run, means)


def comparison_text(run: Run) -> str:
    """The score and all that follows from it, why it ended where it did, and then its seed."""
    told = verdict_text(run)
    return f"{told}\n\nIts seed is {run.seed}" if _course(run).result().over else told


def verdict_text(run: Run) -> str:
    """The score and all that follows from it, and why it ended where it did."""
    compared = _course(run).result()
    if not compared.result.blocks:
        return "It stopped before the first look: nothing is counted yet."
    cells = [(label, text) for label, text in _lines(compared) if text]
    table = tabulate(cells, tablefmt="plain", disable_numparse=True)
    return "\n\n".join([_setting(compared.terms), table, _ending(compared)])


def comparison_fields(run: Run) -> dict[str, Any]:
    """The same for programs: shares from 0 to 1, nothing rounded."""
    compared = _course(run).result()
    terms, result, look = compared.terms, compared.result, compared.look
    return {
        "variant": terms.variant,
        "players": terms.players,
        "bots": [terms.first, terms.second],
        "field": terms.field,
        "alone": terms.alone,
        "blocks": result.blocks,
        "matches": compared.matches,
        "score": result.score,
        "error": result.error,
        "confidence": terms.confidence,
        "elo": result.elo,
        "low": result.low,
        "high": result.high,
        "los": result.los,
        "payoffs": [payoff.value for payoff in compared.payoffs],
        "payoff_lead": compared.payoff_lead.value,
        "payoff_error": compared.payoff_lead.error,
        "faults": compared.faults,
        "sprt": terms.sprt,
        "llr": look and look.llr,
        "bounds": look and [look.lower, look.upper],
        "verdict": look and look.verdict,
        "resolved": compared.resolved,
        "blocks_missing": compared.blocks_missing,
        "seed": run.seed if compared.over else None,
    }


def _course(run: Run) -> Comparison:
    course = run.walk.course
    assert isinstance(course, Comparison), run.config.format
    return course


def _setting(terms: Terms) -> str:
    """What was compared, and who sat where."""
    first, second = terms.first, terms.second
    if terms.field:
        how = f"in each other's place at tables of {', '.join(terms.field)}"
    elif terms.alone:
        how = f"{first} alone among copies of {second}"
    elif terms.players % 2:
        how = "each in turn with one seat more than the other, all round the table"
    else:
        how = "each in half of the seats, and then in the other half"
    return f"{first} against {second} at {terms.variant}, {terms.players} players: {how}"


def _lines(compared: Compared) -> list[tuple[str, str]]:
    """What there is to say, each with its label; what there is not is empty."""
    terms, result = compared.terms, compared.result
    own, other = compared.payoffs
    lead = compared.payoff_lead
    error = UNKNOWN if result.error is None else f"{max(result.error, 0.001):.1%}"
    return [
        ("lead in score" if terms.field else "score", f"{_score(compared)} ± {error}"),
        ("Elo", _elo(compared)),
        ("LOS", "" if result.los is None else f"{result.los:.1%} that {terms.first} is the stronger"),
        (
            "payoff",
            f"{own.value:z.2f} a match, {terms.second} {other.value:z.2f}: a lead of {lead.value:+z.2f}"
            + ("" if lead.error is None else f" ± {max(lead.error, 0.01):.2f}"),
        ),
        ("SPRT", llr_bar(compared.look) if compared.look else ""),
        ("faults", _faults(compared)),
        ("played", f"{counted(result.blocks, 'blocks')}, {counted(compared.matches, 'matches')}"),
    ]


def _score(compared: Compared) -> str:
    assert compared.result.score is not None
    if compared.terms.field:
        return f"{compared.result.score - 0.5:+z.1%}"
    return f"{compared.result.score:.1%}"


def _elo(compared: Compared) -> str:
    result = compared.result
    if result.elo is None:
        return "out of all bounds: one of them won everything"
    if result.error is None:
        return f"{result.elo:+z.1f}"
    low, high = (_end(result.low, "-∞"), _end(result.high, "+∞"))
    return f"{result.elo:+z.1f}, between {low} and {high}"


def _end(elo: float | None, beyond: str) -> str:
    return beyond if elo is None else f"{elo:+z.1f}"


def _faults(compared: Compared) -> str:
    names = (compared.terms.first, compared.terms.second)
    had = zip(names, compared.faults, strict=True)
    return ", ".join(f"{name} {number:,}" for name, number in had if number)


def _ending(compared: Compared) -> str:
    """Why it ended, and how far what is above can be believed."""
    if not compared.resolved:
        return _unresolved(compared)
    terms, result = compared.terms, compared.result
    if terms.sprt and compared.look:
        low, high = terms.sprt
        fits, not_ = (high, low) if compared.look.verdict == "H1" else (low, high)
        return (
            f"{compared.look.verdict}: a lead of {fits:g} Elo fits better than one of {not_:g}.\n"
            "A test stops when the score looks its clearest: interval and LOS are too sure of themselves."
        )
    assert result.score is not None
    stronger = terms.first if result.score > 0.5 else terms.second
    return f"{stronger} is the stronger.\n{_meaning(terms)}"


def _unresolved(compared: Compared) -> str:
    missing = compared.blocks_missing
    at = "at the most it was allowed" if compared.over else "before its end"
    if compared.look and compared.result.blocks < BURN_IN:
        more = f"A test looks for the first time after {BURN_IN} blocks"
        more += f", and at this pace needs {counted(missing, 'blocks')} more." if missing else "."
    elif missing is None:
        more = "No number of blocks can be named that would separate them."
    elif compared.look:
        more = f"At this pace the test needs about {counted(missing, 'blocks')} more."
    else:
        more = f"If the score is what it seems, {counted(missing, 'blocks')} more do, four times in five."
    return f"Not resolved: it stopped {at}. {more}\n{_meaning(compared.terms)}"


def _meaning(terms: Terms) -> str:
    """What the interval is."""
    if len(terms.looks) == 1 or terms.sprt:
        return "The interval is that of 95 % for a number of blocks fixed beforehand, and so is LOS."
    return (
        f"The intervals at all {len(terms.looks)} looks hold together in 95 of 100 comparisons, so it may\n"
        "stop at any of them; LOS is for a number of blocks fixed beforehand."
    )
