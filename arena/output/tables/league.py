"""The tables of a league as text, and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final

from arena.columns.column import Column, Columns, shown
from arena.columns.kinds import COUNT, DATA, ELO, ELO_LEAD, PERCENT, PROBABILITY, Kind
from arena.columns.number_format import MISSING, format_count
from arena.columns.table_formats import Sheet, TableSet, format_table
from arena.league.counting_versions import find_counting_version
from arena.league.hand_ins import list_rejected
from arena.league.ratings_during_update import OVERALL
from arena.league.results import Change, LeagueResults
from arena.league.store import LeagueRequest
from arena.league.table_choice import ImpreciseRating
from arena.output.tables.fair_play import MIN_DECISIONS, MIN_SHARE
from arena.output.tables.pairs import PairRow
from arena.output.tables.version_gains import gain_text
from arena.output.words.text_format import strip_unprintable, truncate
from arena.rating.collusion import find_colluding_pairs
from arena.tournament.results.rating_rows import BOUNDS, RatingRow
from arena.tournament.results.rating_table import BOUND_NOTES, describe_lead
from arena.tournament.results.results import RunResults
from arena.tournament.review.differences import Agreement, count_agreements
from arena.tournament.store.codec import unpack

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


def league_column(name: str, value: Callable[[Any], Any], kind: Kind = LINE, **options: Any) -> Column[Any]:
    """Return a column whose empty cells are blank, and of which programs get every digit."""
    return Column(name, value=value, kind=kind, missing="", is_rounded=False, **options)


def marked_bot(get_name: Callable[[Any], str], get_mark: Callable[[Any], str]) -> Column[Any]:
    """Return a column of bots with the reasons why they have no rank."""

    def text(row: Any) -> str:
        mark = get_mark(row)
        return LINE.text(get_name(row)) + ("" if mark in ("", *BOUNDS) else f" ({mark})")

    return league_column("bot", get_name, text=text)


def ladder_table(results: LeagueResults, adjusted: RunResults | None = None) -> TableSet:
    """Return the ratings of the current ladders, with their changes since the last update.

    With the league's results adjusted for luck it has these ratings as well, on the scale of the ladder.
    """
    changes = [change for ladder in results.ladders.values() for change in ladder]
    return _list_changes(results, changes, adjusted.rows if adjusted else ())


def _list_changes(
    results: LeagueResults, changes: Sequence[Change], adjusted: Sequence[RatingRow] = ()
) -> TableSet:
    def get_name(row: Change) -> str:
        return results.name_of(row.rating.version)

    def get_mark(row: Change) -> str:
        return results.mark_of(row.rating.version) or row.rating.mark

    columns = [
        league_column("game", lambda row: row.rating.variant),
        league_column("players", lambda row: row.rating.players or None, COUNT),
        league_column("rank", lambda row: row.rating.text_rank or None, COUNT),
        marked_bot(get_name, get_mark),
        league_column("elo", lambda row: _rounded(row.rating.elo), ELO, text=_elo_text),
        league_column("±", lambda row: _rounded(row.rating.comparison_error), ELO, field="comparison_error"),
        league_column("mark", get_mark, DATA),
        league_column("change", lambda row: row.elo_change, ELO_LEAD),
        league_column("blocks", lambda row: row.rating.blocks, COUNT),
        league_column("rank_low", lambda row: row.rating.rank_low, DATA),
        league_column("rank_high", lambda row: row.rating.rank_high, DATA),
        league_column("elo_bound", lambda row: _rounded(row.rating.elo_bound), DATA),
        *(_luck_columns(adjusted, get_name) if adjusted else ()),
        league_column("error", lambda row: _rounded(row.rating.error), DATA),
    ]
    marks = {change.rating.mark for change in changes}
    notes = [note for mark, note in BOUND_NOTES.items() if mark in marks]
    leads = []
    for (game, players), ladder in groupby(changes, key=lambda row: (row.rating.variant, row.rating.players)):
        if lead := describe_lead(list_ranked(ladder, results.name_of)):
            leads.append(f"{game}, {players} players: {lead}" if players else f"{game}: {lead}")
    return league_table(columns, changes, [*leads, *notes, *([RANK_NOTE] if leads else [])])


def list_ranked(ladder: Iterable[Change], get_name: Callable[[int], str]) -> list[tuple[str, int, int]]:
    """Return name, best and worst rank of each version in a ladder that has them."""
    ratings = [change.rating for change in ladder]
    return [
        (get_name(rating.version), rating.rank_low, rating.rank_high)
        for rating in ratings
        if rating.rank_low and rating.rank_high
    ]


def _elo_text(row: Change) -> str:
    elo = row.rating.shown_elo
    return MISSING if elo is None else f"{row.rating.mark}{ELO.text(elo)}"


def _luck_columns(adjusted: Sequence[RatingRow], get_name: Callable[[Change], str]) -> list[Column[Any]]:
    """Return the columns of adjusted ratings: by how much they differ from the plain ones."""
    rows = {(row.variant, row.players, row.bot): row for row in adjusted}

    def get_elo(change: Change) -> float | None:
        now = change.rating
        row = rows.get((now.variant, now.players or None, get_name(change)))
        if not row or now.elo is None or row.elo is None or row.luck_elo is None or now.mark:
            return None
        return round(round(now.elo, 1) + row.luck_elo - row.elo, 1)

    def get_ratio(change: Change) -> float | None:
        now = change.rating
        row = rows.get((now.variant, now.players or None, get_name(change)))
        return row.luck_ratio if row and get_elo(change) is not None else None

    def divide(error: float | None, change: Change) -> float | None:
        ratio = get_ratio(change)
        return round(round(error, 1) / ratio**0.5, 1) if error and ratio else None

    return [
        league_column("luck elo", get_elo, ELO),
        league_column(
            "luck ±",
            lambda row: divide(row.rating.comparison_error, row),
            ELO,
            field="luck comparison_error",
        ),
        league_column("luck ratio", lambda row: (ratio := get_ratio(row)) and round(ratio, 2), ELO),
        league_column("luck error", lambda row: divide(row.rating.error, row), DATA),
    ]


def bots_table(results: LeagueResults) -> TableSet:
    """Return the bots."""
    versions = results.versions
    columns = [
        league_column("bot", lambda bot: bot.name),
        league_column("state", results.state_of),
        league_column("version", lambda bot: versions[bot.version].ordinal, COUNT),
        league_column("author", lambda bot: versions[bot.version].author),
        league_column("team", lambda bot: results.team_of(bot.version)),
        league_column("submitter", lambda bot: bot.owner),
        league_column("content", lambda bot: versions[bot.version].digest, HASH),
        league_column("description", lambda bot: versions[bot.version].description),
        league_column("progress", lambda bot: gain_text(results, bot.version)),
        league_column("counts", lambda bot: find_counting_version(results, bot).ordinal, COUNT),
    ]
    return league_table(columns, results.bots)


def submitters_table(results: LeagueResults) -> TableSet:
    """Return the submitters with their aliases, which pages show, and their bots."""
    settings = results.settings
    columns = [
        league_column("submitter", lambda name: name),
        league_column("alias", results.aliases.find),
        league_column("team", lambda name: settings.teams.get(name, "")),
        league_column("bots", lambda name: ", ".join(bot.name for bot in results.bots_of(name))),
    ]
    return league_table(columns, list(settings.submitters))


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
        league_column("number", lambda request: request.number or None, COUNT),
        league_column("kind", attrgetter("kind")),
        league_column("bot", attrgetter("name")),
        league_column("new_name", attrgetter("new_name")),
        league_column("submitter", attrgetter("submitter")),
        league_column("state", attrgetter("outcome")),
        league_column("update", attrgetter("league_update"), COUNT),
        league_column("reason", attrgetter("reason")),
        league_column("time", lambda request: results.request_times.get(request.number, "")),
        league_column("card", attrgetter("card"), DATA),
    ]
    return league_table(columns, requests)


def faults_table(results: LeagueResults) -> TableSet:
    """Return each kind of failure of each version, with its reason."""
    names = {version.label: results.name_of(version.number) for version in results.versions}
    failures = results.failures().items()
    rows = [(names[label], kind, times, why) for (label, kind, why), times in failures if label in names]
    kinds = {"bot": LINE, "kind": LINE, "times": COUNT, "reason": LINE}
    columns = [league_column(name, itemgetter(at), kind) for at, (name, kind) in enumerate(kinds.items())]
    return league_table(columns, rows)


def collusion_table(results: LeagueResults) -> TableSet:
    """Return the pairs of bots suspected of collusion, see `arena table --show fair-play`."""
    rows = [
        PairRow(game, pair)
        for game in results.run_results().games.values()
        for pair in find_colluding_pairs(game.pair_counts, game.fit)
    ]
    columns = [
        league_column("game", lambda row: row.game.variant),
        league_column("players", lambda row: row.game.players, COUNT),
        league_column("bot", lambda row: row.name(row.of.bot)),
        league_column("helper", lambda row: row.name(row.of.helper)),
        league_column("blocks", lambda row: row.of.blocks, COUNT),
        league_column("advantage", lambda row: row.of.advantage, PERCENT),
        league_column("error of advantage", lambda row: row.of.error, PERCENT),
        league_column("p", lambda row: row.of.p, PROBABILITY),
    ]
    return league_table(columns, rows)


def find_agreements(results: LeagueResults) -> list[Agreement]:
    """Return how often each two bots decided alike, under the names of their versions.

    The latest blocks of each game are compared, which those play that are new.

    Raises:
        StoreError: For a damaged block.
    """
    rules = {str(entry.rules): entry.rules for entry in results.settings.variants}
    blocks = results.played_blocks(latest_first=True)
    played = ((block, unpack(results.packed(number))) for number, block in blocks)
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
        league_column("game", lambda row: row.game[0]),
        league_column("players", lambda row: row.game[1], COUNT),
        league_column("bot", lambda row: row.bot),
        league_column("other", lambda row: row.other),
        league_column("decisions", lambda row: row.decisions, COUNT),
        league_column("share", lambda row: row.share, PERCENT),
    ]
    return league_table(columns, rows)


def league_table(columns: Columns[Any], rows: Sequence[Any], notes: Sequence[str] = ()) -> TableSet:
    """Return a table of rows; people do not get columns that are empty, or for programs alone."""
    filled = [column for column in shown(columns) if any(map(column.text_cell, rows))]
    return TableSet(columns, [Sheet("", filled, rows, notes)] if rows else [], rows)


def league_text(table: TableSet) -> str:
    """Return a table as plain text."""
    return format_table(table, "plain") if table.sheets else "Nothing yet."


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
    return "\n".join([*lines, league_text(_list_changes(results, top))]).lstrip()


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
        (bar := change.rating.comparison_error) is None
        or bar > results.settings.precision
        or change.rating.mark
        for game, ladder in results.ladders.items()
        for change in ladder
        if game != OVERALL
        and change.rating.version not in ghosts
        and not results.mark_of(change.rating.version)
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)
