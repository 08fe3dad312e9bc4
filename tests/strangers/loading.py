"""Games of a stranger, and forgetting those that a test has loaded."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from arena import installed
from arena.games import registry

GOLF: Final = Path(__file__).with_name("golf.py")
WHIST: Final = Path(__file__).with_name("whist.py")
AUTHORS_PAGE: Final = Path(__file__).parents[2] / "docs/your-own-game.md"


def write_auction(folder: Path) -> Path:
    """Write the game with sealed bids of the page for authors to a file."""
    page = AUTHORS_PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (game,) = [block for block in blocks if "class AuctionDeal" in block]
    path = folder / "auction.py"
    path.write_text(game, encoding="utf-8")
    return path


@contextmanager
def forget_games() -> Iterator[None]:
    """Forget at the end what was loaded inside."""
    try:
        yield
    finally:
        installed._added_games().clear()
        for known in (registry.list_families, registry.load_family, registry.find_variant):
            known.cache_clear()
