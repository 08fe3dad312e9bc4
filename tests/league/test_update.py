"""Updates of a league with built-in bots: interrupted, continued, with news and without."""

import logging
import sqlite3
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.errors import ConfigError, StoreError
from arena.league.folder import LeagueFolder
from arena.league.requests import request_change
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL
from arena.league.store import LeagueDatabase, Version
from arena.league.update import UpdateOptions, today, update_league
from arena.output.site.bots import bot_pages
from arena.output.site.content import SiteContent
from arena.output.site.ladders import index_page
from arena.output.site.requests import updates_page
from arena.output.tables.league import bots_table, copies_table, gain_text, ladder_table, league_text
from arena.rating.elo_fit import find_center
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.schedule import deal_seed
from arena.tournament.store.database import writer_lock
from arena.tournament.store.played_blocks import Game
from benchmarks.kills import SETTINGS
from tests.league.conftest import BOT, BOTS, Drop, StopAfter, add, content, copy, update
from tests.tournament.engine.dask_cluster import DaskCluster


def test_an_update_admits_plays_and_rates(league: LeagueFolder) -> None:
    assert update(league) == "done"
    with LeagueResults.open(league.path) as results:
        assert list(results.ladders) == [OVERALL, ("lives(tokens=1)", 3), ("cuccu", 3)]
        for ladder in results.ladders.values():
            assert sorted(row.bot for row in ladder) == sorted(BOTS)
            assert [row.place for row in ladder] == [1, 2, 3, 4]
            known = [row.elo or 0 for row in ladder if not row.has_bound]
            assert known == sorted(known, reverse=True)
        assert results.updates[0].date == "2026-01-01"


def test_without_news_nothing_is_played_unless_more_is_wanted(updated: LeagueFolder) -> None:
    before = content(updated)
    assert update(updated) == "nothing"
    assert content(updated) == before
    assert update(updated, more=True) == "done"
    with LeagueResults.open(updated.path) as results:
        assert [past_update.number for past_update in results.updates] == [1, 2]
        assert not any(row.is_new for ladder in results.ladders.values() for row in ladder)
    with LeagueDatabase.open(updated.path) as database:
        [(blocks, distinct)] = database.query(
            "SELECT count(*), count(DISTINCT terms || hex(bots) || repetition) FROM block"
        )
    assert blocks == distinct > 0, "nothing is played twice"


@pytest.mark.parametrize(("jobs", "step"), [(1, 4), (2, 40)])
def test_a_stopped_update_ends_with_the_same_content(league: LeagueFolder, jobs: int, step: int) -> None:
    stopped = copy(league, "stopped")
    update(league)
    questions = 3
    while update(stopped, stop=StopAfter(questions), jobs=jobs) == "stopped":
        questions += step
    assert questions > 3
    assert content(stopped) == content(league)


@pytest.mark.full
def test_a_cluster_plays_an_update_to_the_same_content(league: LeagueFolder) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    there = copy(league, "there")
    assert update(league) == "done"
    with DaskCluster() as cluster:
        cluster.add_worker()
        cluster.add_worker()
        assert update(there, cluster=Cluster.parse(cluster.address)) == "done"
    assert content(there) == content(league)


def test_news_end_a_stopped_update_after_its_decision(league: LeagueFolder) -> None:
    assert update(league, stop=StopAfter(8)) == "stopped"
    add(league, "thrifty")
    assert update(league) == "done"
    with LeagueResults.open(league.path) as results:
        assert [(past_update.number, past_update.state) for past_update in results.updates] == [
            (1, "done"),
            (2, "done"),
        ]
        assert "thrifty" in [entry.name for entry in results.field.rated]


def test_the_scale_does_not_move_when_a_bot_comes(updated: LeagueFolder) -> None:
    def read_elo() -> dict[tuple[Game, str], float | None]:
        with LeagueResults.open(updated.path) as results:
            return {(game, row.bot): row.elo for game, ladder in results.ladders.items() for row in ladder}

    before = read_elo()
    add(updated, "thrifty")
    update(updated)
    after = read_elo()
    for game in {game for game, _ in before}:
        bots = [bot for of_game, bot in before if of_game == game]
        then, now = (np.array([elo[game, bot] for bot in bots], np.float64) for elo in (before, after))
        assert len(bots) == 4, game
        assert find_center(now).elo == pytest.approx(find_center(then).elo, abs=0.001)
        assert not np.allclose(now, then, atol=0.1), "nothing was played"


def test_the_ladders_stay_while_an_update_has_none(updated: LeagueFolder) -> None:
    add(updated, "thrifty")
    assert update(updated, stop=StopAfter(0)) == "stopped"
    with LeagueResults.open(updated.path) as results:
        assert results.updates[-1].state == "stopped"
        assert len(results.ladders[OVERALL]) == 4


def test_one_process_updates_a_league(league: LeagueFolder) -> None:
    with writer_lock(league.path), pytest.raises(StoreError, match="is being updated by another process"):
        update(league)


def test_a_league_that_cannot_be_written_is_an_error(
    league: LeagueFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect

    def refuse(path: object, **options: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = connect(
            "/proc/arena.lock" if isinstance(path, Path) else str(path), **options
        )
        return opened

    monkeypatch.setattr(sqlite3, "connect", refuse)
    with pytest.raises(StoreError, match="lock cannot be opened; check"):
        update(league)


def test_replaced_versions_stay_as_ghosts(league: LeagueFolder, drop: Drop) -> None:
    for index in (0, 1, -1):
        drop("ann", index)
        update(league)
    with LeagueResults.open(league.path) as results:
        assert {entry.name for entry in results.field.rated} == {*BOTS, "ann v2", "ann"}
        counted = {entry.name for entry in results.field.counted}
        assert counted == {*BOTS, "ann v1", "ann v2", "ann"}
        [ann] = [bot for bot in results.bots if bot.name == "ann"]
        assert [version.ordinal for version in results.versions_of(ann)] == [1, 2, 3]
        for block in results.blocks.played_blocks():
            assert sum(bot.startswith("ann@") for bot in block.bots) < 2


def test_a_banned_bot_and_its_blocks_no_longer_count(updated: LeagueFolder) -> None:
    with LeagueDatabase.open(updated.path, "rw") as database:
        request_change(database, "ban", "counter")
        request_change(database, "withdraw", "prudent")
    update(updated)
    with LeagueResults.open(updated.path) as results:
        assert {entry.name for entry in results.field.rated} == {"greedy", "random"}
        run = results.run_results()
        assert {row.bot for row in run.rows} == {"greedy", "random", "prudent"}
        assert run.blocks < results.count_blocks()


FAILING = """\
class Late:
    def __init__(self, info):
        self.players = info.players
    def act(self, view):
        return view.legal[0] if self.players == 4 else "nonsense"
"""
"""Passes its check, which is at a table of four."""


def test_a_bot_that_fails_again_and_again_plays_no_more(league: LeagueFolder) -> None:
    (league.inbox / "late.py").write_text(FAILING)
    update(league)
    late = next(version for version in versions(league) if version.label.startswith("late@"))
    assert late.suspended == 1
    with LeagueResults.open(league.path) as results:
        for ladder in results.ladders.values():
            assert [row.version == late.number for row in ladder] == [False] * (len(ladder) - 1) + [True]
            assert [row.place for row in ladder] == [*range(1, len(ladder)), None]
        rows = [row for row in ladder_table(results).dicts if row["bot"] == "late"]
        assert {row["mark"] for row in rows} == {"suspended"}
        assert "late (suspended)" in league_text(ladder_table(results))
        page = index_page(SiteContent(results))
        assert "late (suspended)" in page.render("ours")
        assert {row["mark"] for row in page.data["standings"] if row["bot"] == "late"} == {"suspended"}
    played = blocks_of(league, late.number)
    add(league, "thrifty")
    update(league)
    assert blocks_of(league, late.number) == played
    (league.inbox / "late.py").write_text(FAILING.replace("nonsense", "nothing"))
    update(league)
    assert [version.suspended for version in versions(league) if version.bot == late.bot] == [1, 3]


def versions(folder: LeagueFolder) -> list[Version]:
    with LeagueDatabase.open(folder.path) as database:
        return database.read_versions()


def blocks_of(folder: LeagueFolder, version: int) -> int:
    with LeagueResults.open(folder.path) as results:
        return sum(1 for _ in results.blocks.played_blocks(version))


def test_a_level_that_needs_the_user_s_word_is_refused_before_anything_is_stored(
    league: LeagueFolder, drop: Drop
) -> None:
    drop("ann")
    options = UpdateOptions(run=RunOptions(log_level=logging.WARNING))
    with pytest.raises(ConfigError, match="add --isolation inline"):
        update_league(league, options, lambda *_: "a card", StopRequest())
    with LeagueDatabase.open(league.path) as database:
        assert database.read_updates() == []


def test_files_that_were_changed_in_the_league_are_not_played(
    league: LeagueFolder, drop: Drop, caplog: pytest.LogCaptureFixture
) -> None:
    drop("ann")
    update(league)
    [copy_of] = (league.path / "bots").iterdir()
    (copy_of / "ann.py").chmod(0o644)
    (copy_of / "ann.py").write_text("import os")
    played = blocks_of(league, 4)
    update(league, more=True)
    assert blocks_of(league, 4) == played
    assert "ann plays no more: its files in the league were changed" in caplog.text
    league.settings.write_text(SETTINGS.replace("tokens = 1", "tokens = 2").replace("= 60", "= 1000"))
    assert update(league, more=True) == "done"
    assert update(league, more=True) == "nothing"  # ann has no block of the new game, and can have none


def test_damaged_blocks_are_named(updated: LeagueFolder) -> None:
    with LeagueDatabase.open(updated.path, "rw") as database, database.transaction() as connection:
        connection.execute("UPDATE block SET outcome = x'c1' WHERE number = 3")
    with pytest.raises(StoreError, match="block 3: its digest does not match its bytes"):
        update(updated, more=True)
    with LeagueDatabase.open(updated.path, "rw") as database, database.transaction() as connection:
        connection.execute("UPDATE block SET bots = x'ffffffffffff' WHERE number = 0")
    with pytest.raises(StoreError, match="damaged"), LeagueResults.open(updated.path) as results:
        list(results.blocks.played_blocks())


def test_wrong_settings_stop_an_update_before_it_begins(league: LeagueFolder) -> None:
    league.settings.write_text(SETTINGS.replace("precision", "precison"))
    with pytest.raises(ConfigError, match=r"league.toml: precison: there is no such key"):
        update(league)


def test_changed_settings_are_news(updated: LeagueFolder) -> None:
    updated.settings.write_text(SETTINGS.replace("tokens = 1", "tokens = 2"))
    assert update(updated) == "done"
    with LeagueResults.open(updated.path) as results:
        assert list(results.ladders)[1] == ("lives(tokens=2)", 3)


def test_records_of_a_block_name_the_bots(updated: LeagueFolder) -> None:
    with LeagueResults.open(updated.path) as results:
        block = next(results.blocks.played_blocks())
        records = results.records(block.index)
    assert len(records) == block.players
    assert set(records[0].bots or ()) <= set(BOTS)


def test_near_copies_that_come_late_are_found(
    updated: LeagueFolder, drop: Drop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LeagueResults.open(updated.path) as results:
        before = results.count_blocks()
    drop("ann")
    drop("zed").write_text(BOT.format(index=0) + "# mine")
    update(updated)
    update(updated, more=True)
    monkeypatch.setattr("arena.output.tables.league.MIN_DECISIONS", 10)
    with LeagueResults.open(updated.path) as results:
        late = results.count_blocks() - before
        monkeypatch.setattr("arena.tournament.review.differences.AGREEMENT_BLOCKS", late // 2)
        assert ("ann", "zed") in {(row["bot"], row["other"]) for row in copies_table(results).dicts}


def test_the_date_of_an_update(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert today() == "1970-01-02"
    for wrong in ("soon", "9" * 30):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(ConfigError, match="is not a number of seconds"):
            today()


def test_an_update_in_which_everything_was_rejected_plays_nothing(updated: LeagueFolder) -> None:
    before = blocks_of(updated, 0)
    assert update(updated, more=True) in ("done", "nothing")
    with LeagueResults.open(updated.path) as results:
        played = results.count_blocks()
    (updated.inbox / "bad.py").write_text(FAILING.replace("self.players == 4", "False"))
    assert update(updated) == "done"
    with LeagueResults.open(updated.path) as results:
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
        assert not any(labels <= set(block.bots) for block in results.blocks.played_blocks())
    assert update(league) == "nothing"


def deals(folder: LeagueFolder) -> dict[int, tuple[str, str]]:
    """Address of each block played, and the seed in its record."""
    with LeagueResults.open(folder.path) as results:
        return {
            block.index: (block.address, str(results.records(block.index)[0].seed))
            for block in results.blocks.played_blocks()
        }


def test_each_update_deals_from_the_seed_it_was_committed_to(league: LeagueFolder) -> None:
    with LeagueResults.open(league.path) as results:
        before = results.committed_seed(1)
    assert before is not None
    update(league)
    first = deals(league)
    assert first
    for address, seed in first.values():
        assert seed == deal_seed(sha256(f"{before.secret}\n".encode()).hexdigest(), address)
    update(league, more=True)
    with LeagueResults.open(league.path) as results:
        after = results.committed_seed(2)
        page = updates_page(SiteContent(results))
    assert after is not None
    for number, (address, seed) in deals(league).items():
        assert seed == (first[number][1] if number in first else deal_seed(after.seed, address))
    shown = {row["update"]: row for row in page.data["updates"]}
    assert shown[1]["commitment"] == sha256(shown[1]["secret"].encode()).hexdigest()
    assert before.secret == shown[1]["secret"]
    assert f"update {len(shown) + 1} is committed to as " in " ".join(page.sections[0].notes)


def test_a_league_of_an_older_version_commits_from_its_next_update_on(
    league: LeagueFolder,
) -> None:
    with LeagueDatabase.open(league.path, "rw") as database:
        with database.transaction() as connection:
            connection.execute("DELETE FROM fact WHERE name = 'committed_from'")
        assert database.committed_seed(1) is None
        seed = database.seed
    update(league)
    assert all(given == deal_seed(seed, address) for address, given in deals(league).values())
    with LeagueResults.open(league.path) as results:
        assert results.committed_seed(1) is None
        assert results.committed_seed(2) is not None
