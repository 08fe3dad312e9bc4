"""The pages for the organiser alone: who is who, and pairs of bots to look at."""

from __future__ import annotations

from typing import Final

from arena.columns.column import Column, records
from arena.columns.kinds import TEXT
from arena.columns.table_formats import Sheet
from arena.league.counting_versions import find_counting_version, find_main_game
from arena.output.pages.link import Link
from arena.output.site.content import SiteContent, game_title
from arena.output.site.page_model import NAVIGATION, SitePage, SiteSection
from arena.output.site.student_pages import student_path
from arena.output.site.suspicious_pairs import collusion_sections, copies_section
from arena.output.tables.league import find_agreements

ORGANISER_NAVIGATION: Final = (
    *NAVIGATION,
    ("Submitters", "students.html"),
    ("Fair play", "fair-play.html"),
)
FAIR_PLAY: Final = (
    "Pairs of bots to look at: those that help each other, and those that decide alike. The page is for you "
    "alone; show_collusion = true in league.toml shows the former to all."
)


def students_page(whole: SiteContent) -> SitePage:
    """Return the list of submitters with their aliases, their bots, and the main rank of each."""
    league = whole.league
    main = league.ladders.get(find_main_game(league), [])
    ranks = {change.rating.version: change.rating.text_rank for change in main}

    def describe_bots(name: str) -> str:
        """Return the bots with the version that counts and the rank of the current one."""
        parts = []
        for bot in league.bots_of(name):
            counting = find_counting_version(league, bot).ordinal
            rank = f", rank {ranks[bot.version]}" if ranks.get(bot.version) else ""
            parts.append(f"{bot.name} (v{counting} counts{rank})")
        return "; ".join(parts)

    columns = [
        Column[str](
            "submitter",
            value=lambda name: name,
            kind=TEXT,
            text=lambda name: Link(name, student_path(name).replace("%", "%25")),
        ),
        Column[str]("alias", value=league.aliases.find, kind=TEXT),
        Column[str]("team", value=lambda name: league.settings.teams.get(name, ""), kind=TEXT),
        Column[str]("bots", value=describe_bots, kind=TEXT),
    ]
    names = list(league.settings.submitters)
    section = SiteSection("submitters", "Submitters", table=Sheet("Submitters", columns, names))
    return SitePage(
        path="students.html",
        title="Submitters",
        lead="With the names that the site does not show. Keep these pages private.",
        sections=[section],
        data={"submitters": records(columns, names)},
    )


def fair_play_page(whole: SiteContent) -> SitePage:
    """Return the pairs that are suspected of collusion, and those that decide alike, by game."""
    agreements = find_agreements(whole.league)
    sections: list[SiteSection] = []
    rows: dict[str, list[dict[str, str]]] = {"collusion": [], "copies": []}

    def link(name: str) -> str:
        return whole.link_name(name, "")

    for number, (game, results) in enumerate(whole.results.games.items(), 1):
        for section in (*collusion_sections(results, link), copies_section(results, agreements, link)):
            title = f"{section.title}: {game_title(game)}"
            sections.append(section._replace(anchor=f"{section.anchor}-{number}", title=title))
            if section.table is not None and section.anchor in rows:
                table = section.table
                rows[section.anchor] += [
                    dict(zip(table.headings, map(str, row), strict=True)) for row in table.cells
                ]  # `str` makes a text of a link
    return SitePage(
        path="fair-play.html",
        title="Fair play",
        lead=FAIR_PLAY,
        sections=sections,
        data={"pairs": rows["collusion"], "copies": rows["copies"]},
    )
