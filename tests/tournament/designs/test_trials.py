"""The blocks in which an exploiter meets a bot."""

from pathlib import Path

import pytest

from arena.tournament.designs.exploit import make_trials as make_exploiter_trials
from arena.tournament.designs.tuning import Trials
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.engine.progress import StopRequest
from arena.tournament.setup.config import make_config


def make_trials(*bots: str, players: int = 4) -> Trials:
    table = {
        "format": "comparison",
        "bots": list(bots),
        "variants": [{"name": "lives", "players": players, "tokens": 1}],
    }
    config = make_config(table, base=Path(), where="the test")
    return make_exploiter_trials(config, "any text", Engine(config, "", {}, RunOptions()))


def play(trials: Trials, *numbers: int) -> list[float]:
    """The scores of a bot with its own settings."""
    [played] = trials.play([None], [range(*numbers)], StopRequest())
    return played.scores


def test_exploiter_sits_in_every_seat_alone_among_copies() -> None:
    block = make_trials("greedy", "random").block(7)
    assert [seating.index("greedy") for seating in block.seatings] == [0, 3, 2, 1]
    assert {tuple(sorted(seating)) for seating in block.seatings} == {
        ("greedy", "random", "random", "random")
    }


@pytest.mark.parametrize("players", [3, 5])
def test_field_shares_the_table_with_one_of_each(players: int) -> None:
    trials = make_trials("greedy", "random", "prudent", "counter", players=players)
    blocks = [trials.block(number) for number in range(20)]
    assert {seating.count(bot) for b in blocks for seating in b.seatings for bot in ("greedy", "random")} == {
        1
    }
    first = [block.seatings[0] for block in blocks]
    distances = {(s.index("random") - s.index("greedy")) % players for s in first}
    assert distances == set(range(1, players))
    seats = [seating for block in blocks for seating in block.seatings]
    assert sum(s.count("prudent") for s in seats) == sum(s.count("counter") for s in seats)


def test_candidates_play_the_same_deals_and_blocks_do_not() -> None:
    trials = make_trials("greedy", "random")
    assert len({trials.block(number).address for number in range(5)}) == 5
    first, second = trials.play([None, {}], [range(3), range(3)], StopRequest())
    assert len(first.scores) == 3
    assert first == second


def test_score_is_the_share_of_points_taken_from_the_bot() -> None:
    assert all(score > 0.5 for score in play(make_trials("greedy", "stand-pat"), 6))
    assert all(0 <= score < 0.5 for score in play(make_trials("stand-pat", "greedy"), 6))
    assert sum(play(make_trials("greedy", "stand-pat", "counter"), 6)) > 4
