"""The store: `bots/<sha256>/` holds what was handed in, `index.json` says which name stands for what."""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import tomli_w

from arena.errors import PluginError, suggest_nearest
from arena.plugins import command, installed
from arena.plugins.manifest import MANIFEST, Manifest, check_name, read_manifest
from arena.plugins.spec import BotSpec, content, kind, parse_bot
from arena.plugins.submissions.archive import members_in
from arena.plugins.submissions.bot_files import members_of
from arena.plugins.submissions.safe_copy import copy_members, make_read_only, remove_tree


class Submission(msgspec.Struct, frozen=True):
    """A bot in the store, by the name it has there."""

    name: str
    content: str
    version: int
    """How many have been handed in under the name, this one included."""
    path: str
    team: str = ""
    author: str = ""
    variants: tuple[str, ...] = ()
    description: str = ""
    error: str | None = None

    @property
    def entry(self) -> dict[str, str]:
        """What a config says to have it play."""
        return {"bot": self.path, "name": self.name, "team": self.team}


class _Index(msgspec.Struct):
    """By name, the contents handed in under it, the current one last."""

    v: int = 1
    bots: dict[str, list[str]] = {}


class SubmissionStore:
    """A folder of submissions; made when the first is handed in."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._bots = self.path / "bots"
        self._index = self.path / "index.json"

    def submit(
        self, text: str, base: Path, *, name: str = "", author: str = "", team: str = ""
    ) -> Submission:
        """Copies a bot into the store, under its own name or another; it is the name's current version then.

        `text` names a folder, a file and class, a command, or a zip archive of a folder.
        Raises: PluginError, for what is no bot, not safe to copy, or goes by the name of another's bot.
        """
        spec = None if zipfile.is_zipfile(base / text) else parse_bot(text, base)
        if spec and kind(spec) == "folder" and self.path.resolve().is_relative_to(spec.source):
            raise PluginError(
                f"{spec.source} has the store {self.path} in it: say --store, or submit it from elsewhere"
            )
        self._bots.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".new-", dir=self.path) as room:
            copy = Path(room, "bot")
            copy.mkdir()
            self._fill(copy, spec or base / text, name)
            manifest = self._label(copy, name=name, author=author, team=team)
            with self._changing() as index:
                self._check_owner(index, manifest)
                sha = self._keep(copy)
                versions = [one for one in index.bots.get(manifest.name, []) if one != sha]
                index.bots[manifest.name] = [*versions, sha]
        return self._submission(manifest.name, [*versions, sha])

    def submissions(self) -> list[Submission]:
        """The current version of every bot, by name."""
        return [self._submission(name, shas) for name, shas in sorted(self._read().bots.items())]

    def find(self, name: str) -> Submission:
        """The current version of one bot.

        Raises: PluginError, where there is none of that name.
        """
        return self._submission(name, self._versions(self._read(), name))

    def rename(self, old: str, new: str) -> Submission:
        """Gives a bot another name; its versions go with it.

        Raises: PluginError, where there is none, or another has the new name.
        """
        check_name(new)
        with self._changing() as index:
            versions = self._versions(index, old)
            if new in index.bots:
                raise PluginError(f"{new} is the name of another submission")
            _check_not_installed(new)
            index.bots[new] = index.bots.pop(old)
        return self._submission(new, versions)

    def remove(self, name: str) -> None:
        """Takes a bot out of the store, with all versions that no other name stands for.

        Raises: PluginError, where there is none of that name.
        """
        with self._changing() as index:
            versions = self._versions(index, name)
            del index.bots[name]
        with self._changing() as index:  # the files go last: an index never names what is not there
            kept = {sha for shas in index.bots.values() for sha in shas}
            for sha in versions:
                if sha not in kept and (self._bots / sha).exists():
                    remove_tree(self._bots / sha)

    def _fill(self, copy: Path, bot: BotSpec | Path, name: str) -> None:
        """Copies the files of a bot, or of an archive."""
        if isinstance(bot, BotSpec):
            copy_members(members_of(bot, name or _usual_name(bot)), copy)
            return
        copy_members(members_in(bot), copy)
        if not (copy / MANIFEST).is_file():
            raise PluginError(f"{bot.name}: there is no {MANIFEST} in it, at the top or in its only folder")

    def _label(self, copy: Path, **given: str) -> Manifest:
        """What the copy's `bot.toml` says, with what was given in the place of its own."""
        said = {key: value for key, value in given.items() if value}
        manifest = read_manifest(copy)
        if any(getattr(manifest, key) != value for key, value in said.items()):
            table = msgspec.to_builtins(msgspec.structs.replace(manifest, **said))
            path = copy / MANIFEST
            path.unlink()
            path.write_text(tomli_w.dumps(table), encoding="utf-8")
            path.chmod(0o444)
        parse_bot(str(copy), copy)  # refuses what is no bot
        manifest = read_manifest(copy)
        program = (copy / "".join(manifest.command[:1])).resolve()
        if program.is_file() and program.is_relative_to(copy.resolve()):
            program.chmod(0o555)  # an archive may have forgotten it
        return manifest

    def _check_owner(self, index: _Index, manifest: Manifest) -> None:
        """Refuses a name that stands for somebody else's bot."""
        _check_not_installed(manifest.name)
        if manifest.name in index.bots:
            current = self._submission(manifest.name, index.bots[manifest.name])
            if not current.error and current.author != manifest.author:
                raise PluginError(
                    f"{manifest.name} is by {current.author or 'nobody named'} already: submit it under "
                    "another name (--name), by the same author (--author), or remove the other first"
                )

    def _keep(self, copy: Path) -> str:
        """Moves a copy to its place, if it is not there unchanged; its hash."""
        sha = content(BotSpec(str(copy), ""))
        place = self._bots / sha
        if place.exists() and content(BotSpec(str(place), "")) != sha:
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
            if content(BotSpec(str(path), name)) != sha:
                raise PluginError("its files are not those that were handed in: submit it again")
        except PluginError as error:
            return msgspec.structs.replace(known, error=str(error))
        facts = {key: getattr(manifest, key) for key in ("team", "author", "variants", "description")}
        return msgspec.structs.replace(known, **facts)

    def _read(self) -> _Index:
        try:
            return msgspec.json.decode(self._index.read_bytes(), type=_Index)
        except FileNotFoundError:
            return _Index()
        except msgspec.DecodeError as error:
            raise PluginError(f"{self._index} is not the index of a store: {error}") from error

    @contextmanager
    def _changing(self) -> Iterator[_Index]:
        """The index, written when it was changed; one process at a time."""
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


def _usual_name(spec: BotSpec) -> str:
    """What a bot is called that has no name of its own: by its class, or the first file of its command."""
    if kind(spec) == "command":
        return next((path.stem for path in command.files(spec.source)), "")
    return spec.source.rpartition(":")[2].lower()


def _check_not_installed(name: str) -> None:
    if any(point.name == name for point in installed.points()):
        raise PluginError(f"{name} is the name of an installed bot: submit it under another (--name)")
