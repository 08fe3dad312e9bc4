"""Hints suggest the action of a good bot with a short reason."""

import pytest

from arena.games import VARIANTS, View
from arena.interactive.person import HintBot
from arena.output.words.family_text import get_family_text
from arena.play import Info
from arena.plugins import discover
from tests.games.support.cox_deals import cox
from tests.games.support.scripted_deal import ScriptedDeal

LIVES = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D", "KS QS 5H"], "JS 9D 3C", dealer=0).view
DRAW = ScriptedDeal("thirty-one", ["TD 6D 2H", "9H 9C 4D"], "KD", dealer=1).view
THROW = (
    ScriptedDeal("thirty-one", ["TD 6D 2H", "9H 9C 4D"], "JS", stock="KD", dealer=1).play("0:draw stock").view
)
BARTER = ScriptedDeal("ready-money", ["TD TC 2H", "9H 9C 4D"], dealer=1).view
CARD = ScriptedDeal("cuccu", ["QS", "2H"], dealer=1).view
PLACE = (
    ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="7D", dealer=1)
    .play("0:draw stock")
    .view
)
PEEK = (
    ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="7D", dealer=1)
    .play("0:draw stock", "0:discard")
    .view
)
LAY = cox(["a4 a4 aC s1 s2 p1 p2 f1", "a1 a2 a3 s3 s4 s5 p3 p4"], front="g1").play("0:draw").view


@pytest.mark.parametrize(
    ("view", "action", "why"),
    [
        (LIVES, "4D>9D", "it makes 9H 9C 9D, three nines"),
        (LIVES, "9H>3C", "it makes 3C 9C 4D, point 16: worse now, but easier to improve"),
        (LIVES, "knock", "your hand beats 85 of 100 hands as they are dealt"),
        (DRAW, "draw discard", "it makes TD 6D KD, 26 in diamonds"),
        (DRAW, "draw stock", "KD would not improve your hand"),
        (THROW, "discard 2H", "it leaves TD 6D KD, 26 in diamonds"),
        (BARTER, "barter 2H", "the others are worth keeping, TD TC"),
        (CARD, "keep", "your hand beats 86 of 100 hands as they are dealt"),
        (PLACE, "place 1", "7D counts 7, TD counts 10"),
        (PLACE, "place 3", "7D counts 7, the card there is unseen"),
        (PLACE, "discard", "7D counts 7, more than what it could replace"),
        (PEEK, "peek 0:3", "it is unseen"),
        (LAY, "lay a4 a4 aC", "one more set"),
        (LAY, "hold", ""),
    ],
)
def test_hints_give_a_short_reason(view: View, action: str, why: str) -> None:
    assert get_family_text(view.opening.rules).hint_reason(view, view.parse(action)) == why


def test_a_hint_names_its_bot() -> None:
    info = Info(variant="thirty-one", options={}, seat=0, players=2, key="any")
    assert HintBot(info).hint(THROW) == "thirty would play discard 2H\nit leaves TD 6D KD, 26 in diamonds"


def test_every_variant_has_installed_recommended_bots() -> None:
    installed = {bot.name for bot in discover() if bot.built_in}
    for rules in VARIANTS:
        bots = get_family_text(rules).recommended_bots(rules)
        assert bots
        assert installed.issuperset(bots)
