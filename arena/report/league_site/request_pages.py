"""The pages of submissions with their report cards, of updates, and of decision times."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from arena.league.store import Request
from arena.report.conformance_text import public_card
from arena.report.league_site.content import SiteContent, bot_path, game_title
from arena.report.league_site.page import Cell, Link, SitePage, SiteSection, SiteTable, make_slug
from arena.report.league_text import requests_table

MAX_SUBMISSION_PAGES: Final = 1_000
MAX_ROWS: Final = 2_000
MAX_LATEST_ROWS: Final = 500
"""The latest submissions and updates on their pages, whose texts may be long; the data have all."""
CARD_SUMMARY: Final = (
    "Without tracebacks and output, which `arena check` prints. Of a rejected bot they are beside it in the "
    "inbox."
)
MAX_CHANGES: Final = 20
"""Maximum number of changes named of an update."""


def request_path(request: Request) -> str:
    """Return the page of a submission, relative to the site."""
    return f"submissions/{request.number}-{make_slug(request.name)}.html"


def has_page(content: SiteContent, request: Request) -> bool:
    """Return whether a submission has a page: the latest ones, and those of versions that are current."""
    is_late = request.number > len(content.league.requests) - MAX_SUBMISSION_PAGES
    return request.kind == "submit" and (is_late or request.version in content.current_versions)


def submissions_page(content: SiteContent) -> SitePage:
    """Return the list of submissions and changes, the latest first."""
    rows = []
    for one in reversed(content.league.requests):
        if has_page(content, one):
            name: Cell = Link(one.name, request_path(one))
        else:
            name = f"{one.name} as {one.new_name}" if one.new_name else one.name
        update = "" if one.league_update is None else str(one.league_update)
        time = content.league.request_times.get(one.number, "")
        rows.append([name, one.outcome, one.reason, time, one.submitter, update, one.kind, f"{one.number:,}"])
    columns = ("bot", "state", "reason", "time (UTC)", "submitter", "update", "kind", "number")
    table = SiteTable(
        "Submissions and changes",
        columns,
        rows[:MAX_LATEST_ROWS],
        (0, 1, 2, 3, 4, 6),
        short_columns=(1, 3, 6),
    )
    notes = [f"The latest {MAX_LATEST_ROWS:,}."] if len(rows) > MAX_LATEST_ROWS else []
    data = [
        {name: value for name, value in row.items() if name != "card"}
        for row in reversed(requests_table(content.league).dicts)
    ]
    section = SiteSection("submissions", "Submissions and changes", table=table, notes=notes)
    return SitePage(
        path="submissions.html", title="Submissions", sections=[section], data={"submissions": data}
    )


def submission_pages(content: SiteContent) -> Iterator[SitePage]:
    """Yield a page for each submission, with its report card."""
    shown = {bot.number for bot in content.bots}
    for one in content.league.requests:
        if not has_page(content, one):
            continue
        facts: list[tuple[str, Cell]] = [("state", one.outcome)]
        time = content.league.request_times.get(one.number, "")
        texts = (("reason", one.reason), ("time (UTC)", time), ("content", one.digest))
        facts += [(name, text) for name, text in texts if text]
        if one.version is not None and content.entry(one.version).bot.number in shown:
            bot = content.entry(one.version).bot
            facts.append(("bot", Link(bot.name, f"../{bot_path(bot)}")))
        sections = [SiteSection("about", "About", facts=facts)]
        if one.card:
            sections.append(SiteSection("card", "Report card", CARD_SUMMARY, text=public_card(one.card)))
        yield SitePage(
            path=request_path(one),
            title=f"Submission {one.number}: {one.name}",
            sections=sections,
            data={
                "submission": [
                    {
                        "number": one.number,
                        "bot": one.name,
                        "state": one.outcome,
                        "card": public_card(one.card),
                        "time": time,
                    }
                ]
            },
        )


def updates_page(content: SiteContent) -> SitePage:
    """Return the list of updates, the latest first."""
    rows: list[list[Cell]] = []
    data = []
    for number, date, state, changes in describe_updates(content):
        commitment, secret, mix = _describe_seed(content, number, state)
        rows.append([str(number), date, state, "; ".join(changes), commitment, secret, mix])
        data.append(
            {
                "update": number,
                "date": date,
                "state": state,
                "changes": "; ".join(changes),
                "commitment": commitment,
                "secret": secret,
                "mixed in": mix,
            }
        )
    columns = ("update", "date", "state", "changes", "commitment", "secret", "mixed in")
    table = SiteTable("Updates", columns, rows[:MAX_LATEST_ROWS], (1, 2, 3, 4, 5, 6))
    notes = [f"The latest {MAX_LATEST_ROWS:,}."] if len(rows) > MAX_LATEST_ROWS else []
    next_update = content.league.next_update
    if committed := content.league.committed_seed(next_update):
        notes.append(
            f"The seed of update {next_update} is committed to as {committed.commitment}. Its secret, of "
            "which that is the SHA-256, is shown when the update is done."
        )
    sections = [SiteSection("updates", "Updates", table=table, notes=notes)]
    if finals := content.league.finals:
        cells: list[list[Cell]] = [
            [Link(str(one.number), f"finals/{one.number}.html"), one.date, one.format] for one in finals
        ]
        finals_table = SiteTable("Finals", ("final", "date", "format"), cells, (0, 1, 2))
        sections.append(SiteSection("finals", "Finals", table=finals_table))
    return SitePage(path="updates.html", title="Updates", sections=sections, data={"updates": data})


def _describe_seed(content: SiteContent, update: int, state: str) -> tuple[str, str, str]:
    """Return the commitment to the seed of an update, its secret once it is done, and the text mixed in.

    Each may be empty.
    """
    committed = content.league.committed_seed(update)
    if not committed:
        return "", "", ""
    return committed.commitment, committed.secret if state == "done" else "", committed.mix


def describe_updates(content: SiteContent) -> list[tuple[int, str, str, list[str]]]:
    """Return number, date, state and changes of each update, the latest first."""
    by_update: defaultdict[int, list[str]] = defaultdict(list)
    for one in content.league.requests:
        if one.league_update is not None and one.state != "waiting":
            by_update[one.league_update].append(_describe_request(one))
    updates = reversed(content.league.updates)
    return [(one.number, one.date, one.state, _shorten(by_update[one.number])) for one in updates]


def _shorten(changes: list[str]) -> list[str]:
    more = len(changes) - MAX_CHANGES
    return [*changes[:MAX_CHANGES], f"and {more:,} more"] if more > 0 else changes


def _describe_request(one: Request) -> str:
    if one.state == "rejected":
        return f"{one.name}: {one.kind} rejected"
    done = {
        "submit": "admitted",
        "withdraw": "withdrawn",
        "ban": "banned",
        "rename": f"is now {one.new_name}",
    }
    return f"{one.name} {done[one.kind]}"


def times_page(content: SiteContent) -> SitePage:
    """Return how long decisions took, which differs from machine to machine."""
    names = {one.label: content.entry(one.number).name for one in content.league.versions}
    rows: list[list[Cell]] = []
    data: list[dict[str, Any]] = []
    for one in content.league.decision_times():
        if one.bot not in names:
            continue
        times = (one.mean_s, one.median_s, one.p99_s, one.longest_s)
        cells = [f"{1000 * seconds:,.3f}" for seconds in times]
        rows.append(
            [content.link_name(names[one.bot], ""), game_title(one.game), f"{one.decisions:,}", *cells]
        )
        data.append(
            {
                "bot": names[one.bot],
                "variant": one.game[0],
                "players": one.game[1],
                "decisions": one.decisions,
                **{
                    f"{name}_ms": 1000 * s
                    for name, s in zip(("mean", "median", "p99", "max"), times, strict=True)
                },
            }
        )
    columns = ("bot", "game", "decisions", "mean ms", "median ms", "p99 ms", "max ms")
    summary = "Wall time of decisions. Besides report cards, this page alone depends on the machine."
    table = SiteTable("Decision times", columns, rows[:MAX_ROWS], (0, 1))
    section = SiteSection("times", "Decision times", summary, table=table)
    return SitePage(path="times.html", title="Decision times", sections=[section], data={"times": data})
