"""Writing the site of a league: only files that change are written, and no file is left over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec

from arena.errors import StoreError
from arena.league.folder import LeagueFolder
from arena.league.proof import sealed_updates
from arena.league.results import LeagueResults
from arena.league.store import FinalRun as LeagueFinal
from arena.output.pages.page import UNSEALED, PageSeal, SitePage, list_pages, page_resources_digest
from arena.output.pages.run_pages import render_run_page
from arena.output.site.bots import (
    ORGANISER_NAVIGATION,
    bot_pages,
    fair_play_page,
    student_pages,
    students_page,
)
from arena.output.site.content import HEAD_CHARS, SiteContent
from arena.output.site.ladders import bots_page, final_page, final_path, game_pages, games_page, index_page
from arena.output.site.requests import (
    render_feed,
    submission_pages,
    submissions_page,
    times_page,
    updates_page,
)
from arena.tournament.files import make_private_folder, replace_file
from arena.tournament.review.seal import read_seal, read_signature, sealed_root
from arena.tournament.run import Run
from arena.tournament.store.database import wait_for_lock

FILES: Final = "files.json"
"""The files of the site, so that those of bots that are gone can be removed."""
FOLDERS: Final = ("bots", "games", "submissions", "finals", "students")
FINAL_REPLAYS: Final = 30
"""Number of replays in the report of a final."""


class SiteWriter:
    """Files of a site; `written` and `kept` count them."""

    def __init__(self, folder: Path, seal: PageSeal = UNSEALED) -> None:
        self._folder, self._seal = folder, seal
        self._files: set[str] = set()
        self.written = self.kept = 0

    def write_page(self, page: SitePage, league: str) -> None:
        """Write a page with its data, unless it is there already."""
        digest = f'<meta name="content-digest" content="{page.digest(league, self._seal)}">'
        if digest in _read_start(self._folder / page.path):
            self._files.add(page.path)
            self.kept += 1
        else:
            self.write(page.path, page.render(league, self._seal).encode())
        self._write_data(page, league)

    def _write_data(self, page: SitePage, league: str) -> None:
        self.write(f"{page.stem}.json", page.json(league))
        self.write(f"{page.stem}.csv", page.csv())

    def write_final(self, final: LeagueFinal, run: Run, league: str, shows_authors: bool) -> None:
        """Write the report of a final, with the data of its rounds, unless it is there already."""
        authors = " authors" if shows_authors else ""
        end = f"<!-- {page_resources_digest()} {run.count_blocks()} blocks{authors} -->\n"
        path = self._folder / final_path(final)
        names = [str(Path(final_path(final)).with_suffix(suffix)) for suffix in (".html", ".json", ".csv")]
        is_written = all((self._folder / name).is_file() for name in names)
        if is_written and path.read_bytes().endswith(end.encode()):
            self._files.update(names)
            self.kept += len(names)
        else:
            page = render_run_page(run, FINAL_REPLAYS, shows_authors=shows_authors)
            self.write(final_path(final), (page + end).encode())
            self._write_data(final_page(final, run), league)

    def write(self, name: str, content: bytes) -> None:
        """Write a file, unless it has this content already."""
        self._files.add(name)
        path = self._folder / name
        with suppress(OSError):
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                self.kept += 1
                return
        path.parent.mkdir(parents=True, exist_ok=True)
        with replace_file(path) as file:
            file.write(content)
        self.written += 1

    def remove_others(self) -> None:
        """Remove the files of the site as it was before, and list those of now."""
        for name in self._found():
            is_own = not name.startswith("/") and ".." not in Path(name).parts
            if is_own and name not in self._files:
                with suppress(OSError):
                    (self._folder / name).unlink()
        self.write(FILES, msgspec.json.format(msgspec.json.encode(sorted(self._files - {FILES})), indent=0))

    def _found(self) -> Iterator[str]:
        """Yield the listed files, and those that a process wrote which was killed before it listed them."""
        with suppress(OSError, msgspec.DecodeError):
            yield from msgspec.json.decode((self._folder / FILES).read_bytes(), type=list[str])
        for folder in FOLDERS:
            for path in list((self._folder / folder).glob("*.*")):
                yield f"{folder}/{path.name}"


def write_site(folder: LeagueFolder) -> SiteWriter:
    """Write the site of a league as it is when no other process writes it any more.

    Equal leagues give equal sites, but for times and report cards. If the league has submitters, the pages
    for the organiser alone are written too, into a folder of their own: all that the site leaves out, and a
    page for each submitter.
    """
    # The league is opened when the lock is held: else what is older could replace what is newer.
    with wait_for_lock(folder.site_lock), LeagueResults.open(folder.path) as league:
        return _write_results(league)


def _write_results(league: LeagueResults) -> SiteWriter:
    folder, settings = league.folder, league.settings
    is_open = settings.show_authors or not settings.submitters
    seal = PageSeal(
        sealed_root(folder), sealed_updates(folder), is_published=is_open and settings.public_top is None
    )
    writer = SiteWriter(folder.site, seal)
    public = SiteContent(league)
    _write_pages(writer, public, _pages(public))
    if seal.root and seal.is_published:
        writer.write(folder.seal.name, read_seal(folder))
        if signature := read_signature(folder):
            writer.write(folder.seal_signature.name, signature)
    writer.remove_others()
    if settings.submitters:
        _write_organiser_pages(public, seal)
    return writer


def _write_organiser_pages(public: SiteContent, seal: PageSeal) -> None:
    whole = SiteContent(public.league, public.played, is_whole=True)
    own = [students_page(whole), fair_play_page(whole)]
    pages = [replace(page, navigation=ORGANISER_NAVIGATION) for page in (*_pages(whole), *own)]
    make_private_folder(whole.folder)
    writer = SiteWriter(whole.folder, seal._replace(is_published=False))
    _write_pages(writer, whole, [*pages, *student_pages(whole, public)])
    writer.remove_others()


def _write_pages(writer: SiteWriter, content: SiteContent, pages: Iterable[SitePage]) -> None:
    """Write pages with their data, the reports of finals, and the feed."""
    league = content.league
    for page in pages:
        links = list_pages(content.folder, page.navigation)
        writer.write_page(replace(page, navigation=links), league.title)
    for final in content.finals:
        revealed = None if content.is_whole else league.held_finals.get(final.number)
        shows_authors = content.is_whole or league.settings.show_authors
        with suppress(StoreError):  # none for a run that is gone
            run = Run.open(league.folder.path / final.folder)
            if revealed is None:
                writer.write_final(final, run, league.title, shows_authors)
            else:
                writer.write_page(final_page(final, run, revealed), league.title)
    writer.write("feed.xml", render_feed(content))


def _pages(content: SiteContent) -> Iterator[SitePage]:
    yield index_page(content)
    yield games_page(content)
    yield bots_page(content)
    yield submissions_page(content)
    yield updates_page(content)
    yield times_page(content)
    yield from game_pages(content)
    yield from bot_pages(content)
    yield from submission_pages(content)


def _read_start(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(HEAD_CHARS)
    except (OSError, UnicodeDecodeError):
        return ""
