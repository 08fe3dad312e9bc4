"""Tables of a league: ladders, grades, Gradescope's file, and gains of versions.

The list of bots has the gains, and Gradescope's files are made from the rows of the grades.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.columns.column import Column, Columns, shown
from arena.columns.kinds import COUNT, DATA, ELO, ELO_LEAD, PERCENT, PROBABILITY, Kind
from arena.columns.number_format import format_count
from arena.columns.table_formats import Sheet, TableSet, format_table
from arena.errors import ConfigError
from arena.league.accounts import list_rejected
from arena.league.field import Entry
from arena.league.requests import is_installed
from arena.league.results import LeagueResults, find_counting_version
from arena.league.runs import Criterion, Estimate, MilestoneComparison
from arena.league.standings import OVERALL
from arena.league.store import Grade, LadderRow, LeagueRequest
from arena.league.update import ImpreciseRating
from arena.output.tables.pairs import MIN_DECISIONS, MIN_SHARE, PairRow
from arena.output.words.text import format_duration, strip_unprintable, truncate
from arena.plugins.manifest import fold_case
from arena.rating.collusion import find_colluding_pairs
from arena.rating.student_t import MIN_BLOCKS
from arena.rating.two_bots import HeadToHead, format_los
from arena.tournament.files import FOLDER_MODE, replace_file
from arena.tournament.results.rating_rows import BOUNDS, RatingRow
from arena.tournament.results.rating_table import (
    BOUND_NOTES,
    COLUMNS,
    ERROR,
    LADDER_NAMES,
    describe_lead,
    has_luck,
    list_ranked,
)
from arena.tournament.results.results import RunResults
from arena.tournament.review.differences import Agreement, count_agreements
from arena.tournament.run import Run
from arena.tournament.store.codec import unpack

# --- version gains ---


def gain_text(results: LeagueResults, version: int) -> str:
    """Return `v3 − v2 = +81 ± 40, LOS 99.1%`; empty for a version that met no earlier one."""
    compared = results.gain_of(version)
    if compared is None:
        return ""
    old, gain = compared
    pair = f"v{results.versions[version].ordinal} − v{old.ordinal}"
    if gain.blocks < MIN_BLOCKS:
        return f"{pair}: only {format_count(gain.blocks, 'blocks')}, too few to tell"
    if gain.elo is None:
        done = "won" if gain.score else "lost"
        return f"{pair}: it {done} every point in {format_count(gain.blocks, 'blocks')}"
    error, los = gain_error(gain), gain.los
    width = "" if error is None else f" ± {error:.0f}"
    return f"{pair} = {gain.elo:+.0f}{width}" + ("" if los is None else f", LOS {format_los(los)}")


def gain_error(gain: HeadToHead) -> float | None:
    """Return half the width of the 95 % interval in Elo; None where it is unbounded or not known."""
    return None if gain.low is None or gain.high is None else (gain.high - gain.low) / 2


def gain_columns(results: LeagueResults, version: int) -> dict[str, float | int | None]:
    """Return the gain of a version as JSON: Elo, its ±, the LOS in percent, and the blocks."""
    compared = results.gain_of(version)
    gain = compared[1] if compared else None
    error = gain_error(gain) if gain else None
    return {
        "gain": None if gain is None or gain.elo is None else round(gain.elo, 1),
        "gain_error": None if error is None else round(error, 1),
        "gain_los": None if gain is None or gain.los is None else round(100 * gain.los, 1),
        "gain_blocks": gain.blocks if gain else 0,
    }


# --- ladders and lists ---

MAX_CELL_CHARS: Final = 60
MAX_HASH_CHARS: Final = 13
LINE: Final = Kind(is_text=True, write=lambda text: truncate(strip_unprintable(text), MAX_CELL_CHARS))
"""Text of unknown origin and length."""
HASH: Final = Kind(is_text=True, write=lambda text: truncate(text, MAX_HASH_CHARS))


RANK_NOTE: Final = (
    "Ranks say which bot is better: all of a ladder hold together at 95 %, however often you look. ± judges "
    "two bots chosen beforehand: they differ where their Elo ± do not overlap."
)
AT_REST: Final = "Nothing more is played until something new comes"
"""Beginning of the text about the precision of a league in which no bot asks for blocks."""
TOP = 10
"""Bots of the ladder after an update."""


def _league_column(name: str, value: Callable[[Any], Any], kind: Kind = LINE, **options: Any) -> Column[Any]:
    """Return a column whose empty cells are blank, and of which programs get every digit."""
    return Column(name, value=value, kind=kind, missing="", is_rounded=False, **options)


def _marked_bot(get_name: Callable[[Any], str], get_mark: Callable[[Any], str]) -> Column[Any]:
    """Return a column of bots with the reasons why they have no rank."""

    def text(row: Any) -> str:
        mark = get_mark(row)
        return LINE.text(get_name(row)) + ("" if mark in ("", *BOUNDS) else f" ({mark})")

    return _league_column("bot", get_name, text=text)


CHANGE: Final = Column[LadderRow]("change", kind=ELO_LEAD, digits=1)
_LADDER_COLUMNS: Final[Columns[Any]] = (*COLUMNS, ERROR, CHANGE)
LADDER: Final = {column.name: replace(column, missing="") for column in _LADDER_COLUMNS}
"""Columns of ladders, by name: those of ratings, and the change."""
LADDER_LUCK: Final = (
    _league_column("luck elo", attrgetter("luck_elo"), ELO),
    _league_column("luck ±", attrgetter("luck_comparison_error"), ELO, field="luck comparison_error"),
    _league_column("luck ratio", attrgetter("luck_ratio"), ELO),
    _league_column("luck error", attrgetter("luck_error"), DATA),
)


def ladder_table(results: LeagueResults, adjusted: RunResults | None = None) -> TableSet:
    """Return the ratings of the current ladders, with their changes since the last update.

    With the league's results adjusted for luck it has these ratings as well, on the scale of the ladder.
    """
    rows = [row for ladder in results.ladders.values() for row in ladder]
    luck = {(row.variant, row.players, row.bot): row for row in (adjusted.rows if adjusted else ())}
    return _list_ladders([_adjust(row, luck.get((row.variant, row.players, row.bot))) for row in rows])


def _list_ladders(rows: Sequence[LadderRow]) -> TableSet:
    columns = [
        replace(LADDER["variant"], name="game", kind=LINE),
        *(LADDER[name] for name in ("players", "rank")),
        _marked_bot(attrgetter("bot"), attrgetter("mark")),
        *(LADDER[name] for name in LADDER_NAMES[:-1]),
        *(LADDER_LUCK if has_luck(rows) else ()),
        LADDER["error"],
    ]
    marks = {row.bound_mark for row in rows}
    notes = [note for mark, note in BOUND_NOTES.items() if mark in marks]
    ladders = groupby(rows, key=attrgetter("title"))
    leads = [f"{title}: {lead}" for title, ladder in ladders if (lead := describe_lead(list_ranked(ladder)))]
    return _league_table(columns, rows, [*leads, *notes, *([RANK_NOTE] if leads else [])])


def _adjust(row: LadderRow, luck: RatingRow | None) -> LadderRow:
    """Return a row with the rating adjusted for luck: by how much that differs from the plain one."""
    if luck is None or row.elo is None or luck.elo is None or luck.luck_elo is None or row.has_bound:
        return row
    ratio = luck.luck_ratio

    def divide(error: float | None) -> float | None:
        return round(round(error, 1) / ratio**0.5, 1) if error and ratio else None

    return replace(
        row,
        is_adjusted=True,
        luck_elo=round(round(row.elo, 1) + luck.luck_elo - luck.elo, 1),
        luck_comparison_error=divide(row.comparison_error),
        luck_ratio=ratio and round(ratio, 2),
        luck_error=divide(row.error),
    )


def bots_table(results: LeagueResults) -> TableSet:
    """Return the bots."""
    versions = results.versions
    columns = [
        _league_column("bot", lambda bot: bot.name),
        _league_column("state", results.state_of),
        _league_column("version", lambda bot: versions[bot.version].ordinal, COUNT),
        _league_column("author", lambda bot: versions[bot.version].author),
        _league_column("team", lambda bot: results.team_of(bot.version)),
        _league_column("submitter", lambda bot: bot.owner),
        _league_column("content", lambda bot: versions[bot.version].digest, HASH),
        _league_column("description", lambda bot: versions[bot.version].description),
        _league_column("progress", lambda bot: gain_text(results, bot.version)),
        _league_column("counts", lambda bot: find_counting_version(results, bot).ordinal, COUNT),
    ]
    return _league_table(columns, results.bots)


def submitters_table(results: LeagueResults) -> TableSet:
    """Return the submitters with their aliases, which pages show, and their bots."""
    settings = results.settings
    columns = [
        _league_column("submitter", lambda name: name),
        _league_column("alias", results.aliases.find),
        _league_column("team", lambda name: settings.teams.get(name, "")),
        _league_column("bots", lambda name: ", ".join(bot.name for bot in results.bots_of(name))),
    ]
    return _league_table(columns, list(settings.submitters))


def submissions_table(results: LeagueResults) -> TableSet:
    """Return all submissions and changes that were asked for, then what the server's check rejected."""
    rejected = [
        LeagueRequest(
            submitter=hand_in.account,
            name=hand_in.name or hand_in.given_name or hand_in.file,
            state="rejected",
            reason=hand_in.reason,
            card=hand_in.card,
        )
        for hand_in in list_rejected(results.folder)
    ]
    return requests_table(results, [*results.requests, *rejected])


def requests_table(results: LeagueResults, requests: Sequence[LeagueRequest]) -> TableSet:
    """Return submissions and changes that were asked for; one that never reached the league has no number."""
    columns = [
        _league_column("number", lambda request: request.number or None, COUNT),
        _league_column("kind", attrgetter("kind")),
        _league_column("bot", attrgetter("name")),
        _league_column("new_name", attrgetter("new_name")),
        _league_column("submitter", attrgetter("submitter")),
        _league_column("state", attrgetter("outcome")),
        _league_column("update", attrgetter("league_update"), COUNT),
        _league_column("reason", attrgetter("reason")),
        _league_column("time", lambda request: results.request_times.get(request.number, "")),
        _league_column("card", attrgetter("card"), DATA),
    ]
    return _league_table(columns, requests)


def faults_table(results: LeagueResults) -> TableSet:
    """Return each kind of failure of each version, with its reason."""
    names = {version.label: results.name_of(version.number) for version in results.versions}
    failures = results.failures().items()
    rows = [(names[label], kind, times, why) for (label, kind, why), times in failures if label in names]
    kinds = {"bot": LINE, "kind": LINE, "times": COUNT, "reason": LINE}
    columns = [_league_column(name, itemgetter(at), kind) for at, (name, kind) in enumerate(kinds.items())]
    return _league_table(columns, rows)


def collusion_table(results: LeagueResults) -> TableSet:
    """Return the pairs of bots suspected of collusion, see `arena table --show fair-play`."""
    rows = [
        PairRow(game, pair)
        for game in results.run_results().games.values()
        for pair in find_colluding_pairs(game.pair_counts, game.fit)
    ]
    columns = [
        _league_column("game", lambda row: row.game.variant),
        _league_column("players", lambda row: row.game.players, COUNT),
        _league_column("bot", lambda row: row.name(row.of.bot)),
        _league_column("helper", lambda row: row.name(row.of.helper)),
        _league_column("blocks", lambda row: row.of.blocks, COUNT),
        _league_column("advantage", lambda row: row.of.advantage, PERCENT),
        _league_column("error of advantage", lambda row: row.of.error, PERCENT),
        _league_column("p", lambda row: row.of.p, PROBABILITY),
    ]
    return _league_table(columns, rows)


def find_agreements(results: LeagueResults) -> list[Agreement]:
    """Return how often each two bots decided alike, under the names of their versions.

    The latest blocks of each game are compared, which those play that are new.
    """
    rules = {str(entry.rules): entry.rules for entry in results.settings.variants}
    blocks = results.blocks.played_blocks(latest_first=True)
    played = ((block, unpack(results.blocks.played(block.index)[1])) for block in blocks)
    names = {version.label: results.name_of(version.number) for version in results.versions}
    return [
        pair._replace(bot=names[pair.bot], other=names[pair.other])
        for pair in count_agreements(played, rules, results.seed)
    ]


def copies_table(results: LeagueResults) -> TableSet:
    """Return the pairs of bots that decide alike, see `arena table --show fair-play`."""
    rows = [
        pair
        for pair in find_agreements(results)
        if pair.share >= MIN_SHARE and pair.decisions >= MIN_DECISIONS
    ]
    columns = [
        _league_column("game", lambda row: row.game[0]),
        _league_column("players", lambda row: row.game[1], COUNT),
        _league_column("bot", lambda row: row.bot),
        _league_column("other", lambda row: row.other),
        _league_column("decisions", lambda row: row.decisions, COUNT),
        _league_column("share", lambda row: row.share, PERCENT),
    ]
    return _league_table(columns, rows)


def _league_table(columns: Columns[Any], rows: Sequence[Any], notes: Sequence[str] = ()) -> TableSet:
    """Return a table of rows; printed without columns that are empty or machine-readable only."""
    filled = [column for column in shown(columns) if any(map(column.text_cell, rows))]
    return TableSet(columns, [Sheet("", filled, rows, notes)] if rows else [], rows)


def league_text(table: TableSet) -> str:
    """Return a table as plain text."""
    return format_table(table, "plain") if table.sheets else "Nothing yet."


def final_estimate_text(run: Run, estimate: Estimate) -> str:
    """Return how many blocks a final takes and how long, and what decides it at the end."""
    least, most = estimate.blocks
    times = [format_duration(seconds) for seconds in estimate.seconds]
    blocks = format_count(most, "blocks")
    if least == most:
        return f"Estimate: {blocks}, about {times[1]}."
    return (
        f"Estimate: {least:,} to {blocks}, about {times[0]} to {times[1]}. A table plays "
        f"{format_count(run.config.max_blocks, 'blocks')} of each game at most; then the score decides."
    )


def update_text(results: LeagueResults, ending: str) -> str:
    """Return what an update did: who was admitted and rejected, and the top of the ladder."""
    if ending == "nothing" or not results.updates:
        return f"Nothing to do: nothing was submitted. {precision_text(results)}"
    update = results.updates[-1]
    lines = [
        f"{request.name}: {request.outcome}{': ' + request.reason if request.reason else ''}"
        for request in results.requests
        if request.league_update == update.number and request.kind == "submit" and request.state != "waiting"
    ]
    how = "done" if ending == "done" else "stopped; the next update continues it"
    blocks = format_count(results.count_blocks(), "blocks")
    lines += _lacking(results)
    lines += ["", f"Update {update.number} of {update.date}: {how}. {blocks} in all."]
    lines += [precision_text(results), ""] if ending == "done" else [""]
    top = next(iter(results.ladders.values()), [])[:TOP]
    return "\n".join([*lines, league_text(_list_ladders(top))]).lstrip()


def _lacking(results: LeagueResults) -> list[str]:
    """Return a line for each game that too few bots play."""
    return [
        f"{variant}, {size} players: {len(entries)} of the {size} bots that a table needs"
        for (variant, size), entries in results.field.players_of.items()
        if len(entries) < size
    ]


def precision_text(results: LeagueResults) -> str:
    """Return whether the ratings are as precise as the settings ask, and why no more is played for others."""
    ratings = results.imprecise_ratings() if _has_wide_bars(results) else []
    precision = results.settings.precision
    if asking := sorted({rating.entry.name for rating in ratings if rating.asks}):
        named = ", ".join(asking) if len(asking) <= 3 else format_count(len(asking), "bots")
        return f"Not rated to ± {precision:g}: {named}. `--more` plays on."
    if not ratings:
        return f"{AT_REST}."
    lines = [f"  {rest_text(rating)}" for rating in ratings[:TOP]]
    if len(ratings) > TOP:
        lines.append(f"  and {len(ratings) - TOP} more")
    return "\n".join([f"{AT_REST}. Not rated to ± {precision:g}:", *lines])


def rest_text(rating: ImpreciseRating) -> str:
    """Return why no more is played for a rating that is not precise."""
    where = f"{rating.entry.name} at {rating.game[0]}, {rating.game[1]} players"
    played = format_count(rating.blocks, "blocks")
    if rating.error is None or rating.missing is None:
        return f"{where}: wins or loses nearly everything, so that {played} give no ±"
    needed = format_count(rating.missing, "more blocks")
    return (
        f"{where}: ± {rating.error:.0f} after {played}; it would need about {needed}, "
        f"which is above the limit of {rating.limit:,} in all"
    )


def _has_wide_bars(results: LeagueResults) -> bool:
    """Return whether the ladders have a ± above the precision, or an unknown one, or a bound."""
    ghosts = {entry.number for entry in results.field.rated if entry.is_ghost}
    return any(
        row.comparison_error is None or row.comparison_error > results.settings.precision or row.has_bound
        for game, ladder in results.ladders.items()
        for row in ladder
        if game != OVERALL and row.version not in ghosts and not row.mark
    )


# --- grades ---
# A row for each bot, game and milestone.

NO_BOT: Final = "no bot"
"""Mark of a submitter of whom no bot is graded."""


class GradeRow(NamedTuple):
    """A comparison of a bot with a milestone; without one, a bot that is out, or a submitter without a bot.

    `passed` is empty until all blocks are played, and `no` for a bot that its faults disqualified.
    """

    submitter: str
    """Empty for a bot of the organiser."""
    entry: Entry | None
    """The version of the bot that counts; None for a submitter of whom no bot is graded."""
    passed: str
    mark: str = ""
    comparison: MilestoneComparison | None = None
    score: HeadToHead | None = None
    faults: int | None = None
    team: str = ""
    alias: str = ""


def grades_table(results: LeagueResults, comparisons: Iterable[MilestoneComparison]) -> TableSet:
    """Return a row for each comparison, for each bot that is out, and for each submitter without those.

    Args:
        results: The league.
        comparisons: Comparisons of its bots.
    """
    rows = [_grade(results, comparison) for comparison in comparisons]
    graded = {row.entry.bot.name for row in rows if row.entry}
    for bot in results.bots:
        if (mark := results.mark_of(bot.version)) and bot.name not in graded:
            alias, team = results.aliases.find(bot.owner), results.team_of(bot.version)
            entry = results.entry_of(bot.version)
            rows.append(GradeRow(bot.owner, entry, "no", mark, team=team, alias=alias))
    for submitter in sorted(results.settings.submitters.keys() - {row.submitter for row in rows}):
        alias, team = results.aliases.find(submitter), results.settings.team_of(submitter, "")
        rows.append(GradeRow(submitter, None, "no", NO_BOT, team=team, alias=alias))
    return _league_table(GRADE_COLUMNS, rows)


def list_grades(rows: Iterable[GradeRow], confidence: float) -> list[Grade]:
    """Return the grades to store of rows that have a comparison, with the confidence of all tries."""
    return [
        Grade(
            version=row.entry.number,
            variant=row.comparison.game[0],
            players=row.comparison.game[1],
            milestone=row.comparison.milestone,
            is_passed=int(row.passed == "yes"),
            confidence=confidence,
            blocks=row.score.blocks if row.score else 0,
        )
        for row in rows
        if row.entry and row.comparison
    ]


def _grade(results: LeagueResults, comparison: MilestoneComparison) -> GradeRow:
    entry = results.entry_of(comparison.entry.number)
    team, alias = results.team_of(entry.number), results.aliases.find(entry.bot.owner)
    result = comparison.result()
    if result is None:
        return GradeRow(entry.bot.owner, entry, "", "", comparison, team=team, alias=alias)
    score = result.score
    passed = "" if not result.is_over else "yes" if result.is_beaten else "no"
    mark = "disqualified" if result.is_disqualified else ""
    return GradeRow(entry.bot.owner, entry, passed, mark, comparison, score, result.faults, team, alias)


GRADE_COLUMNS: Final = (
    _marked_bot(lambda row: row.entry.bot.name if row.entry else "", lambda row: row.mark),
    _league_column("submitter", lambda row: row.submitter),
    _league_column("author", lambda row: row.entry and row.entry.version.author),
    _league_column("team", lambda row: row.team),
    _league_column("version", lambda row: row.entry and row.entry.version.ordinal, COUNT),
    _league_column("content", lambda row: row.entry and row.entry.version.digest, HASH),
    _league_column("game", lambda row: row.comparison and row.comparison.game[0]),
    _league_column("players", lambda row: row.comparison and row.comparison.game[1], COUNT),
    _league_column("against", lambda row: row.comparison and row.comparison.milestone),
    _league_column("score", lambda row: row.score and row.score.score, PERCENT),
    _league_column("±", lambda row: row.score and row.score.error, PERCENT, field="error"),
    _league_column("los", lambda row: row.score and row.score.los, PERCENT),
    _league_column("blocks", lambda row: row.score and row.score.blocks, COUNT),
    _league_column("faults", lambda row: row.faults, COUNT),
    _league_column("passed", lambda row: row.passed),
    _league_column("mark", lambda row: row.mark, DATA),
    _league_column("alias", lambda row: row.alias),
    _league_column("try", lambda row: row.comparison and row.comparison.number, COUNT),
)


# --- gradescope ---
# A `results.json` for each student, as Gradescope takes it.

FILE_NAME_SIGNS: Final = "._-@"


def write_gradescope(
    folder: Path,
    rows: Sequence[GradeRow],
    criteria: Sequence[Criterion],
) -> list[Path]:
    """Write the results of each student to a file of its own, and return the files.

    A student is a submitter or, for a bot without one, the bot's name. Of several bots the one that passed
    most comparisons counts; of those that passed as many, the first. A submitter without a bot gets no
    points. Built-in bots are not students. Only the owner may read the files.

    Args:
        folder: The folder of the files; it is created if missing.
        rows: The grades of the league's bots, see `grades_table`.
        criteria: What each student is graded by.
    """
    bots: defaultdict[str, dict[str, list[GradeRow]]] = defaultdict(dict)
    for row in rows:
        if row.entry is None:
            bots[row.submitter] = {}
        elif not is_installed(row.entry.version.source):
            name = row.entry.bot.name
            bots[row.submitter or name].setdefault(name, []).append(row)
    files = _name_files(bots)
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    for student, graded in bots.items():
        best = max(graded.values(), key=_count_passed, default=[])
        content = make_gradescope_results(best, criteria)
        with replace_file(folder / files[student], is_private=True) as file:
            file.write(f"{json.dumps(content, indent=2, ensure_ascii=False)}\n".encode())
    return [folder / name for name in files.values()]


def make_gradescope_results(rows: Sequence[GradeRow], criteria: Sequence[Criterion]) -> dict[str, Any]:
    """Return the content of a student's `results.json`, which names no other student.

    Args:
        rows: The grades of the bot that counts; none if the student has no bot.
        criteria: What the student is graded by: a test for each, worth one point.

    Source: Gradescope, Autograder Specifications, "Output format".
    """
    compared = {(row.comparison.game, row.comparison.milestone): row for row in rows if row.comparison}
    tests = [_make_test(criterion, compared.get(criterion)) for criterion in criteria]
    return {
        "score": sum(test["score"] for test in tests),
        "output": _describe_bot(rows),
        "tests": tests,
    }


def _make_test(criterion: Criterion, row: GradeRow | None) -> dict[str, Any]:
    (variant, players), milestone = criterion
    is_passed = row is not None and row.passed == "yes"
    return {
        "name": f"Beat {milestone} at {variant}, {players} players",
        "score": int(is_passed),
        "max_score": 1,
        "status": "passed" if is_passed else "failed",
        "output": _describe_score(row),
    }


def _describe_bot(rows: Sequence[GradeRow]) -> str:
    if not rows or not rows[0].entry:
        return "You have no bot in the league that plays a graded game."
    entry, mark = rows[0].entry, "" if rows[0].comparison else rows[0].mark
    text = f"Graded: {entry.bot.name}, version {entry.version.ordinal} ({entry.version.digest})."
    return f"{text} It is {mark}, and was therefore not compared." if mark else text


def _describe_score(row: GradeRow | None) -> str:
    if row is None or not row.comparison or not (score := row.score) or score.score is None:
        return "Not compared."
    error = "" if score.error is None else f" ± {100 * score.error:.1f} %"
    blocks, needed = format_count(score.blocks, "blocks"), row.comparison.confidence
    lines = [f"Score: {100 * score.score:.1f} %{error} in {blocks}; 50 % is equal."]
    if score.los is not None:
        lines.append(f"Likelihood of superiority: {100 * score.los:.2f} %.")
    lines.append(f"Try {row.comparison.number}; to pass takes a likelihood of {needed:.6g} %.")
    if row.faults:
        lines.append(f"Faults: {row.faults}.")
    if row.mark == "disqualified":
        lines.append("Not passed, whatever the score: the bot lost too many matches by its faults.")
    return "\n".join(lines)


def _count_passed(rows: Iterable[GradeRow]) -> int:
    return sum(row.passed == "yes" for row in rows)


def _name_files(students: Iterable[str]) -> dict[str, str]:
    """Return the name of each student's file: that of the student, percent-encoded where unsafe."""
    files: dict[str, str] = {}
    known: dict[str, str] = {}
    for student in sorted(students):
        if (other := known.setdefault(fold_case(student), student)) != student:
            raise ConfigError(
                f"the names of {other} and {student} differ only in case, and so would their files: "
                "rename one in league.toml"
            )
        signs = (
            sign if sign.isalnum() or sign in FILE_NAME_SIGNS else f"%{ord(sign):02X}" for sign in student
        )
        files[student] = f"{''.join(signs)}.json"
    return files
