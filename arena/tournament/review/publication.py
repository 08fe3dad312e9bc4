"""Publishing a run: an archive with all that somebody else needs to read and verify it."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from arena import __version__
from arena.errors import ArenaError, PluginError, StoreError
from arena.plugins.bot_source import ArchiveReader
from arena.plugins.file_bots import is_program
from arena.plugins.games import find_places
from arena.plugins.submissions.bot_files import (
    ARCHIVE_ERRORS,
    CHUNK_BYTES,
    MAX_DIRECTORY_BYTES,
    BotFile,
    check_file_name,
    copy_files,
)
from arena.tournament.cluster.run_bundle import bundle_bot, bundle_game, extract_game, needs_upload, relocate
from arena.tournament.files.reproducible_zip import ArchivedFile
from arena.tournament.running.run import Run
from arena.tournament.setup.config import Config
from arena.tournament.storage.database import DATABASE
from arena.tournament.storage.locks import is_being_written

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
    arena verify {name} --sealed            check its seal; --signer FILE also the organiser's key
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
and the submitted ones in the store that --store names.
"""


def published_files(run: Run, *, with_bots: bool) -> Iterator[ArchivedFile]:
    """Yield the files of a run's archive: its folder without the log, and the files of its bots if asked for.

    Raises:
        StoreError: For a run that is being played.
        ConfigError: If a bot has changed or is missing.
        PluginError: For a bot that is too large.
    """
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

    Raises:
        StoreError: For an archive that is damaged, is too large, or has no run; and for games that it has, as
            those are code that runs in this process.
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
