"""Verification of a league: its blocks replayed by the rules, and its ladders computed again from them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from arena.errors import StoreError
from arena.league.blocks import LeagueBlocks
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.ratings_during_update import Standings
from arena.league.schema import DATABASE
from arena.league.settings import parse_settings
from arena.league.store import LeagueDatabase, Rating, Update
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.workers import Workers
from arena.tournament.review.seal import SealCheck
from arena.tournament.review.verification import Problem, ReplayedBlock, Task, replay_blocks

CHUNK_BLOCKS: Final = 128
"""Blocks sent to a worker at a time."""
TOLERANCE_ELO: Final = 0.05
"""Difference of ratings between two machines that is no problem."""


class LeagueVerification(msgspec.Struct):
    """The checks made of a league, and the problems found."""

    blocks: int = 0
    """Replayed."""
    matches: int = 0
    deals: int = 0
    actions: int = 0
    not_replayed: int = 0
    """Played blocks of games, rules or limits that the league has no more."""
    ratings: int = 0
    """Ratings of the last update that were computed again."""
    updates: int = 0
    sealed_updates: int = 0
    """Updates that the seal covers, if it was checked."""
    seal: SealCheck | None = None
    wrong: list[Problem] = []


def verify_league(
    folder: LeagueFolder,
    workers: Workers,
    commitment: str | None = None,
    on_checked: Callable[[int, int], None] = lambda blocks, matches: None,
) -> LeagueVerification:
    """Replay the blocks of a league and compute its last ladders again.

    Args:
        folder: Folder of the league.
        workers: Replay its matches.
        commitment: Published commitment to the seed of one of its updates; None for any.
        on_checked: Is called with the numbers of blocks and matches as they are checked.

    Raises:
        StoreError: If nothing can be read.
        ArenaError: If the workers die.
    """
    verdict = LeagueVerification()
    with LeagueDatabase.open(folder.path) as database:
        if commitment is not None and not _is_committed(database, commitment):
            verdict.wrong.append(_problem(f"no update that is done was committed to as {commitment}"))
        update = database.last_update()
        if update is None:
            return verdict
        verdict.updates = update.number
        try:
            _check_blocks(database, update, workers, verdict, on_checked)
        except StoreError as error:
            verdict.wrong.append(_problem(str(error)))
    return verdict


def _is_committed(database: LeagueDatabase, commitment: str) -> bool:
    seeds = (
        database.committed_seed(update.number) for update in database.updates() if update.state == "done"
    )
    return any(seed is not None and seed.commitment == commitment.lower() for seed in seeds)


def _check_blocks(
    database: LeagueDatabase,
    update: Update,
    workers: Workers,
    verdict: LeagueVerification,
    on_checked: Callable[[int, int], None],
) -> None:
    settings = parse_settings(update.settings, f"the settings of update {update.number}")
    field = Field.read(database, settings, unsuspended_in=update.number)
    blocks = LeagueBlocks(database, field)
    plan = RunPlan(database.seed, (), settings.variants, settings.limits)
    check = partial(replay_blocks, msgspec.msgpack.encode(plan))
    tasks = (Task(block, packed, 0) for block, packed in blocks.replayable())
    for chunk in workers.map(check, _chunks(tasks)):
        for result in chunk:
            _add(verdict, result)
        on_checked(len(chunk), sum(result.matches for result in chunk))
    [(played,)] = database.query("SELECT count(*) FROM block WHERE outcome IS NOT NULL")
    verdict.not_replayed = played - verdict.blocks
    games = sum(len(entry.players) for entry in settings.variants)
    # An update that was stopped has ladders without the blocks of its last decision, or none yet.
    if update.state == "done" and len(field.games) == games and not verdict.wrong:
        _check_ladders(database, update, field, blocks, verdict)


def _check_ladders(
    database: LeagueDatabase,
    update: Update,
    field: Field,
    blocks: LeagueBlocks,
    verdict: LeagueVerification,
) -> None:
    """Compare the ladders of the last update with those that follow from the blocks."""
    standings = Standings(field)
    standings.add(blocks.outcomes())
    before = database.ratings(database.last_rated(update.number))
    due = {rating[1:4]: rating for rating in standings.ratings(update.number, before)}
    stored = {rating[1:4]: rating for rating in database.ratings(update.number)}
    verdict.ratings = len(stored)
    labels = [version.label for version in database.versions()]
    for variant, players, version in sorted(due.keys() | stored.keys()):
        key = (variant, players, version)
        if not _is_same(due.get(key), stored.get(key)):
            what = f"the rating of {labels[version]} at {variant}, {players} players"
            verdict.wrong.append(_problem(f"{what} does not follow from the blocks"))


def _is_same(due: Rating | None, stored: Rating | None) -> bool:
    if due is None or stored is None:
        return due is stored
    counts = (due.rank, due.mark, due.blocks) == (stored.rank, stored.mark, stored.blocks)
    pairs = (due.elo, stored.elo), (due.error, stored.error), (due.elo_bound, stored.elo_bound)
    is_close = all(_is_close(*pair) for pair in pairs)
    if stored.comparison_error is None and stored.rank_low is None:  # version 0.2 stored none
        return counts and is_close
    ranks = (due.rank_low, due.rank_high) == (stored.rank_low, stored.rank_high)
    return counts and ranks and is_close and _is_close(due.comparison_error, stored.comparison_error)


def _is_close(due: float | None, stored: float | None) -> bool:
    if due is None or stored is None:
        return due is stored
    return abs(due - stored) < TOLERANCE_ELO


def _add(verdict: LeagueVerification, replayed: ReplayedBlock) -> None:
    verdict.blocks += 1
    verdict.matches += replayed.matches
    verdict.deals += replayed.deals
    verdict.actions += replayed.actions
    verdict.wrong += [msgspec.structs.replace(problem, file=DATABASE) for problem in replayed.wrong]


def _problem(what: str) -> Problem:
    return Problem(file=DATABASE, what=what)


def _chunks(tasks: Iterator[Task]) -> Iterator[list[Task]]:
    while chunk := list(islice(tasks, CHUNK_BLOCKS)):
        yield chunk
