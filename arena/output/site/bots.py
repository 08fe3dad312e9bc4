"""The pages of bots, of submitters and of the organiser."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from arena.columns.column import Column, records, shown
from arena.columns.kinds import DATA, DECIMAL, INTEGER, NAME, PERCENT, TEXT
from arena.columns.number_format import to_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet
from arena.league.results import find_counting_version, find_main_game
from arena.league.standings import OVERALL
from arena.league.store import Bot, LadderRow, LeagueRequest, Version
from arena.output.figures.charts import dot_plot, history_chart
from arena.output.figures.figures import MEAN_ELO, make_interval
from arena.output.figures.league_figures import make_series
from arena.output.figures.style import BESIDE_TABLE_STYLE
from arena.output.pages.page import NAVIGATION, Link, Section, SitePage
from arena.output.site.content import MAX_DEALS, CostlyDeal, PlayedMatch, SiteContent, bot_path, game_title
from arena.output.site.ladders import collusion_sections, copies_section, site_columns
from arena.output.site.requests import has_page, request_path
from arena.output.tables.league import find_agreements, gain_columns, gain_text
from arena.output.tables.pairs import pair_score_text
from arena.output.texts.review import NOTE, lesson_fields, lesson_text, others_action, situation_text
from arena.output.words.text import format_signed
from arena.rating.mean_intervals import PairScore
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import LADDER_NAMES
from arena.tournament.review.differences import Lesson
from arena.tournament.store.played_blocks import Game

# --- lessons ---
# A section of a bot's page: situations in which stronger bots decide otherwise.

STRONGER: Final = "bots rated above it"


class _LessonRow(NamedTuple):
    game: Game
    lesson: Lesson
    examples: list[tuple[PlayedMatch, int]]
    """The bot's own matches, and the number of the deal in each, from 1."""


def _lesson_rows(content: SiteContent, bot: Bot) -> list[_LessonRow]:
    """Return the lessons of a bot, those of the first game first."""
    rows = []
    for game in content.games:
        for lesson in content.lessons(bot):
            if lesson.game == game_title(game):
                deals = [(content.find_example(deal, game), deal.deal + 1) for deal in lesson.examples]
                rows.append(_LessonRow(game, lesson, deals))
    return rows


def _lessons_sections(rows: Sequence[_LessonRow], matches: Sequence[PlayedMatch]) -> Iterator[Section]:
    """Yield the section, if there is a lesson; `matches` are those that the page shows."""
    if not rows:
        return

    def link_example(row: _LessonRow, place: int) -> str:
        if place >= len(row.examples):
            return ""
        match, deal = row.examples[place]
        number = matches.index(match) + 1
        return Link(f"match {number}, deal {deal}", f"#match={number}&deal={deal}")

    clear = [row.lesson for row in rows if row.lesson.is_clear]
    summary = (
        f"{lesson_text(clear[0], 'it', STRONGER)}."
        if clear
        else "So far each of these differences may be chance."
    )
    columns = [
        Column[_LessonRow]("game", value=lambda row: row.lesson.game, kind=TEXT),
        Column[_LessonRow]("situation", value=lambda row: situation_text(row.lesson.situation), kind=TEXT),
        Column[_LessonRow]("it plays", value=lambda row: row.lesson.situation.actions[0], kind=TEXT),
        Column[_LessonRow]("they play", value=lambda row: others_action(row.lesson.situation), kind=TEXT),
        Column[_LessonRow]("a deal", text=lambda row: f"{row.lesson.lead.value or 0:+z.2f}"),
        Column[_LessonRow]("±", text=lambda row: f"{row.lesson.lead.error or 0:.2f}"),
        Column[_LessonRow]("deals", value=lambda row: row.lesson.deals),
        Column[_LessonRow]("blocks", value=lambda row: row.lesson.lead.blocks),
        Column[_LessonRow]("for example", kind=TEXT, text=lambda row: link_example(row, 0)),
        Column[_LessonRow]("or", kind=TEXT, text=lambda row: link_example(row, 1)),
    ]
    table = Sheet("What stronger bots do otherwise", columns, rows)
    yield Section("coach", "What stronger bots do otherwise", summary, table=table, notes=[NOTE])


# --- page of a bot ---

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
    lessons = _lesson_rows(content, bot)
    examples = [match for row in lessons for match, _ in row.examples]
    matches = list(dict.fromkeys([*(deal.match.played for deal in deals), *examples]))
    opponents = _opponent_rows(content, bot)
    label = content.league.versions[bot.version].label
    faults = sorted((failures.get(label) or Counter()).items())
    columns, ratings = _rating_columns(content), content.ratings(bot)
    sections = [
        _ratings_section(ratings, Sheet("Ratings", shown(columns), ratings)),
        *_history_sections(content, bot),
        _opponents_section(content, opponents),
        _deals_section(deals, matches),
        *_lessons_sections(lessons, matches),
        _faults_section(faults),
        _versions_section(content, bot, requests),
    ]
    sections = [section for section in sections if section.table is None or section.table.rows]
    sections.append(Section("about", "About", facts=_bot_facts(content, bot, requests, bool(faults))))
    data = {
        "ratings": records(columns, ratings),
        "history": _history_data(content, bot),
        "opponents": records(opponent_columns(content), opponents),
        "losses": _deals_data(deals),
        "lessons": [lesson_fields(row.lesson) for row in lessons],
        "faults": [{"kind": kind, "reason": reason, "times": times} for (kind, reason), times in faults],
        "versions": _versions_data(content, bot),
        **content.notes_data,
    }
    return SitePage(
        path=bot_path(bot),
        title=bot.name,
        lead=WITHDRAWN if bot.state == "withdrawn" else "",
        tiles=[*_rating_tiles(ratings)],
        sections=sections,
        data=data,
        matches=matches,
        load_replays=partial(content.load_replays, matches, bot_path(bot)),
    )


def _ratings_section(ratings: Sequence[LadderRow], table: Sheet) -> Section:
    """Return the ratings of a bot by game, with their bars."""
    spans = {
        "over all games" if row.game == OVERALL else game_title(row.game): make_interval(row)
        for row in ratings
        if row.elo is not None
    }
    title = "Elo by game, with bars for comparing"
    figure = dot_plot(spans, MEAN_ELO, title, style=BESIDE_TABLE_STYLE) if spans else Markup()
    summary = f"Dots are Elo, bars their ±; {MEAN_ELO} was the centre of the first ladder." if spans else ""
    return Section("ratings", "Ratings", summary, figure, table=table, is_beside_table=True)


def _rating_tiles(ratings: Sequence[LadderRow]) -> Iterator[tuple[str, str]]:
    """Yield the Elo and the rank of a bot in its first ladder, if it has them."""
    for row in ratings[:1]:
        title = "over all games" if row.game == OVERALL else game_title(row.game)
        if row.elo is not None:
            yield f"Elo, {title}", row.short_elo
        if row.rank:
            yield "rank", row.rank


def _bot_facts(
    content: SiteContent, bot: Bot, requests: Mapping[int, LeagueRequest], has_faults: bool
) -> list[tuple[str, str]]:
    version = content.league.versions[bot.version]
    facts: list[tuple[str, str]] = [("state", content.league.state_of(bot))]
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
    if not has_faults:
        facts.append(("faults", "none of the current version"))
    facts.append(("decision times", Link("of all bots", f"{ROOT}times.html")))
    return [*facts, ("content", version.digest)]


def _faults_section(faults: list[tuple[tuple[str, str], int]]) -> Section:
    summary = "Faults of the current version. Each time the arena played the safest action instead."
    table = Sheet("Faults", FAULTS, faults)
    return Section("faults", "Faults", summary, table=table)


def _deals_data(deals: Sequence[CostlyDeal]) -> list[dict[str, Any]]:
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


def _rating_columns(content: SiteContent) -> list[Column[LadderRow]]:
    return [
        Column("game", kind=TEXT, text=partial(_link_game, content)),
        *site_columns("variant", "players", "rank", *LADDER_NAMES),
    ]


def _link_game(content: SiteContent, row: LadderRow) -> str:
    return "over all games" if row.game == OVERALL else content.link_game(row.game, ROOT)


def _history(content: SiteContent, bot: Bot) -> tuple[list[int], dict[Game, dict[int, LadderRow]]]:
    """Return the updates that are shown, the last one among them, and the ratings by game and update."""
    ratings = [rating for rating in content.history(bot) if rating.elo is not None]
    updates = sorted({rating.league_update for rating in ratings})
    step = max(1, math.ceil(len(updates) / MAX_HISTORY_POINTS))
    shown = updates[::-1][::step][::-1]
    by_game: defaultdict[Game, dict[int, LadderRow]] = defaultdict(dict)
    for rating in ratings:
        if rating.league_update in shown:
            by_game[rating.game][rating.league_update] = rating
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
            **{
                column.field or column.name: [column.number(rating) for rating in ratings.values()]
                for column in site_columns("elo", "±", "error")
            },
        }
        for game, ratings in by_game.items()
    ]


def _history_sections(content: SiteContent, bot: Bot, anchor: str = "history") -> Iterator[Section]:
    """Yield the figure of a bot's ratings by date; nothing before the second update."""
    updates, by_game = _history(content, bot)
    if len(updates) < 2:
        return
    dates = {update.number: update.date for update in content.league.updates}
    series = []
    for game, ratings in by_game.items():
        name = "overall" if game == OVERALL else f"{game[0]}/{game[1]}"
        series.append(make_series(name, ratings, updates))
    marks = _version_marks(content, updates, by_game)
    title = f"Elo of {bot.name} by date"
    figure: Markup = history_chart([dates[update] for update in updates], series, title, marks=marks)
    yield Section(
        anchor,
        "Rating history" if anchor == "history" else f"Progress of {bot.name}",
        "Elo at the end of updates, of the version current then; v1, v2 … mark where each began.",
        figure,
    )


def _version_marks(
    content: SiteContent, updates: list[int], by_game: dict[Game, dict[int, LadderRow]]
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


def _opponent_rows(content: SiteContent, bot: Bot) -> list[OpponentRow]:
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


def _opponents_section(content: SiteContent, opponents: list[OpponentRow]) -> Section:
    summary = (
        f"The {SHOWN_OPPONENTS} it scores least against and the {SHOWN_OPPONENTS} it scores most against."
    )
    table = Sheet("Opponents", shown(opponent_columns(content)), opponents)
    notes = [NO_ERROR_NOTE] if any(row.score.error is None for row in opponents) else []
    return Section("opponents", "Worst and best opponents", summary, table=table, notes=notes)


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


def _deals_section(deals: Sequence[CostlyDeal], matches: Sequence[PlayedMatch]) -> Section:
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
    return Section("losses", "Where it loses", summary, table=table)


def _versions_section(
    content: SiteContent, bot: Bot, requests: Mapping[int, LeagueRequest], anchor: str = "versions"
) -> Section:
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
    return Section(anchor, title, summary, table=table, notes=notes)


def _version_state(version: Version) -> str:
    return "" if version.suspended is None else f"suspended in update {version.suspended}"


FAULTS: Final[tuple[Column[tuple[tuple[str, str], int]], ...]] = (
    Column("kind", value=lambda row: row[0][0], kind=TEXT),
    Column("times", value=lambda row: row[1]),
    Column("reason", value=lambda row: row[0][1], kind=TEXT),
)


# --- submitters ---
# A submitter's bots, the opponents that beat them, their losses, and their progress.

EQUAL_SCORE: Final = 0.5
MAX_OPPONENTS: Final = 10


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
    columns = _own_rating_columns(whole, public)
    deals = _merge_deals(whole, bots)
    lessons = [row for bot in bots for row in _lesson_rows(whole, bot)]
    examples = [match for row in lessons for match, _ in row.examples]
    matches = list(dict.fromkeys([*(deal.match.played for deal in deals), *examples]))
    losses = _list_losses(whole, bots)
    beaten_by = [
        row
        for bot in bots
        for row in _opponent_rows(whole, bot)
        if row.score.score is not None and row.score.score < EQUAL_SCORE
    ]
    beaten_by.sort(key=lambda row: row.score.score)
    del beaten_by[MAX_OPPONENTS:]
    requests = {request.version: request for request in public.requests if request.version is not None}
    path, ratings_table = student_path(submitter), Sheet("Places", shown(columns), ratings)
    sections = [
        Section("about", "About", facts=_submitter_facts(whole, submitter)),
        Section("places", "Places", "All ranks, also those below the shown part.", table=ratings_table),
        _own_opponents_section(public, beaten_by),
        _games_section(losses),
        _deals_section(deals, matches),
        *_lessons_sections(lessons, matches),
    ]
    for bot in bots:
        sections += _history_sections(whole, bot, f"history-{bot.number}")
        sections.append(_versions_section(whole, bot, requests, f"versions-{bot.number}"))
    return SitePage(
        path=path,
        title=whole.league.aliases.find(submitter) or submitter,
        lead="" if bots else "No bot of yours is in the league yet.",
        sections=sections,
        data={
            "places": records(columns, ratings),
            "opponents": records(opponent_columns(public), beaten_by),
            "games": records(GAMES, losses),
            "losses": _deals_data(deals),
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


def _list_ratings(whole: SiteContent, bots: Sequence[Bot]) -> Iterator[LadderRow]:
    """Yield the ratings of bots by game, the overall one first."""
    for ladder in whole.ladders.values():
        of_version = {row.version: row for row in ladder}
        for bot in bots:
            if row := of_version.get(bot.version):
                yield row


def _own_rating_columns(whole: SiteContent, public: SiteContent) -> list[Column[LadderRow]]:
    # replaced versions that stay in a ladder have a rank, too
    ranked = {game: sum(row.rank is not None for row in ladder) for game, ladder in whole.ladders.items()}

    def link_bot(row: LadderRow) -> str:
        bot = public.entry(row.version).bot
        return Link(row.bot, ROOT + bot_path(bot)) if public.is_shown(bot) else row.bot

    def counting(row: LadderRow) -> int:
        return find_counting_version(public.league, public.entry(row.version).bot).ordinal

    return [
        Column("bot", value=attrgetter("bot"), kind=NAME, text=link_bot),
        Column(
            "game",
            value=lambda row: str(_link_game(public, row)),
            kind=TEXT,
            text=partial(_link_game, public),
        ),
        *site_columns("rank"),
        Column("of", value=lambda row: ranked[row.game], kind=INTEGER),
        *site_columns("elo", "±", "change", "rank_low", "rank_high", "elo_bound"),
        Column("bound", value=attrgetter("bound_mark"), kind=DATA),
        Column("beats", value=public.beaten_by, kind=TEXT),
        Column("version that counts", value=counting, kind=INTEGER),
    ]


def _own_opponents_section(public: SiteContent, rows: list[OpponentRow]) -> Section:
    own = Column[OpponentRow]("your bot", value=attrgetter("bot"), kind=NAME)
    table = Sheet("What beats you", [own, *shown(opponent_columns(public))], rows)
    notes = [NO_ERROR_NOTE] if any(row.score.error is None for row in rows) else []
    summary = "The opponents against which your bots score least, below 50%."
    return Section("opponents", "What beats you", summary, table=table, notes=notes)


def _list_losses(whole: SiteContent, bots: Sequence[Bot]) -> list[RatingRow]:
    """Return the results of bots at each game, the worst score first."""
    names = {bot.name for bot in bots}
    rows = [row for game in whole.results.games.values() for row in game.rows if row.bot in names]
    return sorted((row for row in rows if row.score is not None), key=lambda row: row.score or 0.0)


def _games_section(losses: Sequence[RatingRow]) -> Section:
    summary = "Your bots by their share of the points at each game, the worst first; 50% is the average."
    return Section("games", "Where you lose most", summary, table=Sheet("Where you lose most", GAMES, losses))


def _merge_deals(whole: SiteContent, bots: Sequence[Bot]) -> list[CostlyDeal]:
    """Return the costliest deals of several bots, those of each bot alternating, worst first."""
    by_bot = [whole.costly_deals(bot) for bot in bots]
    longest = max(map(len, by_bot), default=0)
    merged = [deals[place] for place in range(longest) for deals in by_bot if place < len(deals)]
    return merged[:MAX_DEALS]


GAMES: Final[tuple[Column[RatingRow], ...]] = (
    Column("bot", value=attrgetter("bot"), kind=NAME),
    Column("game", value=attrgetter("title"), kind=TEXT),
    Column("score", value=lambda row: (row.score or 0.0) / 100, kind=PERCENT),
    Column("payoff", value=attrgetter("payoff"), kind=DECIMAL),
    Column("blocks", value=attrgetter("blocks"), kind=INTEGER),
)


# --- organiser ---
# The list of submitters with their aliases, and pairs of bots to look at.

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
    ranks = {row.version: row.rank for row in main}

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
    section = Section("submitters", "Submitters", table=Sheet("Submitters", columns, names))
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
    sections: list[Section] = []
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
