"""The tables of a league as text, and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabulate import tabulate

from arena.columns.numbers import format_probability, percent_text, to_percent
from arena.columns.sheets import csv_text
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

Rows = Sequence[dict[str, Any]]
MAX_CELL_CHARS = 60
SHARES = ("advantage", "error of advantage", "share")
"""Columns in percent."""
BAR_NOTE = (
    "Two bots whose Elo ± do not overlap are separated at 95 %, however often you look.\n"
    "A rank of 1–2 is not shown by the blocks played so far."
)
HIDDEN = ("card",)
"""Columns of several lines, which are in JSON and CSV only."""
HASH_CHARS = 13
TOP = 10
"""Bots of the ladder after an update."""


def ladder_rows(results: LeagueResults, adjusted: RunResults | None = None) -> Rows:
    """Return a row for each rating of the current ladders, with its change since the last update.

    With the league's results adjusted for luck it has these ratings as well, on the scale of the ladder.
    """
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


def bot_rows(results: LeagueResults) -> Rows:
    """Return a row for each bot."""
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
    return rows


def request_rows(results: LeagueResults) -> Rows:
    """Return a row for each submission and change that was asked for."""
    return [
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


def fault_rows(results: LeagueResults) -> Rows:
    """Return a row for each kind of failure of each version, with its reason."""
    names = {one.label: results.name_of(one.number) for one in results.versions}
    return [
        {"bot": names[label], "kind": kind, "times": times, "reason": reason}
        for (label, kind, reason), times in results.failures().items()
        if label in names
    ]


def collusion_rows(results: LeagueResults) -> Rows:
    """Return a row for each pair of bots suspected of collusion, see `arena table --collusion`."""
    rows = []
    for game, found in results.run_results().games.items():
        for pair in find_colluding_pairs(found.pair_counts, found.fit):
            rows.append(
                {
                    "game": game[0],
                    "players": game[1],
                    "bot": found.fit.bots[pair.bot],
                    "helper": found.fit.bots[pair.helper],
                    "blocks": pair.blocks,
                    "advantage": to_percent(pair.advantage),
                    "error of advantage": to_percent(pair.error),
                    "p": pair.p,
                }
            )
    return rows


def copy_rows(results: LeagueResults) -> Rows:
    """Return a row for each pair of bots that decide alike, see `arena table --copies`.

    They are looked for in the latest blocks of each game, which those play that are new.
    """
    rules = {str(entry.rules): entry.rules for entry in results.settings.variants}
    blocks = results.played_blocks(latest_first=True)
    played = ((block, unpack(results.packed(number))) for number, block in blocks)
    names = {one.label: results.name_of(one.number) for one in results.versions}
    return [
        {
            "game": one.game[0],
            "players": one.game[1],
            "bot": names[one.bot],
            "other": names[one.other],
            "decisions": one.decisions,
            "share": to_percent(one.share),
        }
        for one in count_agreements(played, rules, results.seed)
        if one.share >= MIN_SHARE and one.decisions >= MIN_DECISIONS
    ]


def ladder_text(rows: Rows) -> str:
    """Return the rows of ladders as a table, with the bars for comparing and the ranks that are shown."""
    shown = []
    for row in rows:
        rank = format_rank(row["rank"], row["rank_low"], row["rank_high"])
        bar, ratio = row["comparison_error"], row.get("luck ratio")
        cells = {"game": row["game"], "players": row["players"], "rank": rank, "bot": row["bot"]}
        cells |= {"elo": row["elo"], "±": bar}
        cells |= {key: row[key] for key in ("mark", "change", "blocks")}
        if "luck elo" in row:
            luck_bar = round(bar / ratio**0.5, 1) if bar and ratio else None
            cells |= {"luck elo": row["luck elo"], "luck ±": luck_bar, "luck ratio": ratio}
        shown.append(cells)
    has_bars = any(row["comparison_error"] for row in rows)
    return f"{rows_text(shown)}\n\n{BAR_NOTE}" if has_bars else rows_text(shown)


def rows_csv(rows: Rows) -> str:
    """Return rows as CSV, with whole texts and numbers as they are."""
    return csv_text(list(rows[0]) if rows else [], [list(row.values()) for row in rows])


def rows_text(rows: Rows) -> str:
    """Return rows as a table; long texts are cut."""
    if not rows:
        return "Nothing yet."
    rows = [_mark_name(row) for row in rows]
    shown = [key for key in rows[0] if key not in HIDDEN and any(row[key] not in ("", None) for row in rows)]
    cells = [[_cell(key, row[key]) for key in shown] for row in rows]
    numeric = [any(isinstance(row[key], int | float) for row in rows) for key in shown]
    align = [
        "right" if is_number or key == "rank" else "left"
        for key, is_number in zip(shown, numeric, strict=True)
    ]
    return tabulate(cells, headers=shown, disable_numparse=True, colalign=align)


def _mark_name(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with the reason why a bot has no rank beside its name."""
    mark = row.get("mark", "")
    return row if mark in ("", *BOUNDS) else {**row, "bot": f"{row['bot']} ({mark})", "mark": ""}


def _cell(key: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        if key in SHARES:
            return percent_text(value)
        return format_probability(value) if key == "p" else f"{value:{'+' if key == 'change' else ''}.1f}"
    if isinstance(value, int):
        return f"{value:,}"
    return truncate(strip_unprintable(value), HASH_CHARS if key == "content" else MAX_CELL_CHARS)


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
    top = [row for row in ladder_rows(results) if (row["game"], row["players"] or 0) == first][:TOP]
    return "\n".join([*lines, ladder_text(top)]).lstrip()


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
