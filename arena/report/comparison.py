"""What a comparison of two bots came to, in words and for programs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tabulate import tabulate

from arena.rating import BURN_IN_BLOCKS
from arena.report.run_messages import playing_message
from arena.report.text_format import format_count
from arena.tournament.formats.comparison import Comparison, ComparisonResult, ComparisonSettings, llr_bar
from arena.tournament.results.columns import ColumnDoc
from arena.tournament.running.run import Run, RunOptions

SCORE: Final = ColumnDoc(
    """The share of points the bot took from the other. With a field 50 and its lead over the other in mean
    score.""",
    "percent; 50 are equals",
    """100 · mean over blocks of (better places + ties / 2) / pairs of their seats. With a field
    100 · (0.5 + its mean score - that of the other in its place)""",
    "It is not the share of matches won, and of other games or tables it says nothing.",
)
ERROR: Final = ColumnDoc(
    "Score ± this holds the true score, at all looks together in 95 of 100 comparisons.",
    "percent, half the width of the interval",
    """Student's t with blocks - 1 degrees of freedom · √((Σ (score - mean)² + 0.5) / (blocks - 1) / blocks),
    the 0.5 being one block more that each took wholly; t at what the looks together leave of 95 %. With a
    sequential test t at 97.5 %, without the 0.5""",
    "After a sequential test it is too narrow: that stops when the score looks its clearest.",
)
ELO: Final = ColumnDoc(
    "The score as a difference of Elo, and the ends of its interval.",
    "Elo; 400 are odds of ten to one",
    "400 · log10(score / (1 - score))",
    """It is from these two alone: ratings in a field of others, or with others at the table, may differ more
    or less.""",
)
LOS: Final = ColumnDoc(
    "Likelihood of superiority: how sure it is that the bot is the stronger of the two.",
    "percent; 50 is not at all",
    "Student's t distribution at (score - 0.5) / standard error, blocks - 1 degrees of freedom",
    "It takes the blocks as fixed beforehand and knows nothing of the looks: at a stop it is too sure.",
)
PAYOFF: Final = ColumnDoc(
    """What a seat of the bot won or lost in a match in the mean; the lead is the difference, with its
    interval.""",
    "what the game settles in: tokens, chips or points, for a seat of a match",
    """mean over blocks of the mean of its seats; ± Student's t · standard error over blocks, t as with the
    score""",
    "It does not decide who is the stronger: places do, and the two may disagree.",
)
LINES: Final = {
    "score": SCORE,
    "lead in score": ColumnDoc(
        """With a field it stands for the score: how much more of the points the first took in the second's
        place.""",
        "percent; 0 are equals",
        "100 · (its mean score - that of the other in its place)",
        "It is over the field at these tables: the two did not meet.",
    ),
    "±": ERROR,
    "Elo": ELO,
    "LOS": LOS,
    "payoff": PAYOFF,
    "SPRT": ColumnDoc(
        "Where the sequential test stands between its two verdicts, H0 below and H1 above.",
        "LLR, a natural logarithm of odds",
        """blocks · (s1 - s0) · (2 · score - s0 - s1) / (2 · variance), s0 and s1 being the scores that E0
        and E1 mean; the variance holds one block more that each took wholly. Bounds ln(0.05 / 0.95) and its
        opposite, drawn in by the mean overshoot""",
        "H1 does not say that the lead is E1, but that this fits better than E0.",
    ),
    "faults": ColumnDoc(
        "Failures of each, for which the quiet action was played; no line if there were none.",
        "faults",
        "illegal, invalid, timeout, crash, oversize and no-start, added up",
        "What they cost is in the score, not here.",
    ),
    "played": ColumnDoc(
        "What the answer rests on.",
        "blocks and matches",
        "each deal seed once, each of its seatings once",
        "Matches of a block share their cards: only blocks are independent.",
    ),
}
UNKNOWN = "unknown: the blocks do not differ, or are fewer than six"


def announcement(run: Run, options: RunOptions, where: Path | None) -> str:
    """What is about to be compared, by what means, and the folder if it is kept in one."""
    most = format_count(_course(run).terms.looks[-1], "blocks")
    kept = f" into {where}" if where else ""
    return playing_message(f"at most {most}{kept}", run, options)


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
    course = run.stages.format
    assert isinstance(course, Comparison), run.config.format
    return course


def _setting(terms: ComparisonSettings) -> str:
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


def _lines(compared: ComparisonResult) -> list[tuple[str, str]]:
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
        ("played", f"{format_count(result.blocks, 'blocks')}, {format_count(compared.matches, 'matches')}"),
    ]


def _score(compared: ComparisonResult) -> str:
    assert compared.result.score is not None
    if compared.terms.field:
        return f"{compared.result.score - 0.5:+z.1%}"
    return f"{compared.result.score:.1%}"


def _elo(compared: ComparisonResult) -> str:
    result = compared.result
    if result.elo is None:
        return "out of all bounds: one of them won everything"
    if result.error is None:
        return f"{result.elo:+z.1f}"
    low, high = (_end(result.low, "-∞"), _end(result.high, "+∞"))
    return f"{result.elo:+z.1f}, between {low} and {high}"


def _end(elo: float | None, beyond: str) -> str:
    return beyond if elo is None else f"{elo:+z.1f}"


def _faults(compared: ComparisonResult) -> str:
    names = (compared.terms.first, compared.terms.second)
    had = zip(names, compared.faults, strict=True)
    return ", ".join(f"{name} {number:,}" for name, number in had if number)


def _ending(compared: ComparisonResult) -> str:
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
    return "\n".join([f"{stronger} is the stronger.", *_meaning(compared)])


def _unresolved(compared: ComparisonResult) -> str:
    missing = compared.blocks_missing
    at = "at the most it was allowed" if compared.over else "before its end"
    if compared.look and compared.result.blocks < BURN_IN_BLOCKS:
        more = f"A test looks for the first time after {BURN_IN_BLOCKS} blocks"
        more += f", and at this pace needs {format_count(missing, 'blocks')} more." if missing else "."
    elif missing is None:
        more = "No number of blocks can be named that would separate them."
    elif compared.look:
        more = f"At this pace the test needs about {format_count(missing, 'blocks')} more."
    else:
        more = (
            f"If the score is what it seems, {format_count(missing, 'blocks')} more do, four times in five."
        )
    return "\n".join([f"Not resolved: it stopped {at}. {more}", *_meaning(compared)])


def _meaning(compared: ComparisonResult) -> Iterator[str]:
    """What the interval is, if there is one."""
    looks = len(compared.terms.looks)
    if compared.result.error is None:
        return
    if looks == 1 or compared.terms.sprt:
        yield "The interval is that of 95 % for a number of blocks fixed beforehand, and so is LOS."
        return
    yield f"The intervals at all {looks} looks hold together in 95 of 100 comparisons, so it may"
    yield "stop at any of them; LOS is for a number of blocks fixed beforehand."
