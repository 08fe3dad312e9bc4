"""Looking for the runs that played certain bots."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from arena.errors import StoreError
from arena.tournament.storage.database import DATABASE
from arena.tournament.storage.store import Store


def find_runs_with(contents: Collection[str], folders: Collection[Path]) -> Iterator[Path]:
    """Yield the runs in some folders of results that played a bot of one of these contents, by hash."""
    for folder in sorted({folder.resolve() for folder in folders}):
        for database in sorted(folder.glob(f"*/{DATABASE}")):
            with suppress(StoreError), Store.open(database.parent) as store:
                if not set(store.metadata.bots.values()).isdisjoint(contents):
                    yield database.parent
