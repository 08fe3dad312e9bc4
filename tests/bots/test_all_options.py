"""The built-in bots play every variant at every table size under every value of every option."""

from collections.abc import Iterator
from dataclasses import Field
from random import Random
from typing import Any

import pytest

from arena.errors import InvalidRules
from arena.games import VARIANTS, Rules, variant
from arena.games.option_fields import list_options
from arena.play import Info, play_match
from arena.plugins import InstalledBot, discover
from bots.tuned import Tuned
from tests.games.support.scripted_deal import ScriptedDeal

SEARCHING = ("expert", "rollout")
"""Bots that search: tried in the full form alone, `expert` in tests/bots/test_expert.py."""
QUICK = [entry.name for entry in discover() if entry.built_in and entry.name not in SEARCHING]
SHORT = {
    *("lives", "ready-money-extended", "trade-and-barter-consent", "thirty-one-pot"),
    *("cuccu", "cambio", "cabo", "cox"),
}
LOADED = {name: InstalledBot(name).load() for name in QUICK}
LONGEST = {"rounds": 40, "tokens": 2, "deals": 2, "until": 50}
"""Highest values of the options that make a match long."""
PACK_SIZES = [52, 40, 36, 32, 8]
EDGES = 5
"""Combinations of options of a variant: as many as the option with the most values has."""


def list_values(option: Field[Any]) -> list[Any]:
    """Return the values of an option, of a number the lowest, the next and the highest."""
    allowed = option.metadata
    if option.name == "pack":
        return PACK_SIZES
    if allowed["choices"]:
        return list(allowed["choices"])
    if isinstance(option.default, bool):
        return [False, True]
    highest = min(allowed["high"], LONGEST.get(option.name, allowed["high"]))
    return sorted({allowed["low"], min(allowed["low"] + 1, highest), highest})


def combine_options(rules: Rules) -> Iterator[Rules]:
    """Yield the variant under combinations of options in which each value of each option occurs."""
    rng = Random(rules.name)
    values = {option.name: list_values(option) for option, _ in list_options(rules)}
    shifts = {name: rng.randrange(EDGES) for name in values}
    for number in range(EDGES):
        chosen = {name: choices[(number + shifts[name]) % len(choices)] for name, choices in values.items()}
        try:
            yield rules.with_options(chosen)
        except InvalidRules:  # two cannot play with so small a pack
            del chosen["pack"]
            yield rules.with_options(chosen)


def find_faults(rules: Rules, players: int, seed: str, bots: list[Any]) -> list[Any]:
    """Play as many matches as seat each bot once, and return the faults."""
    faults = []
    for first in range(0, len(bots), players):
        seated = [bots[(first + seat) % len(bots)] for seat in range(players)]
        faults += play_match(rules, seated, seed=f"{seed}/{first}")["faults"]
    return faults


@pytest.mark.parametrize(
    "rules",
    [pytest.param(rules, marks=() if rules.name in SHORT else pytest.mark.full) for rules in VARIANTS],
    ids=str,
)
def test_no_bot_fails_under_any_value_of_any_option(rules: Rules) -> None:
    for number, house in enumerate(combine_options(rules)):
        most = house.players[-1]
        players = (most, 2, min(3, most), most, max(most // 2, 2))[number]
        assert find_faults(house, players, f"{number}", list(LOADED.values())) == [], house


@pytest.mark.full
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_no_bot_fails_at_any_table_size_under_each_option_alone(rules: Rules) -> None:
    rollout: list[Any] = [{"bot": "rollout", "playouts": 1}]
    for option, _ in list_options(rules):
        for value in list_values(option):
            try:
                house = rules.with_options({"deals": 2, option.name: value})
            except InvalidRules:
                continue
            for players in house.players:
                bots = [*LOADED.values(), *rollout]
                assert find_faults(house, players, str(value), bots) == [], (house, players)


@pytest.mark.parametrize(
    ("name", "players", "options"),
    [
        ("pool", 16, {"open_hands": True}),
        ("tokens", 16, {"open_hands": True}),
        ("no-pair-or-point", 16, {"open_hands": True}),
        ("pool", 2, {"pack": 12, "rounds": 40}),
    ],
)
def test_bots_that_count_cards_play_on_when_no_card_is_left_unseen(
    name: str, players: int, options: dict[str, Any]
) -> None:
    rules = variant(name, deals=2, **options)
    bots = [LOADED["counter"], LOADED["tuned"]]
    for seed in range(3):
        assert play_match(rules, (bots * players)[:players], seed=f"{seed}")["faults"] == []


def test_tuned_plays_on_when_the_last_card_has_come_into_the_widow() -> None:
    """Sixteen hold all but four cards, and one of them pounces."""
    pack = [str(card) for card in variant("lives").whole_pack.cards]
    tricon = ["9S", "9H", "9D"]
    others = [card for card in pack if card not in tricon and card != "9C"]
    hands = [" ".join(others[3 * seat : 3 * seat + 3]) for seat in range(15)]
    hands.insert(1, " ".join(tricon))
    widow = " ".join(["9C", *others[45:47]])
    table = ScriptedDeal("lives", hands, widow, stock=others[47], pounce=True, open_hands=True)
    view = table.play("1:pounce").view
    assert set(table.rules.whole_pack.cards) == {*view.hand, *view.table}.union(*view.known)
    tuned = Tuned(Info.of(table.rules, seat=view.seat, players=16, key="tuned"))
    assert tuned.act(view) in view.legal
