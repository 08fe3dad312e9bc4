"""Options on the command line stand in place of what a config says."""

from pathlib import Path
from typing import Any

import pytest

from arena.errors import PluginError
from arena.tournament.setup.cli_overrides import RunOverrides, apply_overrides

TABLE: dict[str, Any] = {
    "bots": ["random", {"bot": "greedy", "name": "g"}],
    "blocks": 50,
    "variants": [{"name": "lives", "players": 4}, {"name": "pool", "tokens": 5}],
}


def test_nothing_said_changes_nothing() -> None:
    assert apply_overrides(TABLE, RunOverrides()) == TABLE


def test_what_is_said_stands_and_the_table_stays_as_it_was() -> None:
    before = repr(TABLE)
    changed = apply_overrides(TABLE, RunOverrides(blocks=7, seed="x", isolation="inline"))
    assert changed == {**TABLE, "blocks": 7, "seed": "x", "isolation": "inline"}
    assert repr(TABLE) == before


def test_one_bot_joins_the_field_and_several_are_the_field() -> None:
    counter = {"bot": "counter", "name": "counter"}
    prudent = {"bot": "prudent", "name": "prudent"}
    assert apply_overrides(TABLE, RunOverrides(bots=("counter",)))["bots"] == [*TABLE["bots"], counter]
    assert apply_overrides(TABLE, RunOverrides(bots=("counter", "prudent")))["bots"] == [counter, prudent]


def test_a_bot_in_a_file_is_looked_for_from_here_and_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").touch()
    monkeypatch.chdir(tmp_path)
    [*_, bot] = apply_overrides(TABLE, RunOverrides(bots=("mine.py:Bot",)))["bots"]
    assert bot == {"bot": f"{tmp_path / 'mine.py'}:Bot", "name": "mine.py:Bot"}


def test_a_bot_that_is_not_there_is_refused() -> None:
    with pytest.raises(PluginError, match=r"^no bot is called 'gredy'; the nearest is 'greedy'$"):
        apply_overrides(TABLE, RunOverrides(bots=("gredy",)))


def test_games_replace_games_and_sizes_and_options_go_to_all_of_them() -> None:
    flags = RunOverrides(variants=("tokens", "pounce"), players=(3, 4), settings={"tokens": 2})
    assert apply_overrides(TABLE, flags)["variants"] == [
        {"name": "tokens", "tokens": 2, "players": [3, 4]},
        {"name": "pounce", "tokens": 2, "players": [3, 4]},
    ]
    assert apply_overrides(TABLE, RunOverrides(settings={"tokens": 2}))["variants"] == [
        {"name": "lives", "players": 4, "tokens": 2},
        {"name": "pool", "tokens": 2},
    ]


@pytest.mark.parametrize("variants", ["lives", {"name": "lives"}, ["lives"], None])
def test_a_table_that_is_wrong_stays_wrong_in_the_same_way(variants: object) -> None:
    wrong = {**TABLE, "variants": variants}
    assert apply_overrides(wrong, RunOverrides(players=(3,)))["variants"] == variants
