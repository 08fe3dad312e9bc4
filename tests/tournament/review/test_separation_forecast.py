"""Estimates of how many more blocks would separate bots."""

import pytest

from arena.errors import ConfigError
from arena.rating.anytime import fit_anytime
from arena.rating.separation import estimate_pair_blocks
from arena.tournament.results.results import GameResults
from arena.tournament.review.forecast import forecast_pairs
from arena.tournament.schedule import RoundRobin
from tests.tournament.fake_formats import SEED, config, names, result, tied
from tests.tournament.tallies import tally_blocks

GAME = ("lives", 3)


def game_results(blocks: int, luck: float, bots: int = 4) -> GameResults:
    made = RoundRobin(config(bots, 3, blocks=blocks), SEED)
    tallies = tally_blocks(((block, result(block, luck)) for block in made), tuple(names(bots)))
    return GameResults(GAME, tallies[GAME])


def test_each_bot_and_the_next_have_an_outlook_and_so_has_a_pair_by_name() -> None:
    few = game_results(10, luck=1.0)
    forecasts = forecast_pairs(few, None, 0.95, 0.8)
    assert [(forecast.better, forecast.worse) for forecast in forecasts] == [
        ("bot03", "bot02"),
        ("bot02", "bot01"),
        ("bot01", "bot00"),
    ]
    [pair] = forecast_pairs(few, ("bot00", "bot03"), 0.95, 0.8)
    assert (pair.better, pair.worse, pair.blocks, pair.of_run) == ("bot03", "bot00", 30, 40)
    assert pair.elo == pytest.approx(sum(forecast.elo for forecast in forecasts))


def test_what_is_missing_of_the_run_is_what_the_two_bots_need_in_proportion() -> None:
    near = game_results(10, luck=20.0)
    [forecast] = forecast_pairs(near, ("bot03", "bot00"), 0.95, 0.8)
    fit = fit_anytime(near.pair_counts)
    assert forecast.needed == estimate_pair_blocks(
        fit, fit.bots.index(forecast.better), fit.bots.index(forecast.worse), 0.975
    )
    assert forecast.needed is not None
    assert forecast.needed > 30
    assert forecast.missing == -(-(forecast.needed - 30) * 40 // 30)
    assert not forecast.separated


def test_more_confidence_and_more_power_take_more() -> None:
    near = game_results(10, luck=20.0)

    def needed(confidence: float, power: float) -> int:
        [forecast] = forecast_pairs(near, ("bot03", "bot00"), confidence, power)
        return forecast.needed or 0

    assert needed(0.8, 0.8) < needed(0.95, 0.8) < needed(0.95, 0.95)


def test_who_is_told_apart_needs_no_more_whatever_was_planned() -> None:
    [forecast] = forecast_pairs(game_results(40, luck=1.0), ("bot03", "bot00"), 0.95, 0.999)
    assert (forecast.separated, forecast.missing) == (True, 0)


def test_of_equals_nothing_can_be_said() -> None:
    made = RoundRobin(config(3, 3, blocks=20), SEED)
    level = tally_blocks(((block, tied(block)) for block in made), tuple(names(3)))[GAME]
    forecasts = forecast_pairs(GameResults(GAME, level), None, 0.95, 0.8)
    assert [(forecast.needed, forecast.missing, forecast.los) for forecast in forecasts] == [
        (None, None, None)
    ] * 2


def test_a_bot_that_has_not_played_is_left_out() -> None:
    made = RoundRobin(config(3, 3, blocks=20), SEED)
    absent = tally_blocks(((block, result(block)) for block in made), tuple(names(5)))[GAME]
    assert len(forecast_pairs(GameResults(GAME, absent), None, 0.95, 0.8)) == 2
    assert forecast_pairs(GameResults(GAME, absent), ("bot00", "bot04"), 0.95, 0.8) == []


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        (("bot00", "bot9"), "no bot in the run is called 'bot9'; the nearest is 'bot0"),
        (("bot00", "bot00"), "bot00 cannot be compared with itself: name two bots"),
    ],
)
def test_a_pair_that_is_none_is_refused(pair: tuple[str, str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        forecast_pairs(game_results(2, 1.0), pair, 0.95, 0.8)
