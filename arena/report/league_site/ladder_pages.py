"""The pages of standings, games and bots in a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from markupsafe import Markup

from arena.columns.numbers import MISSING, to_percent
from arena.columns.sheets import NO_ERROR_NOTE
from arena.games import Rules
from arena.league.results import Change
from arena.league.standings import OVERALL
from arena.league.store import Rating
from arena.report.equilibrium import EquilibriumRow, list_equilibrium
from arena.report.league_site.content import SiteContent, bot_path, game_title
from arena.report.league_site.equilibrium import MAX_BOTS, equilibrium_data, equilibrium_sections
from arena.report.league_site.fairness import collusion_sections
from arena.report.league_site.page import Cell, Link, SitePage, SiteSection, SiteTable
from arena.report.page.figures import Interval, dot_plot
from arena.report.page.heat_map import Grid, heat_map
from arena.report.page.run_figures import MEAN_ELO
from arena.report.pairs import pair_score_text
from arena.report.text_format import format_count, format_signed
from arena.report.variants import format_rule_page
from arena.tournament.results.rating_rows import format_rank
from arena.tournament.results.run_results import GameResults
from arena.tournament.results.seat_effects import SeatMeans
from arena.tournament.setup.house_game_files import HouseGames, house_game_table
from arena.tournament.storage.tally import Game

MAX_FIGURE_ROWS: Final = 40
"""Maximum number of bots in the figure of pairs; the data have all."""
LADDER_COLUMNS: Final = ("rank", "bot", "elo", "±", "change", "blocks")


def index_page(content: SiteContent) -> SitePage:
    """Return the first page: the main ladder, and who leads each game."""
    league, ladders = content.league, content.ladders
    done = [update for update in league.updates if update.state == "done"]
    lead = f"Update {done[-1].number} of {done[-1].date}." if done else "Nothing has been played yet."
    first = next(iter(ladders.items()), None)
    sections = [_ladder_section(content, *first, "")] if first else []
    if len(content.games) > 1:
        sections.append(SiteSection("games", "Games", table=_leaders_table(content, "")))
    counts = {
        "bots": sum(bot.state == "active" for bot in content.bots),
        "games": len(content.games),
        "blocks": content.results.blocks,
        "matches": content.results.matches,
        "updates": len(league.updates),
    }
    data = {"standings": [row for game in ladders for row in ladder_data(content, game)]}
    return SitePage(
        path="index.html",
        title=league.title,
        lead=lead,
        tiles=[(format_count(n, name).partition(" ")[2], f"{n:,}") for name, n in counts.items()],
        sections=sections,
        data=data,
    )


def games_page(content: SiteContent) -> SitePage:
    """Return the list of games."""
    rows = [
        {"variant": game[0], "players": game[1], "page": content.game_path(game)} for game in content.games
    ]
    section = SiteSection("games", "Games", table=_leaders_table(content, ""))
    return SitePage(path="games.html", title="Games", sections=[section], data={"games": rows})


def bots_page(content: SiteContent) -> SitePage:
    """Return the list of all bots."""
    rows: list[list[Cell]] = []
    data: list[dict[str, Any]] = []
    for bot in content.bots:
        version = content.league.versions[bot.version]
        state = content.league.state_of(bot)
        rows.append(
            [Link(bot.name, bot_path(bot)), state, str(version.ordinal), version.author, version.team]
        )
        data.append(
            {
                "bot": bot.name,
                "state": state,
                "version": version.ordinal,
                "author": version.author,
                "team": version.team,
                "content": version.digest,
                "page": bot_path(bot),
            }
        )
    table = SiteTable("Bots", ("bot", "state", "version", "author", "team"), rows, (0, 1, 3, 4))
    section = SiteSection("bots", "Bots", "Type into the field to find a bot by its name.", table=table)
    return SitePage(path="bots.html", title="Bots", sections=[section], data={"bots": data})


def game_pages(content: SiteContent, seats: dict[Game, SeatMeans]) -> Iterator[SitePage]:
    """Yield the page of each game, and the page of its pairs."""
    settings = content.league.settings
    games = HouseGames([house_game_table(game) for game in settings.games])
    rules = {str(entry.rules): games.rules(entry.name, entry.options) for entry in settings.variants}
    for game in content.games:
        results = content.results.games.get(game)
        yield _game_page(content, game, rules[game[0]], results, seats.get(game))
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
    equilibrium: list[EquilibriumRow] = []
    if results is not None:
        if len(results.field) <= MAX_BOTS:
            equilibrium = list_equilibrium(results)
        sections += equilibrium_sections(equilibrium, lambda name: content.link_name(name, "../"))
        links = [
            ("head to head", Link("every bot against every other", _subpage(content, game, "pairs", ""))),
            ("matches", Link("the latest, to step through", _subpage(content, game, "matches", ""))),
        ]
        sections.append(SiteSection("more", "More of this game", facts=links))
    if seats is not None:
        sections.append(_seats_section(game, seats))
    if results is not None:
        sections += collusion_sections(results, lambda name: content.link_name(name, "../"))
    rule_page = format_rule_page(rules).strip()
    sections.append(SiteSection("rules", "Rules", f"Version {rules.version} of the rules.", text=rule_page))
    return SitePage(
        path=content.game_path(game),
        title=game_title(game),
        sections=sections,
        data={
            "ladder": ladder_data(content, game),
            "seats": _seats_data(seats),
            "equilibrium": equilibrium_data(equilibrium),
        },
    )


def _subpage(content: SiteContent, game: Game, name: str, folder: str = "games/") -> str:
    """Return the path of a further page of a game."""
    return folder + content.game_path(game).removeprefix("games/").replace(".html", f"-{name}.html")


def _matches_page(content: SiteContent, game: Game) -> SitePage:
    """Return the latest matches, to step through."""
    latest = list(content.latest[game])[::-1]
    matches = [match for match, _, _ in latest]
    data = [
        {
            "number": number,
            "block": match.block,
            "rotation": match.rotation,
            "bots": ", ".join(bots),
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
        data={"matches": data},
        matches=matches,
        load_replays=partial(content.load_replays, matches, path),
    )


def _pairs_page(content: SiteContent, game: Game, results: GameResults) -> SitePage:
    """Return the scores of each bot in the ladder against each other."""
    numbers = {name: number for number, name in enumerate(results.fit.bots)}
    ladder = [content.entry(one.rating.version).name for one in content.ladders.get(game, ())]
    names = [name for name in ladder if name in numbers]  # one may be banned in an update that has no ladder
    scores = {(one.bot, one.other): one for one in results.pair_scores}
    shown = names[:MAX_FIGURE_ROWS]
    found = [[scores.get((numbers[one], numbers[other])) for other in shown] for one in shown]
    grid = Grid(
        shown,
        shown,
        [[None if one is None else 2 * one.score - 1 for one in row] for row in found],
        [["" if one is None else f"{100 * one.score:.0f}" for one in row] for row in found],
    )
    title = f"Score of the bot in the row against the bot in the column, {game_title(game)}"
    rows: list[list[Cell]] = []
    data = []
    for at, name in enumerate(names):
        for other in names[at + 1 :]:
            if (one := scores.get((numbers[name], numbers[other]))) is None:
                continue
            score, error = 100 * one.score, to_percent(one.error)
            data.append({"bot": name, "other": other, "score": score, "error": error, "blocks": one.blocks})
            if at < MAX_FIGURE_ROWS and other in shown:
                both = [content.link_name(name, "../"), content.link_name(other, "../")]
                rows.append([*both, pair_score_text(one), f"{one.blocks:,}"])
    summary = (
        "Each cell is the score of the row's bot against the column's in percent; a tie counts half. "
        f"The figure and the table have the best {MAX_FIGURE_ROWS}, the data all."
    )
    table = SiteTable("Pairs", ("bot", "other", "score", "blocks"), rows, (0, 1))
    labels = [(name, content.link_name(name, "../")) for name in shown]
    links = {name: label.href for name, label in labels if isinstance(label, Link)}
    figure = heat_map(grid, title, links=links) if rows else Markup()
    notes = [NO_ERROR_NOTE] if any(row["error"] is None for row in data) else []
    section = SiteSection("pairs", "Head to head", summary, figure, table=table, notes=notes)
    return SitePage(
        path=_subpage(content, game, "pairs"),
        title=f"Head to head, {game_title(game)}",
        sections=[section],
        data={"pairs": data},
        is_compact=True,
    )


def ladder_data(content: SiteContent, game: Game) -> list[dict[str, Any]]:
    """Return a ladder for programs."""
    return [
        {
            "variant": one.rating.variant,
            "players": one.rating.players or None,
            "rank": one.rating.rank,
            "bot": content.entry(one.rating.version).name,
            "elo": one.rating.elo,
            "error": one.rating.error,
            "mark": content.league.mark_of(one.rating.version) or one.rating.mark,
            "change": rating_change(one),
            "blocks": one.rating.blocks,
            "rank_low": one.rating.rank_low,
            "rank_high": one.rating.rank_high,
            "comparison_error": one.rating.comparison_error,
        }
        for one in content.ladders.get(game, ())
    ]


def _ladder_section(content: SiteContent, game: Game, ladder: Sequence[Change], root: str) -> SiteSection:
    title = "Over all games" if game == OVERALL else game_title(game)
    figure = Markup("").join(_ladder_figures(content, title, ladder, root))
    rows = [
        [rank_text(one.rating), content.link_version(one.rating.version, root), *_numbers(one)]
        for one in ladder
    ]
    notes = []
    if any(one.rating.mark for one in ladder):
        notes.append("> and <: the Elo is a bound, since the bot lost or won nothing.")
    summary = (
        "Each dot is a bot's Elo, and two bots whose bars do not overlap are separated at 95%, however often "
        f"you look; {MEAN_ELO} is the mean. A rank of 1–2 is not shown by the blocks played so far."
    )
    table = SiteTable(f"Ladder: {title}", LADDER_COLUMNS, rows, (1,), 1)
    return SiteSection("ladder", title, summary, figure, table=table, notes=notes)


def _ladder_figures(
    content: SiteContent, title: str, ladder: Sequence[Change], root: str
) -> Iterator[Markup]:
    """Yield the figure of all current bots of a ladder, then that of the earlier versions in it, to scale."""
    rated = [
        (
            content.entry(one.rating.version).is_ghost,
            one.rating.version,
            Interval(elo, one.rating.comparison_error),
        )
        for one in ladder
        if (elo := one.rating.elo) is not None
    ]
    reach = 2 * max((abs(bound - MEAN_ELO) for *_, bar in rated for bound in bar.bounds), default=0.0)
    for is_ghost, about in ((False, f"Elo, {title}"), (True, f"Elo of earlier versions, {title}")):
        bars = {version: bar for was_replaced, version, bar in rated if was_replaced == is_ghost}
        spans = {content.league.marked_name_of(version): bar for version, bar in bars.items()}
        labels = [content.link_version(version, root) for version in bars]
        links = {label.text: label.href for label in labels if isinstance(label, Link)}
        if spans and is_ghost:
            yield Markup('<p class="note">Earlier versions:</p>')
        if spans:
            title = f"{about}, with 95% bars for comparing"
            yield dot_plot(spans, MEAN_ELO, title, reach, links=links)


def _numbers(one: Change) -> list[str]:
    rating, change = one.rating, rating_change(one)
    elo = MISSING if rating.elo is None else f"{rating.mark}{rating.elo:.0f}"
    moved = "new" if one.before is None else "" if change is None else format_signed(round(change))
    return [elo, bar_text(rating), moved, f"{rating.blocks:,}"]


def rank_text(rating: Rating) -> str:
    """Return the rank that the results of all updates show."""
    return format_rank(rating.rank, rating.rank_low, rating.rank_high)


def bar_text(rating: Rating) -> str:
    """Return the length of the bar for comparing, at least 1; empty without one."""
    bar = rating.comparison_error
    return "" if bar is None else f"{max(bar, 1):.0f}"


def rating_change(one: Change) -> float | None:
    """Return how much a rating moved in the last update."""
    if one.before is None or one.before.elo is None or one.rating.elo is None:
        return None
    return round(one.rating.elo - one.before.elo, 1)


def _leaders_table(content: SiteContent, root: str) -> SiteTable:
    rows: list[list[Cell]] = []
    for game in content.games:
        ladder = content.ladders.get(game, [])
        played = [one for one in ladder if one.rating.elo is not None and one.rating.rank is not None]
        leader: Sequence[Cell] = ("", "", "")
        if played:
            first = played[0].rating
            leader = (content.link_version(first.version, root), rank_text(first), f"{first.elo:.0f}")
        rows.append([content.link_game(game, root), *leader, str(len(ladder))])
    return SiteTable("Games", ("game", "leader", "rank", "elo", "bots"), rows, (0, 1))


def _seats_section(game: Game, seats: SeatMeans) -> SiteSection:
    means = seats.means()
    spans = {
        f"position {position}": Interval(placing.value or 0.0, placing.error)
        for position, (placing, _) in enumerate(means, 1)
    }
    middle = sum(one.value for one in spans.values()) / len(spans)
    summary = (
        "Mean placing by position (1 is best), counted from the first dealer's left neighbour. Each bot has "
        "each seat once per block, so no bot gains from this."
    )
    figure = dot_plot(spans, middle, f"Mean placing by position, {game_title(game)}", 1.0)
    return SiteSection("seats", "Seats", summary, figure)


def _seats_data(seats: SeatMeans | None) -> list[dict[str, Any]]:
    means: Iterable[Any] = seats.means() if seats else ()
    return [
        {"position": position, "placing": placing.value, "error": placing.error, "payoff": payoff.value}
        for position, (placing, payoff) in enumerate(means, 1)
    ]
