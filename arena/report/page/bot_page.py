"""The page of one bot of a run, for its author: results, faults, and the deals that cost it most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import nsmallest
from pathlib import Path
from typing import Any, Final, NamedTuple

from arena.errors import ConfigError, suggest_nearest
from arena.games import Deal
from arena.report.page.render import render_bot
from arena.report.page.replay_data import limit_to_page_size, replay_of_run_match
from arena.report.page.sections import DataTable
from arena.report.pairs import format_pair_score
from arena.report.rating_table import DOCS, missing_notes
from arena.report.text_format import format_count, format_signed
from arena.tournament.files.run_folder import replace_file
from arena.tournament.results.columns import NO_ERROR_NOTE, text_rows, to_percent
from arena.tournament.results.match_sample import SampledMatch
from arena.tournament.results.rating_table import COLUMNS
from arena.tournament.results.run_results import (
    FAILURE_COLUMNS,
    ResultsReader,
    RunResults,
    failure_rows,
)
from arena.tournament.review.sample_replay import ReplayedMatch, replay_sample
from arena.tournament.review.seal import sealed_root
from arena.tournament.running.run import Run
from arena.tournament.storage.metadata import credit
from arena.tournament.storage.store import Store

MAX_MATCHES: Final = 30
"""Matches replayed for their loss, and as many for their faults."""
MAX_DEALS: Final = 30


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

    Raises: ConfigError, for a bot that is not in the run.
    """
    names = [spec.name for spec in run.config.bots]
    if bot not in names:
        raise ConfigError(f"no bot in the run is called {bot!r}; {suggest_nearest(bot, names)}")
    path = run.folder.path / f"bot-{names.index(bot) + 1}-{re.sub('[^A-Za-z0-9._-]+', '-', bot)[:40]}.html"
    with replace_file(path) as file:
        file.write(render_bot_page(run, bot).encode())
    return path


def render_bot_page(run: Run, bot: str) -> str:
    """Return the page of a bot, of the blocks played so far."""
    found = run.results()
    replayed = list(replay_sample(run, _choose_matches(run, bot)))
    deals = nsmallest(MAX_DEALS, (deal for one in replayed for deal in _costly_deals(one, bot)))
    values: dict[str, Any] = {
        "title": run.config.title or f"{run.config.format} tournament",
        "bot": credit(run.metadata, bot),
        "digest": run.metadata.bots[bot],
        "root": sealed_root(run.folder),
        "tables": [_ratings(found, bot), *_opponents(found, bot), *_faults(found, bot), _deals_table(deals)],
    }
    others = render_bot(replays=[], **values)
    views = limit_to_page_size(map(replay_of_run_match, replayed), len(others.encode()))
    return render_bot(replays=views, **values)


def _choose_matches(run: Run, bot: str) -> list[SampledMatch]:
    """Return the matches in which the bot lost most, and the first in which it failed, in schedule order."""
    losses: list[tuple[int, SampledMatch]] = []
    faulty: list[SampledMatch] = []
    number = 0
    with Store.open(run.folder.path) as store:
        for block in ResultsReader(run.config, run.seed, store.outcomes()):
            for rotation, (seating, match) in enumerate(zip(block.seatings, block.matches, strict=True)):
                number += 1
                seats = [seat for seat, name in enumerate(seating) if name == bot]
                if not seats:
                    continue
                one = SampledMatch(number, block.place, rotation)
                if (payoff := min(match.payoffs[seat] for seat in seats)) < 0:
                    losses.append((payoff, one))
                if len(faulty) < MAX_MATCHES and any(seat in seats for seat, _, _ in match.faults):
                    faulty.append(one)
            losses = nsmallest(MAX_MATCHES, losses) if len(losses) > 100 * MAX_MATCHES else losses
    return sorted({*faulty, *(one for _, one in nsmallest(MAX_MATCHES, losses))})


def _costly_deals(one: ReplayedMatch, bot: str) -> Iterator[CostlyDeal]:
    for number, deal in enumerate(one.deals, 1):
        for seat, name in enumerate(one.bots):
            if name == bot and (change := _change(deal, seat)) < 0:
                yield CostlyDeal(change, one.number, number, seat, str(one.rules), one.bots)


def _change(deal: Deal, seat: int) -> int:
    """Return what a seat won or lost in a deal, of all that its game settles in."""
    changes = deal.changes.result().values() if deal.changes else ()
    return sum(by_seat[seat] for by_seat in changes if isinstance(by_seat, list))


def _ratings(found: RunResults, bot: str) -> DataTable:
    rows = [row for row in found.rows if row.bot == bot]
    games = [f"{row.variant}, {row.players} players" if row.players else row.variant for row in rows]
    cells = [[game, *line] for game, line in zip(games, text_rows(COLUMNS, rows), strict=True)]
    notes = dict.fromkeys(note for row in rows for note in missing_notes([row]))
    return DataTable("Ratings", ["game", *DOCS], cells, notes=[*notes])


def _opponents(found: RunResults, bot: str) -> Iterator[DataTable]:
    for game in found.games.values():
        names = game.fit.bots
        own = sorted((one for one in game.pair_scores if names[one.bot] == bot), key=lambda one: one.score)
        cells = [
            [
                names[one.other],
                format_pair_score(100 * one.score, to_percent(one.error), one.blocks),
                f"{one.blocks:,}",
            ]
            for one in own
        ]
        notes = [NO_ERROR_NOTE] if any(one.error is None for one in own) else []
        title = f"Score against each opponent, {game.title}"
        yield DataTable(title, ["opponent", "score", "blocks"], cells, notes=notes)


def _faults(found: RunResults, bot: str) -> Iterator[DataTable]:
    """Yield the table of the bot's faults by kind and, if there are any, the one of their reasons."""
    cells = [[kind, f"{number:,}"] for (name, kind), number in sorted(found.faults.items()) if name == bot]
    total = sum(number for (name, _), number in found.faults.items() if name == bot)
    note = "The arena played the safest action instead. The first matches with faults are among the replays."
    yield DataTable(format_count(total, "faults"), ["kind", "times"], cells, notes=[note] if total else [])
    if reasons := [cells for name, *cells in failure_rows(found) if name == bot]:
        yield DataTable("Reasons of faults", FAILURE_COLUMNS[1:], reasons, text_columns=(0, 2))


def _deals_table(deals: list[CostlyDeal]) -> DataTable:
    columns = ["match", "deal", "game", "change", "seat", "bots by seat"]
    rows = [
        [
            str(one.match),
            str(one.number),
            one.game,
            format_signed(one.change),
            str(one.seat),
            ", ".join(one.bots),
        ]
        for one in deals
    ]
    note = "Of the matches with the biggest losses; choose one under Replays to step through it."
    return DataTable("Costliest deals", columns, rows, text_columns=(2, 5), header=0, notes=[note])
