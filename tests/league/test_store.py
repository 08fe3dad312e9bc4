"""The database of a league while several processes use it."""

import sqlite3
import threading
from contextlib import closing

from arena.league.blocks import LeagueBlocks
from arena.league.field import Field
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.settings import read_settings
from arena.league.store import BLOCKS_AT_ONCE, LeagueDatabase, LeagueRequest, Step
from arena.tournament.store.codec import PackedBlock
from tests.league.conftest import update


def queue(folder: LeagueFolder) -> int:
    """Queue a request as another process does, which opens and closes the database."""
    with LeagueDatabase.open(folder.path, "rw") as database:
        return database.add_request(LeagueRequest(kind="withdraw", name="greedy")).number


def test_what_is_open_for_reading_stays_as_it_was(updated: LeagueFolder) -> None:
    with LeagueDatabase.open(updated.path, "rw"), LeagueResults.open(updated.path) as results:
        updates = results.updates
        queue(updated)
        update(updated)
        assert results.requests[-1].state == "done"
        assert {rating.league_update for version in range(4) for rating in results.history(version)} == {1}
        assert len(results.requests) == 4
    with LeagueResults.open(updated.path) as results:
        assert len(results.updates) == len(updates) + 1


def test_blocks_are_stored_while_a_decision_is_read_and_others_write(updated: LeagueFolder) -> None:
    with LeagueDatabase.open(updated.path, "rw") as database:
        blocks = LeagueBlocks(database, Field.read(database, read_settings(updated.path)))
        coming = blocks.of_step(Step(1, 1, 0, 4))
        first = next(coming)
        queue(updated)
        blocks.add([PackedBlock(first.index, first.address, b"", b"", b"")], {}, {})
        assert [block.index for block in coming] == [1, 2, 3]


def test_the_first_writer_waits_for_another_that_comes_at_the_same_time(league: LeagueFolder) -> None:
    """It changes the mode of the journal, for which SQLite itself does not wait."""
    with closing(sqlite3.connect(league.database, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        ending = threading.Timer(0.1, other.rollback)
        ending.start()
        assert queue(league) == 5
        ending.join()


def test_blocks_are_read_in_both_orders(updated: LeagueFolder) -> None:
    with LeagueDatabase.open(updated.path, "rw") as database:
        [(count,)] = database.query("SELECT count(*) FROM block")
        copies = -(-2 * BLOCKS_AT_ONCE // count)
        with database.transaction() as connection:
            for number in range(1, copies):
                connection.execute(
                    """INSERT INTO block SELECT number + ?, terms, bots, repetition + ?, seats, outcome,
                       actions, digest FROM block WHERE number < ?""",
                    [number * count, number * count, count],
                )
        numbers = list(range(copies * count))
        assert [number for number, _ in database.block_rows("terms")] == numbers
        assert [number for number, _ in database.block_rows("terms", latest_first=True)] == numbers[::-1]
        assert [number for number, _ in database.block_rows("terms", first=3, end=7)] == [3, 4, 5, 6]
