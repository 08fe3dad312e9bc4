"""Ladders of a league compare their bots: bars that hold at all updates, and ranks that are shown."""

import sqlite3
from contextlib import closing

import pytest

from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL, _keep_scale
from arena.league.store import LATER_TABLES
from arena.output.tables.league import ladder_table, league_text
from arena.tournament.results.rating_rows import RatingRow
from benchmarks.kills import SETTINGS
from tests.league.conftest import BOTS, add, make_row, update


@pytest.fixture
def league(folder: LeagueFolder) -> LeagueFolder:
    folder.settings.write_text(SETTINGS)
    add(folder, *BOTS)
    update(folder)
    return folder


def compare(row: RatingRow) -> tuple[object, ...]:
    """Return what compares a bot with others, whatever the scale."""
    return row.bot, row.rank, row.rank_low, row.rank_high, row.bound_mark, row.comparison_error


def test_a_ladder_compares_its_bots_as_a_table_does_at_all_numbers_of_blocks(league: LeagueFolder) -> None:
    with LeagueResults.open(league.path) as results:
        tables = results.run_results().with_anytime()
        of_game = {game: fitted.rows for game, fitted in tables.games.items()} | {OVERALL: tables.overall}
        plain = {(row.variant, row.bot): row for row in results.run_results().rows}
        for game, ladder in results.ladders.items():
            assert list(map(compare, ladder)) == list(map(compare, of_game[game]))
            assert [row.error for row in ladder] == [plain[game[0], row.bot].error for row in ladder]
            pairs = list(zip(ladder, of_game[game], strict=True))
            [shift, *_] = moved = [(row.elo or 0) - (own.elo or 0) for row, own in pairs]
            moved += [row.elo_bound - (own.elo_bound or 0) for row, own in pairs if row.elo_bound]
            assert moved == pytest.approx([shift] * len(moved), abs=1e-4)
        text = league_text(ladder_table(results))
    assert "all of a ladder hold together at 95 %, however often you look" in text


def test_ratings_and_bounds_move_with_the_scale() -> None:
    game = ("lives", 4)
    rows = [make_row(game, 0, None, 1600.0, rank="1", elo_bound=1580.0), make_row(game, 1, None, 1400.0)]
    first, second = _keep_scale(rows, {(game, 0): 1650.0, (game, 1): 1450.0})
    assert (first.elo, first.elo_bound, first.place) == (1650.0, 1630.0, 1)
    assert (second.elo, second.elo_bound, second.place) == (1450.0, None, None)


def test_a_league_of_an_older_arena_has_no_bars_and_can_be_updated(league: LeagueFolder) -> None:
    with closing(sqlite3.connect(league.database)) as connection, connection:
        for statement in LATER_TABLES:
            connection.execute(f"DROP TABLE {statement.split()[5]}")
    with LeagueResults.open(league.path) as results:
        assert not any((results.request_times, results.held_finals, results.grades))
        table = ladder_table(results)
        rows = table.dicts
        assert {row["comparison_error"] for row in rows} == {None}
        assert not {"overlap", "leads"} & set(league_text(table).split())
        assert any(row["error"] for row in rows)
    assert update(league, more=True) in ("done", "nothing")


def test_a_small_field_counts_blocks_and_a_larger_one_tables(folder: LeagueFolder) -> None:
    """Of five bots at tables of three each can sit at six tables, all of which a ± would need."""
    folder.settings.write_text(SETTINGS)
    add(folder, *BOTS, "stand-pat")
    update(folder)
    with LeagueResults.open(folder.path) as results:
        assert not results.field.draws_tables(("cuccu", 3))
        assert all(fit.error[0] is not None for game, fit in results.run_results().fits.items())
    add(folder, "tuned")
    update(folder)
    with LeagueResults.open(folder.path) as results:
        assert results.field.draws_tables(("cuccu", 3))
