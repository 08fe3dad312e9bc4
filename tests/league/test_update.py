"""Updates of a league with built-in bots: interrupted, continued, with news and without."""

import logging
import sqlite3
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from arena.errors import ConfigError, StoreError
from arena.league.folder import LeagueFolder
from arena.league.requests import request_change, submit
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL
from arena.league.store import LeagueDatabase, Version
from arena.league.update import Ending, UpdateOptions, today, update_league
from arena.output.site.content import SiteContent
from arena.output.site.ladders import index_page
from arena.output.tables.league import copies_table, ladder_table, league_text
from arena.rating.elo_fit import find_center
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.engine.scheduler_address import Cluster
from arena.tournament.store.database import writer_lock
from tests.league.conftest import BOT, Drop
from tests.tournament.engine.dask_cluster import DaskCluster

SETTINGS = """\
precision = 60
blocks = 20
isolation = "inline"
check_matches = 1
version_blocks = 8
[[variants]]
name = "lives"
players = [3]
tokens = 1
[[variants]]
name = "cuccu"
players = [3]
"""
BOTS = ("greedy", "random", "counter", "prudent")


class StopAfter(StopRequest):
    """A stop that is requested after some questions whether it is."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self._left = questions

    @property
    def is_requested(self) -> bool:
        self._left -= 1
        return self._left < 0


@pytest.fixture
def league(folder: LeagueFolder) -> LeagueFolder:
    folder.settings.write_text(SETTINGS)
    add(folder, *BOTS)
    return folder


def add(folder: LeagueFolder, *bots: str) -> None:
    with LeagueDatabase.open(folder.path, "rw") as database:
        for bot in bots:
            submit(folder, database, bot, folder.path)


def update(
    folder: LeagueFolder,
    *,
    more: bool = False,
    jobs: int = 1,
    stop: StopRequest | None = None,
    cluster: Cluster | None = None,
) -> Ending:
    run = RunOptions(jobs=jobs, log_level=logging.WARNING, cluster=cluster)
    options = UpdateOptions(run=run, date="2026-01-01", more=more, confirmed="inline")
    return update_league(folder, options, lambda *_: "a card", stop or StopRequest())


def content(folder: LeagueFolder) -> list[str]:
    with LeagueDatabase.open(folder.path) as database:
        return list(database.comparable_rows())


def copy(folder: LeagueFolder, name: str) -> LeagueFolder:
    copytree(folder.path, folder.path.parent / name)
    return LeagueFolder(folder.path.parent / name)


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


def test_without_news_nothing_is_played_unless_more_is_wanted(league: LeagueFolder) -> None:
    update(league)
    before = content(league)
    assert update(league) == "nothing"
    assert content(league) == before
    assert update(league, more=True) == "done"
    with LeagueResults.open(league.path) as results:
        assert [past_update.number for past_update in results.updates] == [1, 2]
        assert not any(row.is_new for ladder in results.ladders.values() for row in ladder)


def test_nothing_is_played_twice(league: LeagueFolder) -> None:
    update(league)
    update(league, more=True)
    with LeagueDatabase.open(league.path) as database:
        [(blocks, distinct)] = database.query(
            "SELECT count(*), count(DISTINCT terms || hex(bots) || repetition) FROM block"
        )
    assert blocks == distinct > 0


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


def test_the_scale_does_not_move_when_a_bot_comes(league: LeagueFolder) -> None:
    update(league)
    add(league, "thrifty")
    update(league)
    with LeagueResults.open(league.path) as results:
        for game, ladder in results.ladders.items():
            stayed = [(row.elo, row.change) for row in ladder if row.change is not None]
            elo, change = np.array(stayed, np.float64).T
            assert len(elo) >= 3, game
            assert find_center(elo).elo == pytest.approx(find_center(elo - change).elo, abs=0.3)


def test_the_ladders_stay_while_an_update_has_none(league: LeagueFolder) -> None:
    update(league)
    add(league, "thrifty")
    assert update(league, stop=StopAfter(0)) == "stopped"
    with LeagueResults.open(league.path) as results:
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
        for _, block in results.played_blocks():
            assert sum(bot.startswith("ann@") for bot in block.bots) < 2


def test_a_banned_bot_and_its_blocks_no_longer_count(league: LeagueFolder) -> None:
    update(league)
    with LeagueDatabase.open(league.path, "rw") as database:
        request_change(database, "ban", "counter")
        request_change(database, "withdraw", "prudent")
    update(league)
    with LeagueResults.open(league.path) as results:
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
        return database.versions()


def blocks_of(folder: LeagueFolder, version: int) -> int:
    with LeagueResults.open(folder.path) as results:
        return sum(1 for _ in results.played_blocks(version))


def test_a_level_that_needs_the_user_s_word_is_refused_before_anything_is_stored(
    league: LeagueFolder, drop: Drop
) -> None:
    drop("ann")
    options = UpdateOptions(run=RunOptions(log_level=logging.WARNING))
    with pytest.raises(ConfigError, match="add --isolation inline"):
        update_league(league, options, lambda *_: "a card", StopRequest())
    with LeagueDatabase.open(league.path) as database:
        assert database.updates() == []


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


def test_a_damaged_block_is_named(league: LeagueFolder) -> None:
    update(league)
    with LeagueDatabase.open(league.path, "rw") as database, database.transaction() as connection:
        connection.execute("UPDATE block SET outcome = x'c1' WHERE number = 3")
    with pytest.raises(StoreError, match="block 3: its digest does not match its bytes"):
        update(league, more=True)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE block SET bots = x'ffffffffffff' WHERE number = 0",
    ],
)
def test_a_crafted_database_is_an_error(league: LeagueFolder, damage: str) -> None:
    update(league)
    with LeagueDatabase.open(league.path, "rw") as database, database.transaction() as connection:
        connection.execute(damage)
    with pytest.raises(StoreError, match="damaged"), LeagueResults.open(league.path) as results:
        list(results.played_blocks())


def test_wrong_settings_stop_an_update_before_it_begins(league: LeagueFolder) -> None:
    league.settings.write_text(SETTINGS.replace("precision", "precison"))
    with pytest.raises(ConfigError, match=r"league.toml: precison: there is no such key"):
        update(league)


def test_changed_settings_are_news(league: LeagueFolder) -> None:
    update(league)
    league.settings.write_text(SETTINGS.replace("tokens = 1", "tokens = 2"))
    assert update(league) == "done"
    with LeagueResults.open(league.path) as results:
        assert list(results.ladders)[1] == ("lives(tokens=2)", 3)


def test_records_of_a_block_name_the_bots(league: LeagueFolder) -> None:
    update(league)
    with LeagueResults.open(league.path) as results:
        number, block = next(results.played_blocks())
        records = results.records(number)
    assert len(records) == block.players
    assert set(records[0].bots or ()) <= set(BOTS)


def test_near_copies_that_come_late_are_found(
    league: LeagueFolder, drop: Drop, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(league)
    with LeagueResults.open(league.path) as results:
        before = results.count_blocks()
    drop("ann")
    drop("zed").write_text(BOT.format(index=0) + "# mine")
    update(league)
    update(league, more=True)
    monkeypatch.setattr("arena.output.tables.league.MIN_DECISIONS", 10)
    with LeagueResults.open(league.path) as results:
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
