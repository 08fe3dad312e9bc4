"""The page of one bot of a run, for its author: results, faults, and the deals that cost it most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.columns.column import Column
from arena.columns.kinds import INTEGER, NAME, TEXT
from arena.columns.number_format import format_count
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet
from arena.errors import ConfigError, suggest_nearest
from arena.games import Deal
from arena.output.pages.render import render_bot
from arena.output.pages.replay_data import limit_to_page_size, replay_of_run_match
from arena.output.tables.failures import FAILURE_COLUMNS as FAILURES
from arena.output.tables.failures import list_failures
from arena.output.tables.pairs import pair_score_text
from arena.output.words.text_format import format_signed
from arena.plugins.bot_spec import find_labelled, label_bots
from arena.rating.mean_intervals import PairScore
from arena.tournament.files import replace_file
from arena.tournament.results.rating_table import RatingRow, missing_notes, text_columns
from arena.tournament.results.results import GameResults, ResultsReader, RunResults, SampledMatch
from arena.tournament.review.differences import ReplayedMatch, replay_sample
from arena.tournament.review.seal import sealed_root
from arena.tournament.run import Run
from arena.tournament.store.metadata import credit

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
    """Write the page of a bot into the run's folder and return its path.

    Raises:
        ConfigError: For a bot that is not in the run.
    """
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
    values: dict[str, Any] = {
        "title": run.config.title or f"{run.config.format} tournament",
        "bot": credit(run.metadata, bot),
        "digest": run.metadata.bots[bot],
        "root": sealed_root(run.folder),
        "tables": [
            _ratings(results, bot),
            *_opponents(results, bot),
            *_faults(results, bot),
            Sheet("Costliest deals", DEALS, deals, [DEALS_NOTE]),
        ],
    }
    others = render_bot(replays=[], **values)
    views = limit_to_page_size(map(replay_of_run_match, replayed), len(others.encode()))
    return render_bot(replays=views, **values)


def _choose_matches(run: Run, bot: str) -> list[SampledMatch]:
    """Return the matches in which the bot lost most, and the first in which it failed, in schedule order."""
    losses: list[tuple[int, SampledMatch]] = []
    faulty: list[SampledMatch] = []
    number = 0
    with run.open_store() as store:
        for block in ResultsReader(run.config, run.seed, store.outcomes()):
            for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
                number += 1
                seats = [seat for seat, name in enumerate(seating) if name == bot]
                if not seats:
                    continue
                sampled = SampledMatch(number, block.place, rotation)
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
        yield Sheet("Reasons of faults", FAILURES[1:], reasons)


RATED_GAME: Final = Column[RatingRow](
    "game",
    value=lambda row: f"{row.variant}, {row.players} players" if row.players else row.variant,
    kind=TEXT,
)
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
