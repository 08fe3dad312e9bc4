"""The result of a comparison of two bots, as text and for programs."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote
from typing import Any, Final

from arena.columns.column import Column, ColumnDoc
from arena.columns.kinds import TEXT
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import plain_table
from arena.output.texts.start_message import playing_message
from arena.plugins import BotSpec, FileBot, FolderBot
from arena.plugins.bot_source import hash_files
from arena.plugins.bot_spec import format_setting, label_bots
from arena.plugins.games import game_text
from arena.plugins.manifest import MANIFEST
from arena.rating.luck_adjustment import Controls
from arena.rating.two_bots import BURN_IN_BLOCKS, HeadToHead, format_los
from arena.tournament.engine.engine import RunOptions
from arena.tournament.formats.comparison import (
    ELO_DOC,
    ERROR_DOC,
    LOS_DOC,
    PAYOFF_DOC,
    SCORE_DOC,
    AdjustedComparison,
    Comparison,
    ComparisonResult,
    ComparisonSettings,
)
from arena.tournament.results.rating_table import NO_CONTROL_NOTE
from arena.tournament.run import Run
from arena.tournament.setup.config import VariantEntry

LINES: Final = {
    "score": SCORE_DOC,
    "lead in score": ColumnDoc(
        """With a field, in place of the score: additional share of points the first took in the second's
        place.""",
        "percent; 0 are equals",
        "100 · (its mean score - that of the other in its place)",
        "Over the field at these tables: the two did not meet.",
    ),
    "±": ERROR_DOC,
    "Elo": ELO_DOC,
    "LOS": LOS_DOC,
    "payoff": PAYOFF_DOC,
    "SPRT": ColumnDoc(
        "Position of the sequential test between its decisions, H0 below and H1 above.",
        "log-likelihood ratio",
        """blocks · (s1 - s0) · (2 · score - s0 - s1) / (2 · variance), s0 and s1 being the scores for E0 and
        E1; the variance includes one pseudo-block won by each side. Bounds ln(0.05 / 0.95) and its opposite,
        reduced by the mean overshoot""",
        "H1 does not say that the lead is E1, but that E1 fits better than E0.",
    ),
    "faults": ColumnDoc(
        "Failures of each bot; after each the arena played the safest action. No line if there were none.",
        warning="If a bot is disqualified for them, neither is called the stronger, and there is no LOS.",
    ),
    "played": ColumnDoc(
        "Blocks and matches counted. Matches of a block share their cards: blocks are independent."
    ),
}
LUCK_LINES: Final = {
    "luck score": ColumnDoc(
        "Score (or lead in score) adjusted for luck: less what the cards were worth to the bot; with its ±.",
        "percent",
        """mean over blocks of (score - β · control); the control is what the cards of a block, played by a
        fixed baseline in all seats, were worth above their mean, which is zero whatever the bots do""",
        """A second estimate of the same strength: choose between the two before you look. The comparison
        ends by the score.""",
    ),
    "luck Elo": ColumnDoc(
        "Difference in Elo that the adjusted score means, and the ends of its interval.",
        "Elo; 400 are odds of ten to one",
    ),
    "luck ratio": ColumnDoc(
        """Variance of the score over that of the adjusted one: how many times as many blocks would give the
        same ± without the adjustment.""",
        warning="An estimate: below 1 by chance where the control explains little, or blocks are few.",
    ),
}
"""Documentation of the lines that an adjusted comparison adds."""
ADJUSTED_NOTE: Final = (
    "The luck score is a second estimate of the same strength, from the same matches, with the same notes;\n"
    "the score alone decided when to stop."
)
STOP_NOTE: Final = "A test stops when the score is extreme: Elo and its interval are corrected for that"
UNKNOWN = "unknown: the blocks do not differ, or are fewer than six"


def announcement(run: Run, options: RunOptions, where: Path | None) -> str:
    """Return the message before a comparison is played."""
    most = format_count(run.config.max_blocks, "blocks")
    number = most if run.config.keys.fixed else f"at most {most}"
    kept = f" into {where}" if where else ""
    return "\n".join([playing_message(f"{number}{kept}", run, options), *_identity_note(run)])


def comparison_text(run: Run) -> str:
    """Return `verdict_text`, and the seed if the comparison is over."""
    text = verdict_text(run)
    return f"{text}\n\nIts seed is {run.seed}" if Comparison.of(run.stages).result().over else text


def verdict_text(run: Run) -> str:
    """Return the score, what follows from it, and why the comparison ended."""
    compared = Comparison.of(run.stages).result()
    if not compared.result.blocks:
        return uncounted_text(run, 0, compared.terms.ends[0])
    controls = _controls_of(run)
    adjusted = controls and Comparison.of(run.stages).adjusted(controls)
    disqualified = describe_disqualified(run, compared.faults)
    lines = _lines(compared, is_valid=not disqualified)
    lines += _adjusted_lines(compared, adjusted) if adjusted else []
    lines.append(("played", _played(compared)))
    table = plain_table([Column("", kind=TEXT)] * 2, [line for line in lines if line[1]])
    parts = [_setting(compared.terms), table, "\n".join(disqualified.values()) or _ending(compared)]
    if not compared.over:
        parts.append(uncounted_text(run, compared.result.blocks, compared.terms.ends[0]))
    if controls:
        parts.append(ADJUSTED_NOTE if adjusted else NO_CONTROL_NOTE.format(_game(compared.terms)))
    return "\n\n".join(parts)


def not_kept_text(run: Run) -> str:
    """Return how to play a comparison again that was stopped and is not kept: no block of it is to come."""
    return (
        f"Stopped early; its seed is {run.seed}. It is not kept: with --out DIR it could be resumed, and "
        f"--seed {quote(run.seed)} plays the same blocks again."
    )


def uncounted_text(run: Run, counted: int, first: int) -> str:
    """Return which blocks of a comparison that was stopped between two looks are not counted, and why.

    Args:
        run: The run, which is not over.
        counted: Blocks up to the last look.
        first: Blocks up to the first look.
    """
    played = format_count(run.count_blocks() - counted, "blocks")
    if not counted:
        return (
            f"Stopped before the first look, after {format_count(first, 'blocks')}: no result yet. "
            f"Played so far: {played}."
        )
    return (
        f"Not counted: {played}, played since the last look after {counted:,}. "
        "The interval holds at looks alone, which are fixed in advance."
    )


def comparison_fields(run: Run) -> dict[str, Any]:
    """Return the result for programs: shares in percent, nothing rounded.

    Of an adjusted run it has `luck`: the result adjusted for luck, None where there is nothing to adjust.
    """
    compared = Comparison.of(run.stages).result()
    controls = _controls_of(run)
    terms, result, look = compared.terms, compared.result, compared.look
    disqualified = describe_disqualified(run, compared.faults)
    elo, low, high = compared.elo_ends
    return {
        "variant": terms.variant,
        "players": terms.players,
        "bots": [terms.first, terms.second],
        "labels": [terms.labels[terms.first], terms.labels[terms.second]],
        "field": terms.field,
        "alone": terms.alone,
        "blocks": result.blocks,
        "matches": compared.matches,
        "score": to_percent(result.score),
        "error": to_percent(result.error),
        "confidence": terms.confidence,
        "elo": elo,
        "low": low,
        "high": high,
        "los": to_percent(result.los),
        "payoffs": [payoff.value for payoff in compared.payoffs],
        "payoff_lead": compared.payoff_lead.value,
        "payoff_error": compared.payoff_lead.error,
        "faults": compared.faults,
        "sprt": terms.sprt,
        "llr": look and look.llr,
        "bounds": look and [look.lower, look.upper],
        "verdict": None if disqualified else look and look.verdict,
        "resolved": compared.resolved and not disqualified,
        "blocks_missing": compared.blocks_missing,
        "seed": run.seed if compared.over else None,
        "score_elo": result.elo,
        "disqualified": list(disqualified),
        "blocks_not_counted": 0 if compared.over else run.count_blocks() - result.blocks,
    } | ({} if controls is None else {"luck": _adjusted_fields(Comparison.of(run.stages).adjusted(controls))})


def _adjusted_fields(adjusted: AdjustedComparison | None) -> dict[str, float | None] | None:
    if adjusted is None:
        return None
    result = adjusted.result
    shares = {name: to_percent(getattr(result, name)) for name in ("score", "error", "los")}
    elos = {name: getattr(result, name) for name in ("elo", "low", "high")}
    return {**shares, **elos, "variance_ratio": adjusted.variance_ratio}


def compare_command(bots: Sequence[BotSpec], entry: VariantEntry) -> str:
    """Return the command that compares the first two bots at one game, in a field if there are more.

    Without a field one seat is of the first, the others are copies of the second.
    """
    first, second, *field = (quote(str(spec.source)) for spec in bots)
    options = [f"--set {quote(f'{key}={format_setting(value)}')}" for key, value in entry.options.items()]
    how = f"--field {','.join(field)}" if field else "--alone"
    game = f"--game {quote(game_text(entry.rules, Path()))} --players {entry.players[0]}"
    return " ".join(["arena compare", first, second, how, game, *options])


def describe_disqualified(run: Run, faults: Sequence[int]) -> dict[str, str]:
    """Return a sentence for each compared bot that lost too many matches by its faults, by name.

    `faults` are those of the first bots of the config, which are the compared ones.
    """
    if not any(faults):
        return {}
    losses, compared = run.fault_losses(), run.config.bots[: len(faults)]
    labels = label_bots(bot.name for bot in run.config.bots)
    return {
        name: f"{disqualification_text(labels[name], losses.lost[name], losses.matches[name])}. "
        "Its score is that of the arena's safest actions."
        for name in (bot.name for bot in compared)
        if name in losses.since
    }


def disqualification_text(bot: str, lost: int, matches: int) -> str:
    """Return that a bot is disqualified, and why, as a sentence without its end."""
    return f"{bot} is disqualified: it lost {lost:,} of {matches:,} matches by its faults"


def _controls_of(run: Run) -> Controls | None:
    """Return the controls of the blocks, if the run's results are adjusted for luck."""
    if not run.config.adjust:
        return None
    return next((game.controls for game in run.results().games.values()), None)


def _identity_note(run: Run) -> list[str]:
    """Return a line that says so if the two are one bot with the same settings."""
    first, second = run.config.bots[:2]
    if hash_code(run, first) != hash_code(run, second) or first.settings != second.settings:
        return []
    sha = run.metadata.bots[first.name][:12]
    labels = label_bots(bot.name for bot in run.config.bots)
    both = f"{labels[first.name]} and {labels[second.name]}"
    return [f"{both} are the same bot, content {sha}: any difference is chance"]


def hash_code(run: Run, bot: BotSpec) -> str:
    """Return the hash of a bot's class and files, without a `bot.toml`, which a snapshot adds."""
    target = bot.source.launch().target if isinstance(bot.source, FileBot | FolderBot) else ""
    if not target:
        return run.metadata.bots[bot.name]
    files = [("", path) for name, path in bot.source.files() if name != MANIFEST]
    return hash_files(target.rpartition(":")[2], files)


def _setting(terms: ComparisonSettings) -> str:
    """Return what was compared, and the seating."""
    first, second = terms.labels[terms.first], terms.labels[terms.second]
    if terms.field:
        how = f"in each other's place at tables of {', '.join(terms.labels[name] for name in terms.field)}"
    elif terms.alone:
        how = f"{first} alone against copies of {second}"
    else:
        how = describe_shared_seats(terms.players)
    return f"{first} against {second} at {_game(terms)}: {how}"


def _game(terms: ComparisonSettings) -> str:
    return f"{terms.variant}, {terms.players} players"


def describe_shared_seats(players: int) -> str:
    """Return how two bots share the seats of a table."""
    if players % 2:
        return "each in turn with one seat more than the other, all round the table"
    return "each in half of the seats, and then in the other half"


def _lines(compared: ComparisonResult, *, is_valid: bool) -> list[tuple[str, str]]:
    """Return labels and values; one that does not apply is empty, as LOS where the result is not valid."""
    terms, result = compared.terms, compared.result
    first, second = terms.labels[terms.first], terms.labels[terms.second]
    own, other = compared.payoffs
    lead = compared.payoff_lead
    return [
        ("lead in score" if terms.field else "score", _score(terms, result)),
        ("Elo", _elo(result, compared.elo_ends)),
        (
            "LOS",
            f"{format_los(result.los)} that {first} is the stronger"
            if is_valid and result.los is not None
            else "",
        ),
        (
            "payoff",
            f"{own.value:z.2f} a match, {second} {other.value:z.2f}: a lead of {lead.value:+z.2f}"
            + ("" if lead.error is None else f" ± {max(lead.error, 0.01):.2f}"),
        ),
        ("SPRT", compared.look.bar if compared.look else ""),
        ("faults", _faults(compared)),
    ]


def _adjusted_lines(compared: ComparisonResult, adjusted: AdjustedComparison) -> list[tuple[str, str]]:
    """Return the lines of the score adjusted for luck."""
    ratio = adjusted.variance_ratio
    return [
        ("luck score", _score(compared.terms, adjusted.result)),
        ("luck Elo", _elo(adjusted.result, (adjusted.result.elo, adjusted.result.low, adjusted.result.high))),
        ("luck ratio", "" if ratio is None else f"{ratio:.2f}"),
    ]


def _played(compared: ComparisonResult) -> str:
    return f"{format_count(compared.result.blocks, 'blocks')}, {format_count(compared.matches, 'matches')}"


def _score(terms: ComparisonSettings, result: HeadToHead) -> str:
    assert result.score is not None
    score = f"{result.score - 0.5:+z.1%}" if terms.field else f"{result.score:.1%}"
    return f"{score} ± {UNKNOWN if result.error is None else f'{max(result.error, 0.001):.1%}'}"


def _elo(result: HeadToHead, ends: Sequence[float | None]) -> str:
    elo, low, high = ends
    if result.elo is None or elo is None:
        return "unbounded: one of them won every point"
    if result.error is None:
        return f"{elo:+z.1f}"
    return f"{elo:+z.1f}, between {_end(low, '-∞')} and {_end(high, '+∞')}"


def _end(elo: float | None, beyond: str) -> str:
    return beyond if elo is None else f"{elo:+z.1f}"


def _faults(compared: ComparisonResult) -> str:
    terms = compared.terms
    names = (terms.labels[terms.first], terms.labels[terms.second])
    had = zip(names, compared.faults, strict=True)
    return ", ".join(f"{name} {number:,}" for name, number in had if number)


def _ending(compared: ComparisonResult) -> str:
    """Return why the comparison ended, and how reliable interval and LOS are."""
    if not compared.resolved:
        return _unresolved(compared)
    terms, result = compared.terms, compared.result
    if terms.sprt and compared.look:
        low, high = terms.sprt
        fits, not_ = (high, low) if compared.look.verdict == "H1" else (low, high)
        return (
            f"{compared.look.verdict}: a lead of {fits:g} Elo fits better than one of {not_:g}.\n"
            f"{STOP_NOTE}; ± and LOS are not."
        )
    assert result.score is not None
    stronger = terms.first if result.score > 0.5 else terms.second
    return "\n".join([f"{terms.labels[stronger]} is the stronger.", *_interval_notes(compared)])


def _unresolved(compared: ComparisonResult) -> str:
    missing = compared.blocks_missing
    at = "at the maximum of blocks" if compared.over else "early"
    if compared.look and compared.result.blocks < BURN_IN_BLOCKS:
        more = f"A test has its first look after {BURN_IN_BLOCKS} blocks"
        more += f", and at this rate needs {format_count(missing, 'blocks')} more." if missing else "."
    elif compared.is_alike:
        more = "Both had the same result in every block: they seem to play alike."
    elif missing is None:
        more = "No number of blocks is known to separate them."
    elif compared.look:
        more = f"At this rate the test needs about {format_count(missing, 'blocks')} more."
    else:
        needed = format_count(missing, "blocks")
        more = f"If the score stays the same, {needed} more separate them with a chance of 80 %."
    return "\n".join([f"Not resolved: stopped {at}. {more}", *_interval_notes(compared)])


def _interval_notes(compared: ComparisonResult) -> Iterator[str]:
    """Yield what the interval means, if there is one."""
    looks = len(compared.terms.ends)
    if compared.result.error is None:
        return
    if looks == 1 or compared.terms.sprt:
        yield "± and LOS are valid for a number of blocks fixed in advance."
    else:
        yield f"± holds at all {looks} looks together in 95 of 100 comparisons; LOS follows from it."
    if compared.estimate and looks > 1:
        yield f"{STOP_NOTE}."
