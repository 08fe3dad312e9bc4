"""A block's key is the same wherever the block is the same, and another where anything of it is."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.play.isolation import Level
from arena.tournament.formats.comparison import Comparison
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.config import Config, make_config
from arena.tournament.store.metadata import (
    RunMetadata,
    collect_metadata,
    find_changed_bots,
    find_changed_rules,
)
from arena.tournament.store.store import BlockKeys

TABLE: dict[str, Any] = {
    "bots": ["greedy", "random", {"bot": "prudent", "name": "third"}],
    "variants": [{"name": "lives", "players": 2}, {"name": "cambio", "players": 2}],
    "blocks": 2,
}
LEVELS: dict[str, Level] = dict.fromkeys(("greedy", "random", "third", "stand-pat"), "inline")
SEED = "any text"


def config(**changes: Any) -> Config:
    return make_config({**TABLE, **changes}, base=Path(), where="the test")


def keys(asked: Config, seed: str = SEED, **changes: Any) -> dict[str, bytes]:
    """Key by address, with some facts changed."""
    facts = msgspec.structs.replace(collect_metadata(asked, seed, LEVELS), **changes)
    key = BlockKeys(asked, facts).key
    return {block.address: key(block) for block in RoundRobin(asked, seed)}


def test_no_two_blocks_have_the_same_key() -> None:
    by_address = keys(config())
    assert len(set(by_address.values())) == len(by_address) == 12


def test_one_bot_more_changes_no_key_of_the_others() -> None:
    before, after = keys(config()), keys(config(bots=["stand-pat", *TABLE["bots"]]))
    assert before.items() < after.items()
    assert set(before.values()).isdisjoint(value for key, value in after.items() if "stand-pat" in key)


def test_a_bot_that_changed_changes_the_keys_of_its_tables() -> None:
    facts = collect_metadata(config(), SEED, LEVELS)
    changes: list[dict[str, Any]] = [
        {"bots": {**facts.bots, "greedy": "other"}},
        {"isolation": {**LEVELS, "greedy": "process"}},
    ]
    for change in changes:
        before, after = keys(config()), keys(config(), **change)
        assert {address for address in before if before[address] != after[address]} == {
            address for address in before if "greedy" in address
        }


def test_in_a_field_either_of_the_two_compared_changes_the_key() -> None:
    asked = config(format="comparison", variants=[{"name": "lives", "players": 2}])
    facts = collect_metadata(asked, SEED, LEVELS)
    block = Comparison(asked, SEED).block(0)
    before = BlockKeys(asked, facts).key(block)
    for bot in ("greedy", "random", "third"):
        after = msgspec.structs.replace(facts, bots={**facts.bots, bot: "other"})
        assert BlockKeys(asked, after).key(block) != before


def test_new_rules_change_the_keys_of_their_variants() -> None:
    before, after = keys(config()), keys(config(), rules={"lives": 2, "cambio": 1})
    changed = {address.partition("/")[0] for address in before if before[address] != after[address]}
    assert changed == {"lives"}


@pytest.mark.parametrize(
    "changes",
    [
        {"limits": {"decision_ms": 7}},
        {"bots": [{"bot": "greedy", "patience": 3, "name": "greedy"}, "random", TABLE["bots"][2]]},
    ],
)
def test_limits_and_settings_are_in_the_key(changes: dict[str, Any]) -> None:
    before, after = keys(config()), keys(config(**changes))
    assert all(before[address] != after[address] for address in before if "greedy" in address)


def test_the_seed_is_in_the_key() -> None:
    before, after = keys(config()), keys(config(), seed="other")
    assert set(before.values()).isdisjoint(after.values())


def test_settings_and_seed_of_a_block_are_in_its_key() -> None:
    key = BlockKeys(config(), collect_metadata(config(), SEED, LEVELS)).key
    block = RoundRobin(config(), SEED)[0]
    own: list[dict[str, Any]] = [{}, {"seed": "own"}, {"settings": {"random": {"a": 1}}}]
    own += [{**own[1], **own[2]}, {"settings": {"random": {"a": 2}}}]
    assert len({key(msgspec.structs.replace(block, **changes)) for changes in own}) == len(own)


def test_what_changed_since_a_run_began_is_found(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Bot:\n    def act(self, view):\n        return view.legal[0]\n")
    asked = config(bots=["greedy", {"bot": f"{file}:Bot", "name": "mine"}])
    facts: RunMetadata = collect_metadata(asked, SEED, {})
    assert [*find_changed_bots(facts, asked), *find_changed_rules(facts, asked)] == []
    file.write_text("class Bot:\n    def act(self, view):\n        return view.legal[-1]\n")
    older = msgspec.structs.replace(facts, rules={"lives": 0, "cambio": facts.rules["cambio"]})
    assert [*find_changed_bots(older, asked), *find_changed_rules(older, asked)] == ["mine", "lives"]
