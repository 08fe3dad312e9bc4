"""Of many matches, those that are wanted: by who sat there, what was played and what went wrong."""

from typing import Any

import msgspec
import pytest

from arena.errors import ConfigError
from arena.play.records.record_schema import MatchRecord
from arena.tournament.records import (
    MAX_LOSSES,
    FoundRecord,
    MatchFilter,
    biggest_losses,
    filter_matches,
    find_match,
)

DEAL = {"dealer": 0, "hands": [], "table": "", "stock": "", "actions": [], "result": {}}


def found(number: int, **said: Any) -> FoundRecord:
    record = {"v": 1, "variant": "lives", "options": {}, "players": 2, "deals": [DEAL], **said}
    told = msgspec.convert(record, MatchRecord)
    return FoundRecord(number, said.get("variant", "lives"), told, b"")


FAULT = {"seat": 0, "kind": "crash", "deal": 0}
MATCHES = [
    found(1, bots=["a", "b"], block="x", rotation=0),
    found(2, bots=["b", "a"], block="x", rotation=1, faults=[FAULT]),
    found(3, bots=["a", "c"], block="y"),
    found(4)._replace(variant="lives(tokens=5)"),
]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (MatchFilter(), [1, 2, 3, 4]),
        (MatchFilter(bots=("a",)), [1, 2, 3]),
        (MatchFilter(bots=("a", "b")), [1, 2]),
        (MatchFilter(variant="lives"), [1, 2, 3, 4]),
        (MatchFilter(variant="lives(tokens=5)"), [4]),
        (MatchFilter(variant="pool"), []),
        (MatchFilter(block="x"), [1, 2]),
        (MatchFilter(block="x", bots=("c",)), []),
        (MatchFilter(fault="any"), [2]),
        (MatchFilter(fault="crash"), [2]),
        (MatchFilter(fault="illegal"), []),
    ],
)
def test_a_match_is_wanted_for_what_it_has(wanted: MatchFilter, numbers: list[int]) -> None:
    assert [match.number for match in MATCHES if wanted.matches(match)] == numbers


@pytest.mark.parametrize(
    ("what", "number"),
    [
        ({}, 1),
        ({"number": 3}, 3),
        ({"block": "x"}, 1),
        ({"block": "x", "rotation": 1}, 2),
        ({"number": 1, "block": "y"}, None),
        ({"number": 5}, None),
    ],
)
def test_the_first_match_that_has_all_of_it_is_picked(what: dict[str, Any], number: int | None) -> None:
    match = find_match(MATCHES, **what)
    assert (match and match.number) == number


def lost(number: int, payoff: int, placing: int = 2, deals: int = 1) -> FoundRecord:
    told = {"payoffs": [payoff, 0], "placings": [placing, 1], "deals": [DEAL] * deals}
    return found(number, bots=["a", "b"], **told)


def test_the_biggest_loss_comes_first_and_of_equal_ones_the_one_lost_soonest() -> None:
    matches = [lost(1, -2), lost(2, -3, deals=3), lost(3, -3, deals=2), lost(4, -3, placing=3, deals=9)]
    assert [loss.number for loss in biggest_losses(matches, "a")] == [4, 3, 2, 1]


def test_losses_rank_by_share_of_points_and_games_with_equal_shares_alternate() -> None:
    def match(number: int, variant: str, payoff: int, placings: list[int]) -> FoundRecord:
        told = {"bots": ["a", "b", "c"], "players": 3, "payoffs": [payoff, 0, 0], "placings": placings}
        return found(number, variant=variant, **told)

    matches = [
        match(1, "cambio", -90, [2, 1, 3]),
        match(2, "cambio", -40, [3, 1, 2]),
        match(3, "cambio", -50, [3, 1, 2]),
        match(4, "lives", -3, [3, 1, 2]),
        match(5, "lives", -2, [2, 1, 2]),
        match(6, "lives", -3, [2, 1, 2]),
    ]
    assert [loss.number for loss in biggest_losses(matches, "a")] == [3, 4, 2, 6, 5, 1]


def test_a_bot_in_two_seats_lost_what_its_worse_seat_did() -> None:
    twice = found(1, bots=["a", "a"], payoffs=[5, -9], placings=[1, 2])
    assert [loss.number for loss in biggest_losses([lost(2, -8), twice], "a")] == [1, 2]


def test_matches_without_the_bot_or_without_payoffs_are_no_losses() -> None:
    assert biggest_losses([found(1, bots=["a", "b"]), lost(2, -3)._replace(number=2)], "c") == []
    assert biggest_losses([found(1, bots=["a", "b"])], "a") == []


def test_only_the_worst_are_kept() -> None:
    assert len(biggest_losses((lost(number, -number) for number in range(100)), "a")) == MAX_LOSSES


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (MatchFilter(bots=("a", "d")), "no bot in the file is called 'd'; there are a, b, c"),
        (
            MatchFilter(variant="livs"),
            "no match in the file is of the variant 'livs'; the nearest is 'lives'",
        ),
        (MatchFilter(block="z", bots=("a",)), "no match in the file is of the block 'z'; "),
    ],
)
def test_a_name_that_no_match_has_is_refused_with_the_nearest(wanted: MatchFilter, message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{message}"):
        list(filter_matches(MATCHES, wanted, "the file"))


def test_names_that_only_never_come_together_are_no_mistake() -> None:
    assert list(filter_matches(MATCHES, MatchFilter(bots=("b", "c")), "the file")) == []
    assert list(filter_matches([], MatchFilter(bots=("nobody",)), "the file")) == []
    assert [match.number for match in filter_matches(MATCHES, MatchFilter(block="x"), "the file")] == [1, 2]


def test_of_many_blocks_not_all_are_named() -> None:
    many = [found(number, block=f"block {number}") for number in range(100)]
    with pytest.raises(ConfigError, match=r"block 'z'; `arena replay list` shows all blocks$"):
        list(filter_matches(many, MatchFilter(block="z"), "the file"))
