"""Compiled play compared with the rules; as a program it plays what is compiled as plain Python.

    NUMBA_DISABLE_JIT=1 python -m tests.adapters.compiled_comparison

That takes seconds, where compiling a family takes many, and follows the same code.
"""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy as np

from arena.adapters.batches import load_kernel
from arena.adapters.vector_env import CommerceVectorEnv
from arena.games import VARIANTS, Rules, variant
from tests.families.cox.compiled_hands import compare_hands

COMPARED_ELSEWHERE = "exchange"
"""Family whose compiled play is compared in `test_vector_env`."""
USUAL = [
    (rules, 3)
    for rules in VARIANTS
    if rules.family != COMPARED_ELSEWHERE and not load_kernel(rules).explain_unserved(rules)  # type: ignore[union-attr]
]
OPTIONS = [
    (variant("ready-money"), 10),
    (variant("ready-money", open_hands=True, stand_penalty="best", deals=3), 5),
    (variant("ready-money-extended", barter_dir="right"), 12),
    (variant("trade-and-barter", split_pool=True, stake=5, trade_price=2), 4),
    (variant("trade-and-barter-tokens", trade_price=2, bottom_tie="sum"), 5),
    (variant("trade-and-barter-consent", tokens=5), 14),
    (variant("thirty-one", stock_out="drawn", min_round=3), 4),
    (variant("thirty-one", instant_knock=True, knock31="double", one_rider=True, rounds=9), 6),
    (variant("trentuno-draw", direction="right", tokens=1), 2),
    (variant("trentuno-draw", pack=52, comeback=True), 12),
    (variant("thirty-one-pot", stock_out="drawn", stake=3, deals=5), 5),
    (variant("stop-the-bus-31", knocker_alone=True, deals=4), 16),
    (variant("cuccu", expose_kings=True, horse_passes=True, dealer_three=True), 4),
    (variant("cuccu", stock_king_ok=True, pack=40, direction="right"), 5),
    (variant("cuccu", tie="first", tie_all="none", pairs_safe=True), 4),
    (variant("cuccu", ace_high=True, tokens=1, deals=3), 6),
    (variant("cuccu", horse_passes=True), 20),
    (variant("cambio", swaps="any", king="any", jokers=False), 8),
    (variant("cambio", until=30, caller_penalty=5, call_after=True), 3),
    (variant("cambio", scoring="won", pack=32), 5),
    (variant("golf-four", deals=2), 8),
    (variant("golf-four", until=150), 3),
    (variant("cabo", until=40, call_after=True), 2),
    (variant("cabo", halved=False, deals=3), 4),
    (variant("rat-a-tat", rounds=60), 2),
    (variant("rat-a-tat", scoring="won"), 6),
    (variant("cox", penalty_before_double=True, bank_buys=False), 2),
    (variant("cox", captain_fourth=True, wild_pair=True), 4),
    (variant("cox", bank_doubles="drawer", deals=2), 3),
    (variant("cox", captain_fourth=True, bank_doubles="drawer", completed=True, deals=1), 4),
]
SHORT = [*USUAL, *OPTIONS[::6]]
"""Tables compared as plain Python."""
LONG_DEALS = ("cox",)
"""Families compared for more steps, as little happens in a few of them."""
HANDS = 200
"""Hands of Cox's game compared, of which matches at random complete few."""


def compare(rules: Rules, players: int, count: int, steps: int) -> int:
    """Compare self-play, and play against bots; return how many matches were over."""
    bots = ["random", "stand-pat", "greedy"][: players - 1]
    return sum(
        play_beside(rules, count, steps, Random(f"{rules}/{players}"), players=players, **arguments)
        for arguments in (
            {"self_play": True},
            {"opponents": bots, "seat": None, "rewards": "payoff", "autoreset_mode": "SameStep"},
        )
    )


def play_beside(rules: Rules, count: int, steps: int, rng: Random, **arguments: Any) -> int:
    """Play the same actions compiled and by the rules; return how many matches were over."""
    compiled, expected = [CommerceVectorEnv(rules, count, compiled=way, **arguments) for way in (True, False)]
    observed, infos = compiled.reset(seed=5)
    wanted, wanted_infos = expected.reset(seed=5)
    over = 0
    for step in range(steps):
        where = f"{rules}, {arguments}, step {step}"
        for key in ("action_mask", "seat"):
            assert np.array_equal(infos[key], wanted_infos[key]), f"{where}: {key}"
        assert np.array_equal(observed, wanted), f"{where}: {list_differences(compiled, observed, wanted)}"
        actions = np.array([choose(mask, rng) for mask in infos["action_mask"]])
        if rng.random() < 0.02:
            actions[0] = len(compiled.actions) - 1 - actions[0]
        observed, rewards, over_now, _, infos = compiled.step(actions)
        wanted, wanted_rewards, wanted_over, _, wanted_infos = expected.step(actions)
        assert np.array_equal(rewards, wanted_rewards), where
        assert np.array_equal(over_now, wanted_over), where
        over += int(over_now.sum())
    return over


def choose(mask: Any, rng: Random) -> int:
    """Choose a legal action at random; any number for a match that is over."""
    legal = np.flatnonzero(mask).tolist()
    return int(rng.choice(legal)) if legal else 0


def list_differences(env: CommerceVectorEnv, observed: Any, wanted: Any) -> list[tuple[int, str]]:
    """Return the matches and features in which observations differ."""
    return [
        (int(match), name)
        for match in np.flatnonzero((observed != wanted).any(axis=1))
        for name, place in env.observation_layout.items()
        if (observed[match, place] != wanted[match, place]).any()
    ]


def use_records() -> None:
    """Have numpy return records whose fields are attributes, as compiled functions read them."""
    make_zeros = np.zeros

    def zeros(*arguments: Any, **named: Any) -> Any:
        made = make_zeros(*arguments, **named)
        return made.view(np.recarray) if made.dtype.names else made

    vars(np)["zeros"] = zeros
    np.seterr(over="ignore")  # hashes


def main() -> None:
    use_records()
    for rules, players in SHORT:
        over = compare(rules, players, count=2, steps=80 if rules.family in LONG_DEALS else 16)
        sys.stdout.write(f"{rules}, {players} players: {over} matches over\n")
    sys.stdout.write(f"{HANDS} hands of cox: {compare_hands(HANDS)} sold\n")


if __name__ == "__main__":
    main()
