"""A league from an empty folder: bots of four languages are dropped in, rated, and seen on the site."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from arena.league.folder import LeagueFolder
from tests.output.pages.browsing import Opener, follow_links
from tests.output.site.conftest import update

pytestmark = pytest.mark.xdist_group("league site")  # the browser is started once
ROOT = Path(__file__).parents[3]
PERL_BOT = r"""
$| = 1;
while (<STDIN>) {
    if (/"t":"hello"/) { print qq({"t":"ready","v":1,"events":false}\n) }
    elsif (/"t":"act"/ && /"m":(\d+)/) { print qq({"t":"action","m":$1,"action":0}\n) }
    elsif (/"t":"bye"/) { exit }
}
"""
LANGUAGES = ("python", "javascript", "c", "perl")


@pytest.fixture
def folder(tmp_path: Path) -> LeagueFolder:
    """A new league of two games, in which bots play little."""
    for program in ("node", "cc", "make", "perl"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program} here")
    folder = LeagueFolder.create(tmp_path / "ours", "Four languages", ("lives", "cuccu"))
    text = folder.settings.read_text().replace("#precision = 25.0", "precision = 500.0")
    text = text.replace("#blocks = 400", "blocks = 4").replace("players = [4]", "players = [3]")
    limits = "[limits]\ndecision_ms = 10000\nstart_ms = 60000"  # on a busy machine processes start slowly
    folder.settings.write_text(text.replace("#[limits]", limits))
    return folder


def drop_bot(folder: LeagueFolder, language: str, name: str) -> None:
    """Drop a bot of a language into the inbox, built where it is compiled."""
    bot = folder.inbox / name
    if language == "perl":
        bot.mkdir()
        (bot / "bot.pl").write_text(PERL_BOT)
        (bot / "bot.toml").write_text(f'name = "{name}"\ncommand = ["perl", "bot.pl"]\n')
        return
    shutil.copytree(ROOT / "examples" / language, bot, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    if language == "c":
        subprocess.run(["make", "--silent"], cwd=bot, check=True)
    manifest = (bot / "bot.toml").read_text().splitlines()
    (bot / "bot.toml").write_text("\n".join([f'name = "{name}"', *manifest[1:], f'# a comment for "{name}"']))


@pytest.mark.full
def test_bots_of_four_languages_are_rated_and_seen(opened: Opener, folder: LeagueFolder) -> None:
    names = [f"{language}-1" for language in LANGUAGES]
    for language, name in zip(LANGUAGES, names, strict=True):
        drop_bot(folder, language, name)
    update(folder, "2026-01-31")
    standings = json.loads((folder.site / "index.json").read_bytes())["standings"]
    assert {row["bot"] for row in standings} == set(names)
    assert all(row["blocks"] for row in standings)
    visited, window = follow_links(opened, folder.site / "index.html")
    assert len(visited) == len(list(folder.site.rglob("*.html"))) > 3 * len(names)
    assert window.troubles == []
    assert {request.partition("#")[0] for request in window.requests} == visited
