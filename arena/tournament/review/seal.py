"""The seal of a run: a manifest of what was played and by whom, with the root of a tree over all matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Protocol, TypeVar

import msgspec

from arena.errors import ArenaError, RecordError, StoreError
from arena.play.records.record_schema import decode_record
from arena.tournament.files.committed_seed import CommittedSeed
from arena.tournament.review.block_replay import Problem
from arena.tournament.review.merkle_tree import (
    follow_path,
    hash_block,
    hash_record,
    tree_path,
    tree_root,
)
from arena.tournament.running.run import Run
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.database import check_regular
from arena.tournament.storage.locks import is_being_written
from arena.tournament.workers.executors import Workers

FORMAT: Final = "arena seal 1"
MAX_HASHES: Final = 64
"""Hashes in a path; a tree with more levels has more matches than can be played."""
MAX_SEAL_BYTES: Final = 1 << 24
MAX_SIGNATURE_BYTES: Final = 1 << 16
AnyManifest = TypeVar("AnyManifest", bound=msgspec.Struct)
Decoded = TypeVar("Decoded", bound=msgspec.Struct)


class SealedFolder(Protocol):
    """A folder with a seal: that of a run or of a league."""

    path: Path
    seal: Path
    seal_signature: Path


class SealedBot(msgspec.Struct, frozen=True):
    """Identity of a bot in a manifest."""

    digest: str
    isolation: str
    settings: dict[str, Any]
    team: str = ""
    author: str = ""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Content that a seal signs."""

    format: Literal["arena seal 1"] = FORMAT
    root: str
    """Root of the tree over all blocks in the order of the schedule (`merkle_tree`), in hexadecimal."""
    blocks: int
    matches: int
    seed: str
    commitment: str = ""
    """Commitment to the seed; empty, if none was made."""
    secret: str = ""
    mix: str = ""
    config: str
    """Without its bots, as TOML."""
    rules: dict[str, int]
    """Version by variant."""
    bots: dict[str, SealedBot]
    versions: dict[str, str]
    """Versions of Python and of the packages that results depend on."""


class SealedMatch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record of a match, with what leads from it to the root of a seal, and that seal."""

    record: msgspec.Raw
    rotation: int
    """Place of the match in its block."""
    rotations: int
    rotation_path: list[str]
    block: int
    """Place of the block among those played, from 0."""
    blocks: int
    block_path: list[str]
    seal: str
    """The text of the manifest, byte for byte."""
    signature: str = ""
    """Signature of that text; empty for a seal that is not signed."""


class _Root(msgspec.Struct, frozen=True):
    """The part of a manifest that those of runs and leagues share."""

    root: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class _RecordResult(msgspec.Struct, frozen=True):
    """The result in a record."""

    placings: tuple[int, ...]
    payoffs: tuple[int, ...]


class RunHashes:
    """The hashes of a run's matches by block, in the order of the schedule.

    Raises:
        RecordError: For a stored result that is not that of the match's actions.
    """

    def __init__(self, run: Run, pool: Workers | None = None) -> None:
        self.by_block: list[list[bytes]] = []
        self.matches = 0
        records = run.records(pool)
        for block, result in run.outcomes():
            lines = [next(records) for _ in result.matches]
            for line, match in zip(lines, result.matches, strict=True):
                recorded = msgspec.json.decode(line, type=_RecordResult)
                if (recorded.placings, recorded.payoffs) != (match.placings, match.payoffs):
                    raise RecordError(
                        f"block {block.index} ({block.address}): its actions have another result"
                    )
            self.by_block.append(list(map(hash_record, lines)))
            self.matches += len(result.matches)
        self.blocks = [hash_block(matches) for matches in self.by_block]

    @property
    def root(self) -> str:
        """The root, in hexadecimal."""
        return tree_root(self.blocks).hex()

    def find(self, match: int) -> tuple[int, int]:
        """Return the block, counted from 0, and the rotation of a match, counted from 1.

        Raises:
            RecordError: If there are not as many.
        """
        left = match - 1
        for block, hashes in enumerate(self.by_block):
            if left < len(hashes):
                return block, left
            left -= len(hashes)
        raise RecordError(f"the run has {self.matches} matches, none has the number {match}")


def make_manifest(run: Run, hashes: RunHashes) -> Manifest:
    """Return the manifest of what is stored of a run."""
    facts, committed = run.metadata, run.committed_seed
    return Manifest(
        root=hashes.root,
        blocks=len(hashes.blocks),
        matches=hashes.matches,
        seed=run.seed,
        commitment=committed.commitment if committed else "",
        secret=facts.secret,
        mix=facts.mix,
        config=msgspec.structs.replace(run.config, bots=(), seed=run.seed).toml(),
        rules=facts.rules,
        bots={
            spec.name: SealedBot(
                digest=facts.bots[spec.name],
                isolation=facts.isolation[spec.name],
                settings=dict(spec.settings),
                team=spec.team,
                author=facts.authors.get(spec.name, ""),
            )
            for spec in run.config.bots
        },
        versions=facts.versions,
    )


def encode_manifest(manifest: msgspec.Struct) -> bytes:
    """Return the bytes of a manifest that are signed."""
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2) + b"\n"


def decode_manifest(data: bytes, where: str, kind: type[AnyManifest]) -> AnyManifest:
    """Return the manifest in a file.

    Args:
        data: Content of the file.
        where: Its name, for the message.
        kind: Class of the manifest: of a run or of a league.

    Raises:
        RecordError: If it is none.
    """
    return _decode(data, kind, where, "a seal")


def _decode(data: bytes, kind: type[Decoded], where: str, what: str) -> Decoded:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(f"{where} is not {what}: {error}") from error


def refuse_unfinished(run: Run) -> None:
    """Raise StoreError for a run that is being played, or of which blocks are missing."""
    path = run.folder.path
    if is_being_written(path):
        raise StoreError(f"{path} is being played: seal it when it is done, as that reveals its seed")
    if not run.is_over():
        raise StoreError(f"{path} is not finished: `arena resume {path}` first")


def read_seal(folder: SealedFolder) -> bytes:
    """Return the bytes of a seal.

    Raises:
        StoreError: If the folder has none.
    """
    try:
        return _read(folder.seal, MAX_SEAL_BYTES)
    except OSError as error:
        raise StoreError(f"{folder.path} has no seal: `arena seal {folder.path}` writes one") from error


def read_signature(folder: SealedFolder) -> bytes:
    """Return the signature of a seal; empty, if it is not signed.

    Raises:
        StoreError: If it cannot be read.
    """
    path = folder.seal_signature
    try:
        return _read(path, MAX_SIGNATURE_BYTES)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def _read(path: Path, limit: int) -> bytes:
    """Return the first bytes of a plain file."""
    check_regular(path)
    with path.open("rb") as file:
        return file.read(limit)


def sealed_root(folder: SealedFolder) -> str:
    """Return the root in a seal; empty if the folder has none."""
    try:
        return decode_manifest(read_seal(folder), str(folder.seal), _Root).root
    except ArenaError:
        return ""


def compare_with_seal(run: Run, pool: Workers) -> list[Problem]:
    """Return how a run differs from its seal.

    Raises:
        StoreError: If it has none.
    """
    return compare_manifests(
        run.folder, Manifest, "run", lambda sealed: make_manifest(run, RunHashes(run, pool))
    )


def compare_manifests(
    folder: SealedFolder, kind: type[AnyManifest], what: str, make: Callable[[AnyManifest], AnyManifest]
) -> list[Problem]:
    """Return how what is stored differs from its seal.

    Args:
        folder: A folder with a seal.
        kind: Class of the manifest.
        what: Names the thing sealed, for messages.
        make: Returns the manifest of what is stored, given the sealed one.

    Raises:
        StoreError: If the folder has no seal.
    """
    problem = partial(Problem, file=folder.seal.name)
    data = read_seal(folder)
    try:
        sealed = decode_manifest(data, folder.seal.name, kind)
        stored = make(sealed)
    except ArenaError as error:
        return [problem(what=str(error))]
    return [problem(what=text) for text in _manifest_differences(sealed, stored, what)]


def _manifest_differences(sealed: AnyManifest, stored: AnyManifest, what: str) -> Iterator[str]:
    """Yield the fields in which two manifests differ."""
    for name in sealed.__struct_fields__:
        before, now = getattr(sealed, name), getattr(stored, name)
        if before == now:
            continue
        if name == "root":
            yield "its root is not that of the stored blocks: a block was changed, added or removed"
        else:
            yield f"its {name} is not the {what}'s"


def prove_match(run: Run, match: int, pool: Workers) -> SealedMatch:
    """Return a match of a sealed run, by its number from 1, with its path to the root.

    Raises:
        StoreError: If the run has no seal.
        RecordError: If there is no such match, or the seal is not that of the run.
    """
    seal = read_seal(run.folder)
    hashes = RunHashes(run, pool)
    if decode_manifest(seal, str(run.folder.seal), Manifest).root != hashes.root:
        raise RecordError(f"{run.folder.seal} is not the seal of the run as it is: `arena verify --sealed`")
    block, rotation = hashes.find(match)
    matches = hashes.by_block[block]
    record = next(line for number, line in enumerate(run.records(pool), 1) if number == match)
    return SealedMatch(
        record=msgspec.Raw(record),
        rotation=rotation,
        rotations=len(matches),
        rotation_path=[digest.hex() for digest in tree_path(matches, rotation)],
        block=block,
        blocks=len(hashes.blocks),
        block_path=[digest.hex() for digest in tree_path(hashes.blocks, block)],
        seal=seal.decode(),
        signature=read_signature(run.folder).decode("ascii", "replace"),
    )


def decode_sealed_match(data: bytes, where: str) -> SealedMatch:
    """Return the sealed match in a file.

    Raises:
        RecordError: If it is none.
    """
    return _decode(data, SealedMatch, where, "a sealed match")


def check_path(match: SealedMatch) -> Manifest:
    """Check that the path of a match leads to the root of its seal, and return that.

    Raises:
        RecordError: If it does not.
    """
    manifest = decode_manifest(match.seal.encode(), "its seal", Manifest)
    try:
        root = _follow(match)
    except ValueError as error:
        raise RecordError(f"its path is wrong: {error}") from error
    if match.blocks != manifest.blocks or root.hex() != manifest.root:
        raise RecordError("its path does not lead to the root of the seal: record or path were changed")
    record = decode_record(bytes(match.record))
    if record.rotation != match.rotation:
        raise RecordError("its record is of another rotation than its place in the block")
    if not manifest.bots.keys() >= set(record.bots or ()):
        raise RecordError("its record has bots that the seal does not name")
    if record.seed != deal_seed(manifest.seed, record.block or ""):
        raise RecordError("its cards are not dealt from the seed in the seal")
    _check_commitment(manifest)
    return manifest


def _check_commitment(manifest: Manifest) -> None:
    """Raise RecordError if a seed that was committed to does not follow from its secret."""
    if not manifest.secret and not manifest.commitment:
        return
    committed = CommittedSeed(manifest.secret, manifest.mix)
    if (committed.commitment, committed.seed) != (manifest.commitment, manifest.seed):
        raise RecordError("the seed in the seal does not follow from the secret committed to")


def _follow(match: SealedMatch) -> bytes:
    if len(match.rotation_path) > MAX_HASHES or len(match.block_path) > MAX_HASHES:
        raise ValueError("it has too many hashes")
    paths = [[bytes.fromhex(digest) for digest in path] for path in (match.rotation_path, match.block_path)]
    root = follow_path(hash_record(bytes(match.record)), match.rotation, match.rotations, paths[0])
    return follow_path(hash_block([root]), match.block, match.blocks, paths[1])
