"""Columns of view fields survive encoding and decoding."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from arena.games import VARIANTS, Rules, View, variant
from arena.play.bot_runtime.view_schema import CARD, HAND, PLAIN, Shape, column_shapes
from arena.play.bot_runtime.views import column_reader, column_writer

LIVES = variant("lives")
ACE, TWO = LIVES.whole_pack.parse("AS 2D")
HANDS = Shape(HAND.kind, HAND)


def there_and_back(shape: Shape, rules: Rules, column: Sequence[Any]) -> list[Any]:
    write, read = column_writer(shape, rules), column_reader(shape, rules)
    written = write(column) if write else column
    values = read(written) if read else written
    return [value for value, _ in zip(values, column, strict=False)]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_column_survives_a_round_trip(rules: Rules) -> None:
    match, rng = rules.match(min(3, rules.players[-1]), "a deal"), Random(5)
    views: list[View] = []
    while not match.is_over and len(views) < 120:
        assert match.seat_to_act is not None
        views.append(match.view(match.seat_to_act))
        match.apply(rng.choice(views[-1].legal))
    kind = type(views[0])
    for place, shape in column_shapes(kind).items():
        column = [getattr(view, kind.__struct_fields__[place]) for view in views]
        for rows in (column, column[:1]):
            assert there_and_back(shape, rules, rows) == rows


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
