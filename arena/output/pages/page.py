"""Pages as single HTML files without external resources: rendering, sections and links."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b, sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena import __version__
from arena.columns.column import Column, column_docs, one_line_doc
from arena.columns.table_formats import Sheet, csv_text
from arena.games import Deal
from arena.output.pages.event_lines import EventLines
from arena.output.pages.replay_data import ReplayData, replay_of_record, to_script_json
from arena.output.tables.games import Clause
from arena.play.actions_of_other_bots import Suggestions
from arena.play.chances import Chances, find_costly_steps
from arena.play.players import Note
from arena.tournament.formats import Pairing
from arena.tournament.record_search import FoundRecord

# --- rendering ---

STYLES: Final = ("tokens", "page", "tables", "figures", "viewer", "print")
SCRIPTS: Final = ("page", "tables")
VIEWER_SCRIPTS: Final = ("cards", "pictures", "match", "table", "curve", "viewer")
SERVER_LINKS: Final = (
    "<!-- links of the server -->\n",
    "<!-- end of the links of the server -->\n",
    "<!-- buttons of the server -->",
)
"""Comments in the navigation of pages, in whose places a server puts the links of its own pages."""
STEERING: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal, or turn the direction of the text after them."""


def render_replay_page(
    match: FoundRecord,
    deals: Sequence[Deal],
    others: Sequence[str] = (),
    suggestions: Sequence[Suggestions] | None = None,
    root: str = "",
    chances: Sequence[Sequence[Chances]] | None = None,
    notes: Sequence[Note] = (),
    about: str = "",
    frame: str = "",
) -> str:
    """Return the page of a record and its replayed deals.

    Args:
        match: The record.
        deals: Its deals, replayed.
        others: Bots whose choices are shown.
        suggestions: Their choices by deal and action.
        root: The Merkle root of the sealed run that the record is from.
        chances: Chances of the seats to be placed ahead, by deal and step.
        notes: Notes of the bots on their decisions.
        about: A sentence about where chances and choices are from.
        frame: Address at which other pages can show the match in a frame; empty if there is none.
    """
    replay = replay_of_record(match.number, match.record, deals, others, suggestions, chances, notes)
    costly = _describe_costly(deals, replay.bots, chances, suggestions) if chances else []
    title = f"{replay.game}, match {replay.number}"
    values = {"root": root, "about": about, "frame": frame, "costly": costly}
    return render_page("replay.html", title=title, replays=[replay], **values)


def _describe_costly(
    deals: Sequence[Deal],
    bots: Sequence[str],
    chances: Sequence[Sequence[Chances]],
    suggestions: Sequence[Suggestions] | None,
) -> list[tuple[str, Link]]:
    """Return what the costliest actions cost, with links to them and what other bots would have done."""
    lines = EventLines(deals[0].opening.rules, bots)
    rows = []
    for deal, step, fall in find_costly_steps(deals, chances):
        [line] = lines.describe([deals[deal].log[step - 1]])
        text = f"Deal {deal + 1}: {'' if line.seat is None else bots[line.seat]} {line.words}"
        for bot, answer in (suggestions[deal][step - 1] if suggestions else {}).items():
            if answer.action not in ("", line.notation):
                text += f"; {bot} would choose {answer.action}"
        rows.append((f"{round(100 * fall)} points", Link(text, f"#deal={deal + 1}&step={step}")))
    return rows


def render_page(template: str, *, replays: Sequence[ReplayData], **values: Any) -> str:
    """Return a page made from a template; `values` are its variables."""
    scripts = (*SCRIPTS, *(VIEWER_SCRIPTS if replays else ()))
    page = (
        _environment()
        .get_template(template)
        .render(
            version=__version__,
            style=_assets("style", STYLES, "css"),
            script=_assets("script", scripts, "js"),
            matches=Markup(to_script_json(replays)),
            replays=replays,
            server_links=[Markup(comment) for comment in SERVER_LINKS],
            **values,
        )
    )
    return page if page.endswith("\n") else f"{page}\n"


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("arena.output.pages"),
        autoescape=True,
        finalize=_remove_steering,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _remove_steering(value: object) -> object:
    """Remove characters from a printed value that would turn or hide the text around it."""
    return value.__class__(STEERING.sub("", value)) if isinstance(value, str) else value


@cache
def page_resources_digest() -> str:
    """Return a digest of all templates, styles and scripts: pages made with the same look the same."""
    root = files("arena.output.pages")
    digest = blake2b(__version__.encode(), digest_size=16)
    for folder in ("templates", "style", "script"):
        for file in sorted((root / folder).iterdir(), key=lambda path: path.name):
            digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def script_hashes() -> tuple[str, ...]:
    """Return the hashes of the scripts inside pages, as a content security policy names them."""
    texts = (_assets("script", names, "js") for names in (SCRIPTS, (*SCRIPTS, *VIEWER_SCRIPTS)))
    return tuple(hash_script(f"\n{text}\n") for text in texts)  # as frame.html prints it


def hash_script(text: str) -> str:
    """Return the hash of a script as a content security policy names it."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _assets(folder: str, names: tuple[str, ...], ending: str) -> Markup:
    """Return the contents of asset files, concatenated."""
    texts = [
        (files("arena.output.pages") / folder / f"{name}.{ending}").read_text(encoding="utf-8")
        for name in names
    ]
    return Markup("\n".join(texts))


# --- pages ---
# A page has sections, and at its end replays. All pages are made from one template, `page.html`, but for that
# of a single match.


class Section(NamedTuple):
    """A part of a page, with what it has of a figure, facts, a table and a text; texts may be links."""

    anchor: str
    title: str
    summary: str = ""
    figure: Markup = Markup()
    facts: Sequence[tuple[str, str]] = ()
    table: Sheet | None = None
    text: str = ""
    notes: Sequence[str] = ()
    rounds: Sequence[RoundOfTables] = ()
    rules: Sequence[Clause] = ()
    details: Sequence[Section] = ()
    """Facts and texts that are shown when their titles are opened."""
    is_table_folded: bool = False
    """True if the table is shown when it is opened, as it has the numbers of the figure."""
    is_beside_table: bool = False
    """True if the figure is beside the table, below it on narrow screens; else it is above the table."""

    @property
    def content(self) -> list[Any]:
        """Content of the section, for a digest."""
        table = self.table
        texts = [] if table is None else [[table.title], table.headings, *table.cells]
        links = [
            [getattr(text, "href", "") for text in row] for row in [*texts, [text for _, text in self.facts]]
        ]
        return [*self._replace(table=None), texts, links]


class RoundOfTables(NamedTuple):
    """The tables of one round."""

    number: int
    tables: list[list[Pairing]]
    sitting_out: list[str]


class Part(NamedTuple):
    """The sections of one game and table size, or of all games."""

    key: str
    name: str
    sections: list[Section]


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page.

    Args:
        title: Its title, and its heading unless there is another.
        eyebrow: A few words above the heading.
        heading: Its heading, if it is not the title.
        lead: A sentence below the heading.
        tiles: Main counts with their labels.
        sections: Sections, in order.
        has_contents: Whether it lists its sections at the top, and has ratings by game.
        parts: Sections by game, below the others.
        remarks: Notes on all of them.
        sampling: A sentence above the replays.
        after: Sections below the replays.
        source: What it is made from, for its footer.
        root: Merkle root of the sealed run that it shows; empty without one.
    """

    title: str
    eyebrow: str
    heading: str = ""
    lead: str = ""
    tiles: Sequence[tuple[str, str]] = ()
    sections: Sequence[Section] = ()
    has_contents: bool = False
    parts: Sequence[Part] = ()
    remarks: Sequence[str] = ()
    sampling: str = ""
    after: Sequence[Section] = ()
    source: str = ""
    root: str = ""

    def render(self, replays: Sequence[ReplayData] = (), site: Mapping[str, Any] | None = None) -> str:
        """Return the page with replays; `site` has what a page of a league's site has beside it."""
        return render_page("page.html", replays=replays, title=self.title, page=self, site=site)


# --- pages of the site ---
# A page of a league's site also has machine-readable data, and is not written if it is there already.

NAVIGATION: Final[Sequence[tuple[str, str]]] = (
    ("Standings", "index.html"),
    ("Games", "games.html"),
    ("Bots", "bots.html"),
    ("Submissions", "submissions.html"),
    ("Updates", "updates.html"),
)
PLAYGROUND: Final = "playground/index.html"
"""Path of the page in which the arena runs in the browser, where a site has it."""
DIGITS: Final = 4
"""Decimals of machine-readable numbers."""
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


def list_pages(site: Path, pages: Sequence[tuple[str, str]] = NAVIGATION) -> list[tuple[str, str]]:
    """Return the text and path of each link at the top of the pages of a site."""
    return [*pages, *([("Playground", PLAYGROUND)] if (site / PLAYGROUND).is_file() else [])]


UNSEALED: Final = PageSeal("", 0)


Row = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class SitePage:
    """A page of the site.

    Args:
        path: Relative to the site, with slashes.
        title: Its heading.
        sections: Sections of the page, in order.
        data: Lists of rows by name, machine-readable; the first one becomes the page's CSV.
        lead: A sentence below the heading.
        tiles: Main counts with their labels.
        matches: Matches that decide the replays on the page.
        navigation: Text and path of the links at the top.
        load_replays: Makes them; it is called only if the page is not written already.
    """

    path: str
    title: str
    sections: Sequence[Section]
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
        page = Page(
            title=f"{self.title} · {league}" if self.title != league else league,
            eyebrow=league,
            heading=self.title,
            lead=self.lead,
            tiles=self.tiles,
            sections=self.sections,
        )
        site = {
            "league": league,
            "path": self.path,
            "root": self.root,
            "data": self.stem.rpartition("/")[2],
            "navigation": self.navigation,
            "digest": self.digest(league, seal),
            "seal": seal,
            "resources": page_resources_digest(),
        }
        return page.render(self.load_replays(), site)

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


def explain_section(columns: Sequence[Column[Any]], more: Mapping[str, str] = {}) -> Section:
    """Return the definitions of columns, and of `more` words, to be folded below a table."""
    docs = {name: one_line_doc(doc) for name, doc in column_docs(columns).items()}
    facts = [(name, " ".join(text.split())) for name, text in (docs | dict(more)).items()]
    return Section("columns", "Column definitions", facts=facts)


# --- links ---


class Link(str):
    """A text that leads to another page; `href` is relative to the page it is on."""

    href: str

    def __new__(cls, text: str, href: str = "") -> Link:
        link = super().__new__(cls, text)
        link.href = href
        return link
