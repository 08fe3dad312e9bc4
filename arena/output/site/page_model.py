"""A page of the site: its sections, its data for programs, and the files both become."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import msgspec
from markupsafe import Markup

from arena.columns.table_formats import Sheet, csv_text
from arena.output.pages.render import page_resources_digest, render_page
from arena.output.pages.replay_data import ReplayData

NAVIGATION: Final[Sequence[tuple[str, str]]] = (
    ("Standings", "index.html"),
    ("Games", "games.html"),
    ("Bots", "bots.html"),
    ("Submissions", "submissions.html"),
    ("Updates", "updates.html"),
)
DIGITS: Final = 4
"""Decimals of numbers for programs."""
MAX_SLUG_CHARS: Final = 40
FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t")
NUMBERS: Final = re.compile(r"[+-]?[0-9.]+( [+-]?[0-9.]+)*")
"""Numbers separated by spaces, such as payoffs, which are not formulas."""


class PageSeal(NamedTuple):
    """The seal of a league, as every page names it."""

    root: str
    """Merkle root of the league; empty without a seal."""
    updates: int
    """Number of updates that it covers."""
    is_published: bool = True
    """True if the file of the seal is on the site; it names submitters, and has the whole ladders."""


UNSEALED: Final = PageSeal("", 0)


class SiteSection(NamedTuple):
    """A part of a page, with what it has of a figure, facts, a table and a text; texts may be links."""

    anchor: str
    title: str
    summary: str = ""
    figure: Markup = Markup()
    facts: Sequence[tuple[str, str]] = ()
    table: Sheet | None = None
    text: str = ""
    notes: Sequence[str] = ()

    @property
    def content(self) -> list[Any]:
        """Content of the section, for a digest."""
        table = self.table
        texts = [] if table is None else [[table.title], table.headings, *table.cells]
        links = [
            [getattr(text, "href", "") for text in row] for row in [*texts, [text for _, text in self.facts]]
        ]
        return [*self._replace(table=None), texts, links]


Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class SitePage:
    """A page of the site.

    Args:
        path: Relative to the site, with slashes.
        title: Its heading.
        sections: Sections of the page, in order.
        data: Lists of rows by name, for programs; the first one becomes the page's CSV.
        lead: A sentence below the heading.
        tiles: Main counts with their labels.
        matches: Matches that decide the replays on the page.
        navigation: Text and path of the links at the top.
        load_replays: Makes them; it is called only if the page is not written already.
    """

    path: str
    title: str
    sections: Sequence[SiteSection]
    data: Mapping[str, Sequence[Row]]
    lead: str = ""
    tiles: Sequence[tuple[str, str]] = ()
    is_compact: bool = False
    """True if rows are arrays in the JSON, with their fields beside them: for very many."""
    matches: Sequence[Any] = ()
    load_replays: Callable[[], Sequence[ReplayData]] = tuple
    navigation: Sequence[tuple[str, str]] = NAVIGATION

    @property
    def root(self) -> str:
        """The way from the page to the top of the site."""
        return "../" * self.path.count("/")

    @property
    def stem(self) -> str:
        """The path without `.html`."""
        return self.path.removesuffix(".html")

    def digest(self, league: str, seal: PageSeal = UNSEALED) -> str:
        """Return a digest of everything that decides what the page shows."""
        sections = [section.content for section in self.sections]
        content = [
            self.path,
            self.title,
            self.lead,
            self.tiles,
            sections,
            self.data,
            self.matches,
            self.navigation,
        ]
        told = msgspec.json.encode([page_resources_digest(), league, seal, content], enc_hook=str)
        return blake2b(told, digest_size=16).hexdigest()

    def render(self, league: str, seal: PageSeal = UNSEALED) -> str:
        """Return the page."""
        return render_page(
            "league.html",
            replays=self.load_replays(),
            title=f"{self.title} · {league}" if self.title != league else league,
            league=league,
            page=self,
            root=self.root,
            data=self.stem.rpartition("/")[2],
            navigation=self.navigation,
            digest=self.digest(league, seal),
            seal=seal,
            resources=page_resources_digest(),
        )

    def json(self, league: str) -> bytes:
        """Return the page's data as JSON."""
        told: dict[str, Any] = {"league": league, "page": self.path, "title": self.title}
        for name, rows in self.data.items():
            rounded = [_rounded(row) for row in rows]
            if self.is_compact:
                told["fields"] = list(rounded[0]) if rounded else []
                told[name] = [list(row.values()) for row in rounded]
            else:
                told[name] = rounded
        return msgspec.json.encode(told) + b"\n"

    def csv(self) -> bytes:
        """Return the first list of rows as CSV."""
        rows = [_rounded(row) for row in next(iter(self.data.values()), ())]
        fields = list(rows[0]) if rows else []
        return csv_text(fields, [[_csv_cell(value) for value in row.values()] for row in rows]).encode()


def _rounded(row: Row) -> Row:
    return {key: round(value, DIGITS) if isinstance(value, float) else value for key, value in row.items()}


def _csv_cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    if not isinstance(value, str) or NUMBERS.fullmatch(value):
        return value
    return f"'{value}" if value.startswith(FORMULA_SIGNS) else value


def make_slug(text: str) -> str:
    """Return a text as part of a file name: ASCII letters, digits, dots and hyphens."""
    return re.sub("[^a-z0-9.]+", "-", text.lower()).strip("-.")[:MAX_SLUG_CHARS].strip("-.")
