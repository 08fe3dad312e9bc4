"""Ladders of a league compare their bots: bars that hold at all updates, and ranks that are shown."""

import sqlite3
from contextlib import closing
from itertools import combinations

import pytest

from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.standings import OVERALL
from arena.output.site.content import SiteContent
from arena.output.site.ladders import index_page
from arena.output.tables.league import ladder_table, league_text
from tests.league.test_update import BOTS, SETTINGS, add, update


@pytest.fixture
def league(folder: LeagueFolder) -> LeagueFolder:
    folder.settings.write_text(SETTINGS)
    add(folder, *BOTS)
    update(folder)
    return folder


def test_a_ladder_compares_its_bots_for_all_updates_together(league: LeagueFolder) -> None:
    with LeagueResults.open(league.path) as results:
        fits = {game: fitted.fit for game, fitted in results.run_results().with_anytime().games.items()}
        for game, ladder in results.ladders.items():
            assert all(row.rank_low <= row.place <= row.rank_high for row in ladder)  # type: ignore[operator]
            for first, other in combinations(ladder, 2):
                if game == OVERALL or first.comparison_error is None or other.comparison_error is None:
                    continue
                fit = fits[game]
                error = fit.pair_error(*map(fit.bots.index, (first.bot, other.bot)))
                bars = first.comparison_error + other.comparison_error
                assert error is not None
                assert abs((first.elo or 0) - (other.elo or 0)) <= bars or abs(first.elo - other.elo) > error  # type: ignore[operator]
        table = ladder_table(results)
        rows = table.dicts
        text = league_text(table)
        site = index_page(SiteContent(results))
    assert {"rank_low", "rank_high", "comparison_error", "error"} <= set(rows[0])
    assert "all of a ladder hold together at 95 %, however often you look" in text
    assert [row["comparison_error"] for row in rows if row["game"] == "overall"] == [
        row["comparison_error"] and round(row["comparison_error"], 1) for row in site.data["standings"][:4]
    ]
    assert any(
        "–" in str(row[0]) for section in site.sections if section.table for row in section.table.cells
    )


def test_a_ladder_has_the_bounds_that_a_table_has(league: LeagueFolder) -> None:
    with LeagueResults.open(league.path) as results:
        tables = results.run_results().with_anytime().games
        bounded = []
        for game, ladder in results.ladders.items():
            if game == OVERALL:
                continue
            rows = {row.bot: row for row in tables[game].rows}
            pairs = [(rating, rows[rating.bot]) for rating in ladder]
            assert [rating.bound_mark for rating, _ in pairs] == [row.bound_mark for _, row in pairs]
            moved = [(rating.elo or 0) - (row.elo or 0) for rating, row in pairs]
            assert moved == pytest.approx([moved[0]] * len(moved), abs=1e-4)
            for rating, row in pairs:
                expected = None if row.text_elo is None else pytest.approx(row.text_elo + moved[0], abs=1e-4)
                assert rating.text_elo == expected
            bounded += [rating for rating, _ in pairs if rating.has_bound]
        # how many bots have a bound depends on the deals, and those on the hashes of the bots
        assert [rating for rating in bounded if rating.comparison_error is not None] == []


def test_a_ladder_of_an_older_arena_has_no_bars(league: LeagueFolder) -> None:
    with closing(sqlite3.connect(league.database)) as connection, connection:
        connection.execute("DROP TABLE comparison")
    with LeagueResults.open(league.path) as results:
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
