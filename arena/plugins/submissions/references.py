"""Submissions in a config: `submitted` stands for all of them, `submitted:NAME` for one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.errors import PluginError
from arena.plugins.spec import BotSpec, parse_bot
from arena.plugins.submissions.store import SubmissionStore

SUBMITTED = "submitted"
USUAL = "submissions"


def store_path() -> Path:
    """Where the store is unless it is said: by the environment variable ARENA_STORE, else `submissions/`."""
    return Path(os.environ.get("ARENA_STORE") or USUAL)


def is_submitted(entry: object) -> bool:
    """Whether an entry names submissions."""
    return isinstance(entry, str) and entry.partition(":")[0] == SUBMITTED


def with_submitted(entries: Iterable[Any], store: Path) -> list[Any]:
    """A config's bots with the submissions that are meant in their places, by name.

    Raises: PluginError, where there is none; or one whose files were changed in the store.
    """
    found: list[Any] = []
    for entry in entries:
        found += _meant(entry, SubmissionStore(store)) if is_submitted(entry) else [entry]
    return found


def submitted_or_named(text: str, base: Path, store: Path) -> BotSpec:
    """The one bot that a text names, a submission or any other.

    Raises: PluginError, for a bot that is not there, or for all submissions.
    """
    if text == SUBMITTED:
        raise PluginError(f"{SUBMITTED} stands for all of them: name one, {SUBMITTED}:NAME")
    (entry,) = with_submitted([text], store)
    return parse_bot(entry, base)


def _meant(entry: str, store: SubmissionStore) -> list[dict[str, str]]:
    name = entry.partition(":")[2]
    submissions = [store.find(name)] if name else store.submissions()
    if not submissions:
        raise PluginError(f"nothing has been submitted to {store.path}; `arena submit BOT` does")
    for one in submissions:
        if one.error:
            raise PluginError(f"{one.name}: {one.error}")
    return [one.entry for one in submissions]
