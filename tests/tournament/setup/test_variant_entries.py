"""The games of a config: sizes, options, and the bots that play them."""

from pathlib import Path
from typing import Any

from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.toml_checks import parse_toml

BOTS = ["random", "greedy", "prudent", "counter"]


def config(**changes: Any) -> Config:
    table: dict[str, Any] = {"bots": BOTS, "variants": [{"name": "lives"}], **changes}
    return make_config(table, base=Path(), where="here")


def test_a_game_has_its_own_bots_and_blocks() -> None:
    lives = {
        "name": "lives",
        "players": 2,
        "bots": ["greedy", "counter"],
        "blocks": 9,
        "blocks_with": {"counter": 2},
        "tokens": 5,
    }
    made = config(variants=[lives, {"name": "pool"}])
    assert [made.field(entry) for entry in made.variants] == [("greedy", "counter"), tuple(BOTS)]
    assert [str(rules) for rules in made.games_of("counter")] == ["lives(tokens=5)", "pool"]
    assert [str(rules) for rules in made.games_of("random")] == ["pool"]
    assert make_config(parse_toml(made.toml(), "again"), base=Path(), where="again") == made


def test_bots_left_out_are_left_out_of_a_game() -> None:
    lives = {"name": "lives", "bots": ["greedy", "prudent", "counter"], "blocks_with": {"counter": 2}}
    made = config(variants=[lives, {"name": "pool"}], without=["counter"])
    assert [made.field(entry) for entry in made.variants] == [("greedy", "prudent"), tuple(BOTS[:3])]
    assert [(entry.players, entry.blocks_with) for entry in made.variants] == [((2,), {}), ((3,), {})]
