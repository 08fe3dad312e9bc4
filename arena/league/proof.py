"""The seal of a league, and the verification of its blocks and ladders."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np

from arena.errors import ArenaError, RecordError, StoreError
from arena.league.blocks import LeagueBlocks
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.settings import parse_settings
from arena.league.standings import Standings
from arena.league.store import DATABASE, LadderRow, LeagueDatabase, Terms, Update
from arena.tournament.engine.block_player import RunPlan
from arena.tournament.engine.workers import Workers
from arena.tournament.review.seal import (
    SealCheck,
    check_signed,
    compare_manifests,
    decode_manifest,
    hash_record,
    read_seal,
    tree_root,
    write_manifest,
)
from arena.tournament.review.verification import OnChecked, Problem, Task, replay_all
from arena.tournament.store.codec import SEAT, UNSOUND, digest
from arena.tournament.store.metadata import package_versions

# --- seal ---
# A manifest of updates, versions and ladders, with the root of a tree over all blocks.
#
# It covers the updates that are done when it is made. Later updates, new names and bans change nothing in it.

FORMAT: Final = "arena league seal 1"


class SealedVersion(msgspec.Struct, frozen=True):
    """Identity of a version in a manifest."""

    label: str
    digest: str
    bot: str
    """Name of its bot at the end of the last sealed update."""
    ordinal: int
    """Number among the versions of its bot, from 1."""
    team: str
    author: str
    admitted: int
    """Number of the update."""


class SealedUpdate(msgspec.Struct, frozen=True, kw_only=True):
    """An update in a manifest."""

    number: int
    date: str
    settings: str
    """Settings that were in force, as TOML."""
    commitment: str = ""
    """Commitment to its seed; empty for an update whose seed was not committed to."""
    secret: str = ""
    mix: str = ""
    end_block: int
    """Number after its last block."""


class SealedRating(msgspec.Struct, frozen=True):
    """A version's place in a ladder of the last sealed update."""

    variant: str
    players: int
    version: str
    rank: int | None
    elo: float | None
    error: float | None
    mark: str
    blocks: int


class SealedBlock(msgspec.Struct, frozen=True):
    """A block as it is hashed; outcome and actions are None for one that was never played."""

    number: int
    game: Terms
    bots: list[str]
    repetition: int
    seats: list[str]
    """Labels by rotation and seat."""
    outcome: bytes | None
    actions: bytes | None


class LeagueManifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content that the seal of a league signs."""

    format: Literal["arena league seal 1"] = FORMAT
    root: str
    """Root of the tree (RFC 9162) over all blocks in the order planned, in hexadecimal."""
    blocks: int
    """Number of blocks, played or not."""
    games: list[Terms]
    versions: list[SealedVersion]
    updates: list[SealedUpdate]
    ladders: list[SealedRating]
    packages: dict[str, str]
    """Versions of Python and of the packages that results depend on, where the league was sealed."""


def make_manifest(database: LeagueDatabase, last: int, packages: dict[str, str]) -> LeagueManifest:
    """Return the manifest of a league up to an update."""
    updates = [_seal_update(database, update) for update in database.read_updates() if update.number <= last]
    end = updates[-1].end_block if updates else 0
    used = """SELECT * FROM terms WHERE number IN (SELECT terms FROM block WHERE number < ?)
              ORDER BY number"""
    hashes = [hash_record(line) for line in sealed_blocks(database, end)]
    return LeagueManifest(
        root=tree_root(hashes).hex(),
        blocks=len(hashes),
        games=[Terms(*row) for row in database.query(used, end)],
        versions=list(_seal_versions(database, last)),
        updates=updates,
        ladders=[
            SealedRating(
                variant=row.variant,
                players=row.players or 0,
                version=row.bot,
                rank=row.place,
                elo=row.elo,
                error=row.error,
                mark=row.bound_mark,
                blocks=row.blocks,
            )
            for row in database.read_ladders(last)
        ],
        packages=packages,
    )


def write_league_seal(folder: LeagueFolder, key: Path | None) -> SealCheck:
    """Seal the updates of a league that are done, and sign the seal if there is a key."""
    with LeagueDatabase.open(folder.path) as database:
        done = [update.number for update in database.read_updates() if update.state == "done"]
        if not done:
            raise StoreError(
                f"{folder.path}: no update is done yet; `arena league update {folder.path}` first"
            )
        manifest = make_manifest(database, done[-1], package_versions())
    # the site has it where it may be published
    return write_manifest(folder, manifest, manifest.root, key, is_private=True)


def check_league_seal(folder: LeagueFolder, signer: Path | None) -> SealCheck:
    """Compare a league with its seal, and check the signature."""
    return check_signed(folder, _compare_with_seal(folder), signer)


def sealed_updates(folder: LeagueFolder) -> int:
    """Return how many updates a league's seal covers; 0 without one that can be read."""
    try:
        manifest = decode_manifest(read_seal(folder), folder.seal.name, LeagueManifest)
        return manifest.updates[-1].number
    except (ArenaError, IndexError):
        return 0


def _compare_with_seal(folder: LeagueFolder) -> list[Problem]:
    def make(sealed: LeagueManifest) -> LeagueManifest:
        if not sealed.updates:
            raise RecordError("it covers no update")
        with LeagueDatabase.open(folder.path) as database:
            return make_manifest(database, max(update.number for update in sealed.updates), sealed.packages)

    return compare_manifests(folder, LeagueManifest, "league", make)


def _seal_versions(database: LeagueDatabase, last: int) -> Iterator[SealedVersion]:
    """Yield the versions that were admitted up to an update, under the names that their bots had then."""
    names = {bot.number: bot.name for bot in database.read_bots()}
    renamed = "kind = 'rename' AND state = 'done' AND league_update > ?"
    for request in reversed(database.read_requests(renamed, last)):
        bot = next((number for number, name in names.items() if name == request.new_name), None)
        if bot is not None:
            names[bot] = request.name
    for version in database.read_versions():
        if version.admitted <= last:
            facts = (version.ordinal, version.team, version.author, version.admitted)
            yield SealedVersion(version.label, version.digest, names.get(version.bot, ""), *facts)


def _seal_update(database: LeagueDatabase, update: Update) -> SealedUpdate:
    query = "SELECT ifnull(max(end_block), 0) FROM step WHERE league_update <= ?"
    [(end,)] = database.query(query, update.number)
    committed = database.committed_seed(update.number)
    return SealedUpdate(
        number=update.number,
        date=update.date,
        settings=update.settings,
        commitment=committed.commitment if committed else "",
        secret=committed.secret if committed else "",
        mix=committed.mix if committed else "",
        end_block=end,
    )


def sealed_blocks(database: LeagueDatabase, end: int) -> Iterator[bytes]:
    """Yield the blocks before one in order, each as the line of JSON that is hashed: a `SealedBlock`."""
    labels = [version.label for version in database.read_versions()]
    games = {row[0]: Terms(*row) for row in database.query("SELECT * FROM terms")}
    columns = "terms, bots, repetition, seats, outcome, actions, digest"

    def names(data: bytes) -> list[str]:
        return [labels[number] for number in np.frombuffer(data, SEAT).tolist()]

    for number, terms, bots, repetition, seats, *result, expected in database.block_rows(columns, end=end):
        if None not in result and digest(*result) != expected:
            raise StoreError(f"{DATABASE}, block {number}: {UNSOUND}")
        try:
            block = SealedBlock(number, games[terms], names(bots), repetition, names(seats), *result)
        except (LookupError, ValueError) as error:
            raise StoreError(f"{DATABASE}, block {number} is damaged: {error}") from error
        yield msgspec.json.encode(block)


# --- verification ---
# Blocks are replayed by the rules, and the last ladders computed again from them.

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
    on_checked: OnChecked = lambda blocks, matches: None,
) -> LeagueVerification:
    """Replay the blocks of a league and compute its last ladders again.

    Args:
        folder: Folder of the league.
        workers: Replay its matches.
        commitment: Published commitment to the seed of one of its updates; None for any.
        on_checked: Is called with the numbers of blocks and matches as they are checked.
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
        database.committed_seed(update.number) for update in database.read_updates() if update.state == "done"
    )
    return any(seed is not None and seed.commitment == commitment.lower() for seed in seeds)


def _check_blocks(
    database: LeagueDatabase,
    update: Update,
    workers: Workers,
    verdict: LeagueVerification,
    on_checked: OnChecked,
) -> None:
    settings = parse_settings(update.settings, f"the settings of update {update.number}")
    field = Field.read(database, settings, unsuspended_in=update.number)
    blocks = LeagueBlocks(database, field)
    plan = RunPlan(database.seed, (), settings.variants, settings.limits)
    tasks = (Task(block, packed, 0) for block, packed in blocks.replayable())
    for replayed in replay_all(plan, tasks, workers, on_checked):
        verdict.blocks += 1
        verdict.matches += replayed.matches
        verdict.deals += replayed.deals
        verdict.actions += replayed.actions
        verdict.wrong += [msgspec.structs.replace(problem, file=DATABASE) for problem in replayed.wrong]
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
    before = database.read_ladders(database.last_rated(update.number))
    due = {(row.game, row.version): row for row in standings.rows(update.number, before)}
    stored = {(row.game, row.version): row for row in database.read_ladders(update.number)}
    verdict.ratings = len(stored)
    labels = [version.label for version in database.read_versions()]
    for (variant, players), version in sorted(due.keys() | stored.keys()):
        key = ((variant, players), version)
        if not _is_same(due.get(key), stored.get(key)):
            what = f"the rating of {labels[version]} at {variant}, {players} players"
            verdict.wrong.append(_problem(f"{what} does not follow from the blocks"))


def _is_same(due: LadderRow | None, stored: LadderRow | None) -> bool:
    if due is None or stored is None:
        return due is stored
    counts = (due.place, due.bound_mark, due.blocks) == (stored.place, stored.bound_mark, stored.blocks)
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


def _problem(what: str) -> Problem:
    return Problem(file=DATABASE, what=what)
