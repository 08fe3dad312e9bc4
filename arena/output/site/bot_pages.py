"""The page of each bot."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from markupsafe import Markup

from arena.columns.column import Column, records, shown
from arena.columns.kinds import DATA, INTEGER, NAME, PERCENT, TEXT
from arena.columns.number_format import to_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet
from arena.league.counting_versions import find_counting_version
from arena.league.ratings_during_update import OVERALL
from arena.league.results import Change
from arena.league.store import Bot, LeagueRequest, Rating, Version
from arena.output.figures.charts import Series, history_chart
from arena.output.figures.league_figures import rating_interval
from arena.output.pages.link import Link
from arena.output.site.content import SiteContent, bot_path, game_title
from arena.output.site.ladder_pages import GAME_OF_RATING, PRECISION, RANK, STRENGTH
from arena.output.site.lessons import lesson_rows, lessons_sections
from arena.output.site.page_model import DIGITS, SitePage, SiteSection
from arena.output.site.request_pages import has_page, request_path
from arena.output.site.results_from_blocks import CostlyDeal, PlayedMatch
from arena.output.tables.pairs import pair_score_text
from arena.output.tables.version_gains import gain_columns, gain_text
from arena.output.texts.lessons import lesson_fields
from arena.output.words.text_format import format_signed
from arena.rating.mean_intervals import PairScore
from arena.tournament.store.played_blocks import Game

ROOT: Final = "../"
WITHDRAWN: Final = (
    "Withdrawn: it is in no ladder, and its results count for its opponents. The name stays reserved for its "
    "owner, whose next submission under it brings the bot back."
)
SHOWN_OPPONENTS: Final = 5
"""The best and as many of the worst, by game."""
MAX_HISTORY_POINTS: Final = 60
"""Updates in a history, evenly spaced."""
MAX_SHOWN_VERSIONS: Final = 500
"""The latest ones in the table; the data have all."""
HASH_CHARS: Final = 13


def bot_pages(content: SiteContent) -> Iterator[SitePage]:
    """Yield the page of each bot that is not banned."""
    requests = {request.version: request for request in content.requests if request.version is not None}
    failures: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for (label, kind, reason), times in content.league.failures().items():
        failures[label][kind, _public_reason(kind, reason)] += times
    for bot in content.bots:
        yield _bot_page(content, bot, requests, failures)


def _public_reason(kind: str, reason: str) -> str:
    """Return a reason without what a bot's code said: of an exception its name."""
    if kind not in ("crash", "no-start"):
        return reason
    name = reason.partition(":")[0].partition(" ")[0]
    return name if name.isidentifier() else ""


def _bot_page(
    content: SiteContent,
    bot: Bot,
    requests: Mapping[int, LeagueRequest],
    failures: Mapping[str, Counter[tuple[str, str]]],
) -> SitePage:
    deals = content.costly_deals(bot)
    lessons = lesson_rows(content, bot)
    examples = [match for row in lessons for match, _ in row.examples]
    matches = list(dict.fromkeys([*(deal.match.played for deal in deals), *examples]))
    opponents = opponent_rows(content, bot)
    label = content.league.versions[bot.version].label
    faults = sorted((failures.get(label) or Counter()).items())
    columns, ratings = _change_columns(content), content.ratings(bot)
    sections = [
        SiteSection("about", "About", facts=_bot_facts(content, bot, requests)),
        SiteSection("ratings", "Ratings", table=Sheet("Ratings", shown(columns), ratings)),
        *history_sections(content, bot),
        _opponents_section(content, opponents),
        deals_section(deals, matches),
        *lessons_sections(lessons, matches),
        _faults_section(faults),
        versions_section(content, bot, requests),
    ]
    data = {
        "ratings": records(columns, ratings),
        "history": _history_data(content, bot),
        "opponents": records(opponent_columns(content), opponents),
        "losses": deals_data(deals),
        "lessons": [lesson_fields(row.lesson) for row in lessons],
        "faults": [{"kind": kind, "reason": reason, "times": times} for (kind, reason), times in faults],
        "versions": _versions_data(content, bot),
        **content.notes_data,
    }
    return SitePage(
        path=bot_path(bot),
        title=bot.name,
        lead=WITHDRAWN if bot.state == "withdrawn" else "",
        sections=sections,
        data=data,
        matches=matches,
        load_replays=partial(content.load_replays, matches, bot_path(bot)),
    )


def _bot_facts(
    content: SiteContent, bot: Bot, requests: Mapping[int, LeagueRequest]
) -> list[tuple[str, str]]:
    version = content.league.versions[bot.version]
    facts: list[tuple[str, str]] = [("state", content.league.state_of(bot)), ("content", version.digest)]
    told = {
        "author": content.show_author(version.author),
        "team": content.show_author(content.league.team_of(bot.version)),
        "description": version.description,
        "submitted by": content.show_author(bot.owner),
    }
    facts += [(name, text) for name, text in told.items() if text]
    if gain := gain_text(content.league, bot.version):
        facts.append(("against the version before", gain))
    if (request := requests.get(bot.version)) and has_page(content, request):
        facts.append(("report card", Link("of its check", ROOT + request_path(request))))
    return [*facts, ("decision times", Link("of all bots", f"{ROOT}times.html"))]


def _faults_section(faults: list[tuple[tuple[str, str], int]]) -> SiteSection:
    summary = "Faults of the current version. Each time the arena played the safest action instead."
    table = Sheet("Faults", FAULTS, faults)
    return SiteSection("faults", "Faults", summary, table=table)


def deals_data(deals: Sequence[CostlyDeal]) -> list[dict[str, Any]]:
    """Return costly deals for programs."""
    return [
        {
            "block": deal.match.block,
            "rotation": deal.match.rotation,
            "deal": deal.number,
            "seat": deal.match.seat,
            "variant": deal.match.game[0],
            "players": deal.match.game[1],
            "lost": deal.lost,
        }
        for deal in deals
    ]


def _versions_data(content: SiteContent, bot: Bot) -> list[dict[str, Any]]:
    return [
        {
            "version": version.ordinal,
            "content": version.digest,
            "admitted": version.admitted,
            "suspended": version.suspended,
            **gain_columns(content.league, version.number),
        }
        for version in content.league.versions_of(bot)
    ]


def _change_columns(content: SiteContent) -> list[Column[Change]]:
    def link_game(row: Change) -> str:
        game = (row.rating.variant, row.rating.players)
        return "over all games" if game == OVERALL else content.link_game(game, ROOT)

    return [
        Column("game", kind=TEXT, text=link_game),
        *GAME_OF_RATING,
        RANK,
        *STRENGTH,
        Column("mark", value=lambda row: row.rating.mark, kind=DATA),
        *PRECISION,
    ]


def _history(content: SiteContent, bot: Bot) -> tuple[list[int], dict[Game, dict[int, Rating]]]:
    """Return the updates that are shown, the last one among them, and the ratings by game and update."""
    ratings = [rating for rating in content.history(bot) if rating.elo is not None]
    updates = sorted({rating.league_update for rating in ratings})
    step = max(1, math.ceil(len(updates) / MAX_HISTORY_POINTS))
    shown = updates[::-1][::step][::-1]
    by_game: defaultdict[Game, dict[int, Rating]] = defaultdict(dict)
    for rating in ratings:
        if rating.league_update in shown:
            by_game[rating.variant, rating.players][rating.league_update] = rating
    return shown, by_game


def _history_data(content: SiteContent, bot: Bot) -> list[dict[str, Any]]:
    dates = {update.number: update.date for update in content.league.updates}
    _, by_game = _history(content, bot)
    return [
        {
            "variant": game[0],
            "players": game[1] or None,
            "updates": list(ratings),
            "dates": [dates[update] for update in ratings],
            "versions": [content.league.versions[rating.version].ordinal for rating in ratings.values()],
            "elo": [round(rating.elo or 0.0, DIGITS) for rating in ratings.values()],
            "comparison_error": [
                rating.comparison_error and round(rating.comparison_error, DIGITS)
                for rating in ratings.values()
            ],
            "error": [rating.error and round(rating.error, DIGITS) for rating in ratings.values()],
        }
        for game, ratings in by_game.items()
    ]


def history_sections(content: SiteContent, bot: Bot, anchor: str = "history") -> Iterator[SiteSection]:
    """Yield the figure of a bot's ratings by date; nothing before the second update."""
    updates, by_game = _history(content, bot)
    if len(updates) < 2:
        return
    dates = {update.number: update.date for update in content.league.updates}
    series = []
    for game, ratings in by_game.items():
        last = ratings[max(ratings)]
        name = "overall" if game == OVERALL else f"{game[0]}/{game[1]}"
        values = [ratings[update].elo if update in ratings else None for update in updates]
        series.append(Series(name, values, rating_interval(last)))
    marks = _version_marks(content, updates, by_game)
    title = f"Elo of {bot.name} by date"
    figure: Markup = history_chart([dates[update] for update in updates], series, title, marks=marks)
    yield SiteSection(
        anchor,
        "Rating history" if anchor == "history" else f"Progress of {bot.name}",
        "Elo at the end of updates, of the version current then; v1, v2 … mark where each began.",
        figure,
    )


def _version_marks(
    content: SiteContent, updates: list[int], by_game: dict[Game, dict[int, Rating]]
) -> dict[int, str]:
    """Return the versions by the place of the first update shown in which each was current."""
    marks: dict[int, str] = {}
    for place, update in enumerate(updates):
        version = next(ratings[update].version for ratings in by_game.values() if update in ratings)
        name = f"v{content.league.versions[version].ordinal}"
        if name not in marks.values():
            marks[place] = name
    return marks if len(marks) > 1 else {}


class OpponentRow(NamedTuple):
    """The score of a bot against another."""

    bot: str
    game: Game
    name: str
    score: PairScore


def opponent_rows(content: SiteContent, bot: Bot) -> list[OpponentRow]:
    """Return the bot's score against its worst and best opponents in each ladder, worst first."""
    rows = []
    for game, results in content.results.games.items():
        names, own = results.fit.bots, content.scores[game].get(bot.name, [])
        if game not in content.games_of(bot):
            continue
        best = own[max(len(own) - SHOWN_OPPONENTS, SHOWN_OPPONENTS) :]
        rows += [
            OpponentRow(bot.name, game, names[score.other], score)
            for score in [*own[:SHOWN_OPPONENTS], *best]
        ]
    return rows


def _opponents_section(content: SiteContent, opponents: list[OpponentRow]) -> SiteSection:
    summary = (
        f"The {SHOWN_OPPONENTS} it scores least against and the {SHOWN_OPPONENTS} it scores most against."
    )
    table = Sheet("Opponents", shown(opponent_columns(content)), opponents)
    notes = [NO_ERROR_NOTE] if any(row.score.error is None for row in opponents) else []
    return SiteSection("opponents", "Worst and best opponents", summary, table=table, notes=notes)


def opponent_columns(content: SiteContent) -> list[Column[OpponentRow]]:
    """Return the columns of a bot's opponents."""
    return [
        Column("variant", value=lambda row: row.game[0], kind=DATA),
        Column("players", value=lambda row: row.game[1], kind=DATA),
        Column(
            "opponent",
            value=lambda row: content.mask(row.name),
            kind=NAME,
            text=lambda row: content.link_name(row.name, ROOT),
        ),
        Column("game", kind=TEXT, text=lambda row: content.link_game(row.game, ROOT)),
        Column(
            "score",
            value=lambda row: row.score.score,
            kind=PERCENT,
            text=lambda row: pair_score_text(row.score),
        ),
        Column("error", value=lambda row: to_percent(row.score.error), kind=DATA),
        Column("blocks", value=lambda row: row.score.blocks),
    ]


def deals_section(deals: Sequence[CostlyDeal], matches: Sequence[PlayedMatch]) -> SiteSection:
    """Return the costliest deals, with links to the replays on the same page."""
    summary = "The deals that cost it most; games compare by their largest loss. Step through them below."

    def link_deal(row: CostlyDeal) -> str:
        match = matches.index(row.match.played) + 1
        return Link(f"{match}, deal {row.number}", f"#match={match}&deal={row.number}")

    columns = [
        Column[CostlyDeal]("match", kind=TEXT, text=link_deal),
        Column[CostlyDeal]("game", value=lambda row: game_title(row.match.game), kind=TEXT),
        Column[CostlyDeal]("change", text=lambda row: format_signed(-row.lost)),
        Column[CostlyDeal]("seat", value=lambda row: row.match.seat),
    ]
    table = Sheet("Costliest deals", columns, deals)
    return SiteSection("losses", "Where it loses", summary, table=table)


def versions_section(
    content: SiteContent, bot: Bot, requests: Mapping[int, LeagueRequest], anchor: str = "versions"
) -> SiteSection:
    """Return the versions of a bot, the latest first, with what each gained and which one counts."""
    versions = content.league.versions_of(bot)
    latest = versions[: -MAX_SHOWN_VERSIONS - 1 : -1]
    settings = content.league.settings
    has_choice = settings.deadline is not None or settings.counting_version != "latest"
    counting = find_counting_version(content.league, bot).number if has_choice else None

    def link_check(row: Version) -> str:
        request = requests.get(row.number)
        has_card = request and has_page(content, request)
        return Link("report card", ROOT + request_path(request)) if request and has_card else ""

    def describe_state(row: Version) -> str:
        counts = ["counts"] if row.number == counting else []
        return ", ".join([*counts, text] if (text := _version_state(row)) else counts)

    columns = [
        Column[Version]("version", value=lambda row: row.ordinal, kind=INTEGER),
        Column[Version]("admitted", value=lambda row: f"update {row.admitted}", kind=TEXT),
        Column[Version](
            "against the one before", value=lambda row: gain_text(content.league, row.number), kind=TEXT
        ),
        Column[Version]("content", value=lambda row: row.digest[:HASH_CHARS], kind=TEXT),
        Column[Version]("state", value=describe_state, kind=TEXT),
        Column[Version]("check", kind=TEXT, text=link_check),
    ]
    title = "Versions" if anchor == "versions" else f"Versions of {bot.name}"
    table = Sheet(title, columns, latest)
    notes = [f"The latest {MAX_SHOWN_VERSIONS} of {len(versions):,}."] if len(versions) > len(latest) else []
    if counting is not None:
        notes.append("The version that counts is the one that grades and finals take.")
    summary = (
        "Each version plays at one table with the one before it, on the same deals in all seatings. The gain "
        "is in Elo, over all games; these blocks count for no ladder."
    )
    return SiteSection(anchor, title, summary, table=table, notes=notes)


def _version_state(version: Version) -> str:
    return "" if version.suspended is None else f"suspended in update {version.suspended}"


FAULTS: Final[tuple[Column[tuple[tuple[str, str], int]], ...]] = (
    Column("kind", value=lambda row: row[0][0], kind=TEXT),
    Column("times", value=lambda row: row[1]),
    Column("reason", value=lambda row: row[0][1], kind=TEXT),
)
