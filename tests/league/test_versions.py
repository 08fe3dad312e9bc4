"""Updates of a league after which names and versions change: rejections, withdrawals, new versions."""

from arena.league.folder import LeagueFolder
from arena.league.requests import request_change
from arena.league.results import LeagueResults
from arena.league.store import LeagueDatabase
from arena.output.site.bots import bot_pages
from arena.output.site.content import SiteContent
from arena.output.tables.league import bots_table, gain_text
from tests.league.conftest import BOT, Drop
from tests.league.test_update import FAILING, SETTINGS, StopAfter, blocks_of, copy, league, update

__all__ = ["league"]


def test_an_update_in_which_everything_was_rejected_plays_nothing(league: LeagueFolder) -> None:
    update(league)
    before = blocks_of(league, 0)
    assert update(league, more=True) in ("done", "nothing")
    with LeagueResults.open(league.path) as results:
        played = results.count_blocks()
    (league.inbox / "bad.py").write_text(FAILING.replace("self.players == 4", "False"))
    assert update(league) == "done"
    with LeagueResults.open(league.path) as results:
        assert results.requests[-1].state == "rejected"
        assert results.count_blocks() == played
        assert results.updates[-1].state == "done"
        assert results.ladders
    assert before


def test_an_update_in_which_everything_was_rejected_plays_what_was_left_over(
    league: LeagueFolder, folder: LeagueFolder
) -> None:
    league.settings.write_text(SETTINGS.replace("precision = 60", "precision = 1"))  # blocks decide the end
    whole = copy(league, "whole")
    update(whole)
    assert update(league, stop=StopAfter(12)) == "stopped"
    (league.inbox / "bad.py").write_text(FAILING.replace("self.players == 4", "False"))
    assert update(league) == "done"
    with LeagueResults.open(league.path) as results, LeagueResults.open(whole.path) as other:
        assert abs(results.count_blocks() - other.count_blocks()) <= 2  # on other deals, others play next
        assert [past_update.number for past_update in results.updates] == [1, 2]


def test_a_withdrawn_name_stays_reserved_for_its_owner(league: LeagueFolder) -> None:
    league.settings.write_text(SETTINGS.replace("[[", '[submitters]\nann = ["mine"]\nben = ["mine"]\n[[', 1))
    drop_mine(league, "ann", 0)
    update(league)
    with LeagueDatabase.open(league.path, "rw") as database:
        request_change(database, "withdraw", "mine")
    update(league)
    drop_mine(league, "ben", 1)
    update(league)
    with LeagueResults.open(league.path) as results:
        assert "another's bot" in results.requests[-1].reason
        assert {bot.name: bot.state for bot in results.bots}["mine"] == "withdrawn"
        [page] = [page for page in bot_pages(SiteContent(results)) if page.title == "mine"]
        assert "stays reserved for its owner" in page.lead
    drop_mine(league, "ann", -1)
    update(league)
    with LeagueResults.open(league.path) as results:
        assert {bot.name: bot.state for bot in results.bots}["mine"] == "active"


def drop_mine(folder: LeagueFolder, submitter: str, index: int) -> None:
    (folder.inbox / submitter).mkdir(exist_ok=True)
    (folder.inbox / submitter / "mine.py").write_text(BOT.format(index=index))


def test_a_new_version_plays_against_the_one_before_on_the_same_deals(
    league: LeagueFolder, drop: Drop
) -> None:
    for index in (0, 1):
        drop("mine", index)
        update(league)
    with LeagueResults.open(league.path) as results:
        [mine] = [bot for bot in results.bots if bot.name == "mine"]
        old, new = results.versions_of(mine)
        gain = results.gain_of(new.number)
        assert gain is not None
        assert (gain[0], gain[1].blocks) == (old, 2 * 8)
        assert results.gain_of(old.number) is None
        assert gain_text(results, new.number).startswith("v2 − v1 = ")
        assert "LOS" in gain_text(results, new.number)
        assert [row["progress"] for row in bots_table(results).dicts if row["bot"] == "mine"] == [
            gain_text(results, new.number)
        ]
        [page] = [page for page in bot_pages(SiteContent(results)) if page.title == "mine"]
        assert page.data["versions"][-1]["gain_blocks"] == 2 * 8
        assert ">v2</text>" in page.render("ours")
        labels = {old.label, new.label}  # blocks of both count for no ladder
        assert not any(labels <= set(block.bots) for _, block in results.played_blocks())
    assert update(league) == "nothing"
