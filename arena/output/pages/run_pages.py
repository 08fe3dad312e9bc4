"""The pages of a run and of one of its bots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from heapq import nsmallest
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from arena import __version__
from arena.columns.column import Column
from arena.columns.kinds import INTEGER, NAME, TEXT, Kind
from arena.columns.number_format import format_count, format_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet
from arena.errors import ConfigError, suggest_nearest
from arena.games import Deal
from arena.output.figures.charts import Grid, bar_chart, heat_map
from arena.output.figures.figures import (
    CALIBRATION_COLUMNS,
    History,
    compute_history,
    draw_calibration,
    draw_history,
    draw_pairs,
    draw_positions,
    draw_ratings,
    game_name,
    list_calibration,
    list_pair_scores,
    pairs_title,
    position_intervals,
    summarize_calibration,
)
from arena.output.figures.style import BESIDE_TABLE_STYLE
from arena.output.pages.page import Page, Part, RoundOfTables, Section, explain_section
from arena.output.pages.replay_data import (
    ReplayData,
    compress_deals,
    distinguish_names,
    limit_to_page_size,
)
from arena.output.tables.breakdowns import FAILURE_COLUMNS, list_failures, profile_table, seat_table
from arena.output.tables.pairs import describe_model_fit, matrix_sheet, pair_score_text
from arena.output.tables.ratings import LUCK_NOTE, OVERALL_DOC
from arena.output.words.text import format_signed
from arena.plugins.bot_spec import find_labelled, label_bots
from arena.rating.mean_intervals import PairScore
from arena.tournament.engine.block_player import RunPlan, get_block_player
from arena.tournament.engine.workers import Workers
from arena.tournament.files import replace_file
from arena.tournament.formats import Pairing
from arena.tournament.results.rating_rows import RatingRow
from arena.tournament.results.rating_table import (
    has_luck,
    missing_notes,
    rating_notes,
    rating_sheets,
    text_columns,
)
from arena.tournament.results.results import (
    SAMPLE_SIZE,
    GameResults,
    ResultsReader,
    RunResults,
    SampledMatch,
    SeatMeans,
)
from arena.tournament.review.seal import sealed_root
from arena.tournament.run import ReplayedMatch, Run, StoredMatch, read_sample, replay_sample, replay_stored
from arena.tournament.store.metadata import DIGEST_CHARS, credit
from arena.tournament.store.played_blocks import Game

# --- sections ---
# Each is a summary, a figure and a table.

MAX_PAIR_CELLS: Final = 12_000
"""Limit of all head-to-head tables together; `arena table --show matrix` prints the others."""
WHOLE_ELO: Final = Kind(".0f")


def build_parts(results: RunResults) -> list[Part]:
    """Return the sections of a run: of all games first if there are several, then of each game."""
    overall = results.overall
    parts = []
    if overall:
        own = [_standings_section(overall, "Elo over all games"), *_profiles_sections(results)]
        parts.append(Part("all", "All games", [*own, *_faults_sections(results)]))
    room = MAX_PAIR_CELLS
    for number, game in enumerate(results.games.values(), 1):
        room -= len(game.rows) ** 2
        sections = _game_sections(results, game, with_pairs=room >= 0)
        parts.append(Part(str(number), game.title, sections + ([] if overall else _faults_sections(results))))
    return parts


def _game_sections(results: RunResults, game: GameResults, *, with_pairs: bool) -> list[Section]:
    sections = [_standings_section(game.rows, f"Elo at {game.title}")]
    history = compute_history(game)
    if history:
        sections.append(_history_section(game, history))
    if with_pairs:
        sections.append(_pairs_section(game))
    if bins := list_calibration(game):
        title = f"Predicted and observed scores, {game_name(game.game)}"
        table = Sheet(title, CALIBRATION_COLUMNS, bins)
        sections.append(
            Section(
                "calibration",
                "Calibration",
                f"{describe_model_fit(game)} {summarize_calibration(bins)}",
                draw_calibration(bins, title),
                table=table,
                is_table_folded=True,
            )
        )
    seats = results.seat_effects
    if game.game in seats.by_game:
        sections.append(_seats_section(game.game, seats.by_game[game.game], seats.blocks))
    return sections


def _standings_section(rows: list[RatingRow], title: str) -> Section:
    [sheet] = rating_sheets(rows)
    notes = [*missing_notes(rows, sheet.headings), *([LUCK_NOTE] if has_luck(rows) else [])]
    table = sheet._replace(title=f"{title}: the numbers", notes=notes)
    summary = _leader_summary(rows, sheet.notes)
    figure = draw_ratings(rows, title, BESIDE_TABLE_STYLE)
    return Section("standings", title, summary, figure, table=table, is_beside_table=True)


def _leader_summary(rows: Sequence[RatingRow], notes: Sequence[str]) -> str:
    """Return who leads and what is open, as the notes of the table say, and how the figure is read."""
    if rows[0].elo is None:
        return "Not every bot has played every game, so there is no overall ranking yet."
    said = " ".join([*notes, "Each dot is a bot's Elo"])
    said += ", an arrow a bound" if any(row.text_bound for row in rows) else ""
    if all(row.comparison_error is None for row in rows):
        return f"{said}; no bot has an error bar, for the reasons below the table."
    return f"{said}, each bar its ±: two bots, chosen beforehand, differ at 95% if their bars do not overlap."


def _history_section(game: GameResults, history: History) -> Section:
    ends, played, elo = history
    half = next(place for place, end in enumerate(ends) if 2 * end >= ends[-1])
    moved = max(played, key=lambda bot: _elo_difference(elo[-1][bot], elo[half][bot]))
    summary = (
        f"The ratings fitted to the first blocks only, fewest on the left. Since block {ends[half]:,} the "
        f"rating of {game.label(moved)} has moved most, by "
        f"{_elo_difference(elo[-1][moved], elo[half][moved]):.0f}."
    )
    columns = [Column[Any]("blocks", value=itemgetter(0))]
    columns += [
        Column[Any](game.label(bot), value=itemgetter(at), kind=WHOLE_ELO) for at, bot in enumerate(played, 1)
    ]
    title = f"Elo after a number of blocks, {game_name(game.game)}"
    rows = [(end, *(point[bot] for bot in played)) for end, point in zip(ends, elo, strict=True)]
    table = Sheet(title, columns, rows)
    figure = draw_history(game, history)
    return Section("over-blocks", "Rating over blocks", summary, figure, table=table, is_table_folded=True)


def _elo_difference(elo: float | None, other: float | None) -> float:
    return 0.0 if elo is None or other is None else abs(elo - other)


def _pairs_section(game: GameResults) -> Section:
    names = [game.label(bot) for bot in game.ranking]
    scores = list_pair_scores(game, game.ranking)
    title = pairs_title(game.game)
    summary = _closest_pair(names, scores) + (
        " Each cell is the score of the row's bot against the column's bot in percent; a tie counts half. "
        "Green is above 50, brown below."
    )
    figure = draw_pairs(game, game.ranking, title)
    table = matrix_sheet(game)._replace(title=title)
    return Section("pairs", "Head to head", summary, figure, table=table, is_table_folded=True)


def _closest_pair(names: Sequence[str], scores: Sequence[Sequence[float | None]]) -> str:
    """Return the pair whose score is nearest to one half."""
    pairs = [
        (abs(score - 0.5), score, row, column)
        for row, own in enumerate(scores)
        for column, score in enumerate(own)
        if score is not None and row < column
    ]
    if not pairs:
        return "No two bots have met."
    _, score, row, column = min(pairs)
    return f"The closest pair: {names[row]} scored {format_percent(score)} against {names[column]}."


def _profiles_sections(results: RunResults) -> list[Section]:
    report = profile_table(results)
    if not report.sheets:
        return []
    [sheet] = report.sheets
    fits = list(results.fits.values())
    games = sheet.headings[1:-2]
    names = [row.bot for row in sheet.rows]
    places = {bot: place for place, bot in enumerate(fits[0].bots)}
    widest = [max(abs(elo - 1500) for elo in fit.elo) or 1 for fit in fits]
    shades = [
        [
            (fit.elo[places[name]] - 1500) / wide if fit.blocks[places[name]] else None
            for fit, wide in zip(fits, widest, strict=True)
        ]
        for name in names
    ]
    rows = [{row.bot: row for row in game.rows} for game in results.games.values()]
    words = [[of_game[name].short_elo if name in of_game else "" for of_game in rows] for name in names]
    standing_out = sum(1 for row in sheet.rows for end in (row.strongest, row.weakest) if end is not None)
    summary = (
        "The Elo of each bot in each game: green above 1500, brown below; the darker, the nearer "
        f"to the game's best or worst. {_outlier_summary(standing_out)}"
    )
    title = "Elo of each bot in each game"
    shown = [results.labels.get(name, name) for name in names]
    picture = heat_map(Grid(shown, games, shades, words), title, upright=True)
    sheet = sheet._replace(title=title, labels=results.labels)
    return [Section("games", "Bots by games", summary, picture, table=sheet, is_table_folded=True)]


def _outlier_summary(times: int) -> str:
    """Return how many significant deviations from a bot's own mean there are."""
    if not times:
        return "No bot deviates significantly from its own mean in any game."
    deviations = format_count(times, "deviations")
    return f"{deviations} from a bot's own mean {'is' if times == 1 else 'are'} significant; see the table."


def _seats_section(game: Game, own: SeatMeans, blocks: int) -> Section:
    [sheet] = seat_table({game: own}).sheets
    values = sorted((bar.value, name) for name, bar in position_intervals(own).items())
    (low, best), (high, worst) = values[0], values[-1]
    summary = (
        f"Mean placing by position (1 is best): {best} {low:.2f}, {worst} {high:.2f}. Positions count from "
        "the first dealer's left neighbour. Each bot has each seat once per block, so no bot gains from "
        f"this. Computed from the first {format_count(blocks, 'blocks')} of the run."
    )
    title = f"Mean placing by position, {game_name(game)}"
    figure, table = draw_positions(game, own), sheet._replace(title=title)
    return Section("seats", "Seats", summary, figure, table=table, is_table_folded=True)


def _faults_sections(results: RunResults) -> list[Section]:
    """Return the section of faults by bot and, if there are any, the one of their reasons."""
    sections = [_faults_section(results)]
    if results.failures:
        summary = (
            "Each distinct failure and how often it happened; those that differ only in numbers are one."
        )
        table = Sheet(
            "Reasons of faults",
            FAILURE_COLUMNS,
            list_failures(results.failures, results.disqualified),
            labels=results.labels,
        )
        sections.append(Section("reasons", "Reasons of faults", summary, table=table))
    return sections


def _faults_section(results: RunResults) -> Section:
    faults = results.faults
    kinds = sorted({kind for _, kind in faults})
    by_bot: dict[str, int] = {}
    for (bot, _), number in faults.items():
        by_bot[bot] = by_bot.get(bot, 0) + number
    worst = sorted(by_bot, key=lambda bot: (-by_bot[bot], bot))
    if not worst:
        summary = f"No faults in {format_count(results.matches, 'matches')}."
        return Section("faults", "Faults", summary)
    columns = [Column[Any]("bot", value=itemgetter(0), kind=NAME)]
    columns += [Column[Any](kind, value=itemgetter(at)) for at, kind in enumerate([*kinds, "all"], 1)]
    shown = {bot: results.labels.get(bot, bot) for bot in worst}
    rows = [(shown[bot], *(faults[bot, kind] for kind in kinds), by_bot[bot]) for bot in worst]
    summary = (
        f"{format_count(sum(by_bot.values()), 'faults')} in {format_count(results.matches, 'matches')}, "
        f"{'most' if len(worst) > 1 else 'all'} of them by {shown[worst[0]]}. Each time the arena played "
        "the safest action instead."
    )
    picture = bar_chart({shown[bot]: by_bot[bot] for bot in worst[:24]}, "Faults by bot")
    table = Sheet("Faults by bot", columns, rows)
    return Section("faults", "Faults", summary, picture, table=table, is_table_folded=True)


# --- run ---


def write_report(run: Run, pool: Workers | None = None) -> None:
    """Write the page into the run's folder; equal databases give equal pages, whoever replays the matches."""
    with replace_file(run.folder.report) as file:
        file.write(render_run_page(run, pool=pool).encode())


def render_run_page(
    run: Run, shown: int = SAMPLE_SIZE, pool: Workers | None = None, *, shows_authors: bool = True
) -> str:
    """Return the page of the blocks played so far, with up to `shown` replays, which a pool computes.

    Without `shows_authors` it names neither authors nor teams.
    """
    results = run.results() if shown == SAMPLE_SIZE else run.read_results(shown)
    page = _make_report(run, results, shows_authors)
    others = page.render()
    plan = msgspec.msgpack.encode(RunPlan.from_config(run.config, run.seed))
    stored, replay = read_sample(run, results.sample), partial(replay_of_stored_match, plan)
    replays = pool.map(replay, stored) if pool else map(replay, stored)
    views = limit_to_page_size(replays, len(others.encode()))
    return replace(page, sampling=_sampling(results, len(views))).render(views)


def _make_report(run: Run, results: RunResults, shows_authors: bool) -> Page:
    """Return the page without its replays."""
    played, board, config = results.blocks, results.scoreboard, run.published_config()
    if not shows_authors:
        bots = tuple(msgspec.structs.replace(bot, team="") for bot in config.bots)
        config = msgspec.structs.replace(config, bots=bots)
    sections = []
    if board:
        summary = "The ranking by the rules of the format, best first. The ratings below use all matches."
        sections.append(Section("board", "Standings", summary, table=board.standings.sheets[0]))
    if rounds := list_rounds(board.pairings or (), results.labels) if board else []:
        summary = "The tables of each round, with the share of points that each bot took there."
        title = "Bracket" if run.stages.format.eliminates else "Rounds"
        sections.append(Section("rounds", title, summary, rounds=rounds))
    details = [
        Section("config", "The config: run.toml", text=config.toml(run.folder.path)),
        explain_section(text_columns(results.rows), {"overall": OVERALL_DOC}),
    ]
    facts = _run_facts(run, config.seed, shows_authors)
    return Page(
        title=run.config.title or f"{run.config.format.capitalize()} tournament",
        eyebrow="Tournament report",
        lead=_lead(run, results, played),
        tiles=_tiles(run, results, played),
        sections=sections,
        has_contents=True,
        parts=build_parts(results),
        remarks=rating_notes(results),
        after=[Section("facts", "How the run was played", facts=facts, details=details)],
        source=" from the run's stored matches",
        root=sealed_root(run.folder),
    )


def list_rounds(pairings: Iterable[Pairing], labels: Mapping[str, str] = {}) -> list[RoundOfTables]:
    """Return the tables of each round, and who sat out, by their labels."""
    rounds = []
    pairings = [pairing._replace(bot=labels.get(pairing.bot, pairing.bot)) for pairing in pairings]
    for number, group in groupby(pairings, key=lambda pairing: pairing.round):
        own = list(group)
        seated = [pairing for pairing in own if pairing.table is not None]
        tables = [list(table) for _, table in groupby(seated, key=lambda pairing: pairing.table)]
        rounds.append(
            RoundOfTables(number, tables, [pairing.bot for pairing in own if pairing.table is None])
        )
    return rounds


def _lead(run: Run, results: RunResults, played: int) -> str:
    total = run.total
    bots, matches = format_count(len(run.config.bots), "bots"), format_count(results.matches, "matches")
    said = (
        f"{bots} in a {run.config.format}, {matches} on {format_count(played, 'blocks')} of duplicate deals."
    )
    if total is not None and played < total:
        said += f" The run is not finished: {total:,} blocks are planned."
    return said


def _tiles(run: Run, results: RunResults, played: int) -> list[tuple[str, str]]:
    """Return the main counts with their labels."""
    faults = sum(results.faults.values())
    counts = {
        "bots": len(run.config.bots),
        "games": len(results.games),
        "blocks": played,
        "matches": results.matches,
        "faults": faults,
    }
    return [
        (format_count(number, things).partition(" ")[2], f"{number:,}") for things, number in counts.items()
    ]


def _run_facts(run: Run, seed: str, shows_authors: bool) -> list[tuple[str, str]]:
    """Return how the run was played and how to repeat it."""
    labels = label_bots(bot.name for bot in run.config.bots)
    facts = run.metadata
    bots = ", ".join(
        f"{credit(facts, bot, labels[bot]) if shows_authors else labels[bot]} "
        f"({level}, {facts.bots[bot][:DIGEST_CHARS]})"
        for bot, level in facts.isolation.items()
    )
    rules = ", ".join(f"{variant} (rules {number})" for variant, number in facts.rules.items())
    versions = ", ".join(f"{name} {number}" for name, number in facts.versions.items())
    committed = run.committed_seed
    return [
        ("seed", seed or "secret until the run is done"),
        *([("commitment to the seed", committed.commitment)] if committed else []),
        ("format", run.config.format),
        ("games", rules),
        ("bots (isolation, digest)", bots),
        ("versions", f"arena {__version__}, {versions}"),
        ("to repeat", "run `arena run run.toml` in the run's folder; the config is also below"),
    ]


def _sampling(results: RunResults, shown: int) -> str:
    """Return how many replays there are and how they were selected."""
    if shown == results.matches:
        return f"All {format_count(shown, 'matches')} can be watched." if shown != 1 else "It can be watched."
    return (
        f"{shown:,} of {format_count(results.matches, 'matches')} can be watched here: the first in which a "
        "bot failed, and blocks spaced evenly over each game's schedule. `arena export --only records` "
        "writes all matches; `arena replay show --html` makes a page of any one."
    )


# --- bot ---
# A page for the bot's author: results, faults, and the deals that cost it most.

MAX_MATCHES: Final = 30
"""Matches replayed for their loss, and as many for their faults."""
MAX_COSTLY_DEALS: Final = 30


class CostlyDeal(NamedTuple):
    """A deal in which the bot lost something; deals sort from the costliest."""

    change: int
    match: int
    number: int
    """Number of the deal, from 1."""
    seat: int
    game: str
    bots: list[str]


def write_bot_page(run: Run, bot: str) -> Path:
    """Write the page of a bot into the run's folder and return its path."""
    names = [spec.name for spec in run.config.bots]
    bot = find_labelled(names, bot)
    if bot not in names:
        raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, names)}")
    path = run.folder.path / f"bot-{names.index(bot) + 1}-{re.sub('[^A-Za-z0-9._-]+', '-', bot)[:40]}.html"
    with replace_file(path) as file:
        file.write(render_bot_page(run, bot).encode())
    return path


def render_bot_page(run: Run, bot: str) -> str:
    """Return the page of a bot, of the blocks played so far."""
    results = run.results()
    replayed = list(replay_sample(run, _choose_matches(run, bot)))
    label = label_bots(spec.name for spec in run.config.bots)[bot]
    deals = nsmallest(MAX_COSTLY_DEALS, (deal for match in replayed for deal in _costly_deals(match, label)))
    tables = [
        _ratings(results, bot),
        *_opponents(results, bot),
        *_faults(results, bot),
        Sheet("Costliest deals", DEALS, deals, [DEALS_NOTE]),
    ]
    page = Page(
        title=run.config.title or f"{run.config.format} tournament",
        eyebrow=run.config.title or f"{run.config.format} tournament",
        heading=credit(run.metadata, bot),
        lead=f"Content {run.metadata.bots[bot]}",
        sections=[Section(f"part-{number}", sheet.title, table=sheet) for number, sheet in enumerate(tables)],
        sampling="The matches with the biggest losses, and the first with faults.",
        source=" from the run's stored matches",
        root=sealed_root(run.folder),
    )
    views = limit_to_page_size(map(replay_of_run_match, replayed), len(page.render().encode()))
    return page.render(views)


def _choose_matches(run: Run, bot: str) -> list[SampledMatch]:
    """Return the matches in which the bot lost most, and the first in which it failed, in schedule order."""
    losses: list[tuple[int, SampledMatch]] = []
    faulty: list[SampledMatch] = []
    number = 0
    with run.open_store() as store:
        for block in ResultsReader(run.config, run.seed_of, store.read()):
            for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
                number += 1
                seats = [seat for seat, name in enumerate(seating) if name == bot]
                if not seats:
                    continue
                sampled = SampledMatch(number, block.index, rotation)
                if (payoff := min(match.payoffs[seat] for seat in seats)) < 0:
                    losses.append((payoff, sampled))
                if len(faulty) < MAX_MATCHES and any(seat in seats for seat, _, _ in match.faults):
                    faulty.append(sampled)
            losses = nsmallest(MAX_MATCHES, losses) if len(losses) > 100 * MAX_MATCHES else losses
    return sorted({*faulty, *(sampled for _, sampled in nsmallest(MAX_MATCHES, losses))})


def _costly_deals(replayed: ReplayedMatch, bot: str) -> Iterator[CostlyDeal]:
    match, rules, deals = replayed
    for number, deal in enumerate(deals, 1):
        for seat, name in enumerate(match.bots):
            if name == bot and (change := _change(deal, seat)) < 0:
                yield CostlyDeal(change, match.number, number, seat, str(rules), match.bots)


def _change(deal: Deal, seat: int) -> int:
    """Return what a seat won or lost in a deal, of all that its game settles in."""
    changes = deal.changes.result().values() if deal.changes else ()
    return sum(by_seat[seat] for by_seat in changes if isinstance(by_seat, list))


def _ratings(results: RunResults, bot: str) -> Sheet:
    rows = [row for row in results.rows if row.bot == bot]
    notes = dict.fromkeys(note for row in rows for note in missing_notes([row]))
    columns = [RATED_GAME, *(column for column in text_columns(rows) if column.name != "bot")]
    return Sheet("Ratings", columns, rows, [*notes])


def _opponents(results: RunResults, bot: str) -> Iterator[Sheet]:
    for game in results.games.values():
        names = game.fit.bots
        own = sorted(
            (score for score in game.pair_scores if names[score.bot] == bot), key=lambda score: score.score
        )
        notes = [NO_ERROR_NOTE] if any(score.error is None for score in own) else []
        yield Sheet(f"Score against each opponent, {game.title}", _opponent_columns(game), own, notes)


def _opponent_columns(game: GameResults) -> list[Column[PairScore]]:
    return [
        Column("opponent", value=lambda row: game.label(row.other), kind=NAME),
        Column("score", text=pair_score_text),
        Column("blocks"),
    ]


def _faults(results: RunResults, bot: str) -> Iterator[Sheet]:
    """Yield the table of the bot's faults by kind and, if there are any, the one of their reasons."""
    rows = [(kind, number) for (name, kind), number in sorted(results.faults.items()) if name == bot]
    total = sum(number for _, number in rows)
    note = "The arena played the safest action instead. The first matches with faults are among the replays."
    yield Sheet(format_count(total, "faults"), FAULTS, rows, [note] if total else [])
    reasons = [row for row in list_failures(results.failures, results.disqualified) if row.bot == bot]
    if reasons:
        yield Sheet("Reasons of faults", FAILURE_COLUMNS[1:], reasons)


RATED_GAME: Final = Column[RatingRow]("game", value=lambda row: row.title, kind=TEXT)
FAULTS: Final[tuple[Column[tuple[str, int]], ...]] = (
    Column("kind", value=lambda row: row[0], kind=TEXT),
    Column("times", value=lambda row: row[1]),
)
DEALS: Final[tuple[Column[CostlyDeal], ...]] = (
    Column("match", kind=INTEGER),
    Column("deal", value=lambda row: row.number),
    Column("game", kind=TEXT),
    Column("change", text=lambda row: format_signed(row.change)),
    Column("seat"),
    Column("bots by seat", value=lambda row: ", ".join(row.bots), kind=TEXT),
)
DEALS_NOTE: Final = "Of the matches with the biggest losses; choose one under Replays to step through it."


def replay_of_run_match(replayed: ReplayedMatch) -> ReplayData:
    """Return the replay of a match of a run."""
    match, rules, deals = replayed
    bots = distinguish_names(match.bots)
    return ReplayData(
        number=match.number,
        game=str(rules),
        players=len(bots),
        family=rules.family,
        block=match.address,
        rotation=match.rotation,
        bots=bots,
        placings=match.result.placings,
        payoffs=match.result.payoffs,
        faults=match.result.faults,
        others=(),
        deals=len(deals),
        packed=compress_deals(deals, bots, None),
    )


def replay_of_stored_match(plan: bytes, stored: StoredMatch) -> ReplayData:
    """Return the replay of a match of a run, given its plan as msgpack, in a worker or in this process."""
    player = get_block_player(plan)
    return replay_of_run_match(replay_stored(stored, player.rules))
