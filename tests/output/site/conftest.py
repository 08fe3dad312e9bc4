"""A small league, played, with a bot whose texts are hostile."""

from itertools import count
from pathlib import Path

import pytest
import tomli_w

from arena.league.folder import LeagueFolder
from arena.league.requests import submit
from arena.league.store import LeagueDatabase
from arena.league.update import UpdateOptions, update_league
from arena.output.site.site import write_site
from arena.output.texts.checks import card_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from tests.output.pages.browsing import HOSTILE

SETTINGS = {
    "title": f"League of {HOSTILE}",
    "precision": 100.0,
    "blocks": 16,
    "check_matches": 1,
    "isolation": "inline",
    "variants": [
        {"name": "lives", "players": [3], "tokens": 1},
        {"name": "thirty-one", "players": [3], "tokens": 1},
    ],
}
BOT = """
from arena import Bot

class Simple(Bot):
    def act(self, view):
        return view.legal[{index}]
"""


CRASHING = """
class Crashing:
    def act(self, view):
        raise ValueError("private words")
"""


def drop_bot(folder: LeagueFolder, name: str, index: int) -> None:
    """Drop a bot whose author and description are hostile into the inbox."""
    bot = folder.inbox / name
    bot.mkdir()
    (bot / "bot.py").write_text(BOT.format(index=index))
    about = {"author": f"=cmd {HOSTILE}", "description": f"{HOSTILE} </style>"}
    (bot / "bot.toml").write_text(tomli_w.dumps({"name": name, "class": "bot.py:Simple", **about}))


def update(folder: LeagueFolder, date: str) -> None:
    """Update the league and write its site."""
    options = UpdateOptions(run=RunOptions(log_level=50), date=date, confirmed="inline")
    with StopRequest() as stop:
        update_league(folder, options, card_text, stop)
    write_site(folder)


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> LeagueFolder:
    """A league of four bots after two updates, one of them in its second version, with its site.

    Two submissions were rejected: one that is not Python, and one that crashes. Its seeds are the same each
    time: honest bots raise a suspicion in one of twenty games.
    """
    numbers = count(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.league.store.make_seed", lambda text="": text or f"{next(numbers):032x}")
        return play_league(tmp_path_factory.mktemp("league") / "ours")


def play_league(path: Path) -> LeagueFolder:
    """Play the league in a new folder."""
    path.mkdir()
    (path / "league.toml").write_text(tomli_w.dumps(SETTINGS))
    folder = LeagueFolder.create(path)
    with LeagueDatabase.open(path, "rw") as database:
        for bot in ("greedy", "random", "prudent"):
            submit(folder, database, bot, path)
    drop_bot(folder, "plain", 0)
    (folder.inbox / "broken.py").write_text("no python")
    (folder.inbox / "crashing.py").write_text(CRASHING)
    update(folder, "2026-01-31")
    drop_bot(folder, "plain", -1)
    update(folder, "2026-02-28")
    return folder
