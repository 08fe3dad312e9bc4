"""Seals written, signed and checked, and those in the file of a single match."""

from __future__ import annotations

from pathlib import Path

import msgspec

from arena.errors import RecordError, StoreError
from arena.play.records.record_check import check_lines
from arena.tournament.files.run_folder import replace_file
from arena.tournament.review.block_replay import Problem
from arena.tournament.review.seal import (
    MAX_SEAL_BYTES,
    RunHashes,
    SealedFolder,
    check_path,
    compare_with_seal,
    decode_sealed_match,
    encode_manifest,
    make_manifest,
    read_seal,
    read_signature,
    refuse_unfinished,
    sealed_root,
)
from arena.tournament.review.seal_signature import check_signature, sign
from arena.tournament.running.run import Run
from arena.tournament.workers.executors import Workers


class SealCheck(msgspec.Struct):
    """A seal that was checked, and the problems found."""

    root: str = ""
    fingerprint: str = ""
    """Fingerprint of the key that signed it; empty for a seal that is not signed."""
    is_signer_known: bool = False
    """True if the key is the one that was asked for."""
    wrong: list[Problem] = []


def write_seal(run: Run, pool: Workers, key: Path | None) -> SealCheck:
    """Seal a finished run, and sign the seal if there is a key.

    Raises:
        StoreError: For a run that is not finished.
        ArenaError: If it cannot be signed.
    """
    refuse_unfinished(run)
    manifest = make_manifest(run, RunHashes(run, pool))
    return write_manifest(run.folder, manifest, manifest.root, key)


def write_manifest(
    folder: SealedFolder, manifest: msgspec.Struct, root: str, key: Path | None, *, is_private: bool = False
) -> SealCheck:
    """Write a manifest as the seal of a folder, and sign it if there is a key.

    Args:
        folder: The folder.
        manifest: Its manifest.
        root: Root of the tree of its hashes.
        key: File of the key; None for no signature.
        is_private: True if only the owner may read the seal.

    Raises:
        StoreError: If it cannot be written.
        ArenaError: If it cannot be signed.
    """
    data = encode_manifest(manifest)
    signature = sign(data, key) if key else b""
    folder.seal_signature.unlink(missing_ok=True)
    with replace_file(folder.seal, is_private=is_private) as file:
        file.write(data)
    if not signature:
        return SealCheck(root)
    with replace_file(folder.seal_signature) as file:
        file.write(signature)
    return SealCheck(root, check_signature(data, signature, None))


def check_seal(run: Run, pool: Workers, signer: Path | None) -> SealCheck:
    """Check the seal of a run.

    Args:
        run: The run.
        pool: Replays its matches.
        signer: File with the public key that must have signed it; None for any, or none.

    Raises:
        StoreError: If the run has no seal.
    """
    return check_signed(run.folder, compare_with_seal(run, pool), signer)


def check_signed(folder: SealedFolder, wrong: list[Problem], signer: Path | None) -> SealCheck:
    """Check the signature of a seal, whose content has these problems.

    Raises:
        StoreError: If there is no seal.
    """
    check = SealCheck(sealed_root(folder), wrong=wrong)
    data = read_seal(folder)
    try:
        check.fingerprint = _check_signature(data, read_signature(folder), signer)
        check.is_signer_known = signer is not None
    except (RecordError, StoreError) as error:
        check.wrong.append(Problem(file=folder.seal_signature.name, what=str(error)))
    return check


def check_sealed_match(path: Path, signer: Path | None, commitment: str | None = None) -> SealCheck:
    """Check the file of a single match: its record by the rules, its path to the root, and the signature.

    With `commitment` also that its run's seed is the one that was committed to so.
    """
    check = SealCheck()
    try:
        with path.open("rb") as file:
            match = decode_sealed_match(file.read(MAX_SEAL_BYTES), "it")
        manifest = check_path(match)
        check.root = manifest.root
        if commitment is not None and manifest.commitment != commitment.lower():
            raise RecordError(f"the seed in the seal was not committed to as {commitment}")
        check_lines("its record", [bytes(match.record)])
        check.fingerprint = _check_signature(match.seal.encode(), match.signature.encode(), signer)
        check.is_signer_known = signer is not None
    except RecordError as error:
        check.wrong.append(Problem(file=path.name, what=str(error)))
    return check


def _check_signature(data: bytes, signature: bytes, signer: Path | None) -> str:
    if signature:
        return check_signature(data, signature, signer)
    if signer:
        raise RecordError("the seal is not signed")
    return ""
