"""A league that comes to rest, in simulated seasons."""

import logging
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from arena.league.blocks import LeagueBlocks, TableRequest
from arena.league.field import Entry, Field
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.league.settings import make_settings
from arena.league.standings import Standings
from arena.league.store import Bot, Version
from arena.league.update import (
    Ending,
    ImpreciseRating,
    UpdateOptions,
    choose_tables,
    count_equal_blocks,
    list_imprecise,
    update_league,
)
from arena.output.tables.league import AT_REST, precision_text, rest_text, update_text
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import StopRequest
from benchmarks.kills import SETTINGS
from benchmarks.league_season import LONE_ELO, WEAK_ELO, SimulatedLeague, play_until_rest
from tests.league.conftest import content, update


def simulate(folder: Path, *, blocks: int, precision: float) -> SimulatedLeague:
    """Return a league of two games, whose tables have effects of their own."""
    variants = [{"name": name, "players": 4} for name in ("lives", "schwimmen")]
    settings = make_settings({"precision": precision, "blocks": blocks, "variants": variants}, "the test")
    season = SimulatedLeague(folder, settings, np.random.default_rng(1))
    season.table_elo = 40.0
    return season


@pytest.mark.parametrize("precision", [80, pytest.param(50, marks=pytest.mark.full)])
def test_a_season_with_a_weak_a_lone_and_a_new_bot_comes_to_rest(
    precision: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = simulate(tmp_path, blocks=60, precision=precision)
    for elo in (80.0, 30.0, -130.0, 90.0, 45.0, WEAK_ELO, LONE_ELO):
        season.admit(elo)
    assert play_until_rest(season, [(60.0, "")], max_updates=20)
    assert "no ±" in capsys.readouterr().out
    field = Field.read(season.database, season.settings)
    standings = Standings(field)
    standings.add(LeagueBlocks(season.database, field).outcomes())
    for game in field.games.values():
        fit, bars = standings.compare(game)
        for bar, played in zip(bars, fit.blocks, strict=True):
            assert played >= count_equal_blocks(4, precision) or (bar is not None and bar <= precision)
    rests = list_imprecise(field, standings)
    assert {rating.entry.name for rating in rests} >= {"bot5", "bot6"}
    assert not any(rating.asks for rating in rests)
    assert all(rating.missing is None or rating.blocks + rating.missing > rating.limit for rating in rests)
    before = season.count_blocks()
    season.update()
    assert season.count_blocks() == before
    season.database.close()


def test_every_bot_gets_its_share_of_every_game_first(tmp_path: Path) -> None:
    season = simulate(tmp_path, blocks=8, precision=25)
    for _ in range(5):
        season.admit(0.0)
    field = Field.read(season.database, season.settings)
    blocks, standings = LeagueBlocks(season.database, field), Standings(field)
    lives, schwimmen = field.games
    season.updates += 1
    season.play(blocks, standings, [TableRequest(lives, bots, 8) for bots in combinations(range(5), 4)])
    tables = choose_tables(field, standings, Counter(), (), "seed", 2)
    order = [table.terms for table in tables]
    assert order == sorted(order, reverse=schwimmen > lives)
    counts = Counter(
        bot for table in tables for bot in table.versions * table.blocks if table.terms == schwimmen
    )
    assert min(counts[bot] for bot in range(5)) >= 4
    season.database.close()


def test_a_league_at_rest_says_so_and_plays_nothing(
    league: LeagueFolder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league.settings.write_text(SETTINGS.replace("precision = 60", "precision = 90"))
    updates = 1
    while update(league, more=True) != "nothing":
        updates += 1
        assert updates < 20
    before = content(league)
    with LeagueResults.open(league.path) as results:
        assert update_text(results, "nothing").startswith(f"Nothing to do: nothing was submitted. {AT_REST}.")
        imprecise = results.imprecise_ratings()
        assert not any(rating.asks for rating in imprecise)
        assert all(rating.entry.name in precision_text(results) for rating in imprecise[:10])
    looks, endings, stop = Counter[str](), list[Ending](), StopRequest()

    def look(*_: object) -> list[TableRequest]:
        looks["tables"] += 1
        return []

    def count(ending: Ending) -> None:
        endings.append(ending)
        if len(endings) == 3:
            stop.request("enough")

    monkeypatch.setattr("arena.league.update.choose_tables", look)
    options = UpdateOptions(run=RunOptions(log_level=logging.WARNING), more=True, confirmed="inline")
    update_league(league, options, lambda *_: "a card", stop, count, watch_every_s=0.001)
    assert endings == ["nothing"] * 3
    assert looks["tables"] == 1  # blocks are not counted again at each look into the inbox
    assert content(league) == before


def test_why_a_rating_is_not_precise() -> None:
    version = Version(0, 0, 1, "", "weak@1", "", "", "", "", "[]", 1)
    entry = Entry(version, Bot(0, "weak", "weak", "", "active", 0), False)
    known = ImpreciseRating(entry, ("lives", 4), 55.4, 461, 900, 930, False)
    assert rest_text(known) == (
        "weak at lives, 4 players: ± 55 after 461 blocks; it would need about 900 more blocks, which is "
        "above the limit of 930 in all"
    )
    assert rest_text(known._replace(error=None, missing=None)) == (
        "weak at lives, 4 players: wins or loses nearly everything, so that 461 blocks give no ±"
    )
