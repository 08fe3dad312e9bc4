"""A league that comes to rest, in simulated seasons."""

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from arena.league.blocks import LeagueBlocks, TableRequest
from arena.league.field import Field
from arena.league.pairing import count_equal_blocks
from arena.league.ratings_during_update import Standings
from arena.league.settings import make_settings
from arena.league.table_choice import choose_tables, list_imprecise
from benchmarks.league_season import LONE_ELO, WEAK_ELO, SimulatedLeague, play_until_rest


def simulate(folder: Path, *, blocks: int, precision: float) -> SimulatedLeague:
    """Return a league of two games, whose tables have effects of their own."""
    variants = [{"name": name, "players": 4} for name in ("lives", "schwimmen")]
    settings = make_settings({"precision": precision, "blocks": blocks, "variants": variants}, "the test")
    league = SimulatedLeague(folder, settings, np.random.default_rng(1))
    league.table_elo = 40.0
    return league


def test_a_season_with_a_weak_a_lone_and_a_new_bot_comes_to_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = simulate(tmp_path, blocks=60, precision=50)
    for elo in (80.0, 30.0, -130.0, 90.0, 45.0, WEAK_ELO, LONE_ELO):
        league.admit(elo)
    assert play_until_rest(league, [(60.0, "")], max_updates=20)
    assert "no error" in capsys.readouterr().out
    field = Field.read(league.database, league.settings)
    standings = Standings(field)
    standings.add(LeagueBlocks(league.database, field).outcomes())
    for game in field.games.values():
        fit = standings.fit(game)
        for error, played in zip(fit.error, fit.blocks, strict=True):
            assert played >= count_equal_blocks(4, 50) or (error is not None and error <= 50)
    rests = list_imprecise(field, standings)
    assert {rating.entry.name for rating in rests} == {"bot5", "bot6"}
    assert not any(rating.asks for rating in rests)
    before = league.count_blocks()
    league.update()
    assert league.count_blocks() == before
    league.database.close()


def test_every_bot_gets_its_share_of_every_game_first(tmp_path: Path) -> None:
    league = simulate(tmp_path, blocks=8, precision=25)
    for _ in range(5):
        league.admit(0.0)
    field = Field.read(league.database, league.settings)
    blocks, standings = LeagueBlocks(league.database, field), Standings(field)
    lives, schwimmen = field.games
    league.updates += 1
    league.play(blocks, standings, [TableRequest(lives, bots, 8) for bots in combinations(range(5), 4)])
    tables = choose_tables(field, standings, Counter(), (), "seed", 2)
    order = [table.terms for table in tables]
    assert order == sorted(order, reverse=schwimmen > lives)
    counts = Counter(
        bot for table in tables for bot in table.versions * table.blocks if table.terms == schwimmen
    )
    assert min(counts[bot] for bot in range(5)) >= 4
    league.database.close()
