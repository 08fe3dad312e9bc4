"""Authors on the pages of a league: shown only if its settings say so."""

from pathlib import Path

import pytest

from arena.league.folder import LeagueFolder
from arena.league.requests import Admission, Verdict, submit
from arena.league.results import LeagueResults
from arena.league.settings import read_settings
from arena.league.store import LeagueDatabase, LeagueRequest
from arena.output.site.bots import bot_pages
from arena.output.site.content import SiteContent
from arena.output.site.ladders import bots_page
from arena.output.site.requests import submission_pages, submissions_page

BOT_FILE = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
MANIFEST = 'name = "crane"\nclass = "bot.py:Mine"\nauthor = "Ann Smith"\nteam = "Herons"\n'


@pytest.mark.parametrize("is_shown", [False, True])
def test_authors_are_shown_only_if_the_settings_say_so(tmp_path: Path, is_shown: bool) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "bot.py").write_text(BOT_FILE)
    (mine / "bot.toml").write_text(MANIFEST)
    folder = LeagueFolder.create(tmp_path / "course", "", ["lives"])
    about = f"show_authors = {str(is_shown).lower()}\n"
    names = '[submitters]\nlogin17 = ["crane"]\n\n[[variants]]'
    folder.settings.write_text(about + folder.settings.read_text().replace("[[variants]]", names, 1))
    settings = read_settings(folder.path)
    with LeagueDatabase.open(folder.path, "rw") as database:
        request = submit(folder, database, str(mine), Path(), submitter="login17")
        Admission(folder, database, settings, lambda spec, games: Verdict("", "a card")).apply(request, 1)
        late = LeagueRequest(name="egret", submitter="login17", state="rejected", reason="login17 may not")
        database.add_request(late)
    with LeagueResults.open(folder.path) as results:
        content = SiteContent(results)
        pages = [
            bots_page(content),
            submissions_page(content),
            *bot_pages(content),
            *submission_pages(content),
        ]
        shown = "".join(page.render("A course") + page.json("A course").decode() for page in pages)
    for secret in ("Ann Smith", "Herons", "login17"):
        assert (secret in shown) == is_shown
    assert "crane" in shown
