"""Action numbers: every action that is ever legal has one, and it means the same position everywhere."""

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from arena.adapters.action_space import get_action_space
from arena.errors import IllegalAction, InvalidNotation
from arena.games import VARIANTS, Match, Rules, View, variant
from tests.games.support.random_play import play_out, table_name, view_to_act
from tests.games.support.readings import READINGS

FAMILIES = list({rules.family: rules for rules in VARIANTS}.values())
"""One variant of each family."""
OPTIONS = [
    variant("lives", max_exchange=3, rounds=0, pounce=True, open_hands=True),
    variant("pool", rounds=9, pack=40, pounce=True),
    variant("schwimmen", call_789=True, knock_after_move=True),
    variant("trentuno", direction="right", knocks=2),
    variant("bastard-brag", all_up=True),
    variant("whisky-poker", any_k=True),
    variant("ready-money", barter_dir="right", open_hands=True),
    variant("cuccu", dealer_three=True, expose_kings=True, horse_passes=True, direction="right"),
    variant("cambio", snap=True, swaps="any", king="any", call_after=True),
    variant("cambio", snap=True, scoring="lives"),
    variant("cambio", swaps="any"),
    *READINGS,
]
"""Variants with options that bring other actions or other things to see."""
MAX_DECISIONS = 120


def sizes(rules: Rules) -> list[int]:
    """Return two, four and the most players."""
    return sorted({2, min(4, rules.players[-1]), rules.players[-1]})


SHORT = [(rules, players) for rules in [*VARIANTS, *OPTIONS] for players in sizes(rules)]
each_table = pytest.mark.parametrize(("rules", "players"), SHORT, ids=table_name)


def views(rules: Rules, players: int, seed: str, limit: int = MAX_DECISIONS) -> Any:
    """Yield the views of the seats to act in a match of random play."""
    rng = Random(f"{rules}/{players}/{seed}")
    for _, match in zip(range(limit), play_out(rules.match(players, seed), rng), strict=False):
        yield view_to_act(match)


def check_numbers(view: View, players: int) -> None:
    space = get_action_space(view.opening.rules, players)
    legal = space.legal(view)
    assert list(legal.actions) == sorted(legal.actions)
    assert set(legal.actions.values()) == set(view.legal)
    mask = space.mask(view)
    assert mask.dtype == np.int8
    assert np.flatnonzero(mask).tolist() == list(legal.actions)
    texts = Counter([view.text(action) for action in view.legal])
    for number, action in list(legal.actions.items())[:: 1 + len(view.legal) // 16]:
        assert space.action(view, np.int64(number)) is action
        text = space.text(view, number)
        again = space.parse(view, text)
        assert space.text(view, again) == text
        if texts[text] == 1:
            assert again == number


@each_table
def test_every_legal_action_has_one_number_and_comes_back_from_its_text(rules: Rules, players: int) -> None:
    for view in views(rules, players, "numbers"):
        check_numbers(view, players)


@pytest.mark.full
@each_table
def test_every_legal_action_has_a_number_in_many_matches(rules: Rules, players: int) -> None:
    for number in range(20):
        for view in views(rules, players, f"many {number}", 10**6):
            get_action_space(rules, players).legal(view)


IN_FULL = {"cox": pytest.mark.full, "pounce": pytest.mark.full}
"""Games with rare actions."""


@pytest.mark.parametrize(
    "rules", [pytest.param(r, marks=IN_FULL.get(r.name, ())) for r in VARIANTS], ids=table_name
)
def test_at_a_small_table_every_number_is_legal_at_some_time(rules: Rules) -> None:
    space = get_action_space(rules, 2)
    seen: set[int] = set()
    for number in range(4000):
        for view in views(rules, 2, f"some time {number}", 10**6):
            seen |= set(space.legal(view).actions)
        if len(seen) == len(space):
            break
    assert [name for number, name in enumerate(space.names) if number not in seen] == []


def test_a_number_means_the_same_position_for_every_seat() -> None:
    rules = variant("cambio")
    space = get_action_space(rules, 4)
    count = 0
    for view in views(rules, 4, "relative", 10**4):
        for number, action in space.legal(view).actions.items():
            if space.names[number] == "swap +0:2 +1:3":
                left = (view.seat + 1) % 4
                assert view.text(action) == f"swap {view.seat}:2 {left}:3"
                count += 1
    assert count


def test_seats_are_counted_in_the_order_of_turns() -> None:
    rules = variant("cuccu", direction="right")
    match = rules.match(3, "order")
    first = view_to_act(match).seat
    match.apply(match.parse("keep"))
    assert view_to_act(match).seat == (first - 1) % 3


def lives() -> tuple[Any, View]:
    rules = variant("lives")
    match: Match = rules.match(4, "bad input")
    return get_action_space(rules, 4), view_to_act(match)


def test_a_number_out_of_range_says_the_range() -> None:
    space, view = lives()
    for number in (-1, 11, np.int64(99)):
        with pytest.raises(IllegalAction, match="they go from 0 to 10"):
            space.action(view, number)


def test_a_number_that_is_not_legal_says_what_is() -> None:
    space = get_action_space(variant("stop-the-bus"), 3)
    match = variant("stop-the-bus").match(3, "masked")
    with pytest.raises(IllegalAction, match=r"action 11 \(continue\) is not legal now; legal are 0 \(exch"):
        space.action(view_to_act(match), 11)


def test_what_is_no_number_is_no_action() -> None:
    space, view = lives()
    for what in ("pass", 1.0, None, np.float32(2)):
        with pytest.raises(IllegalAction, match="give its number"):
            space.action(view, what)
    with pytest.raises(InvalidNotation):
        space.parse(view, "passs")


def test_a_seat_that_is_not_to_act_has_no_legal_number() -> None:
    rules = variant("lives")
    match = rules.match(4, "others")
    others = [seat for seat in range(4) if seat != match.seat_to_act]
    space = get_action_space(rules, 4)
    assert [space.mask(match.view(seat)).sum() for seat in others] == [0, 0, 0]


def test_the_masks_kept_stay_few() -> None:
    rules = variant("cambio", snap=True, swaps="any")
    space = get_action_space(rules, 8)
    for view in views(rules, 8, "few"):
        space.legal(view)
    assert len(space._legal) <= 4 * (1 << 20) // len(space) + 16
