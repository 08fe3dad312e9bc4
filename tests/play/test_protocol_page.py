"""The page of the protocol shows a view as it is sent, and names all that a view of any family has."""

import re
from pathlib import Path

import msgspec
import pytest

from arena.games import VARIANTS, Rules, variant
from arena.play.bot_runtime.json_views import view_to_json

PAGE = (Path(__file__).parents[2] / "docs/protocol.md").read_text(encoding="utf-8")


def test_the_example_is_a_view_as_it_is_sent() -> None:
    (line,) = re.findall(r"^```json\n(.*)\n```$", PAGE, re.MULTILINE)
    match = variant("lives").match(3, "a")
    for _ in range(6):
        match.apply(match.deal.legal_actions.actions[0])
    assert match.seat_to_act is not None
    assert msgspec.json.encode(view_to_json(match.view(match.seat_to_act))).decode() == line


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_all_that_a_view_has_is_on_the_page(rules: Rules) -> None:
    match = rules.match(2, "any text")
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {rules.family} |"))
    common = PAGE.partition("Each family adds fields")[0]
    assert match.seat_to_act is not None
    names = view_to_json(match.view(match.seat_to_act))
    assert {name for name in names if f"`{name}`" not in common + row} == set()
