"""The bots of a match get what is theirs, and nothing of each other's."""

from pathlib import Path

from arena.tournament.scheduling.schedule import RoundRobin
from arena.tournament.setup.config import make_config
from arena.tournament.workers.block_player import BlockPlayer, RunPlan
from bots.random_ import Random


def test_no_seat_can_foretell_what_another_draws() -> None:
    bots = [{"bot": "random", "name": name} for name in "abcd"]
    config = make_config({"bots": bots, "variants": [{"name": "lives"}]}, base=Path(), where="here")
    player = BlockPlayer(RunPlan.from_config(config, "4711"))
    block = next(iter(RoundRobin(config, "4711")))
    _, players = player._make_match(block, 0, {})
    keys = [one.bot.key for one in players if isinstance(one.bot, Random)]
    parts = {part for key in keys for part in key.split(b"/")}
    assert len(keys) == 4
    assert all(len(part) == 32 for part in parts), "a key has a part that can be counted through"
    assert len(parts) == 4, "keys share a part"
