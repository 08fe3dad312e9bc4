"""The pages of submissions, of updates and of decision times, and the feed of changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from hashlib import blake2b
from operator import itemgetter
from typing import Final
from uuid import UUID
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from arena.columns.column import Column, records
from arena.columns.kinds import INTEGER, NAME, SHORT, TEXT
from arena.columns.table_formats import Sheet
from arena.league.store import FinalRun as LeagueFinal
from arena.league.store import LeagueRequest
from arena.output.pages.page import Link, Section, SitePage, make_slug
from arena.output.site.content import SiteContent, bot_path, game_title
from arena.output.tables.breakdowns import TIME_COLUMNS
from arena.output.tables.league import requests_table
from arena.output.texts.checks import public_card
from arena.tournament.store.bot_statistics import TimeSummary

# --- pages ---

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


def request_path(request: LeagueRequest) -> str:
    """Return the page of a submission, relative to the site."""
    return f"submissions/{request.number}-{make_slug(request.name)}.html"


def has_page(content: SiteContent, request: LeagueRequest) -> bool:
    """Return whether a submission has a page: the latest ones, and those of versions that are current."""
    is_late = request.number > len(content.league.requests) - MAX_SUBMISSION_PAGES
    return request.kind == "submit" and (is_late or request.version in content.current_versions)


def submissions_page(content: SiteContent) -> SitePage:
    """Return the list of submissions and changes, the latest first."""
    rows = content.requests[::-1]
    table = Sheet("Submissions and changes", _request_columns(content), rows[:MAX_LATEST_ROWS])
    notes = [f"The latest {MAX_LATEST_ROWS:,}."] if len(rows) > MAX_LATEST_ROWS else []
    data = []
    for request, row in zip(
        content.requests, requests_table(content.league, content.requests).dicts, strict=True
    ):
        public = {"submitter": content.show_author(request.submitter), "reason": content.show_reason(request)}
        data.append({name: value for name, value in {**row, **public}.items() if name != "card"})
    data.reverse()
    section = Section("submissions", "Submissions and changes", table=table, notes=notes)
    return SitePage(
        path="submissions.html", title="Submissions", sections=[section], data={"submissions": data}
    )


def _request_columns(content: SiteContent) -> list[Column[LeagueRequest]]:
    def link_name(row: LeagueRequest) -> str:
        if has_page(content, row):
            return Link(row.name, request_path(row))
        return f"{row.name} as {row.new_name}" if row.new_name else row.name

    return [
        Column("bot", kind=NAME, text=link_name),
        Column("state", value=lambda row: row.outcome, kind=SHORT),
        Column("reason", value=content.show_reason, kind=TEXT),
        Column("time (UTC)", value=lambda row: content.league.request_times.get(row.number, ""), kind=SHORT),
        Column("submitter", value=lambda row: content.show_author(row.submitter), kind=TEXT),
        Column("update", value=lambda row: row.league_update, kind=INTEGER, missing=""),
        Column("kind", value=lambda row: row.kind, kind=SHORT),
        Column("number", value=lambda row: row.number),
    ]


def submission_pages(content: SiteContent) -> Iterator[SitePage]:
    """Yield a page for each submission, with its report card."""
    shown = {bot.number for bot in content.bots}
    for request in content.requests:
        if not has_page(content, request):
            continue
        facts: list[tuple[str, str]] = [("state", request.outcome)]
        time = content.league.request_times.get(request.number, "")
        texts = (("reason", content.show_reason(request)), ("time (UTC)", time), ("content", request.digest))
        facts += [(name, text) for name, text in texts if text]
        if request.version is not None and content.entry(request.version).bot.number in shown:
            bot = content.entry(request.version).bot
            facts.append(("bot", Link(bot.name, f"../{bot_path(bot)}")))
        sections = [Section("about", "About", facts=facts)]
        if request.card:
            sections.append(Section("card", "Report card", CARD_SUMMARY, text=public_card(request.card)))
        yield SitePage(
            path=request_path(request),
            title=f"Submission {request.number}: {request.name}",
            sections=sections,
            data={
                "submission": [
                    {
                        "number": request.number,
                        "bot": request.name,
                        "state": request.outcome,
                        "card": public_card(request.card),
                        "time": time,
                    }
                ]
            },
        )


def updates_page(content: SiteContent) -> SitePage:
    """Return the list of updates, the latest first."""
    rows = [
        (number, date, state, "; ".join(changes), *_describe_seed(content, number, state))
        for number, date, state, changes in _describe_updates(content)
    ]
    table = Sheet("Updates", UPDATES, rows[:MAX_LATEST_ROWS])
    notes = [f"The latest {MAX_LATEST_ROWS:,}."] if len(rows) > MAX_LATEST_ROWS else []
    next_update = content.league.next_update
    if committed := content.league.committed_seed(next_update):
        notes.append(
            f"The seed of update {next_update} is committed to as {committed.commitment}. Its secret, of "
            "which that is the SHA-256, is shown when the update is done."
        )
    sections = [Section("updates", "Updates", table=table, notes=notes)]
    if finals := content.finals:
        held = {} if content.is_whole else content.league.held_finals

        def describe_results(row: LeagueFinal) -> str:
            return f"of {held[row.number]} rounds" if row.number in held else "all"

        results = Column[LeagueFinal]("results shown", kind=TEXT, text=describe_results)
        sections.append(Section("finals", "Finals", table=Sheet("Finals", [*FINALS, results], finals)))
    return SitePage(
        path="updates.html", title="Updates", sections=sections, data={"updates": records(UPDATES, rows)}
    )


def _describe_seed(content: SiteContent, update: int, state: str) -> tuple[str, str, str]:
    """Return the commitment to the seed of an update, its secret once it is done, and the text mixed in.

    Each may be empty.
    """
    committed = content.league.committed_seed(update)
    if not committed:
        return "", "", ""
    return committed.commitment, committed.secret if state == "done" else "", committed.mix


def _describe_updates(content: SiteContent) -> list[tuple[int, str, str, list[str]]]:
    """Return number, date, state and changes of each update, the latest first."""
    by_update: defaultdict[int, list[str]] = defaultdict(list)
    for request in content.requests:
        if request.league_update is not None and request.state != "waiting":
            by_update[request.league_update].append(_describe_request(request))
    updates = reversed(content.league.updates)
    return [
        (update.number, update.date, update.state, _shorten(by_update[update.number])) for update in updates
    ]


def _shorten(changes: list[str]) -> list[str]:
    more = len(changes) - MAX_CHANGES
    return [*changes[:MAX_CHANGES], f"and {more:,} more"] if more > 0 else changes


def _describe_request(request: LeagueRequest) -> str:
    if request.state == "rejected":
        return f"{request.name}: {request.kind} rejected"
    done = {
        "submit": "admitted",
        "withdraw": "withdrawn",
        "ban": "banned",
        "rename": f"is now {request.new_name}",
    }
    return f"{request.name} {done[request.kind]}"


def times_page(content: SiteContent) -> SitePage:
    """Return how long decisions took, which differs from machine to machine."""
    names = {
        version.label: content.entry(version.number).name
        for version in content.league.versions
        if content.is_shown(content.entry(version.number).bot)
    }
    rows = [time for time in content.league.decision_times() if time.bot in names]
    columns = [
        Column[TimeSummary](
            "bot",
            value=lambda row: names[row.bot],
            kind=NAME,
            text=lambda row: content.link_name(names[row.bot], ""),
        ),
        Column[TimeSummary]("game", kind=TEXT, text=lambda row: game_title(row.game)),
        *(column for column in TIME_COLUMNS if column.name != "bot"),
    ]
    summary = "Wall time of decisions. Besides report cards, this page alone depends on the machine."
    people = [column for column in columns if column.name not in ("variant", "players")]
    table = Sheet("Decision times", people, rows[:MAX_ROWS])
    section = Section("times", "Decision times", summary, table=table)
    return SitePage(
        path="times.html", title="Decision times", sections=[section], data={"times": records(columns, rows)}
    )


UPDATES: Final[tuple[Column[tuple[int | str, ...]], ...]] = (
    Column("update", value=itemgetter(0), kind=INTEGER),
    *(
        Column[tuple[int | str, ...]](name, value=itemgetter(at), kind=TEXT)
        for at, name in enumerate(("date", "state", "changes", "commitment", "secret", "mixed in"), 1)
    ),
)
FINALS: Final[tuple[Column[LeagueFinal], ...]] = (
    Column("final", kind=TEXT, text=lambda row: Link(str(row.number), f"finals/{row.number}.html")),
    Column("date", value=lambda row: row.date, kind=TEXT),
    Column("format", value=lambda row: row.format, kind=TEXT),
)


# --- feed ---

ATOM: Final = "http://www.w3.org/2005/Atom"
MAX_ENTRIES: Final = 50


def render_feed(content: SiteContent) -> bytes:
    """Return the feed: an entry for each of the latest updates that are done.

    Source: RFC 4287. Identifiers are derived from the league's secret, which they do not reveal.
    """
    league = content.league
    updates = [update for update in _describe_updates(content) if update[2] == "done"][:MAX_ENTRIES]
    feed = Element("feed", xmlns=ATOM)
    SubElement(feed, "title").text = league.title
    SubElement(feed, "id").text = _identifier(league.seed, 0)
    SubElement(feed, "updated").text = _timestamp(updates[0][1] if updates else "1970-01-01")
    SubElement(feed, "link", rel="alternate", href="index.html")
    SubElement(SubElement(feed, "author"), "name").text = league.title
    for number, date, _, changes in updates:
        entry = SubElement(feed, "entry")
        SubElement(entry, "title").text = f"Update {number}"
        SubElement(entry, "id").text = _identifier(league.seed, number)
        SubElement(entry, "updated").text = _timestamp(date)
        SubElement(entry, "link", rel="alternate", href="updates.html")
        SubElement(entry, "content", type="text").text = "; ".join(changes) or "More blocks were played."
    indent(feed)
    document: bytes = tostring(feed, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _identifier(seed: str, update: int) -> str:
    digest = blake2b(f"feed {update}".encode(), key=seed.encode()[:64], digest_size=16).digest()
    return UUID(bytes=digest, version=4).urn


def _timestamp(date: str) -> str:
    return f"{date}T00:00:00Z"
