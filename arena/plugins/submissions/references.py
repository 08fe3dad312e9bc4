"""References to submissions in a config: `submitted` for all; one as `submitted:NAME` or `submitted:HASH`."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.errors import PluginError
from arena.plugins.bot_source import BotSource, is_content_hash
from arena.plugins.bot_spec import BotSpec, parse_bot
from arena.plugins.file_bots import FolderBot
from arena.plugins.submissions.files import ContentStore
from arena.plugins.submissions.store import SubmissionStore

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
