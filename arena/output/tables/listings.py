"""Lists of bots and of replays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.columns.column import Column
from arena.columns.kinds import INTEGER, TEXT
from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet, format_sheet
from arena.errors import ArenaError, PluginError
from arena.output.words.terminal_layout import STRANGE
from arena.output.words.text import format_signed, printable_line, strip_unprintable
from arena.play import Limits
from arena.play.conformance.checks import find_startup_error
from arena.play.faults import HostUnavailable, summarize_failure
from arena.play.isolation import LEVELS, LevelSelector
from arena.play.records.record_check import CheckedTotals
from arena.play.records.record_schema import MatchRecord
from arena.plugins import BotEntry, BotSpec, FolderBot, InstalledBot, Kind
from arena.plugins.games import arena_command
from arena.plugins.submission_store import Submission

if TYPE_CHECKING:
    from arena.tournament.record_search import FoundRecord  # which reads stores and compressed files

# --- bots ---

HASH_CHARS = 12


class BotRow(msgspec.Struct, frozen=True, kw_only=True):
    """One bot of a listing; `error` says why it cannot play."""

    name: str
    title: str
    kind: Kind
    content: str
    """The hash of its files; empty where that is unknown."""
    distribution: str
    version: str
    built_in: bool
    origin: str
    """"package.module:Class" of an installed bot, or the reference of a submission in a config."""
    author: str = ""
    team: str = ""
    variants: tuple[str, ...] = ()
    isolation: str = ""
    """The level in a run that asks for none."""
    error: str | None = None


def bot_rows(entries: Sequence[BotEntry], submissions: Sequence[Submission]) -> list[BotRow]:
    """Return the rows of installed, then submitted bots, each with its isolation level.

    Submissions are started at that level, to see whether they do, and stopped again.
    """
    selector = LevelSelector()
    installed = [_with_level(_installed_row(entry), selector) for entry in entries]
    return installed + [
        _with_startup_error(_with_level(_submission_row(submission), selector), submission.path)
        for submission in submissions
    ]


def bots_table(rows: Sequence[BotRow]) -> str:
    """Return a table of bots, with the error of each that cannot play as its state."""
    return format_sheet(Sheet("", BOT_COLUMNS, rows))


def start_submissions(submissions: Sequence[Submission]) -> list[Submission]:
    """Start each submission once, and return them with the error of each that cannot play."""
    rows = bot_rows([], submissions)
    return [
        msgspec.structs.replace(submission, error=row.error)
        for submission, row in zip(submissions, rows, strict=True)
    ]


def submissions_table(submissions: Sequence[Submission]) -> str:
    """Return a table of submissions, with the error of each that cannot play as its state."""
    if not submissions:
        return "No bots have been submitted yet; submit one with `arena submit BOT`."
    return format_sheet(Sheet("", SUBMISSION_COLUMNS, submissions))


def renaming_text(bot: str, name: str) -> str:
    """Return a sentence about a Python file whose bot has another name than it; empty for any other bot."""
    path = Path(bot)
    is_renamed = path.suffix == ".py" and path.stem != name
    return f"{printable_line(path.name)} is called {name}. " if is_renamed else ""


def submission_text(submission: Submission, store: Path, bot: str = "") -> str:
    """Return a message about a new submission, with the next commands.

    Args:
        submission: The submission.
        store: Folder of the store.
        bot: The bot as the command line names it; empty if it also gives the bot a name.
    """
    by = f", by {submission.author}" if submission.author else ""
    return (
        f"{renaming_text(bot, submission.name)}"
        f"Submitted {submission.name}, version {submission.version}{by} ({submission.content[:HASH_CHARS]}). "
        f"The copy is in {store}.\n\n"
        f"  arena check submitted:{submission.name}    print its report card\n"
        f'  bots = ["submitted"]    in a config plays all submissions'
    )


def removal_text(name: str, contents: Sequence[str], store: Path) -> str:
    """Return a message about a submission that was taken off the list."""
    hashes = ", ".join(sha[:HASH_CHARS] for sha in contents)
    return (
        f"Removed {name} from the list in {store}. Its files stay for the runs that played them ({hashes}); "
        "`arena submit --purge HASH` deletes those of a hash."
    )


def handed_in_text(fields: Mapping[str, Any]) -> str:
    """Return what a league's server says about a hand-in: its card, its state and its provisional places."""
    lines = [*str(fields.get("card", "")).splitlines(), ""] if fields.get("card") else []
    reason = f": {fields['reason']}" if fields.get("reason") else ""
    lines.append(f"{fields.get('bot') or 'the bot'} {fields.get('state')}{reason}")
    if fields.get("remark"):
        lines.append(str(fields["remark"]))
    for ladder in fields.get("provisional", ()):
        error = "" if ladder["error"] is None else f" ± {ladder['error']:.0f}"
        within = f"{ladder['best']} to {ladder['worst']} of {ladder['of']}"
        game = f"{ladder['variant']}, {ladder['players']} players"
        lines.append(
            f"  {game}: provisional place {ladder['place']} ({within}), Elo {ladder['elo']:.0f}{error}"
        )
    return "\n".join(strip_unprintable(line) for line in lines)


def _installed_row(entry: BotEntry) -> BotRow:
    source, error = InstalledBot(entry.name), entry.error
    sha = ""
    games: tuple[str, ...] = ()
    try:
        sha, games = source.digest(), source.variants()
    except (PluginError, OSError) as failure:
        error = error or str(failure)
    return BotRow(
        name=entry.name,
        title=entry.title,
        kind="built-in" if entry.built_in else "plug-in",
        content=sha,
        distribution=entry.distribution,
        version=entry.version,
        built_in=entry.built_in,
        origin=entry.origin,
        variants=games,
        error=error,
    )


def _submission_row(submission: Submission) -> BotRow:
    return BotRow(
        name=submission.name,
        title=submission.description,
        kind=FolderBot(submission.path).kind,
        content=submission.content,
        distribution="",
        version=str(submission.version),
        built_in=False,
        origin=f"submitted:{submission.name}",
        author=submission.author,
        team=submission.team,
        variants=submission.variants,
        error=submission.error,
    )


def _with_level(row: BotRow, selector: LevelSelector) -> BotRow:
    try:
        level = selector.select(row.kind, "auto")
    except ArenaError as error:
        return msgspec.structs.replace(row, error=row.error or str(error))
    return msgspec.structs.replace(row, isolation=level)


def _with_startup_error(row: BotRow, path: str) -> BotRow:
    """Start a submission at its level and return its row with the error, if any."""
    if row.error or not row.isolation:
        return row
    try:
        error = find_startup_error(BotSpec(FolderBot(path), row.name), LEVELS[row.isolation].name, Limits())
    except HostUnavailable as unavailable:
        error = str(unavailable)
    return msgspec.structs.replace(row, error=error and error.replace(f"{path}/", ""))


def _source(row: BotRow) -> str:
    if row.distribution:
        return f"{row.distribution} {row.version}"
    return f"{row.author or 'submitted'}, version {row.version}"


def _state(row: BotRow | Submission, fine: str) -> str:
    return summarize_failure(row.error) if row.error else fine


BOT_COLUMNS: Final[tuple[Column[BotRow], ...]] = (
    Column("bot", value=lambda row: row.name, kind=STRANGE),
    Column("what it does", value=lambda row: row.title, kind=STRANGE, max_chars=50),
    Column("hash", value=lambda row: row.content[:HASH_CHARS], kind=TEXT),
    Column("origin", value=_source, kind=STRANGE),
    Column("isolation", value=lambda row: row.isolation or None, kind=TEXT),
    Column("state", value=lambda row: _state(row, "ok"), kind=STRANGE, max_chars=50),
)
SUBMISSION_COLUMNS: Final[tuple[Column[Submission], ...]] = (
    Column("bot", value=lambda row: row.name, kind=TEXT),
    Column("version", kind=INTEGER),
    Column("hash", value=lambda row: row.content[:HASH_CHARS], kind=TEXT),
    Column("author", kind=TEXT),
    Column("team", kind=TEXT),
    Column("games", value=lambda row: ", ".join(row.variants) or "all", kind=TEXT, max_chars=20),
    Column("state", value=lambda row: _state(row, "ready"), kind=STRANGE, max_chars=50),
)


# --- replays ---


def replays_table(matches: Iterable[FoundRecord], source: str) -> str:
    """Return a table of matches, numbered by their lines in the file, and the command that shows one."""
    sheet = Sheet("", REPLAY_COLUMNS, list(matches))
    if not sheet.rows:
        return "No match meets these conditions."
    show = f"{arena_command()} replay show {quote(source)} --match {sheet.rows[0].number}"
    return f"{format_sheet(sheet)}\n\nShow one: {show}"


def checked_text(name: str, checked: CheckedTotals) -> str:
    """Return what was checked of a file and found correct."""
    if not checked.matches:
        return f"{name}: holds no match, so nothing was checked"
    counts = zip(checked, CheckedTotals._fields, strict=True)
    return f"{name}: {', '.join(format_count(number, things) for number, things in counts)}, all true"


def outline(match: FoundRecord) -> dict[str, Any]:
    """Return a match without its deals, as JSON."""
    record = match.record
    return {
        "match": match.number,
        "variant": match.variant,
        "players": record.players,
        "block": record.block,
        "rotation": record.rotation,
        "deals": len(record.deals),
        "bots": record.bots,
        "placings": record.placings,
        "payoffs": record.payoffs,
        "faults": record.faults,
    }


def seat_name(record: MatchRecord, seat: int) -> str:
    """Return the name of a seat: its bot, if the record names one."""
    bots = record.bots or ()
    return strip_unprintable(bots[seat]) if 0 <= seat < len(bots) else f"seat {seat}"


def fault_words(record: MatchRecord) -> list[str]:
    """Return the faults by seat and kind, with their number."""
    times = Counter((fault.seat, fault.kind) for fault in record.faults)
    return [f"{seat_name(record, seat)} {kind} ×{number}" for (seat, kind), number in sorted(times.items())]


def _ending(record: MatchRecord) -> list[str]:
    """Return placing, bot and payoff of each seat, the best first."""
    results = sorted(zip(record.placings or (), count(), record.payoffs or (), strict=False))
    return [
        f"{placing} {seat_name(record, seat)} ({format_signed(payoff)})" for placing, seat, payoff in results
    ]


REPLAY_COLUMNS: Final[tuple[Column[FoundRecord], ...]] = (
    Column("match", value=lambda row: row.number, kind=INTEGER),
    Column("block", value=lambda row: strip_unprintable(row.record.block) or row.variant, kind=TEXT),
    Column("rotation", value=lambda row: row.record.rotation, kind=INTEGER),
    Column("deals", value=lambda row: len(row.record.deals), kind=INTEGER),
    Column("placing, bot (payoff)", value=lambda row: ", ".join(_ending(row.record)), kind=TEXT),
    Column("faults", value=lambda row: ", ".join(fault_words(row.record)), kind=TEXT),
)
