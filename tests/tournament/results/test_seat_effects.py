"""The value of a seat, counted from the first dealer."""

from pathlib import Path
from typing import Any

import pytest

from arena.games import variant
from arena.output.tables.breakdowns import play_control
from arena.rating.mean_intervals import ClusteredMeans
from arena.tournament.engine.block_player import BlockPlayer, RunPlan
from arena.tournament.engine.engine import Engine, RunOptions
from arena.tournament.results import results
from arena.tournament.results.results import SeatMeans, measure_seats
from arena.tournament.schedule import Block, RoundRobin, deal_seed
from arena.tournament.setup.config import make_config
from arena.tournament.store.codec import BlockResult, MatchResult

CONFIG = make_config(
    {
        "bots": ["greedy", "random", "stand-pat"],
        "variants": [{"name": "lives", "players": 3, "tokens": 1}, {"name": "pool", "players": 3}],
        "blocks": 8,
    },
    base=Path(),
    where="test",
)
PLAYER = BlockPlayer(RunPlan.from_config(CONFIG, "run"))


def eldest_wins(block: Block) -> BlockResult:
    """Whoever sits left of the first dealer comes first, the dealer last."""
    dealer = variant("lives").match(3, deal_seed("run", block.address)).deal.opening.dealer
    places = [(seat - dealer - 1) % 3 for seat in range(3)]
    match = MatchResult(tuple(place + 1 for place in places), tuple(-place for place in places), (), b"")
    return BlockResult(block.index, (match,) * 3)


def test_seats_are_counted_from_the_first_dealers_left() -> None:
    means = SeatMeans(variant("lives"), 3, "run")
    for block in RoundRobin(CONFIG, "run"):
        means.add(block.index, block.address, eldest_wins(block).matches)
    assert [(placing.value, payoff.value) for placing, payoff in means.means()] == [(1, 0), (2, -1), (3, -2)]
    assert {placing.error for placing, _ in means.means()} == {None}  # nothing ever differs


def test_each_game_has_means_of_its_own_and_every_seat_the_same_number_of_matches() -> None:
    blocks = list(RoundRobin(CONFIG, "run"))
    played = ((block.index, block.address, PLAYER.play(block).matches) for block in blocks)
    effects = measure_seats(played, PLAYER.rules, "run")
    assert list(effects) == [("lives(tokens=1)", 3), ("pool", 3)]
    for means in effects.values():
        assert [placing.blocks for placing, _ in means.means()] == [8, 8, 8]


def test_blocks_are_counted_in_batches_to_the_same_means(monkeypatch: pytest.MonkeyPatch) -> None:
    played = [(block.index, block.address, PLAYER.play(block).matches) for block in RoundRobin(CONFIG, "run")]
    calls: list[int] = []
    add = ClusteredMeans.add

    def count(means: ClusteredMeans, blocks: Any, groups: Any, values: Any) -> None:
        calls.append(len(values))
        add(means, blocks, groups, values)

    monkeypatch.setattr(ClusteredMeans, "add", count)
    at_once = [seat.means() for seat in measure_seats(played, PLAYER.rules, "run").values()]
    assert calls == [24] * 4  # placings and payoffs of the matches of two games
    monkeypatch.setattr(results, "BATCH_MATCHES", 4)
    assert [seat.means() for seat in measure_seats(played, PLAYER.rules, "run").values()] == at_once
    assert calls[4:] == [6] * 16


def test_in_a_control_run_one_bot_has_all_seats_and_the_same_seed_plays_the_same() -> None:
    engine = Engine(CONFIG, "run", {}, RunOptions())
    once, again = (list(play_control(engine, ("lives(tokens=1)", 3), "random", 5)) for _ in range(2))
    assert [[match.actions for match in matches] for _, _, matches in once] == [
        [match.actions for match in matches] for _, _, matches in again
    ]
    assert [[len(match.placings) for match in matches] for _, _, matches in once] == [[3]] * 5
    assert len({deal_seed("run", address) for _, address, _ in once}) == 5
