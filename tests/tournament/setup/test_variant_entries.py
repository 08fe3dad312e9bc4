"""The games of a config: sizes, options, and the bots that play them."""

from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.errors import parse_toml

BOTS = ["random", "greedy", "prudent", "counter"]


def config(**changes: Any) -> Config:
    table: dict[str, Any] = {"bots": BOTS, "variants": [{"name": "lives"}], **changes}
    return make_config(table, base=Path(), where="here")


@pytest.mark.parametrize(
    ("variants", "error"),
    [
        ([], "variants: the array is empty"),
        (["lives"], 'variants[0] must be a table with a name, such as name = "lives"'),
        ([{"players": 4}], 'variants[0] must be a table with a name, such as name = "lives"'),
        ([{"name": "livs"}], "variants[0]: no variant 'livs': the nearest is 'lives'*"),
        ([{"name": "lives", "tokns": 5}], "variants[0].tokns: there is no such key; the nearest is 'tokens'"),
        (
            [{"name": "lives", "player": 5}],
            "variants[0].player: there is no such key; the nearest is 'players'",
        ),
        ([{"name": "lives", "tokens": "five"}], "variants[0]: tokens is a whole number, not 'five'"),
        (
            [{"name": "lives", "players": []}],
            "variants[0].players must be an array that is not empty, not []",
        ),
        ([{"name": "lives", "players": "4"}], "variants[0].players[0] must be a whole number, not '4'"),
        (
            [{"name": "lives", "players": 17}],
            "variants[0].players: lives cannot be dealt to 17: it is for 2 to 16*",
        ),
        (
            [{"name": "lives", "players": 1}],
            "variants[0].players: lives cannot be dealt to 1: it is for 2 to 16*",
        ),
        (
            [{"name": "lives", "bots": ["random", "gredy", "counter", "prudent"]}],
            "variants[0].bots: no bot is called 'gredy'; the nearest is 'greedy'",
        ),
        (
            [{"name": "lives", "bots": ["random", "random", "greedy", "counter"]}],
            "variants[0].bots: a bot is named twice",
        ),
        (
            [{"name": "lives", "players": 4, "bots": ["random", "greedy"]}],
            "variants[0].players: lives is set for 4 players, but there are 2 bots: set players = 2*",
        ),
        ([{"name": "lives", "blocks": 0}], "variants[0].blocks must be 1 or more, not 0"),
        (
            [{"name": "lives", "players": [4, 5]}],
            "variants[0].players: lives is set for 5 players, but there are 4 bots: set players = 4*",
        ),
        (
            [{"name": "pool"}, {"name": "lives"}, {"name": "commerce", "tokens": 3, "players": [2, 4]}],
            "variants[2].players: lives with 4 players is listed twice",
        ),
    ],
)
def test_impossible_variant_is_refused_with_the_numbers(variants: list[Any], error: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config(variants=variants)
    head, more, _ = error.partition("*")
    assert str(refused.value).startswith(f"here: {head}")
    assert more or str(refused.value) == f"here: {head}"


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


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"format": "gauntlet"}, "here: variants.bots: is for the format round-robin, not for gauntlet"),
        (
            {"until_resolved": True},
            "here: until_resolved: takes the same bots and blocks for all games: "
            "remove bots from [[variants]]",
        ),
    ],
)
def test_only_a_round_robin_has_bots_by_game(changes: dict[str, Any], error: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config(variants=[{"name": "lives", "players": 2, "bots": ["greedy", "counter"]}], **changes)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("blocks_with", "error"),
    [
        (
            {"counter": 2},
            "here: variants[0].blocks_with: 'counter' does not play this game; there are greedy, prudent",
        ),
        ({"greedy": 0}, "here: variants[0].blocks_with: each value must be 1 or more"),
        (["greedy"], "here: variants[0].blocks_with must be a table, not ['greedy']"),
    ],
)
def test_blocks_of_tables_with_a_bot_name_one_that_plays(blocks_with: object, error: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config(
            variants=[
                {"name": "lives", "players": 2, "bots": ["greedy", "prudent"], "blocks_with": blocks_with}
            ]
        )
    assert str(refused.value) == error


def test_until_resolved_names_the_keys_of_a_game_that_it_does_not_take() -> None:
    games = [{"name": "lives", "blocks_with": {"greedy": 2}}, {"name": "pool", "blocks": 9}]
    with pytest.raises(ConfigError, match=r"remove blocks and blocks_with from \[\[variants\]\]$"):
        config(variants=games, until_resolved=True)


def test_bots_left_out_are_left_out_of_a_game() -> None:
    lives = {"name": "lives", "bots": ["greedy", "prudent", "counter"], "blocks_with": {"counter": 2}}
    made = config(variants=[lives, {"name": "pool"}], without=["counter"])
    assert [made.field(entry) for entry in made.variants] == [("greedy", "prudent"), tuple(BOTS[:3])]
    assert [(entry.players, entry.blocks_with) for entry in made.variants] == [((2,), {}), ((3,), {})]


@pytest.mark.parametrize(
    ("bots", "error"),
    [
        (
            ["counter"],
            "variants[0].bots: all bots of lives are left out: keep two of them, or remove the game",
        ),
        (["counter", "greedy"], "variants[0].players: a table of 2 needs 2 bots, but there are 1"),
        (["counter", "gredy"], "variants[0].bots: no bot is called 'gredy'; the nearest is 'greedy'"),
        (["counter", 3], "variants[0].bots[1] must be a text, not 3"),
    ],
)
def test_a_game_without_enough_bots_left_is_refused(bots: list[object], error: str) -> None:
    with pytest.raises(ConfigError) as refused:
        config(variants=[{"name": "lives", "bots": bots}], without=["counter"])
    assert str(refused.value) == f"here: {error}"
