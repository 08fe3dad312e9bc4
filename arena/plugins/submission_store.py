"""The store of submitted bots, and the references to them in a config."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from arena.errors import PluginError, suggest_nearest
from arena.plugins.bot_files import ContentStore, is_hash_prefix
from arena.plugins.bot_source import BotSource, is_content_hash
from arena.plugins.bot_spec import BotSpec, parse_bot
from arena.plugins.manifest import Manifest, check_name, fold_case, read_manifest
from arena.plugins.sources import FolderBot, check_not_installed

# --- store ---
# The store of submitted bots: their files in `bots/<sha256>/`, their names and versions in `index.json`.


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
        self._contents = ContentStore(path)
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

        Raises:
            PluginError: For what is not a bot, is not safe to copy, or has the name of another's bot.
        """
        copying = self._contents.copied(text, base, name=name, author=author, team=team, announce=announce)
        with copying as (copy, manifest), self._edit_index() as index:
            self._check_owner(index, manifest)
            sha = self._contents.move_in(copy)
            known = index.bots.get(manifest.name, [])
            versions = [digest for digest in known if digest != sha]
            if sha in known:
                announce(f"These are the files of version {known.index(sha) + 1} of {manifest.name}.")
            elif known:
                announce(f"{manifest.name} has version {len(known)}, which this one replaces.")
            index.bots[manifest.name] = [*versions, sha]
        return self._submission(manifest.name, [*versions, sha])

    def submissions(self) -> list[Submission]:
        """Return the current version of every bot, by name."""
        return [self._submission(name, shas) for name, shas in sorted(self._read().bots.items())]

    def find(self, name: str) -> Submission:
        """Return the current version of one bot, or the one whose content's hash begins with `name`.

        Raises:
            PluginError: For an unknown name or hash.
        """
        index = self._read()
        if is_content_hash(name) or (is_hash_prefix(name) and name not in index.bots):
            matching = self._contents.find(name)
            if len(matching) == 1:
                return self._submission(name, matching)
            if matching:
                raise PluginError(
                    f"{len(matching)} submissions have a hash that begins with {name}: write more"
                )
            if is_content_hash(name):
                raise PluginError(
                    f"no submission in {self.path} has the hash {name}; set its store with ARENA_STORE"
                )
        return self._submission(name, self._versions(index, name))

    def rename(self, old: str, new: str) -> Submission:
        """Give a bot with all its versions another name.

        Raises:
            PluginError: For an unknown name, or a new one that is taken.
        """
        check_name(new)
        with self._edit_index() as index:
            versions = self._versions(index, old)
            if new in index.bots:
                raise PluginError(f"{new} is the name of another submission")
            check_not_installed(new)
            _refuse_other_case(new, index.bots.keys() - {old})
            index.bots[new] = index.bots.pop(old)
        return self._submission(new, versions)

    def hide(self, name: str) -> list[str]:
        """Take a bot off the list of submissions; return the hashes of its versions, whose files stay.

        Runs that played it can still be resumed and verified, and `submitted:HASH` still names it.

        Raises:
            PluginError: For an unknown name.
        """
        with self._edit_index() as index:
            versions = self._versions(index, name)
            del index.bots[name]
        return versions

    def purgeable(self, name: str) -> list[str]:
        """Return the hashes of the contents that `purge` would remove: those that no other name has.

        Raises:
            PluginError: For an unknown name or hash.
        """
        index = self._read()
        versions = index.bots.get(name) or [self.find(name).content]
        owners = {sha: other for other, shas in index.bots.items() if other != name for sha in shas}
        if name not in index.bots and (owner := owners.get(versions[0])):
            raise PluginError(f"{name} is a version of {owner}: purge {owner}, or --remove it first")
        return [sha for sha in versions if sha not in owners]

    def purge(self, name: str) -> None:
        """Remove a bot, or the content of a hash, with the files that no other name has.

        Raises:
            PluginError: For an unknown name or hash.
        """
        contents = self.purgeable(name)
        with self._edit_index() as index:  # the files go last: an index never names what does not exist
            index.bots.pop(name, None)
        for sha in contents:
            self._contents.remove(sha)

    def _check_owner(self, index: _Index, manifest: Manifest) -> None:
        """Refuse the name of another author's bot, and that of another bot in another case."""
        check_not_installed(manifest.name)
        if manifest.name not in index.bots:
            _refuse_other_case(manifest.name, index.bots)
        else:
            current = self._submission(manifest.name, index.bots[manifest.name])
            if not current.error and current.author != manifest.author:
                raise PluginError(
                    f"{manifest.name} is a submission by {current.author or 'an unnamed author'}: choose "
                    "another name (--name), name the same author (--author), or remove the other first"
                )

    def _versions(self, index: _Index, name: str) -> list[str]:
        if name not in index.bots:
            raise PluginError(f"no submission is called {name!r}; {suggest_nearest(name, index.bots)}")
        return index.bots[name]

    def _submission(self, name: str, versions: list[str]) -> Submission:
        sha, path = versions[-1], self._contents.folder(versions[-1])
        known = Submission(name, sha, len(versions), str(path))
        try:
            manifest = read_manifest(path)
            bot = FolderBot(str(path))
            if bot.digest() != sha:
                raise PluginError("its files were changed after it was submitted: submit it again")
            variants = bot.variants()
        except PluginError as error:
            return msgspec.structs.replace(known, error=str(error))
        declared = {key: getattr(manifest, key) for key in ("team", "author", "description")}
        return msgspec.structs.replace(known, variants=variants, **declared)

    def _read(self) -> _Index:
        try:
            index = msgspec.json.decode(self._index.read_bytes(), type=_Index)
        except FileNotFoundError:
            return _Index()
        except msgspec.DecodeError as error:
            raise PluginError(f"{self._index} is not the index of a store: {error}") from error
        for name, hashes in index.bots.items():
            check_name(name)
            if not hashes or not all(map(is_content_hash, hashes)):  # a path would lead out of the store
                raise PluginError(f"{self._index} is not the index of a store: {name} has no hash")
        return index

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


def _refuse_other_case(name: str, names: Iterable[str]) -> None:
    """Raise PluginError if a name differs from one of others only in case."""
    if same := next((other for other in sorted(names) if fold_case(other) == fold_case(name)), None):
        raise PluginError(
            f"{name} is {same}, another submission, but for its case: choose another name (--name)"
        )


# --- references ---
# References to submissions in a config: `submitted` for all; one as `submitted:NAME` or `submitted:HASH`.

SUBMITTED = "submitted"
DEFAULT_STORE = "submissions"


def default_store() -> Path:
    """Return the folder of the store: the environment variable ARENA_STORE, else `submissions/`."""
    return Path(os.environ.get("ARENA_STORE") or DEFAULT_STORE)


def is_reference(entry: object) -> bool:
    """Return whether a config's entry refers to submissions."""
    return isinstance(entry, str) and entry.partition(":")[0] == SUBMITTED


def resolve_references(
    entries: Iterable[Any], store: Path, without: Collection[str] = frozenset()
) -> list[Any]:
    """Return a config's bots with the submissions, by name, in place of each reference.

    Of a reference to all submissions those named in `without` are left out, whatever is wrong with them.

    Raises:
        PluginError: For a submission that does not exist or whose files were changed in the store.
    """
    resolved: list[Any] = []
    for entry in entries:
        if is_reference(entry):
            resolved += _resolve(entry, SubmissionStore(store), without)
        elif isinstance(entry, Mapping) and is_reference(entry.get("bot")) and entry["bot"] != SUBMITTED:
            (submission,) = _resolve(entry["bot"], SubmissionStore(store))
            resolved.append({**submission, **entry, "bot": submission["bot"]})
        else:
            resolved.append(entry)
    return resolved


def portable_text(source: BotSource, folder: Path) -> str:
    """Return the text that names a bot in a config in `folder` here and elsewhere: submissions by hash."""
    sha = content_hash(source)
    return f"{SUBMITTED}:{sha}" if sha else source.relative_to(folder)


def content_hash(source: BotSource) -> str:
    """Return the hash by which a submission is stored; empty for any other bot."""
    path = Path(str(source))
    is_stored = isinstance(source, FolderBot) and path.parent.name == "bots" and is_content_hash(path.name)
    return path.name if is_stored else ""


def find_content(sha: str, stores: Sequence[Path]) -> Path:
    """Return the folder of a content in the first of some stores that has it; else where the last would.

    Raises:
        PluginError: For what is not a hash.
    """
    if not is_content_hash(sha):  # a path would lead out of the store
        raise PluginError(f"{sha[:80]!r} is not the hash of a submission")
    places = [ContentStore(store).folder(sha) for store in stores]
    return next((place for place in places if place.is_dir()), places[-1])


def parse_bot_or_reference(text: str, base: Path, store: Path) -> BotSpec:
    """Return the one bot that `text` names, a submission or any other.

    Raises:
        PluginError: For a bot that does not exist, or for all submissions.
    """
    if text == SUBMITTED:
        raise PluginError(f"{SUBMITTED} means all submissions: name one, {SUBMITTED}:NAME")
    (entry,) = resolve_references([text], store)
    return parse_bot(entry, base)


def _resolve(
    entry: str, store: SubmissionStore, without: Collection[str] = frozenset()
) -> list[dict[str, str]]:
    name = entry.partition(":")[2]
    stored = [store.find(name)] if name else store.submissions()
    submissions = stored if name else [submission for submission in stored if submission.name not in without]
    if not stored:
        raise PluginError(f"no bots have been submitted to {store.path}; submit one with `arena submit BOT`")
    for submission in submissions:
        if submission.error:
            raise PluginError(f"{submission.name}: {submission.error}")
    return [submission.entry for submission in submissions]
