"""The line below a ladder on the fit of its ratings."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.output.tables.pairs import describe_model_fit
from arena.rating.model_fit import ModelFit

END = " The worst of 10 pairs; one is named by chance in at most 5% of ladders."


def describe(assessed: ModelFit | None) -> str:
    """Return the line of a game of two bots."""
    game: Any = SimpleNamespace(model_fit=assessed, label=lambda bot: ("ann", "ben")[bot])
    return describe_model_fit(cast(Any, game))


@pytest.mark.parametrize(
    ("score", "expected", "p", "line"),
    [
        (0.6, 0.5, 0.2, "Fit: fine; the ratings explain the results of 10 pairs."),
        (0.79, 0.71, 0.01, f"Fit: ann beats ben in 79% (a tie is half); the ratings say 71%.{END}"),
        (0.44, 0.3, 0.01, f"Fit: ben beats ann in 56% (a tie is half); the ratings say 70%.{END}"),
        (
            *(0.4432, 0.4365, 0.01),
            "Fit: fine to within 2 points: ben beats ann in 55.7% (a tie is half); the ratings say 56.4%."
            f"{END}",
        ),
    ],
)
def test_line_names_the_worst_pair_by_its_better_bot(
    score: float, expected: float, p: float, line: str
) -> None:
    assessed = ModelFit(pairs=10, blocks=60, bot=0, other=1, score=score, expected=expected, p=p)
    assert describe(assessed) == line
    if assessed.is_rejected:
        assert describe(replace(assessed, blocks=8)) == line


def test_few_blocks_show_no_fit() -> None:
    assessed = ModelFit(pairs=10, blocks=29, bot=0, other=1, score=0.6, expected=0.5, p=0.2)
    assert describe(assessed).startswith("Fit: not known yet; exceptions show from about 30 blocks")
    assert describe(replace(assessed, blocks=30)).startswith("Fit: fine")


def test_game_of_which_nothing_is_tested_has_no_line() -> None:
    assert describe(None) == ""
