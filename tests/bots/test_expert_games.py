"""The games of `expert`: where it searches it decides the same again, elsewhere it plays as another bot."""

import sys
from typing import Any

import pytest

from arena.games import Rules, variant
from arena.play import play_match
from bots.barter import EquilibriumPlayer
from bots.expert import Expert

KERNEL = pytest.mark.xdist_group("kernel")  # compiled once a worker
BARTER = pytest.mark.xdist_group("barter-equilibrium")
FULL = pytest.mark.full
DRAWS = [variant(name) for name in ("thirty-one", "trentuno-draw", "stop-the-bus-31")]
SEARCHED: list[Any] = [
    pytest.param(variant("lives"), ["counter", "greedy"], "tuned", marks=KERNEL),
    pytest.param(variant("schwimmen"), ["counter", "greedy"], None, marks=[KERNEL, FULL]),
    *[pytest.param(rules, ["retuned", "thirty"], "retuned", marks=[KERNEL, FULL]) for rules in DRAWS],
    *[
        pytest.param(
            variant(name),
            ["greedy"] * others,
            None,
            marks=KERNEL if (name, others) == ("pounce", 3) else [KERNEL, FULL],
        )
        for name, most in (("bastard-brag", 3), ("whisky-poker", 3), ("pool", 7), ("pounce", 7))
        for others in (1, 3, 7)
        if others <= most
    ],
    pytest.param(variant("ready-money"), ["retuned"], None, marks=BARTER),
]
"""Rules, the other bots, and a bot as which it does not play there."""


@pytest.mark.parametrize(("rules", "others", "plain"), SEARCHED, ids=str)
def test_the_same_key_decides_the_same(rules: Rules, others: list[str], plain: str | None) -> None:
    pytest.importorskip("numba")
    records = [play_match(rules, [Expert, *others], seed="same") for _ in range(2)]
    assert records[0]["faults"] == []
    assert records[0]["deals"] == records[1]["deals"]
    assert not plain or records[0]["deals"] != play_match(rules, [plain, *others], seed="same")["deals"]


@KERNEL
@pytest.mark.parametrize(
    ("name", "players"),
    [("lives", 2), *[pytest.param(*table, marks=FULL) for table in (("lives", 16), ("trentuno-draw", 12))]],
)
def test_it_plays_at_every_size(name: str, players: int) -> None:
    """It plays as `retuned` once the stock runs out and discards are shuffled again."""
    assert play_match(variant(name, tokens=1), [Expert] * players, seed="size")["faults"] == []


@KERNEL
@pytest.mark.parametrize(
    ("name", "options", "bot"),
    [
        *[("lives", options, "tuned") for options in ({"pack": 40}, {"pounce": True}, {"max_exchange": 3})],
        ("lives", {"rounds": 2}, "tuned"),
        ("cuccu", {}, "equilibrium"),
        ("cox", {}, "retuned"),
        *[("thirty-one", options, "retuned") for options in ({"tokens": 21}, {"rounds": 61})],
        *[("cambio", {"scoring": scoring}, "retuned") for scoring in ("lives", "won")],
        ("cambio", {"snap": True}, "retuned"),
    ],
)
def test_where_it_does_not_search_it_plays_as_another_bot(
    name: str, options: dict[str, Any], bot: str
) -> None:
    rules = variant(name, **options)
    records = [play_match(rules, [player, "greedy"], seed="options") for player in (Expert, bot)]
    assert records[0]["deals"] == records[1]["deals"]


@pytest.mark.parametrize(
    ("library", "name", "bot"),
    [
        *[(library, "lives", "tuned") for library in ("numba", "numpy")],
        *[(library, "schwimmen", "tuned") for library in ("numba", "numpy")],
        *[(library, "thirty-one", "retuned") for library in ("numba", "numpy")],
        *[("numba", "bastard-brag", "rollout"), ("numba", "pool", "retuned"), ("numba", "pounce", "tuned")],
        ("numba", "ready-money", EquilibriumPlayer),
    ],
)
def test_without_its_libraries_it_plays_as_another_bot(
    library: str, name: str, bot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    for module in [*sys.modules]:
        if module.startswith(("arena.games.kernel", "bots.search.", "bots.tuned_training")):
            monkeypatch.delitem(sys.modules, module)
    records = [play_match(variant(name), [player, "greedy"], seed="bare") for player in (Expert, bot)]
    assert records[0]["deals"] == records[1]["deals"]
