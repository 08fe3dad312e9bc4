"""Cambio: the knowledge of each seat after each kind of action, and nothing beyond it. Sheet B11."""

from random import Random
from typing import Any

import pytest

from arena.families.cambio.deal import CambioDeal
from arena.families.cambio.view import CambioView
from arena.games import Match, variant
from arena.games.cards import HIDDEN, Card
from arena.games.notation_writer import format_cards
from tests.games.support.cambio_deals import dealt, known, seen_by
from tests.games.support.cambio_memory import Memory

OWN_0 = ["AS 2S ?? ??", "?? ?? ?? ??", "?? ?? ?? ??"]
OWN_1 = ["?? ?? ?? ??", "AH 2H ?? ??", "?? ?? ?? ??"]
OWN_2 = ["?? ?? ?? ??", "?? ?? ?? ??", "AC 2C ?? ??"]


def test_b11_before_play_each_knows_his_two_near_cards() -> None:
    table = dealt()
    assert [known(table, seat) for seat in range(3)] == [OWN_0, OWN_1, OWN_2]
    assert [format_cards(seen_by(table, seat).dealt) for seat in range(3)] == [
        "AS 2S ?? ??",
        "AH 2H ?? ??",
        "AC 2C ?? ??",
    ]


def test_the_hand_is_the_own_part_of_what_is_known() -> None:
    table = dealt("7S").play("1:draw stock", "1:discard", "1:peek 1:4")
    assert format_cards(seen_by(table, 1).hand) == "AH 2H ?? 4H"


def test_b11_a_drawn_card_is_seen_by_its_drawer_alone() -> None:
    table = dealt("5S").play("1:draw stock")
    assert [str(seen_by(table, seat).drawn) for seat in range(3)] == ["??", "5S", "??"]
    assert seen_by(table, 1).events == ("1:draw stock", "drawn 5S")
    assert seen_by(table, 0).events == seen_by(table, 2).events == ("1:draw stock",)
    assert [known(table, seat) for seat in range(3)] == [OWN_0, OWN_1, OWN_2]


def test_b11_a_placed_card_is_known_to_who_placed_it_and_what_it_replaced_to_all() -> None:
    table = dealt("5S").play("1:draw stock", "1:place 3")
    assert known(table, 1)[1] == "AH 2H 5S ??"
    assert [known(table, 0), known(table, 2)] == [OWN_0, OWN_2]
    for seat in range(3):
        assert format_cards(seen_by(table, seat).discard) == "6D 3H"
        assert seen_by(table, seat).drawn is None
        assert seen_by(table, seat).events[-2:] == ("1:place 3", "discard 3H")


def test_b11_what_is_known_of_a_card_ends_when_it_is_replaced() -> None:
    table = dealt("9S 5S").play("1:draw stock", "1:discard", "1:peek 2:3", "2:draw stock", "2:place 3")
    assert known(table, 1) == OWN_1


def test_b11_a_card_taken_from_the_discard_is_known_to_all_where_it_lies() -> None:
    table = dealt().play("1:draw discard")
    assert [str(seen_by(table, seat).drawn) for seat in range(3)] == ["6D", "6D", "6D"]
    table.play("1:place 4")
    assert known(table, 0) == ["AS 2S ?? ??", "?? ?? ?? 6D", "?? ?? ?? ??"]
    assert known(table, 1) == ["?? ?? ?? ??", "AH 2H ?? 6D", "?? ?? ?? ??"]
    assert known(table, 2) == ["?? ?? ?? ??", "?? ?? ?? 6D", "AC 2C ?? ??"]


def test_b11_a_discarded_card_is_seen_by_all() -> None:
    table = dealt("5S").play("1:draw stock", "1:discard")
    assert [format_cards(seen_by(table, seat).discard) for seat in range(3)] == ["6D 5S"] * 3
    assert [known(table, seat) for seat in range(3)] == [OWN_0, OWN_1, OWN_2]


def test_b11_a_look_at_an_own_card_is_private_and_its_place_public() -> None:
    table = dealt("7S").play("1:draw stock", "1:discard", "1:peek 1:4")
    assert known(table, 1) == ["?? ?? ?? ??", "AH 2H ?? 4H", "?? ?? ?? ??"]
    assert [known(table, 0), known(table, 2)] == [OWN_0, OWN_2]
    assert seen_by(table, 1).events[-2:] == ("1:peek 1:4", "seen 1:4 4H")
    assert seen_by(table, 2).events[-1] == "1:peek 1:4"


def test_b11_a_look_at_anothers_card_is_private_to_the_looker() -> None:
    table = dealt("9S").play("1:draw stock", "1:discard", "1:peek 2:3")
    assert known(table, 1) == ["?? ?? ?? ??", "AH 2H ?? ??", "?? ?? 3C ??"]
    assert [known(table, 0), known(table, 2)] == [OWN_0, OWN_2]


def test_b11_a_power_not_used_shows_nothing() -> None:
    table = dealt("9S").play("1:draw stock", "1:discard", "1:skip")
    assert [known(table, seat) for seat in range(3)] == [OWN_0, OWN_1, OWN_2]
    assert seen_by(table, 0).events[-1] == "1:skip"


def test_b11_test_7_what_is_known_of_swapped_cards_moves_with_them() -> None:
    hands = ("AS 2S 3S 4S", "AH 2H 3H 4H", "AC 2C 3C 4C", "AD 2D 3D 4D")
    table = dealt("9S JS", hands=hands, dealer=0)
    table.play("1:draw stock", "1:discard", "1:peek 3:4", "2:draw stock", "2:discard", "2:swap 2:1 3:4")
    assert known(table, 0) == ["AS 2S ?? ??", *["?? ?? ?? ??"] * 3]
    assert known(table, 1) == ["?? ?? ?? ??", "AH 2H ?? ??", "4D ?? ?? ??", "?? ?? ?? ??"]
    assert known(table, 2) == ["?? ?? ?? ??", "?? ?? ?? ??", "?? 2C ?? ??", "?? ?? ?? AC"]
    assert known(table, 3) == ["?? ?? ?? ??", "?? ?? ?? ??", "?? ?? ?? ??", "AD 2D ?? ??"]
    assert table.hands[2:] == ["4D 2C 3C 4C", "AD 2D 3D AC"]


def test_b11_a_known_own_card_is_followed_through_two_swaps() -> None:
    table = dealt("JS QS").play("1:draw stock", "1:discard", "1:swap 1:3 0:2")
    table.play("2:draw stock", "2:discard", "2:swap 2:4 1:3")
    assert known(table, 0)[2] == "?? ?? ?? 2S"
    assert known(table, 0)[0] == "AS ?? ?? ??"


def test_r28_a_black_kings_looks_are_private() -> None:
    table = dealt("KS").play("1:draw stock", "1:discard", "1:peek 1:3", "1:peek 0:4", "1:swap 1:3 0:4")
    assert known(table, 1) == ["?? ?? ?? 3H", "AH 2H 4S ??", "?? ?? ?? ??"]
    assert [known(table, 0), known(table, 2)] == [OWN_0, OWN_2]


def test_b11_a_call_shows_no_card() -> None:
    table = dealt().play("1:cambio")
    assert [known(table, seat) for seat in range(3)] == [OWN_0, OWN_1, OWN_2]


def test_b11_at_the_end_all_cards_are_shown() -> None:
    table = dealt("5S 5H").play("1:cambio", "2:draw stock", "2:discard", "0:draw stock", "0:place 1")
    shown = ["5H 2S 3S 4S", "AH 2H 3H 4H", "AC 2C 3C 4C"]
    assert [known(table, seat) for seat in range(3)] == [shown] * 3
    assert seen_by(table, 0).events[-3:] == ("show 1 AH 2H 3H 4H", "show 2 AC 2C 3C 4C", "show 0 5H 2S 3S 4S")


def test_a_card_that_was_reshuffled_is_unknown_when_it_comes_again() -> None:
    match = variant("cambio", pack=32, jokers=False).match(players=7, seed="again")
    while "reshuffle" not in match.view(0).events:
        match.apply(match.deal.legal_actions.default)
    drawer = match.seat_to_act
    for seat in range(7):
        view = match.view(seat)
        assert isinstance(view, CambioView)
        assert (view.drawn is HIDDEN) == (seat != drawer)


# --- over whole matches ---

TABLES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (4, {}),
    (8, {"call_after": True}),
    (3, {"swaps": "any", "king": "any", "pack": 32}),
    (2, {"snap": True}),
    (4, {"snap": True, "call_after": True, "swaps": "any"}),
    (4, {"scoring": "lives", "tokens": 2, "snap": True}),
]


def lively(match: Match, rng: Random) -> None:
    """Does anything, but calls and snaps seldom."""
    choices = match.deal.legal_actions
    rare = [action for action in choices.actions if action.kind in ("cambio", "snap")]
    usual = [action for action in choices.actions if action not in rare]
    match.apply(rng.choice(usual if usual and rng.random() < 0.9 else choices.actions))


def cards_in(view: CambioView) -> set[Card]:
    """Every card that can be had from a view, by whatever way."""
    event, aside = view.public, view.private
    cards = {*view.hand, *view.dealt, *view.discard, view.drawn or HIDDEN}.union(*view.known)
    while event:
        cards.update(event.cards)
        event = event.before
    while aside:
        cards.update(aside.event.cards)
        aside = aside.before
    return cards - {HIDDEN}


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_a_view_is_a_perfect_memory_and_nothing_else(players: int, options: dict[str, Any]) -> None:
    rng = Random(players)
    match = variant("cambio", **options).match(players=players, seed="memory")
    while not match.is_over:
        deal = match.deal
        memories = []
        for seat in range(players):
            hands = ["?? ?? ?? ??" if hand else "" for hand in deal.dealt]
            hands[seat] = format_cards(deal.view(seat).dealt)
            memories.append(Memory(hands, format_cards(deal.table_dealt)))
        while match.deal is deal and not match.is_over:
            lively(match, rng)
            for seat, memory in enumerate(memories):
                view = deal.view(seat)
                assert isinstance(view, CambioView)
                memory.observe(view.events)
                assert [format_cards(hand) for hand in view.known] == [
                    " ".join(hand) for hand in memory.hands
                ]
                assert format_cards(view.discard) == " ".join(memory.discard)
                assert {str(card) for card in cards_in(view)} <= memory.seen


@pytest.mark.parametrize(("players", "options"), TABLES)
def test_every_card_is_in_one_place(players: int, options: dict[str, Any]) -> None:
    rng = Random(players)
    match = variant("cambio", **options).match(players=players, seed="places")
    while not match.is_over:
        deal = match.deal
        assert isinstance(deal, CambioDeal)
        lying = [card for hand in deal.hands for card in hand] + list(deal.discard)
        lying += [deal.drawn] if deal.drawn else []
        assert len(lying) == len(set(lying))
        assert len(lying) + deal.stock.left == len(match.rules.whole_pack)
        lively(match, rng)
