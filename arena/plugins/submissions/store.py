"""The store of submitted bots: their files in `bots/<sha256>/`, their names and versions in `index.json`."""

from __future__ import annotations

import os
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import tomli_w

from arena.errors import PluginError, suggest_nearest
from arena.plugins.command import CommandBot
from arena.plugins.files import FileBot, FolderBot
from arena.plugins.installed import InstalledBot, bot_entry_points
from arena.plugins.manifest import MANIFEST, Manifest, check_name, read_manifest
from arena.plugins.spec import BotSpec, parse_bot
from arena.plugins.submissions.bot_files import (
    copy_files,
    files_in_archive,
    files_of,
    make_read_only,
    remove_tree,
)


class Submission(msgspec.Struct, frozen=True):
    """A bot in the store, by its name there."""

    name: str
    content: str
    """The hash of its files."""
    version: int
    """The number of submissions under the name so far, this one included."""
    path: str
    team: str = ""
    author: str = ""
    variants: tuple[str, ...] = ()
    description: str = ""
    error: str | None = None

    @property
    def entry(self) -> dict[str, str]:
        """The table that names it in a config."""
        return {"bot": self.path, "name": self.name, "team": self.team}


class _Index(msgspec.Struct):
    """The hashes of the contents submitted under each name, the current one last."""

    v: int = 1
    bots: dict[str, list[str]] = {}


class SubmissionStore:
    """A folder of submissions, created with the first one."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._bots = self.path / "bots"
        self._index = self.path / "index.json"

    def submit(
        self,
        text: str,
        base: Path,
        *,
        name: str = "",
        author: str = "",
        team: str = "",
        announce: Callable[[str], None] = lambda line: None,
    ) -> Submission:
        """Copy a bot into the store, under its own name or another, as the name's current version.

        `text` names a folder, a file and class, a command, or a zip archive of a folder. The packages that
        the bot names are installed; `announce` is called with a line before each long step.
        Raises: PluginError, for what is no bot, is not safe to copy, or has the name of another's bot.
        """
        path = Path(os.path.abspath(base.resolve() / text))
        is_archive = path.is_file() and zipfile.is_zipfile(path)
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
            self._copy_bot(copy, spec or path, name)
            manifest = self._update_manifest(copy, name=name, author=author, team=team)
            try:
                FolderBot(str(copy)).install_packages(announce)
            except PluginError as error:
                raise PluginError(str(error).replace(str(copy.resolve()), text)) from error
            with self._edit_index() as index:
                self._check_owner(index, manifest)
                sha = self._move_in(copy)
                versions = [one for one in index.bots.get(manifest.name, []) if one != sha]
                index.bots[manifest.name] = [*versions, sha]
        return self._submission(manifest.name, [*versions, sha])

    def submissions(self) -> list[Submission]:
        """Return the current version of every bot, by name."""
        return [self._submission(name, shas) for name, shas in sorted(self._read().bots.items())]

    def find(self, name: str) -> Submission:
        """Return the current version of one bot, or the one whose content has the hash `name`.

        Raises: PluginError, for an unknown name or hash.
        """
        if is_content_hash(name):
            if not (self._bots / name).is_dir():
                raise PluginError(
                    f"no submission in {self.path} has the hash {name}; set its store with --store"
                )
            return self._submission(name, [name])
        return self._submission(name, self._versions(self._read(), name))

    def rename(self, old: str, new: str) -> Submission:
        """Give a bot with all its versions another name.

        Raises: PluginError, for an unknown name, or a new one that is taken.
        """
        check_name(new)
        with self._edit_index() as index:
            versions = self._versions(index, old)
            if new in index.bots:
                raise PluginError(f"{new} is the name of another submission")
            _check_not_installed(new)
            index.bots[new] = index.bots.pop(old)
        return self._submission(new, versions)

    def remove(self, name: str) -> None:
        """Remove a bot from the store, with all versions that no other name has.

        Raises: PluginError, for an unknown name.
        """
        with self._edit_index() as index:
            versions = self._versions(index, name)
            del index.bots[name]
        with self._edit_index() as index:  # the files go last: an index never names what does not exist
            kept = {sha for shas in index.bots.values() for sha in shas}
            for sha in versions:
                if sha not in kept and (self._bots / sha).exists():
                    remove_tree(self._bots / sha)

    def _copy_bot(self, copy: Path, bot: BotSpec | Path, name: str) -> None:
        if isinstance(bot, BotSpec):
            copy_files(files_of(bot, name or _default_name(bot)), copy)
            return
        copy_files(files_in_archive(bot), copy)
        if not (copy / MANIFEST).is_file():
            raise PluginError(f"{bot.name} has no {MANIFEST}, neither at the top nor in its only folder")

    def _update_manifest(self, copy: Path, **given: str) -> Manifest:
        """Write the values given into the copy's `bot.toml`, and return it."""
        values = {key: value for key, value in given.items() if value}
        manifest = read_manifest(copy)
        if any(getattr(manifest, key) != value for key, value in values.items()):
            table = msgspec.to_builtins(msgspec.structs.replace(manifest, **values))
            path = copy / MANIFEST
            path.unlink()
            path.write_text(tomli_w.dumps(table), encoding="utf-8")
            path.chmod(0o444)
        manifest = FolderBot.parse(str(copy), copy).manifest  # refuses what is no bot
        program = (copy / "".join(manifest.command[:1])).resolve()
        if program.is_file() and program.is_relative_to(copy.resolve()):
            program.chmod(0o555)  # an archive may have forgotten it
        return manifest

    def _check_owner(self, index: _Index, manifest: Manifest) -> None:
        """Refuse the name of another author's bot."""
        _check_not_installed(manifest.name)
        if manifest.name in index.bots:
            current = self._submission(manifest.name, index.bots[manifest.name])
            if not current.error and current.author != manifest.author:
                raise PluginError(
                    f"{manifest.name} is a submission by {current.author or 'an unnamed author'}: choose "
                    "another name (--name), name the same author (--author), or remove the other first"
                )

    def _move_in(self, copy: Path) -> str:
        """Move a copy to its place, unless it is there unchanged, and return its hash."""
        sha = FolderBot(str(copy)).digest()
        place = self._bots / sha
        if place.exists() and FolderBot(str(place)).digest() != sha:
            remove_tree(place)
        if not place.exists():
            copy.rename(place)
            make_read_only(place)
        return sha

    def _versions(self, index: _Index, name: str) -> list[str]:
        if name not in index.bots:
            raise PluginError(f"no submission is called {name!r}; {suggest_nearest(name, index.bots)}")
        return index.bots[name]

    def _submission(self, name: str, versions: list[str]) -> Submission:
        sha, path = versions[-1], self._bots / versions[-1]
        known = Submission(name, sha, len(versions), str(path))
        try:
            manifest = read_manifest(path)
            if FolderBot(str(path)).digest() != sha:
                raise PluginError("its files were changed after it was submitted: submit it again")
        except PluginError as error:
            return msgspec.structs.replace(known, error=str(error))
        declared = {key: getattr(manifest, key) for key in ("team", "author", "variants", "description")}
        return msgspec.structs.replace(known, **declared)

    def _read(self) -> _Index:
        try:
            return msgspec.json.decode(self._index.read_bytes(), type=_Index)
        except FileNotFoundError:
            return _Index()
        except msgspec.DecodeError as error:
            raise PluginError(f"{self._index} is not the index of a store: {error}") from error

    @contextmanager
    def _edit_index(self) -> Iterator[_Index]:
        """Lock the index, let the caller change it, and write it."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / ".lock").open("w") as lock:
            if sys.platform != "win32":
                import fcntl

                fcntl.flock(lock, fcntl.LOCK_EX)
            index = self._read()
            yield index
            fresh = self._index.with_suffix(".new")
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(index, order="sorted")))
            os.replace(fresh, self._index)


def is_content_hash(text: str) -> bool:
    """Return whether a text is the hash of a submission's files."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


def _default_name(spec: BotSpec) -> str:
    """Return the name of a bot without a manifest: its class's, or that of its command's first file."""
    if isinstance(spec.source, CommandBot):
        return next((path.stem for _, path in spec.source.files()), "")
    return str(spec.source).rpartition(":")[2].lower()


def _refuse_linked(text: str, base: Path, spec: BotSpec | None) -> None:
    """Refuse a path with a link in it: whoever owns the folder of the link chooses where it leads.

    From then on the paths found are opened without following links.
    """
    named, found = [text], [os.path.realpath(base / text)]
    match spec and spec.source:
        case FileBot(path=path):
            named, found = [text.rpartition(":")[0]], [path]
        case FolderBot(path=path):
            found = [path]
        case CommandBot(words=words) as source:
            own = {str(path) for _, path in source.files()}
            pairs = zip(CommandBot.restore(text).words, words, strict=True)
            own_pairs = [pair for pair in pairs if pair[1] in own]
            named, found = [one for one, _ in own_pairs], [real for _, real in own_pairs]
        case InstalledBot():
            return
    for one, real in zip(named, found, strict=True):
        if os.path.abspath(base.resolve() / one) != real:
            raise PluginError(f"{one} leads through a link to {real}: submit that, if you mean it")


def _check_not_installed(name: str) -> None:
    if any(point.name == name for point in bot_entry_points()):
        raise PluginError(f"{name} is the name of an installed bot: submit it under another (--name)")
