"""The seal of a run: its manifest, signature and checks, and the published archive.

Signatures and Merkle trees come first. The manifest says what was played and by whom, with the root of a tree
over all matches; a seal is a manifest with a signature, if there is a key.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Protocol, TypeVar, cast

import msgspec

from arena import __version__
from arena.errors import ArenaError, PluginError, RecordError, StoreError
from arena.plugins.bot_files import (
    ARCHIVE_ERRORS,
    CHUNK_BYTES,
    MAX_DIRECTORY_BYTES,
    BotFile,
    check_file_name,
    copy_files,
)
from arena.plugins.bot_source import ArchiveReader
from arena.plugins.games import find_places
from arena.plugins.sources import is_program
from arena.tournament.engine.run_bundle import bundle_bot, bundle_game, extract_game, needs_upload, relocate
from arena.tournament.engine.workers import Workers
from arena.tournament.files import ArchivedFile, replace_file
from arena.tournament.review.verification import Problem
from arena.tournament.run import Run
from arena.tournament.setup.config import Config
from arena.tournament.store.database import DATABASE, check_regular, is_being_written

# --- signatures ---
# Made and checked by `ssh-keygen` of OpenSSH 8.0 or later with anybody's SSH key.

NAMESPACE: Final = "arena-seal"
"""Domain of the signatures, so that one made for something else is none of a seal."""
SIGNER: Final = "organiser"
PROGRAM: Final = "ssh-keygen"


def sign(data: bytes, key: Path) -> bytes:
    """Return a signature of `data`.

    Args:
        data: The seal.
        key: File of a private SSH key, or of the public key of one that an agent holds.
    """
    done = _run(["-Y", "sign", "-q", "-f", str(key), "-n", NAMESPACE], data)
    if done.returncode or not done.stdout.startswith(b"-----BEGIN SSH SIGNATURE-----"):
        raise ArenaError(f"{PROGRAM} could not sign with {key}: {_reason(done)}")
    return done.stdout


def check_signature(data: bytes, signature: bytes, signer: Path | None) -> str:
    """Check a signature, and return the fingerprint of the key that made it.

    Args:
        data: The signed bytes.
        signature: As `sign` returned it.
        signer: File with the organiser's public key; None accepts any key.
    """
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, "signature")
        file.write_bytes(signature)
        options = ["-n", NAMESPACE, "-s", str(file)]
        if signer is None:
            done = _run(["-Y", "check-novalidate", *options], data)
        else:
            allowed = Path(scratch, "allowed")
            allowed.write_text(f"{SIGNER} {_public_key(signer)}\n")
            done = _run(["-Y", "verify", "-f", str(allowed), "-I", SIGNER, *options], data)
    if done.returncode:
        whose = f" by the key in {signer}" if signer else ""
        raise RecordError(f"it is not signed{whose}: {_reason(done)}")
    return done.stdout.decode("utf-8", "replace").strip().rpartition(" ")[2]


def _public_key(path: Path) -> str:
    """Return the type and the key in a public key file."""
    try:
        words = path.read_text(encoding="utf-8").split()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read as a public SSH key: {error}") from error
    if len(words) < 2 or not words[0].startswith(("ssh-", "ecdsa-", "sk-")):
        raise RecordError(f"{path} is not a public SSH key; its name mostly ends in .pub")
    return " ".join(words[:2])


def _run(arguments: list[str], data: bytes) -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run([PROGRAM, *arguments], input=data, capture_output=True, check=False)
    except OSError as error:
        raise ArenaError(f"{PROGRAM} cannot be run: install OpenSSH, 8.0 or later ({error})") from error


def _reason(done: subprocess.CompletedProcess[bytes]) -> str:
    lines = (done.stderr or done.stdout).decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"exit status {done.returncode}"


# --- merkle tree ---
# The blocks of a run form a Merkle tree, each of them a Merkle tree over its matches.
#
# SHA-256 everywhere, with another first byte for each kind of hash, so that none can stand for another kind:
# 0 for the record of a match, 1 for two nodes, 2 for a block.
#
# Source: RFC 9162, section 2.1, for the trees.

RECORD: Final = b"\x00"
NODE: Final = b"\x01"
BLOCK: Final = b"\x02"


def hash_record(record: bytes) -> bytes:
    """Return the hash of a match's record, a line of JSON without its end."""
    return sha256(RECORD + record).digest()


def hash_block(matches: Sequence[bytes]) -> bytes:
    """Return the hash of a block from those of its matches, in the order of their rotations."""
    return sha256(BLOCK + tree_root(matches)).digest()


def tree_root(hashes: Sequence[bytes]) -> bytes:
    """Return the root of the tree over hashes; with none, the hash of nothing."""
    if len(hashes) <= 1:
        return hashes[0] if hashes else sha256().digest()
    split = _split(len(hashes))
    return _join(tree_root(hashes[:split]), tree_root(hashes[split:]))


def _split(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def _join(left: bytes, right: bytes) -> bytes:
    return sha256(NODE + left + right).digest()


# --- manifests ---

FORMAT: Final = "arena seal 1"
MAX_SEAL_BYTES: Final = 1 << 24
MAX_SIGNATURE_BYTES: Final = 1 << 16
AnyManifest = TypeVar("AnyManifest", bound=msgspec.Struct)


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
    """Root of the tree over all blocks in the order of the schedule, in hexadecimal."""
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


class _Root(msgspec.Struct, frozen=True):
    """The part of a manifest that those of runs and leagues share."""

    root: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class _RecordResult(msgspec.Struct, frozen=True):
    placings: tuple[int, ...]
    payoffs: tuple[int, ...]


class RunHashes:
    """The hashes of a run's matches by block, in the order of the schedule."""

    def __init__(self, run: Run, pool: Workers | None = None) -> None:
        self.blocks: list[bytes] = []
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
            self.blocks.append(hash_block(list(map(hash_record, lines))))
            self.matches += len(result.matches)

    @property
    def root(self) -> str:
        """The root, in hexadecimal."""
        return tree_root(self.blocks).hex()


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


def _encode_manifest(manifest: msgspec.Struct) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2) + b"\n"


def decode_manifest(data: bytes, where: str, kind: type[AnyManifest]) -> AnyManifest:
    """Return the manifest in a file.

    Args:
        data: Content of the file.
        where: Its name, for the message.
        kind: Class of the manifest: of a run or of a league.
    """
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise RecordError(f"{where} is not a seal: {error}") from error


def _refuse_unfinished(run: Run) -> None:
    """Raise StoreError for a run that is being played, or of which blocks are missing."""
    path = run.folder.path
    if is_being_written(path):
        raise StoreError(f"{path} is being played: seal it when it is done, as that reveals its seed")
    if not run.is_over():
        raise StoreError(f"{path} is not finished: `arena resume {path}` first")


def read_seal(folder: SealedFolder) -> bytes:
    """Return the bytes of a seal."""
    try:
        return _read(folder.seal, MAX_SEAL_BYTES)
    except OSError as error:
        raise StoreError(f"{folder.path} has no seal: `arena seal {folder.path}` writes one") from error


def read_signature(folder: SealedFolder) -> bytes:
    """Return the signature of a seal; empty, if it is not signed."""
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
    """Return how a run differs from its seal."""
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


# --- writing and checking ---


class SealCheck(msgspec.Struct):
    """A seal that was checked, and the problems found."""

    root: str = ""
    fingerprint: str = ""
    """Fingerprint of the key that signed it; empty for a seal that is not signed."""
    is_signer_known: bool = False
    """True if the key is the one that was asked for."""
    wrong: list[Problem] = []


def write_seal(run: Run, pool: Workers, key: Path | None) -> SealCheck:
    """Seal a finished run, and sign the seal if there is a key."""
    _refuse_unfinished(run)
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
    """
    data = _encode_manifest(manifest)
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
    """
    return check_signed(run.folder, compare_with_seal(run, pool), signer)


def check_signed(folder: SealedFolder, wrong: list[Problem], signer: Path | None) -> SealCheck:
    """Check the signature of a seal, whose content has these problems."""
    check = SealCheck(sealed_root(folder), wrong=wrong)
    data = read_seal(folder)
    try:
        check.fingerprint = _check_signature(data, read_signature(folder), signer)
        check.is_signer_known = signer is not None
    except (RecordError, StoreError) as error:
        check.wrong.append(Problem(file=folder.seal_signature.name, what=str(error)))
    return check


def _check_signature(data: bytes, signature: bytes, signer: Path | None) -> str:
    if signature:
        return check_signature(data, signature, signer)
    if signer:
        raise RecordError("the seal is not signed")
    return ""


# --- publication ---
# The archive of a run has all that somebody else needs to read and verify it.

README: Final = """\
A run of the arena for Commerce, version {version}, with {versions}.

`arena verify` reads this archive as it is. For the other commands unpack it with `unzip`, which keeps the
permissions of programs, and run them beside the folder {name}:

    arena table {name}                      print its ratings
    arena verify {name}                     replay every match by the rules, and compare the tables
    arena verify {name} --play-again 20     also have the bots play some blocks again
{sealed}
{bots}
{name}/report.html opens in any browser. {name}/arena.db has every match and the seed of all deals.
{seed}"""
SEALED: Final = """\
    arena verify {name} --signer FILE       also check that the organiser's key signed its seal
"""
SEED_WHEN_OVER: Final = """\
{name}/run.toml is the config with the seed, from which `arena run` plays the same run again.
"""
SEED_BEFORE: Final = """\
The run is not done: whoever has this archive knows the cards of the blocks to come. Do not resume it with
bots of people who may have it.
"""
WITH_BOTS: Final = """\
The files of the bots are in {name}/bots, by their hashes. They are a stranger's code: the arena plays them at
the level of isolation that the run had.
"""
INSTALLED: Final = "Its bots are installed with the arena.\n"
WITH_GAMES: Final = """\
The files of its games are in {name}/games. They are code that runs with your rights: if you trust it, begin
each command with its path, as in

    arena {options} table {name}
"""
WITHOUT_BOTS: Final = """\
The files of the bots are not in this archive. The last command needs them at the paths in {name}/run.toml,
and the submitted ones in the store that ARENA_STORE names.
"""


def published_files(run: Run, *, with_bots: bool) -> Iterator[ArchivedFile]:
    """Yield the files of a run's archive: its folder without the log, and its bots' files if asked for."""
    folder = run.folder
    if is_being_written(folder.path):
        raise StoreError(
            f"{folder.path} is being played: publish it when it is done, as that reveals its seed"
        )
    if with_bots:
        run.refuse_changes()
    name = folder.path.resolve().name
    written = (folder.matches, folder.elo_csv, folder.elo_md, folder.standings, folder.pairings)
    sealing = (folder.commitment, folder.seal, folder.seal_signature)
    for path in (*written, folder.replays, folder.report, *sealing):
        if path.is_file():
            yield ArchivedFile(f"{name}/{path.name}", path)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch, name)
        copy.mkdir()
        places = find_places(entry.rules for entry in run.config.variants)
        for place in places:
            game = bundle_game(place)
            extract_game(game, copy / "games" / game.digest)
        config = _copy_bots(run, copy).toml(copy) if with_bots else run.config.toml(folder.path)
        _copy_run(run, copy, config)
        for path in copy.rglob("*"):
            if path.is_file():
                inside = path.relative_to(scratch).as_posix()
                yield ArchivedFile(inside, path.read_bytes(), is_program(path))
    yield ArchivedFile("README.txt", _readme(run, name, with_bots).encode())


@contextmanager
def unpack_published(archive: Path) -> Iterator[Path]:
    """Yield the folder of the run in an archive of `published_files`, unpacked within the context.

    The archive may be anybody's: names lead nowhere else, and no more is written than there is room for.
    """
    with tempfile.TemporaryDirectory(prefix="arena-") as scratch:
        try:
            with (
                ArchiveReader(str(archive), MAX_DIRECTORY_BYTES) as file,
                zipfile.ZipFile(cast(Any, file)) as packed,
            ):
                _unpack(archive, packed, Path(scratch))
        except (*ARCHIVE_ERRORS, PluginError) as error:
            raise StoreError(f"{archive} is no zip archive, or cut off or damaged: {error}") from error
        found = [path.parent for path in Path(scratch).glob(f"*/{DATABASE}")]
        if len(found) != 1:
            raise StoreError(
                f"{archive} is not an archive of `arena publish`: there is no {DATABASE} in its folder"
            )
        if (found[0] / "games").exists():
            raise StoreError(
                f"{archive} has games of its own, which are code that runs with your rights: unpack it, and "
                "begin the command with --trust-game as its README.txt says"
            )
        try:
            yield found[0]
        except ArenaError as error:  # the reader knows the archive, not where it is unpacked
            error.args = (str(error).replace(str(found[0]), str(archive)),)
            raise


def _unpack(archive: Path, packed: zipfile.ZipFile, folder: Path) -> None:
    """Write the files of an archive into a folder, each no longer than it claims to be."""
    infos = [info for info in packed.infolist() if not info.is_dir()]
    size, free = sum(info.file_size for info in infos), shutil.disk_usage(folder).free
    if size > free:
        raise StoreError(
            f"{archive} has {size >> 20:,} MiB of files, and {folder} room for {free >> 20:,} MiB"
        )
    for info in infos:
        check_file_name(info.filename)
        path = folder / info.filename
        path.parent.mkdir(parents=True, exist_ok=True)
        left = info.file_size
        with packed.open(info) as source, path.open("xb") as target:
            while left > 0 and (chunk := source.read(min(left, CHUNK_BYTES))):
                target.write(chunk)
                left -= len(chunk)
        path.chmod(0o700 if info.external_attr >> 16 & 0o111 else 0o600)


def _copy_bots(run: Run, folder: Path) -> Config:
    """Copy the bots that are not installed into a folder, and return a config that names them."""
    specs = []
    for spec in run.config.bots:
        if needs_upload(spec):
            digest = run.metadata.bots[spec.name]
            home = folder / "bots" / digest
            if not home.exists():
                home.mkdir(parents=True)
                files = bundle_bot(spec, digest).files
                copy_files(
                    [BotFile(file.name, file.is_program, partial(BytesIO, file.data)) for file in files], home
                )
            spec = msgspec.structs.replace(spec, source=relocate(spec.source, str(home.resolve())))
        specs.append(spec)
    return msgspec.structs.replace(run.config, bots=tuple(specs))


def _copy_run(run: Run, folder: Path, config: str) -> None:
    """Copy the database and the config of a run into a folder, with the bots of `config`, which is TOML."""
    with run.open_store() as store:
        store.copy(folder / DATABASE, config)
    path, pieces = next(iter(Run.open(folder).tables()))
    path.write_bytes(b"".join(pieces))


def _readme(run: Run, name: str, with_bots: bool) -> str:
    versions = ", ".join(f"{package} {number}" for package, number in run.metadata.versions.items())
    text = README.format(
        version=__version__,
        versions=versions,
        name=name,
        sealed=SEALED.format(name=name) if run.folder.seal.is_file() else "",
        bots=_bots_text(run, with_bots).format(name=name),
        seed=(SEED_WHEN_OVER if run.is_over() else SEED_BEFORE).format(name=name),
    )
    games = map(bundle_game, find_places(entry.rules for entry in run.config.variants))
    if options := " ".join([f"--trust-game {name}/games/{game.digest}/{game.name}" for game in games]):
        text += f"\n{WITH_GAMES.format(name=name, options=options)}"
    plug_ins = [bot.name for bot in run.config.bots if bot.source.kind == "plug-in"]
    return f"{text}\nBots that are to be installed: {', '.join(plug_ins)}.\n" if plug_ins else text


def _bots_text(run: Run, with_bots: bool) -> str:
    """Return where the files of the bots are."""
    if not any(map(needs_upload, run.config.bots)):
        return INSTALLED
    return WITH_BOTS if with_bots else WITHOUT_BOTS
