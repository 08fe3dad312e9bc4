"""The tables of a league as text, and for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from arena.columns.column import Column, Columns, shown
from arena.columns.kinds import COUNT, DATA, ELO, ELO_LEAD, PERCENT, PROBABILITY, Kind
from arena.columns.sheets import Sheet, TableSet, format_table
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL
from arena.league.store import Rating
from arena.rating import find_colluding_pairs
from arena.report.copies import MIN_DECISIONS, MIN_SHARE
from arena.report.text_format import format_count, strip_unprintable, truncate
from arena.report.version_text import gain_text
from arena.tournament.results.rating_rows import BOUNDS, RatingRow, format_rank
from arena.tournament.results.run_results import RunResults
from arena.tournament.review.agreement import count_agreements
from arena.tournament.storage.block_results import unpack

MAX_CELL_CHARS: Final = 60
MAX_HASH_CHARS: Final = 13
LINE: Final = Kind(is_text=True, write=lambda text: truncate(strip_unprintable(text), MAX_CELL_CHARS))
"""Text of unknown origin and length."""
HASH: Final = Kind(is_text=True, write=lambda text: truncate(text, MAX_HASH_CHARS))


def league_column(name: str, kind: Kind = LINE, **options: Any) -> Column[Mapping[str, Any]]:
    """Return a column of rows that are mappings; programs get every digit."""
    return Column(name, value=itemgetter(name), kind=kind, missing="", is_rounded=False, **options)


def _marked_name(row: Mapping[str, Any]) -> str:
    """Return the name of a bot with the reason why it has no rank."""
    name, mark = LINE.text(row["bot"]), row["mark"]
    return name if mark in ("", *BOUNDS) else f"{name} ({mark})"


BOT: Final = league_column("bot")
MARKED_BOT: Final = league_column("bot", text=_marked_name)


def _rank_text(row: Mapping[str, Any]) -> str:
    return format_rank(row["rank"], row["rank_low"], row["rank_high"])


def _bar_text(row: Mapping[str, Any]) -> str:
    bar = row["comparison_error"]
    return "" if bar is None else ELO.text(bar)


def _luck_bar_text(row: Mapping[str, Any]) -> str:
    bar, ratio = row["comparison_error"], row["luck ratio"]
    return ELO.text(bar / ratio**0.5) if bar and ratio else ""


BOUND: Final = league_column("mark", text=lambda row: row["mark"] if row["mark"] in BOUNDS else "")
GAME: Final = (league_column("game"), league_column("players", COUNT))
LADDER: Final = (
    *GAME,
    league_column("rank", COUNT, text=_rank_text),
    MARKED_BOT,
    league_column("elo", ELO),
    league_column("error", DATA),
    Column("±", text=_bar_text),
    BOUND,
    league_column("change", ELO_LEAD),
    league_column("blocks", COUNT),
    *(league_column(name, DATA) for name in ("rank_low", "rank_high", "comparison_error")),
)
LUCK: Final = (
    league_column("luck elo", ELO),
    league_column("luck error", DATA),
    Column("luck ±", text=_luck_bar_text),
    league_column("luck ratio", ELO),
)
BOTS: Final = (
    BOT,
    league_column("state"),
    league_column("version", COUNT),
    *(league_column(name) for name in ("author", "team", "submitter")),
    league_column("content", HASH),
    league_column("description"),
    league_column("progress"),
)
REQUESTS: Final = (
    league_column("number", COUNT),
    *(league_column(name) for name in ("kind", "bot", "new_name", "submitter", "state")),
    league_column("update", COUNT),
    league_column("reason"),
    league_column("time"),
    league_column("card", DATA),
)
FAULTS: Final = (BOT, league_column("kind"), league_column("times", COUNT), league_column("reason"))
COLLUSION: Final = (
    *GAME,
    BOT,
    league_column("helper"),
    league_column("blocks", COUNT),
    league_column("advantage", PERCENT),
    league_column("error of advantage", PERCENT),
    league_column("p", PROBABILITY),
)
COPIES: Final = (
    *GAME,
    BOT,
    league_column("other"),
    league_column("decisions", COUNT),
    league_column("share", PERCENT),
)
BAR_NOTE: Final = (
    "Two bots whose Elo ± do not overlap are separated at 95 %, however often you look.\n"
    "A rank of 1–2 is not shown by the blocks played so far."
)
TOP = 10
"""Bots of the ladder after an update."""


def ladder_table(results: LeagueResults, adjusted: RunResults | None = None) -> TableSet:
    """Return the ratings of the current ladders, with their changes since the last update.

    With the league's results adjusted for luck it has these ratings as well, on the scale of the ladder.
    """
    return _ladder_of(_ladder_rows(results, adjusted))


def _ladder_of(rows: Sequence[Mapping[str, Any]]) -> TableSet:
    has_luck = bool(rows) and "luck elo" in rows[0]
    has_bars = any(row["comparison_error"] for row in rows)
    return league_table((*LADDER, *LUCK) if has_luck else LADDER, rows, [BAR_NOTE] if has_bars else [])


def _ladder_rows(results: LeagueResults, adjusted: RunResults | None = None) -> list[dict[str, Any]]:
    luck = {(row.variant, row.players, row.bot): row for row in adjusted.rows} if adjusted else {}
    rows: list[dict[str, Any]] = [
        {
            "game": "overall" if game == OVERALL else game[0],
            "players": game[1] or None,
            "rank": change.rating.rank,
            "bot": results.name_of(change.rating.version),
            "elo": _rounded(change.rating.elo),
            "error": _rounded(change.rating.error),
            "mark": results.mark_of(change.rating.version) or change.rating.mark,
            "change": _change(change.rating, change.before),
            "blocks": change.rating.blocks,
            "rank_low": change.rating.rank_low,
            "rank_high": change.rating.rank_high,
            "comparison_error": _rounded(change.rating.comparison_error),
        }
        for game, ladder in results.ladders.items()
        for change in ladder
    ]
    if luck:
        for row in rows:
            row |= _luck_columns(row, luck.get((row["game"], row["players"], row["bot"])))
    return rows


def _luck_columns(row: dict[str, Any], adjusted: RatingRow | None) -> dict[str, Any]:
    """Return the columns of an adjusted rating: by how much it differs from the plain one."""
    elo = error = ratio = None
    if adjusted and None not in (row["elo"], adjusted.elo, adjusted.luck_elo):
        elo = round(row["elo"] + adjusted.luck_elo - adjusted.elo, 1)
        ratio = adjusted.luck_ratio
        error = row["error"] and ratio and round(row["error"] / ratio**0.5, 1)
    return {"luck elo": elo, "luck error": error, "luck ratio": ratio and round(ratio, 2)}


def bots_table(results: LeagueResults) -> TableSet:
    """Return the bots."""
    rows = []
    for bot in results.bots:
        version = results.versions[bot.version]
        rows.append(
            {
                "bot": bot.name,
                "state": results.state_of(bot),
                "version": version.ordinal,
                "author": version.author,
                "team": version.team,
                "submitter": bot.owner,
                "content": version.digest,
                "description": version.description,
                "progress": gain_text(results, bot.version),
            }
        )
    return league_table(BOTS, rows)


def requests_table(results: LeagueResults) -> TableSet:
    """Return the submissions and changes that were asked for."""
    rows = [
        {
            "number": one.number,
            "kind": one.kind,
            "bot": one.name,
            "new_name": one.new_name,
            "submitter": one.submitter,
            "state": one.outcome,
            "update": one.league_update,
            "reason": one.reason,
            "time": results.request_times.get(one.number, ""),
            "card": one.card,
        }
        for one in results.requests
    ]
    return league_table(REQUESTS, rows)


def faults_table(results: LeagueResults) -> TableSet:
    """Return each kind of failure of each version, with its reason."""
    names = {one.label: results.name_of(one.number) for one in results.versions}
    rows = [
        {"bot": names[label], "kind": kind, "times": times, "reason": reason}
        for (label, kind, reason), times in results.failures().items()
        if label in names
    ]
    return league_table(FAULTS, rows)


def collusion_table(results: LeagueResults) -> TableSet:
    """Return the pairs of bots suspected of collusion, see `arena table --collusion`."""
    rows: list[dict[str, Any]] = []
    for game, found in results.run_results().games.items():
        for pair in find_colluding_pairs(found.pair_counts, found.fit):
            rows.append(
                {
                    "game": game[0],
                    "players": game[1],
                    "bot": found.fit.bots[pair.bot],
                    "helper": found.fit.bots[pair.helper],
                    "blocks": pair.blocks,
                    "advantage": pair.advantage,
                    "error of advantage": pair.error,
                    "p": pair.p,
                }
            )
    return league_table(COLLUSION, rows)


def copies_table(results: LeagueResults) -> TableSet:
    """Return the pairs of bots that decide alike, see `arena table --copies`.

    They are looked for in the latest blocks of each game, which those play that are new.
    """
    rules = {str(entry.rules): entry.rules for entry in results.settings.variants}
    blocks = results.played_blocks(latest_first=True)
    played = ((block, unpack(results.packed(number))) for number, block in blocks)
    names = {one.label: results.name_of(one.number) for one in results.versions}
    rows = [
        {
            "game": one.game[0],
            "players": one.game[1],
            "bot": names[one.bot],
            "other": names[one.other],
            "decisions": one.decisions,
            "share": one.share,
        }
        for one in count_agreements(played, rules, results.seed)
        if one.share >= MIN_SHARE and one.decisions >= MIN_DECISIONS
    ]
    return league_table(COPIES, rows)


def league_table(
    columns: Columns[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], notes: Sequence[str] = ()
) -> TableSet:
    """Return a table of rows; people do not get columns that are empty, or for programs alone."""
    filled = [column for column in shown(columns) if any(map(column.text_cell, rows))]
    return TableSet(columns, [Sheet("", filled, rows, notes)] if rows else [], rows)


def league_text(table: TableSet) -> str:
    """Return a table as plain text."""
    return format_table(table, "plain") if table.sheets else "Nothing yet."


def update_text(results: LeagueResults, ending: str) -> str:
    """Return what an update did: who was admitted and rejected, and the top of the ladder."""
    if ending == "nothing" or not results.updates:
        return f"Nothing to do: nothing was submitted{_imprecise(results)}"
    update = results.updates[-1]
    lines = [
        f"{one.name}: {one.outcome}{': ' + one.reason if one.reason else ''}"
        for one in results.requests
        if one.league_update == update.number and one.kind == "submit" and one.state != "waiting"
    ]
    how = "done" if ending == "done" else "stopped; the next update continues it"
    blocks = format_count(results.count_blocks(), "blocks")
    lines += _lacking(results)
    lines += ["", f"Update {update.number} of {update.date}: {how}. {blocks} in all{_imprecise(results)}", ""]
    first = next(iter(results.ladders), None)
    top = [row for row in _ladder_rows(results) if (row["game"], row["players"] or 0) == first][:TOP]
    return "\n".join([*lines, league_text(_ladder_of(top))]).lstrip()


def _lacking(results: LeagueResults) -> list[str]:
    """Return a line for each game that too few bots play."""
    return [
        f"{variant}, {size} players: {len(entries)} of the {size} bots that a table needs"
        for (variant, size), entries in results.field.players_of.items()
        if len(entries) < size
    ]


def _imprecise(results: LeagueResults) -> str:
    """Return how many bots are not rated as precisely as the settings ask, by the error of one look."""
    precision = results.settings.precision
    ghosts = {entry.number for entry in results.field.rated if entry.is_ghost}
    found = {
        change.rating.version
        for game, ladder in results.ladders.items()
        for change in ladder
        if game != OVERALL
        and not results.mark_of(change.rating.version)
        and (change.rating.error is None or change.rating.error > precision)
    }
    count = len(found - ghosts)
    wide = f"; {format_count(count, 'bots')} not rated to precision {precision:g}: `--more` plays on"
    return wide if count else ""


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _change(now: Rating, before: Rating | None) -> float | None:
    if before is None or now.elo is None or before.elo is None:
        return None
    return round(now.elo - before.elo, 1)
