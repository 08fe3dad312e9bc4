"""The page of each submitter: the own bots, what beats them, where they lose, and their progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from arena.columns.column import Column, records, shown
from arena.columns.kinds import DATA, DECIMAL, INTEGER, NAME, PERCENT, TEXT
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet
from arena.league.counting_versions import find_counting_version
from arena.league.ratings_during_update import OVERALL
from arena.league.results import Change
from arena.league.store import Bot
from arena.output.pages.link import Link
from arena.output.site.bot_pages import (
    ROOT,
    OpponentRow,
    deals_data,
    deals_section,
    history_sections,
    opponent_columns,
    opponent_rows,
    versions_section,
)
from arena.output.site.content import SiteContent, bot_path, game_title
from arena.output.site.ladder_pages import PRECISION, RANK, STRENGTH
from arena.output.site.lessons import lesson_rows, lessons_sections
from arena.output.site.page_model import SitePage, SiteSection
from arena.output.site.results_from_blocks import MAX_DEALS, CostlyDeal
from arena.tournament.results.rating_rows import RatingRow

EQUAL_SCORE: Final = 0.5
MAX_OPPONENTS: Final = 10
RATING_COLUMNS: Final = ("elo", "±", "change", "rank_low", "rank_high", "elo_bound")


class OwnRating(NamedTuple):
    """The place of an own bot in a ladder."""

    bot: Bot
    change: Change
    ranked: int
    """Number of versions that have a rank in the ladder: replaced ones that stay in it count, too."""


def student_path(submitter: str) -> str:
    """Return the page of a submitter, relative to the pages of the organiser."""
    return f"students/{quote(submitter, safe='')}.html"


def student_pages(whole: SiteContent, public: SiteContent) -> Iterator[SitePage]:
    """Yield the page of each submitter, which names no bot of others that the site does not show.

    Args:
        whole: All of the league.
        public: What the site shows.
    """
    for submitter in whole.league.settings.submitters:
        yield _student_page(whole, public, submitter)


def _student_page(whole: SiteContent, public: SiteContent, submitter: str) -> SitePage:
    bots = [bot for bot in whole.league.bots_of(submitter) if bot.state != "banned"]
    ratings = list(_list_ratings(whole, bots))
    deals = _merge_deals(whole, bots)
    lessons = [row for bot in bots for row in lesson_rows(whole, bot)]
    examples = [match for row in lessons for match, _ in row.examples]
    matches = list(dict.fromkeys([*(deal.match.played for deal in deals), *examples]))
    losses = _list_losses(whole, bots)
    beaten_by = [
        row
        for bot in bots
        for row in opponent_rows(whole, bot)
        if row.score.score is not None and row.score.score < EQUAL_SCORE
    ]
    beaten_by.sort(key=lambda row: row.score.score)
    del beaten_by[MAX_OPPONENTS:]
    requests = {request.version: request for request in public.requests if request.version is not None}
    path, ratings_table = (
        student_path(submitter),
        Sheet("Places", shown(_own_rating_columns(public)), ratings),
    )
    sections = [
        SiteSection("about", "About", facts=_submitter_facts(whole, submitter)),
        SiteSection("places", "Places", "All ranks, also those below the shown part.", table=ratings_table),
        _own_opponents_section(public, beaten_by),
        _games_section(losses),
        deals_section(deals, matches),
        *lessons_sections(lessons, matches),
    ]
    for bot in bots:
        sections += history_sections(whole, bot, f"history-{bot.number}")
        sections.append(versions_section(whole, bot, requests, f"versions-{bot.number}"))
    return SitePage(
        path=path,
        title=whole.league.aliases.find(submitter) or submitter,
        lead="" if bots else "No bot of yours is in the league yet.",
        sections=sections,
        data={
            "places": records(_own_rating_columns(public), ratings),
            "opponents": records(opponent_columns(public), beaten_by),
            "games": records(GAMES, losses),
            "losses": deals_data(deals),
        },
        matches=matches,
        load_replays=partial(public.load_replays, matches, path, submitter),
    )


def _submitter_facts(whole: SiteContent, submitter: str) -> list[tuple[str, str]]:
    league, settings = whole.league, whole.league.settings
    counting = "the best rated one" if settings.counting_version == "best" else "the latest"
    deadline = f"{settings.deadline:%Y-%m-%d %H:%M %Z}" if settings.deadline else ""
    facts = {
        "alias": league.aliases.find(submitter),
        "team": settings.teams.get(submitter, ""),
        "deadline": deadline,
        "version that counts": f"{counting} before the deadline" if deadline else counting,
    }
    return [(name, text) for name, text in facts.items() if text]


def _list_ratings(whole: SiteContent, bots: Sequence[Bot]) -> Iterator[OwnRating]:
    """Yield the ratings of bots by game, the overall one first."""
    for ladder in whole.ladders.values():
        ranked = sum(change.rating.rank is not None for change in ladder)
        of_version = {change.rating.version: change for change in ladder}
        for bot in bots:
            if change := of_version.get(bot.version):
                yield OwnRating(bot, change, ranked)


def _own_rating_columns(public: SiteContent) -> list[Column[OwnRating]]:
    def title(row: OwnRating) -> str:
        game = (row.change.rating.variant, row.change.rating.players)
        return "over all games" if game == OVERALL else public.link_game(game, ROOT)

    def link_bot(row: OwnRating) -> str:
        return Link(row.bot.name, ROOT + bot_path(row.bot)) if public.is_shown(row.bot) else row.bot.name

    def counting(row: OwnRating) -> int:
        return find_counting_version(public.league, row.bot).ordinal

    return [
        Column("bot", value=lambda row: row.bot.name, kind=NAME, text=link_bot),
        Column("game", value=lambda row: str(title(row)), kind=TEXT, text=title),
        _of_change(RANK),
        Column("of", value=attrgetter("ranked"), kind=INTEGER),
        *(_of_change(column) for column in (*STRENGTH, *PRECISION) if column.name in RATING_COLUMNS),
        Column("bound", value=lambda row: row.change.rating.mark, kind=DATA),
        Column("beats", value=lambda row: public.beaten_by(row.change.rating), kind=TEXT),
        Column("version that counts", value=counting, kind=INTEGER),
    ]


def _of_change(column: Column[Change]) -> Column[OwnRating]:
    """Return a column of ladders for rows of this page."""
    get_value = column.value
    value: Callable[[OwnRating], Any] | None = None
    if get_value is not None:
        value = lambda row: get_value(row.change)  # noqa: E731
    return Column(
        column.name,
        value=value,
        kind=column.kind,
        text=lambda row: column.text_cell(row.change),
        field=column.field,
    )


def _own_opponents_section(public: SiteContent, rows: list[OpponentRow]) -> SiteSection:
    own = Column[OpponentRow]("your bot", value=attrgetter("bot"), kind=NAME)
    table = Sheet("What beats you", [own, *shown(opponent_columns(public))], rows)
    notes = [NO_ERROR_NOTE] if any(row.score.error is None for row in rows) else []
    summary = "The opponents against which your bots score least, below 50%."
    return SiteSection("opponents", "What beats you", summary, table=table, notes=notes)


def _list_losses(whole: SiteContent, bots: Sequence[Bot]) -> list[RatingRow]:
    """Return the results of bots at each game, the worst score first."""
    names = {bot.name for bot in bots}
    rows = [row for game in whole.results.games.values() for row in game.rows if row.bot in names]
    return sorted((row for row in rows if row.score is not None), key=lambda row: row.score or 0.0)


def _games_section(losses: Sequence[RatingRow]) -> SiteSection:
    summary = "Your bots by their share of the points at each game, the worst first; 50% is the average."
    return SiteSection(
        "games", "Where you lose most", summary, table=Sheet("Where you lose most", GAMES, losses)
    )


def _merge_deals(whole: SiteContent, bots: Sequence[Bot]) -> list[CostlyDeal]:
    """Return the costliest deals of several bots, those of each bot alternating, worst first."""
    by_bot = [whole.costly_deals(bot) for bot in bots]
    longest = max(map(len, by_bot), default=0)
    merged = [deals[place] for place in range(longest) for deals in by_bot if place < len(deals)]
    return merged[:MAX_DEALS]


GAMES: Final[tuple[Column[RatingRow], ...]] = (
    Column("bot", value=attrgetter("bot"), kind=NAME),
    Column("game", value=lambda row: game_title((row.variant, row.players or 0)), kind=TEXT),
    Column("score", value=lambda row: (row.score or 0.0) / 100, kind=PERCENT),
    Column("payoff", value=attrgetter("payoff"), kind=DECIMAL),
    Column("blocks", value=attrgetter("blocks"), kind=INTEGER),
)
