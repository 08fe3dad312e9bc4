"""Empty and uneven columns of view fields survive encoding; those of matches do in test_view_wire."""

from collections.abc import Sequence
from typing import Any

import pytest

from arena.games import Rules, variant
from arena.play.bot_runtime.view_schema import CARD, HAND, PLAIN, Shape
from arena.play.bot_runtime.views import column_reader, column_writer

LIVES = variant("lives")
ACE, TWO = LIVES.whole_pack.parse("AS 2D")
HANDS = Shape(HAND.kind, HAND)


def there_and_back(shape: Shape, rules: Rules, column: Sequence[Any]) -> list[Any]:
    write, read = column_writer(shape, rules), column_reader(shape, rules)
    written = write(column) if write else column
    values = read(written) if read else written
    return [value for value, _ in zip(values, column, strict=False)]


@pytest.mark.parametrize(
    ("shape", "column"),
    [
        (PLAIN, [1, None, 3]),
        (CARD, [ACE, None, TWO]),
        (CARD, [None]),
        (HAND, [(), (), ()]),
        (HAND, [(ACE, TWO), (), (TWO,)]),
        (HANDS, [(), ()]),
        (HANDS, [((), ()), ((), ())]),
        (HANDS, [((ACE,), ()), (), ((TWO, ACE), (ACE,), ())]),
    ],
    ids=str,
)
def test_empty_and_uneven_columns_survive_a_round_trip(shape: Shape, column: list[Any]) -> None:
    assert there_and_back(shape, LIVES, column) == column
