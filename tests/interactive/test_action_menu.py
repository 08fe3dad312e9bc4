"""The action menu is readable however many actions are legal, and the prompt explains the decision."""

from itertools import count
from random import Random

import click
import pytest

from arena.games import Deal, View, variant
from arena.interactive.table import format_menu
from arena.output.words.family_text import FamilyText, get_family_text
from arena.output.words.seat_names import SeatNames
from tests.games.support.cox_deals import cox
from tests.games.support.scripted_deal import ScriptedDeal

NAMES = SeatNames.for_player(["person", "greedy", "thirty"], 0)


def prompt(view: View) -> str:
    return get_family_text(view.opening.rules).prompt(view, NAMES)


def shown(view: View) -> list[str]:
    return click.unstyle(format_menu(view, NAMES, 80)).splitlines()


LIVES = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=1).view
LAST = ScriptedDeal("lives", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=0).play("1:knock").view
POOL = ScriptedDeal("pool", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=1).play("1:pass").view
BLIND = ScriptedDeal("pool", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=0).view
ANY = (
    ScriptedDeal("whisky-poker", ["TD 6C 2H 2S 3S", "9H 9C 4D 4C 4H"], "JS 9D 3C KC KD", dealer=0, any_k=True)
    .play("1:*", "0:2H>9H", "1:pass")
    .view
)
BARTER = ScriptedDeal("ready-money", ["TD 6C 2H", "9H 9C 4D"], dealer=1).view
ASKED = ScriptedDeal("ready-money", ["TD 6C 2H", "9H 9C 4D"], dealer=0).play("1:barter 4D").view
AFTER = ScriptedDeal("ready-money", ["TD 6C 2H", "9H 9C 4D"], stock="AS", dealer=1).play("0:trade 2H").view
THROW = (
    ScriptedDeal("thirty-one", ["TD 6D 2H", "9H 9C 4D"], "JS", stock="KD", dealer=1).play("0:draw stock").view
)
CAMBIO = ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="QD", dealer=1)
LAY = cox(["a4 a4 aC s1 s2 p1 p2 f1", "a1 a2 a3 s3 s4 s5 p3 p4"], front="g1").play("0:draw").view


def test_exchanges_of_one_card_are_a_grid_with_the_hands_they_make() -> None:
    assert shown(LIVES) == [
        "        for   JS            9D            3C",
        "  give TD   1 point 18    2 point 17    3 point 11",
        "  give 6C   4 point 22    5 point 21    6 point 15",
        "  give 2H   7 point 26    8 point 25    9 point 19",
        "    10 pass   11 knock",
    ]


def test_improving_exchanges_are_bold() -> None:
    text = format_menu(LIVES, NAMES, 80)
    assert click.style(" 7 point 26", bold=True) in text
    assert click.style(" 3 point 11", bold=True) not in text
    assert " 3 point 11" in text


def test_exchanges_of_more_cards_are_listed_while_they_are_few() -> None:
    lines = shown(POOL)
    assert lines[4] == "  2 cards"
    assert lines[5].startswith("    10 TD,6C>JS,9D  point 21   11 TD,6C>JS,3C  point 15")
    assert lines[-1].startswith("    19 *: the whole hand for the widow, point 22   20 pass")


def test_actions_of_a_game_without_words_of_its_own_have_their_notation() -> None:
    exchange = LIVES.legal[0]
    words: FamilyText[View, Deal] = FamilyText()
    assert words.menu_item(LIVES, exchange, NAMES) == LIVES.text(exchange)


def test_cards_of_an_unseen_hand_are_given_by_place() -> None:
    assert shown(BLIND)[1] == "  give #1   1     2     3"
    assert "before you look at your hand" in prompt(BLIND)


def test_hundreds_of_exchanges_are_summarized() -> None:
    assert len(ANY.legal) > 250
    lines = shown(ANY)
    assert len(lines) == 17
    assert lines[12].startswith("  26-125  2 cards, 100 ways: best ")
    assert [line for line in lines if line.startswith("    best ")]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("view", "line"),
    [
        (BARTER, "  trade a card for an unseen one (costs 1 chip)"),
        (BARTER, "     1 TD    2 6C    3 2H"),
        (BARTER, "  barter: offer a card to the next player"),
        (BARTER, "     7 stand"),
        (ASKED, "  give a card in exchange, unseen"),
        (AFTER, "     1 stand    2 continue: go on"),
        (THROW, "     1 TD, leaves 16 in diamonds    2 6D, leaves 20 in diamonds"),
        (
            CAMBIO.view,
            "     1 draw stock: only you see it    2 draw discard: it is JS",
        ),
        (LAY, "     1 a4 a4 aC"),
        (LAY, "     2 hold: lay nothing out"),
    ],
)
def test_similar_actions_are_grouped(view: View, line: str) -> None:
    assert [entry for entry in shown(view) if entry.startswith(line)]


def test_cambio_places_show_their_cards_and_many_swaps_are_summarized() -> None:
    table = ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="QD", dealer=1)
    place = table.play("0:draw stock").view
    assert "     1 TD    2 6C    3 ??    4 ??" in shown(place)
    peek = ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="9D", dealer=1)
    look = peek.play("0:draw stock", "0:discard").view
    assert "1 1:1 (greedy's 1)" in "\n".join(shown(look))
    three = ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC", "3S 3H 3D 3C"], "JS", stock="QD", dealer=2)
    swap = three.play("0:draw stock", "0:discard").view
    assert shown(swap)[0] == "  1-32  swap, 32 ways: for example swap 0:1 1:1"


@pytest.mark.parametrize(
    ("view", "asked"),
    [
        (LIVES, "Your turn."),
        (LAST, "greedy has knocked: this is your last turn."),
        (ASKED, "greedy offers you a card. Which do you give?"),
        (AFTER, "You have exchanged. Stand on this hand, or go on?"),
        (THROW, "You have drawn KD. Which card do you discard?"),
        (LAY, "You have drawn g1. You may lay cards out."),
    ],
)
def test_the_prompt_explains_the_decision(view: View, asked: str) -> None:
    assert prompt(view) == asked


ASKED_FOR: dict[str, set[str]] = {
    "pounce": {"The fourth of your three queens lies in the widow. Pounce?"},
    "pool": {
        "You deal. Exchange before you look at your hand?",
        "You have lost everything. Buy a horse for 4 chips and play on?",
    },
    "schwimmen": {"You deal, and have looked at your packet. Keep it, or take the second one?"},
    "stop-the-bus": {"You have exchanged. Knock, or go on?"},
    "whisky-poker": {"Your turn. The widow lies face down."},
    "cambio": {
        "You may look at a card.",
        "You may swap two cards.",
        "Which of your cards goes into the gap?",
        "greedy has called: this is your last turn.",
    },
    "cox": {"Your hand is complete."},
}


@pytest.mark.parametrize("name", ASKED_FOR)
def test_every_kind_of_decision_has_a_prompt(name: str) -> None:
    missing, rng = set(ASKED_FOR[name]), Random(name)
    options = {"snap": True} if name == "cambio" else {}
    for seed in count():
        match = variant(name, **options).match(3, str(seed))
        while not match.is_over and missing:
            assert match.seat_to_act is not None
            view = match.view(match.seat_to_act)
            if view.seat == 0:
                missing.discard(prompt(view))
            match.apply(rng.choice(view.legal))
        if not missing:
            return
        assert seed < 300, missing


def test_discarding_a_power_card_is_explained() -> None:
    table = ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="KS", dealer=1)
    lines = shown(table.play("0:draw stock").view)
    power = "then look at one of yours; look at another's; swap one of yours and another's"
    assert f"     5 discard: {power}" in lines
    plain = ScriptedDeal("cambio", ["TD 6C 2H 5H", "9H 9C 4D KC"], "JS", stock="2D", dealer=1)
    assert "     5 discard" in shown(plain.play("0:draw stock").view)


def test_a_knock_that_does_not_end_the_deal_is_not_a_last_turn() -> None:
    pool = ScriptedDeal("pool", ["TD 6C 2H", "9H 9C 4D"], "JS 9D 3C", dealer=0).play("0:pass", "1:knock").view
    assert prompt(pool) == "Your turn. greedy has knocked."
