"""Command-line options that override a config."""

from pathlib import Path
from typing import Any

import pytest

from arena.errors import PluginError
from arena.tournament.setup.command_line import RunOverrides, apply_overrides

TABLE: dict[str, Any] = {
    "bots": ["random", {"bot": "greedy", "name": "g"}],
    "blocks": 50,
    "variants": [{"name": "lives", "players": 4}, {"name": "pool", "tokens": 5}],
}


def test_no_overrides_change_nothing() -> None:
    assert apply_overrides(TABLE, RunOverrides()) == TABLE


def test_overrides_replace_values_in_a_copy() -> None:
    before = repr(TABLE)
    changed = apply_overrides(TABLE, RunOverrides(blocks=7, seed="x", isolation="inline"))
    assert changed == {**TABLE, "blocks": 7, "seed": "x", "isolation": "inline"}
    assert repr(TABLE) == before


def test_one_bot_joins_and_several_replace_the_bots() -> None:
    counter = {"bot": "counter", "name": "counter"}
    prudent = {"bot": "prudent", "name": "prudent"}
    assert apply_overrides(TABLE, RunOverrides(bots=("counter",)))["bots"] == [*TABLE["bots"], counter]
    assert apply_overrides(TABLE, RunOverrides(bots=("counter", "prudent")))["bots"] == [counter, prudent]


def test_bot_paths_are_relative_to_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    [*_, bot] = apply_overrides(TABLE, RunOverrides(bots=("mine.py:Bot",)))["bots"]
    assert bot == {"bot": f"{tmp_path / 'mine.py'}:Bot", "name": "mine.py:Bot"}


def test_a_bot_takes_settings() -> None:
    [*_, bot] = apply_overrides(TABLE, RunOverrides(bots=("rollout(playouts=20)",)))["bots"]
    assert bot == {"bot": "rollout", "name": "rollout(playouts=20)", "playouts": 20}


def test_bot_that_is_not_there_is_refused() -> None:
    with pytest.raises(PluginError, match=r"^no bot is called 'gredy'; the nearest is 'greedy'$"):
        apply_overrides(TABLE, RunOverrides(bots=("gredy",)))


def test_variants_replace_and_players_and_options_apply_to_all() -> None:
    flags = RunOverrides(variants=("tokens", "pounce"), players=(3, 4), settings={"tokens": 2})
    assert apply_overrides(TABLE, flags)["variants"] == [
        {"name": "tokens", "tokens": 2, "players": [3, 4]},
        {"name": "pounce", "tokens": 2, "players": [3, 4]},
    ]
    assert apply_overrides(TABLE, RunOverrides(settings={"tokens": 2}))["variants"] == [
        {"name": "lives", "players": 4, "tokens": 2},
        {"name": "pool", "tokens": 2},
    ]


def test_bots_and_blocks_replace_those_of_a_game() -> None:
    lives = {"name": "lives", "bots": ["random", "g"], "blocks": 9, "blocks_with": {"g": 2}}
    own = {**TABLE, "variants": [lives]}
    assert apply_overrides(own, RunOverrides(bots=("counter", "prudent"), blocks=7))["variants"] == [
        {"name": "lives"}
    ]
    for change in RunOverrides(bots=("counter", "prudent")), RunOverrides(blocks=7):
        assert "blocks_with" not in apply_overrides(own, change)["variants"][0]
    assert apply_overrides(own, RunOverrides(seed="x")) == {**own, "seed": "x"}


@pytest.mark.parametrize("variants", ["lives", {"name": "lives"}, ["lives"], None])
def test_invalid_table_is_left_for_validation(variants: object) -> None:
    wrong = {**TABLE, "variants": variants}
    assert apply_overrides(wrong, RunOverrides(players=(3,)))["variants"] == variants
