"""The worked examples of sheet B10 as records that are accepted, and false twins that are refused."""

from typing import Any

import pytest

from arena.errors import RecordError
from arena.play.records.record_check import check_record

Record = dict[str, Any]


def record(hands: str, actions: str, tokens: list[int], stock: str = "", **options: Any) -> Record:
    """A record of one deal by seat 0."""
    deal = {
        "dealer": 0,
        "hands": hands.split(),
        "table": "",
        "stock": stock,
        "actions": actions.split(),
        "result": {"tokens": tokens},
    }
    players = len(hands.split())
    return {"v": 1, "variant": "cuccu", "options": options, "players": players, "deals": [deal]}


KEPT = "1:keep 2:keep 3:keep 0:keep"
TRUE = [
    record("AS 4D AH 7C", KEPT, [-1, 0, -1, 0]),
    record("7S 7D 7H 7C", KEPT, [-1, -1, -1, -1]),
    record("7S 7D 7H 7C", KEPT, [0, 0, 0, 0], tie_all="none"),
    record("9S 4D 2H 7C", "1:swap 2:keep 3:keep 0:keep", [0, -1, 0, 0]),
    record("9S 4D KH 7C", "1:swap 3:keep 0:keep", [0, -1, 0, 0]),
    record("9S 4D 5H 7C", "1:keep 2:keep 3:keep 0:swap", [-1, 0, 0, 0], stock="2C"),
    record("9S 4D 5H 7C", "1:keep 2:keep 3:keep 0:swap", [0, -1, 0, 0], stock="KC"),
]
FALSE = [
    (record("AS 4D AH 7C", KEPT, [0, 0, -1, 0]), "result"),
    (record("7S 7D 7H 7C", KEPT, [0, 0, 0, 0]), "result"),
    (record("9S 4D 2H 7C", "1:swap 1:swap", [0, -1, 0, 0]), "seat 2"),
    (record("9S 4D 2H 7C", "1:swap 2:keep 3:keep 0:keep", [0, 0, -1, 0]), "result"),
    (record("9S 4D KH 7C", "1:swap 2:swap", [0, -1, 0, 0]), "seat 3"),
    (record("9S 4D 5H 7C", "1:keep 2:keep 3:keep 0:swap", [-1, 0, 0, 0], stock="4D"), "4D"),
    (record("9S 4D 5H 7C", "1:keep 2:keep 3:keep 0:swap", [-1, 0, 0, 0], stock="KC"), "result"),
]


@pytest.mark.parametrize("told", TRUE, ids=["4", "5", "5 none", "6", "a king", "the stock", "its king"])
def test_the_worked_examples_verify(told: Record) -> None:
    assert check_record(told).deals == 1


@pytest.mark.parametrize(("told", "why"), FALSE, ids=["4", "5", "6", "6b", "a king", "the stock", "its king"])
def test_a_false_record_is_refused_with_the_reason(told: Record, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        check_record(told)
