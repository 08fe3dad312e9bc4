"""Games of a stranger, and forgetting those that a test has loaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena import installed_games
from arena.games import registry

GOLF: Final = Path(__file__).with_name("golf.py")


@contextmanager
def forget_games() -> Iterator[None]:
    """Forget at the end what was loaded inside."""
    try:
        yield
    finally:
        installed_games._added_games().clear()
        for known in (registry.list_families, registry.load_family, registry.find_variant):
            known.cache_clear()
