"""Files of submitted bots in folders that are named by their hash, `bots/<sha256>/`."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import tomli_w

from arena.errors import PluginError
from arena.plugins.bot_source import is_content_hash, is_zip_archive
from arena.plugins.bot_spec import BotSpec, parse_bot
from arena.plugins.command_bots import CommandBot
from arena.plugins.file_bots import FileBot, FolderBot
from arena.plugins.installed_bots import InstalledBot
from arena.plugins.manifest import MANIFEST, Manifest, name_of_file, read_manifest
from arena.plugins.submissions.bot_files import (
    copy_files,
    files_in_archive,
    files_of,
    make_read_only,
    remove_tree,
)


class CopiedBot(NamedTuple):
    """A copy of a bot that is not in its place yet."""

    folder: Path
    manifest: Manifest


class ContentStore:
    """Folders of bots, each named by the hash of its files, in `bots/` of a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._bots = self.path / "bots"

    def folder(self, sha: str) -> Path:
        """Return the folder of a content, which exists if it was stored."""
        return self._bots / sha

    @contextmanager
    def copied(
        self,
        text: str,
        base: Path,
        *,
        name: str = "",
        author: str = "",
        team: str = "",
        announce: Callable[[str], None] = lambda line: None,
    ) -> Iterator[CopiedBot]:
        """Copy a bot, check its files and install the packages that it names; `move_in` keeps the copy.

        `text` names a folder, a file and class, a command, or a zip archive of a folder; `announce` is called
        with a line before each long step.

        Raises:
            PluginError: For what is not a bot or is not safe to copy.
        """
        path = Path(os.path.abspath(base.resolve() / text))
        is_archive = path.is_file() and is_zip_archive(path)
        spec = None if is_archive else parse_bot(text, base)
        _refuse_linked(text, base, spec)
        if (
            spec
            and isinstance(spec.source, FolderBot)
            and self.path.resolve().is_relative_to(spec.source.path)
        ):
            raise PluginError(
                f"{spec.source} contains the store {self.path}: move the store with --store, or the bot"
            )
        self._bots.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=self.path) as scratch:
            copy = Path(scratch, "bot")
            copy.mkdir()
            _copy_bot(copy, spec or path, name)
            try:
                manifest = _update_manifest(copy, name=name, author=author, team=team)
                FolderBot(str(copy)).install_packages(announce)
            except PluginError as error:
                raise PluginError(str(error).replace(str(copy.resolve()), text)) from error
            yield CopiedBot(copy, manifest)

    def move_in(self, copy: Path) -> str:
        """Move a copy to its place, unless it is there unchanged, and return its hash."""
        sha = FolderBot(str(copy)).digest()
        place = self._bots / sha
        if place.exists() and FolderBot(str(place)).digest() != sha:
            remove_tree(place)
        if not place.exists():
            copy.rename(place)
            make_read_only(place)
        return sha

    def remove(self, sha: str) -> None:
        """Remove the files of a content, if they are there."""
        if self.folder(sha).exists():
            remove_tree(self.folder(sha))

    def find(self, prefix: str) -> list[str]:
        """Return the hashes of the contents that begin with a text."""
        return sorted(path.name for path in self._bots.glob(f"{prefix}*") if is_content_hash(path.name))


def is_hash_prefix(text: str) -> bool:
    """Return whether a text may be the beginning of a hash, as tables print it, or a whole one."""
    return re.fullmatch("[0-9a-f]{7,64}", text) is not None


def _copy_bot(copy: Path, bot: BotSpec | Path, name: str) -> None:
    if isinstance(bot, BotSpec):
        copy_files(files_of(bot, name or default_name(bot)), copy)
        return
    copy_files(files_in_archive(bot), copy)
    if not (copy / MANIFEST).is_file():
        raise PluginError(f"{bot.name} has no {MANIFEST}, neither at the top nor in its only folder")


def _update_manifest(copy: Path, **given: str) -> Manifest:
    """Write the values given into the copy's `bot.toml`, and return it."""
    values = {key: value for key, value in given.items() if value}
    manifest = read_manifest(copy)
    if any(getattr(manifest, key) != value for key, value in values.items()):
        table = msgspec.to_builtins(msgspec.structs.replace(manifest, **values))
        path = copy / MANIFEST
        path.unlink()
        path.write_text(tomli_w.dumps(table), encoding="utf-8")
        path.chmod(0o444)
    manifest = FolderBot.parse(str(copy), copy).manifest  # refuses what is not a bot
    program = (copy / "".join(manifest.command[:1])).resolve()
    if program.is_file() and program.is_relative_to(copy.resolve()):
        program.chmod(0o555)  # an archive may have forgotten it
    return manifest


def default_name(spec: BotSpec) -> str:
    """Return the name of a bot without a manifest: that of its file, or of a class that was named."""
    if isinstance(spec.source, CommandBot):
        return next((path.stem for _, path in spec.source.files()), "")
    if isinstance(spec.source, FolderBot):
        return spec.source.manifest.name
    of_file = name_of_file(Path(spec.name).stem, is_ascii=True) if spec.name.endswith(".py") else ""
    return of_file or str(spec.source).rpartition(":")[2].lower()


def _refuse_linked(text: str, base: Path, spec: BotSpec | None) -> None:
    """Refuse a path with a link in it: whoever owns the folder of the link chooses where it leads.

    From then on the paths found are opened without following links.
    """
    named, paths = [text], [os.path.realpath(base / text)]
    match spec and spec.source:
        case FileBot(path=path, class_name=class_name):
            named, paths = [text.removesuffix(f":{class_name}")], [path]
        case FolderBot(path=path):
            paths = [path]
        case CommandBot(words=words) as source:
            own = {str(path) for _, path in source.files()}
            pairs = zip(CommandBot.restore(text).words, words, strict=True)
            own_pairs = [pair for pair in pairs if pair[1] in own]
            named, paths = [name for name, _ in own_pairs], [real for _, real in own_pairs]
        case InstalledBot():
            return
    for name, real in zip(named, paths, strict=True):
        if os.path.abspath(base.resolve() / name) != real:
            raise PluginError(f"{name} leads through a link to {real}: submit that, if you mean it")
