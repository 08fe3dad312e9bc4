"""Golden playthroughs: a match of every variant as each seat sees it."""

from pathlib import Path

import pytest

from arena.games import VARIANTS, Rules
from tests.conftest import Golden
from tests.games.support.playthrough_text import describe_match
from tests.games.support.random_play import table_name

FOLDER = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("rules", VARIANTS, ids=table_name)
def test_a_match_goes_as_before(rules: Rules, golden: Golden) -> None:
    described = describe_match(rules, players=3, seed="playthrough")
    assert described == golden(FOLDER / f"{rules.name}.txt", described)


def test_every_playthrough_is_of_a_variant() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {rules.name for rules in VARIANTS}
