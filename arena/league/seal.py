"""The seal of a league: a manifest of updates, versions and ladders, with the root of a tree over all blocks.

It covers the updates that are done when it is made. The league may go on: later updates, new names and bans
change nothing of what is sealed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np

from arena.errors import ArenaError, RecordError, StoreError
from arena.league.folder import LeagueFolder
from arena.league.schema import DATABASE
from arena.league.store import LeagueDatabase, Terms, Update
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
from arena.tournament.review.verification import Problem
from arena.tournament.store.codec import SEAT, UNSOUND, digest
from arena.tournament.store.metadata import package_versions

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
    """Return the manifest of a league up to an update.

    Raises:
        StoreError: At a block whose digest does not match its bytes.
    """
    labels = [version.label for version in database.versions()]
    updates = [_seal_update(database, update) for update in database.updates() if update.number <= last]
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
                variant=rating.variant,
                players=rating.players,
                version=labels[rating.version],
                rank=rating.rank,
                elo=rating.elo,
                error=rating.error,
                mark=rating.mark,
                blocks=rating.blocks,
            )
            for rating in database.ratings(last)
        ],
        packages=packages,
    )


def write_league_seal(folder: LeagueFolder, key: Path | None) -> SealCheck:
    """Seal the updates of a league that are done, and sign the seal if there is a key.

    Raises:
        StoreError: If there is none.
        ArenaError: If it cannot be signed.
    """
    with LeagueDatabase.open(folder.path) as database:
        done = [update.number for update in database.updates() if update.state == "done"]
        if not done:
            raise StoreError(
                f"{folder.path}: no update is done yet; `arena league update {folder.path}` first"
            )
        manifest = make_manifest(database, done[-1], package_versions())
    # the site has it where it may be published
    return write_manifest(folder, manifest, manifest.root, key, is_private=True)


def check_league_seal(folder: LeagueFolder, signer: Path | None) -> SealCheck:
    """Compare a league with its seal, and check the signature.

    Raises:
        StoreError: If it has no seal.
    """
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
    names = {bot.number: bot.name for bot in database.bots()}
    renamed = "kind = 'rename' AND state = 'done' AND league_update > ?"
    for request in reversed(database.requests(renamed, last)):
        bot = next((number for number, name in names.items() if name == request.new_name), None)
        if bot is not None:
            names[bot] = request.name
    for version in database.versions():
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
    """Yield the blocks before one in order, each as the line of JSON that is hashed: a `SealedBlock`.

    Raises:
        StoreError: If a block is damaged.
    """
    labels = [version.label for version in database.versions()]
    games = {row[0]: Terms(*row) for row in database.query("SELECT * FROM terms")}
    columns = "terms, bots, repetition, seats, outcome, actions, digest"

    def names(data: bytes) -> list[str]:
        return [labels[number] for number in np.frombuffer(data, SEAT).tolist()]

    for number, terms, bots, repetition, seats, *result, expected in database.blocks(columns, end=end):
        if None not in result and digest(*result) != expected:
            raise StoreError(f"{DATABASE}, block {number}: {UNSOUND}")
        try:
            block = SealedBlock(number, games[terms], names(bots), repetition, names(seats), *result)
        except (LookupError, ValueError) as error:
            raise StoreError(f"{DATABASE}, block {number} is damaged: {error}") from error
        yield msgspec.json.encode(block)
