"""The pages of standings, games, pairs of bots and finals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, islice
from operator import attrgetter, itemgetter
from typing import Any, Final

from markupsafe import Markup

from arena.columns.column import Column, column_docs, records, shown
from arena.columns.kinds import DATA, INTEGER, LABEL, NAME, PERCENT, TEXT
from arena.columns.number_format import format_count, to_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet
from arena.games import Rules
from arena.league.results import list_pairings
from arena.league.standings import OVERALL
from arena.league.store import Bot, LadderRow
from arena.league.store import FinalRun as LeagueFinal
from arena.output.figures.charts import dot_plot, find_axis_ends
from arena.output.figures.figures import MEAN_ELO, draw_pairs, draw_positions, make_interval, pairs_title
from arena.output.figures.style import BESIDE_TABLE_STYLE
from arena.output.pages.page import Link, Section, SitePage
from arena.output.site.content import SiteContent, bot_path, game_title
from arena.output.tables.games import options_sheet, rules_line, split_rules
from arena.output.tables.league import LADDER, RANK_NOTE
from arena.output.tables.pairs import COLLUSION, COPIES, collusion_sheets, copies_sheet, pair_score_text
from arena.output.words.text import format_signed
from arena.rating.mean_intervals import PairScore
from arena.tournament.formats import Pairing
from arena.tournament.results.rating_table import LADDER_NAMES, describe_lead, list_ranked
from arena.tournament.results.results import GameResults, SeatMeans
from arena.tournament.review.differences import Agreement
from arena.tournament.run import Run
from arena.tournament.setup.bots import HouseGames, house_game_table
from arena.tournament.store.played_blocks import Game

# --- suspicious pairs ---
# Suspected collusion, and near copies.

SUMMARY = (
    "Pairs of which one helps the other against the rest of the table, beyond what their ratings explain. In "
    "at most 5 % of honest fields a pair is listed: a reason to look at their games, no proof."
)

COPIES_SUMMARY = (
    "Pairs that decided alike in nearly all decisions in which both saw the same. Good bots agree on most: "
    "compare the share with the median. A reason to read the code of both, no proof."
)


def collusion_sections(game: GameResults, link: Callable[[str], str]) -> Iterator[Section]:
    """Yield the suspected pairs of a game and, if there are any, the ratings without their tables.

    Args:
        game: Its results.
        link: Returns a bot's name with a link to its page.
    """
    suspects, *ratings = collusion_sheets(game)
    yield Section(
        "collusion",
        "Collusion",
        SUMMARY,
        facts=[(name, " ".join(doc.meaning.split())) for name, doc in column_docs(COLLUSION).items()]
        if suspects.rows
        else (),
        table=_linked(suspects, link) if suspects.rows else None,
        notes=suspects.notes,
    )
    for sheet in ratings:
        yield Section(
            "without-suspects",
            "Ratings without their tables",
            table=_linked(sheet, link),
            notes=sheet.notes,
        )


def copies_section(game: GameResults, agreements: Sequence[Agreement], link: Callable[[str], str]) -> Section:
    """Return the pairs of a game that decide alike.

    Args:
        game: Its results.
        agreements: The agreement of all pairs.
        link: Returns a bot's name with a link to its page.
    """
    sheet = copies_sheet(agreements, game.game, game.title)
    facts = [(name, " ".join(doc.meaning.split())) for name, doc in column_docs(COPIES).items()]
    return Section(
        "copies",
        "Near copies",
        COPIES_SUMMARY,
        facts=facts if sheet.rows else (),
        table=_linked(sheet, link) if sheet.rows else None,
        notes=sheet.notes,
    )


def _linked(sheet: Sheet, link: Callable[[str], str]) -> Sheet:
    """Return a sheet whose names of bots lead to their pages."""
    kinds = {True: NAME._replace(write=link)}
    columns = [replace(column, kind=kinds.get(column.kind is NAME, column.kind)) for column in sheet.columns]
    return sheet._replace(columns=columns, notes=())


# --- standings and games ---

MAX_TILES: Final = 4
"""Maximum number of ladders whose first bots are named above all."""
MAX_FIGURE_ROWS: Final = 40
"""Maximum number of bots in the figure of pairs; the data have all."""


def index_page(content: SiteContent) -> SitePage:
    """Return the first page: the main ladder, and who leads each game."""
    league, ladders = content.league, content.ladders
    done = [update for update in league.updates if update.state == "done"]
    sections = [_ladder_section(content, *ladder, "") for ladder in [*ladders.items()][:1]]
    if len(content.games) > 1:
        sections.append(Section("games", "Games", table=_leaders_table(content)))
    counts = {
        "bots": sum(bot.state == "active" for bot in league.bots),
        "games": len(content.games),
        "blocks": content.results.blocks,
        "matches": content.results.matches,
    }
    lead = "Nothing has been played yet."
    if done:
        numbers = ", ".join(format_count(count, name) for name, count in counts.items())
        lead = f"Update {done[-1].number} of {done[-1].date}: {numbers}."
    data = {"standings": [row for game in ladders for row in _ladder_data(content, game)]}
    return SitePage(
        path="index.html",
        title=league.title,
        lead=lead,
        tiles=[*islice(_leader_tiles(content), MAX_TILES)],
        sections=sections,
        data=data,
    )


def _leader_tiles(content: SiteContent) -> Iterator[tuple[str, str]]:
    """Yield the first bot of each ladder, with its Elo and how much that changed."""
    for game, ladder in content.ladders.items():
        if ladder and ladder[0].rank is not None:
            row = ladder[0]
            error, change = _bar_text(row), _change_text(row)
            title = "over all games" if game == OVERALL else game_title(game)
            elo = f"Elo {row.short_elo}{f' ± {error}' if error else ''}{f', {change}' if change else ''}"
            yield f"{title}: {elo}", content.link_version(row.version, "")


def games_page(content: SiteContent) -> SitePage:
    """Return the list of games."""
    rows = [
        {"variant": game[0], "players": game[1], "page": content.game_path(game)} for game in content.games
    ]
    section = Section("games", "Games", table=_leaders_table(content))
    return SitePage(path="games.html", title="Games", sections=[section], data={"games": rows})


def bots_page(content: SiteContent) -> SitePage:
    """Return the list of all bots."""
    columns = _bot_columns(content)
    table = Sheet("Bots", shown(columns), content.bots)
    section = Section("bots", "Bots", table=table)
    return SitePage(
        path="bots.html", title="Bots", sections=[section], data={"bots": records(columns, content.bots)}
    )


def _bot_columns(content: SiteContent) -> list[Column[Bot]]:
    versions = content.league.versions
    return [
        Column("bot", value=lambda row: row.name, kind=NAME, text=lambda row: Link(row.name, bot_path(row))),
        Column("state", value=content.league.state_of, kind=TEXT),
        Column("version", value=lambda row: versions[row.version].ordinal, kind=INTEGER),
        Column("author", value=lambda row: content.show_author(versions[row.version].author), kind=TEXT),
        Column("team", value=lambda row: content.show_author(content.league.team_of(row.version)), kind=TEXT),
        Column("content", value=lambda row: versions[row.version].digest, kind=DATA),
        Column("page", value=bot_path, kind=DATA),
    ]


def game_pages(content: SiteContent) -> Iterator[SitePage]:
    """Yield the page of each game, and the page of its pairs."""
    settings = content.league.settings
    games = HouseGames([house_game_table(game) for game in settings.games])
    rules = {str(entry.rules): games.rules(entry.name, entry.options) for entry in settings.variants}
    for game in content.games:
        results = content.results.games.get(game)
        yield _game_page(content, game, rules[game[0]], results, content.played.seats.get(game))
        if results is not None:
            yield _pairs_page(content, game, results)
            yield _matches_page(content, game)


def _game_page(
    content: SiteContent,
    game: Game,
    rules: Rules,
    results: GameResults | None,
    seats: SeatMeans | None,
) -> SitePage:
    sections = [_ladder_section(content, game, content.ladders.get(game, []), "../")]
    if results is not None:
        links = [
            ("head to head", Link("every bot against every other", _subpage(content, game, "pairs", ""))),
            ("matches", Link("the latest, to step through", _subpage(content, game, "matches", ""))),
        ]
        sections.append(Section("more", "More of this game", facts=links))
    if seats is not None:
        sections.append(_seats_section(game, seats))
    if results is not None and content.league.settings.show_collusion:
        sections += collusion_sections(results, lambda name: content.link_name(name, "../"))
    summary = f"Version {rules.version} of the rules: {rules_line(rules)}."
    sections.append(Section("rules", "Rules", summary.replace("`", ""), rules=split_rules(rules)))
    sections.append(Section("options", "Options of the rules", table=options_sheet(rules)))
    return SitePage(
        path=content.game_path(game),
        title=game_title(game),
        sections=sections,
        data={"ladder": _ladder_data(content, game), "seats": _seats_data(seats)},
    )


def _subpage(content: SiteContent, game: Game, name: str, folder: str = "games/") -> str:
    """Return the path of a further page of a game."""
    return folder + content.game_path(game).removeprefix("games/").replace(".html", f"-{name}.html")


def _matches_page(content: SiteContent, game: Game) -> SitePage:
    """Return the latest matches, to step through."""
    latest = list(content.played.latest[game])[::-1]
    matches = [match for match, _, _ in latest]
    data = [
        {
            "number": number,
            "block": match.block,
            "rotation": match.rotation,
            "bots": ", ".join(map(content.mask, bots)),
            "placings": " ".join(map(str, result.placings)),
            "payoffs": " ".join(map(str, result.payoffs)),
            "faults": len(result.faults),
        }
        for number, (match, bots, result) in enumerate(latest, 1)
    ]
    summary = (
        f"The latest {len(latest)} of {content.results.games[game].tally.blocks:,} blocks, one match of each."
    )
    path = _subpage(content, game, "matches")
    return SitePage(
        path=path,
        title=f"Matches, {game_title(game)}",
        lead=summary,
        sections=(),
        data={"matches": data, **content.notes_data},
        matches=matches,
        load_replays=partial(content.load_replays, matches, path),
    )


def _pairs_page(content: SiteContent, game: Game, results: GameResults) -> SitePage:
    """Return the scores of each bot in the ladder against each other."""
    numbers = {name: number for number, name in enumerate(results.fit.bots)}
    ladder = [row.bot for row in content.ladders.get(game, ())]
    names = [name for name in ladder if name in numbers]  # one may be banned in an update that has no ladder
    scores = {(score.bot, score.other): score for score in results.pair_scores}
    best = names[:MAX_FIGURE_ROWS]
    rows = []
    for name, other in combinations(names, 2):
        if pair_score := scores.get((numbers[name], numbers[other])):
            rows.append((name, other, pair_score))
    summary = (
        "Each cell is the score of the row's bot against the column's in percent; a tie counts half. "
        f"The figure and the table have the best {MAX_FIGURE_ROWS}, the data all."
    )
    columns = _pair_columns(content)
    table = Sheet("Pairs", shown(columns), [row for row in rows if {*row[:2]} <= {*best}])
    labels = [(name, content.link_name(name, "../")) for name in best]
    links = {name: label.href for name, label in labels if isinstance(label, Link)}
    figure = Markup()
    if table.rows:
        figure = draw_pairs(results, [numbers[name] for name in best], pairs_title(game), links=links)
    notes = [NO_ERROR_NOTE] if any(score.error is None for *_, score in rows) else []
    section = Section("pairs", "Head to head", summary, figure, table=table, notes=notes)
    return SitePage(
        path=_subpage(content, game, "pairs"),
        title=f"Head to head, {game_title(game)}",
        sections=[section],
        data={"pairs": records(columns, rows)},
        is_compact=True,
    )


def _pair_columns(content: SiteContent) -> list[Column[tuple[str, str, PairScore]]]:
    return [
        Column("bot", value=itemgetter(0), kind=NAME, text=lambda row: content.link_name(row[0], "../")),
        Column("other", value=itemgetter(1), kind=NAME, text=lambda row: content.link_name(row[1], "../")),
        Column(
            "score", value=lambda row: row[2].score, kind=PERCENT, text=lambda row: pair_score_text(row[2])
        ),
        Column("error", value=lambda row: to_percent(row[2].error), kind=DATA),
        Column("blocks", value=lambda row: row[2].blocks),
    ]


def _ladder_data(content: SiteContent, game: Game) -> list[dict[str, Any]]:
    return records(_ladder_columns(content, ""), content.ladders.get(game, ()))


def _ladder_section(content: SiteContent, game: Game, ladder: Sequence[LadderRow], root: str) -> Section:
    title = "Over all games" if game == OVERALL else game_title(game)
    figure = Markup("").join(_ladder_figures(content, title, ladder, root))
    notes = []
    if any(row.has_bound for row in ladder):
        notes.append(
            "< and >: a bound. The bot took hardly a point or lost hardly one, so that its Elo is not known."
        )
    lead = describe_lead(list_ranked(ladder))
    notes += [RANK_NOTE] if lead else []
    notes.insert(0, f"Dots are Elo, bars their ±; {MEAN_ELO} was the centre of the first ladder.")
    columns = shown(_ladder_columns(content, root))
    if any(map(content.beaten_by, ladder)):
        confidence = min(grade.confidence for grade in content.league.grades)
        notes.append(f"beats: bots that it was shown to beat in a comparison, at {confidence:g}% confidence.")
    else:
        columns = [column for column in columns if column.name != "beats"]
    table = Sheet(f"Ladder: {title}", columns, ladder)
    how = Section("how", "How to read this", notes=notes)
    return Section("ladder", title, lead, figure, table=table, details=[how], is_beside_table=True)


def _ladder_figures(
    content: SiteContent, title: str, ladder: Sequence[LadderRow], root: str
) -> Iterator[Markup]:
    """Yield the figure of all current bots of a ladder, then that of the earlier versions in it, to scale."""
    rated = [row for row in ladder if row.elo is not None]
    ends = find_axis_ends(list(map(make_interval, rated)))
    reach = 2 * max((abs(end - MEAN_ELO) for end in ends), default=0.0)
    for is_ghost, about in ((False, f"Elo, {title}"), (True, f"Elo of earlier versions, {title}")):
        rows = [row for row in rated if content.entry(row.version).is_ghost == is_ghost]
        spans = {row.text_name: make_interval(row) for row in rows}
        labels = [content.link_version(row.version, root) for row in rows]
        links = {str(label): label.href for label in labels if isinstance(label, Link)}
        if spans and is_ghost:
            yield Markup('<p class="note">Earlier versions:</p>')
        if spans:
            title = f"{about}, with bars for comparing"
            yield dot_plot(spans, MEAN_ELO, title, reach, BESIDE_TABLE_STYLE, links=links)


def _ladder_columns(content: SiteContent, root: str) -> list[Column[LadderRow]]:
    return [
        *site_columns("variant", "players", "rank"),
        replace(LADDER["bot"], text=lambda row: content.link_version(row.version, root)),
        *site_columns(*LADDER_NAMES),
        Column("beats", value=content.beaten_by, kind=TEXT),
    ]


def site_columns(*names: str) -> list[Column[LadderRow]]:
    """Return columns of ladders, with Elo in whole points on pages and to the last digit in their data."""
    return [replace(LADDER[name], digits=None, **SITE_CHANGES.get(name, {})) for name in names]


def _bar_text(row: LadderRow) -> str:
    """Return the length of the bar for comparing, at least 1; empty without one."""
    return "" if row.comparison_error is None else f"{max(row.comparison_error, 1):.0f}"


def _change_text(row: LadderRow) -> str:
    return "new" if row.is_new else "" if row.change is None else format_signed(round(row.change))


SITE_CHANGES: Final[Mapping[str, Any]] = {
    "variant": {"kind": DATA},
    "players": {"kind": DATA},
    "elo": {"text": attrgetter("short_elo")},
    "±": {"text": _bar_text},
    "change": {"text": _change_text},
}
LEADERS: Final[tuple[Column[Sequence[str]], ...]] = (
    Column("game", value=itemgetter(0), kind=TEXT),
    Column("leader", value=itemgetter(1), kind=TEXT),
    *(
        Column[Sequence[str]](name, value=itemgetter(at), kind=LABEL)
        for at, name in enumerate(("rank", "elo", "bots"), 2)
    ),
)


def _leaders_table(content: SiteContent) -> Sheet:
    rows: list[list[str]] = []
    for game in content.games:
        ladder = content.ladders.get(game, [])
        first = next((row for row in ladder if row.rank is not None), None)
        leader = ("", "", "")
        if first is not None:
            leader = (content.link_version(first.version, ""), first.rank or "", first.short_elo)
        count = len(content.league.ladders.get(game, []))
        rows.append([content.link_game(game, ""), *leader, str(count)])
    return Sheet("Games", LEADERS, rows)


def _seats_section(game: Game, seats: SeatMeans) -> Section:
    summary = (
        "Mean placing by position (1 is best), counted from the first dealer's left neighbour. Each bot has "
        "each seat once per block, so no bot gains from this."
    )
    return Section("seats", "Seats", summary, draw_positions(game, seats))


def _seats_data(seats: SeatMeans | None) -> list[dict[str, Any]]:
    means: Iterable[Any] = seats.means() if seats else ()
    return [
        {"position": position, "placing": placing.value, "error": placing.error, "payoff": payoff.value}
        for position, (placing, payoff) in enumerate(means, 1)
    ]


# --- finals ---
# A final that is held back shows its rounds as far as they are revealed.

COMING: Final = "Who meets whom; the results are not revealed yet."


def final_path(final: LeagueFinal) -> str:
    """Return the page of a final, relative to the site."""
    return f"finals/{final.number}.html"


def final_page(final: LeagueFinal, run: Run, revealed: int | None = None) -> SitePage:
    """Return the page of a final with its rounds as far as they are revealed, and their data.

    Args:
        final: The final.
        run: Its run.
        revealed: Number of rounds revealed; None for all, of which the report of the run is the page.
    """
    pairings = list_pairings(run, revealed)
    rounds = sorted({pairing.round for pairing in pairings})
    return SitePage(
        path=final_path(final),
        title=run.config.title or f"Final {final.number}",
        lead="" if revealed is None else f"{format_count(revealed, 'rounds')} revealed.",
        sections=[_round_section(number, pairings, revealed) for number in rounds],
        data={"pairings": records(COLUMNS, pairings)},
    )


def _round_section(number: int, pairings: Sequence[Pairing], revealed: int | None) -> Section:
    rows = [pairing for pairing in pairings if pairing.round == number]
    summary = COMING if revealed is not None and number > revealed else ""
    title = f"Round {number}"
    return Section(f"round-{number}", title, summary, table=Sheet(title, COLUMNS[1:], rows))


COLUMNS: Final[tuple[Column[Pairing], ...]] = (
    Column("round", value=lambda row: row.round, kind=INTEGER),
    Column("table", value=lambda row: row.table, kind=INTEGER, missing=""),
    Column("bot", value=lambda row: row.bot, kind=NAME),
    Column("score", value=lambda row: row.score, kind=PERCENT, missing="", error=lambda row: row.error),
    Column("result", value=lambda row: row.result, kind=TEXT),
)
