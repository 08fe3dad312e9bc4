"""Cambio: the knowledge of each seat after each kind of action, and nothing beyond it. Sheet B11."""

from random import Random
from typing import Any

import pytest

from arena.families.cambio.view import CambioView
from arena.games import Match, variant
from arena.games.action import format_cards
from arena.games.cards import HIDDEN, Card
from tests.games.support.cambio_deals import dealt
from tests.games.support.cambio_memory import Memory
from tests.games.support.scripted_cases import scripted_cases

DEALS = """
b11 before play each knows his two near cards
    dealt
    -> knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??; knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? ?? ??;
        knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??; view dealt 0: AS 2S ?? ??;
        view dealt 1: AH 2H ?? ??; view dealt 2: AC 2C ?? ??
the hand is the own part of what is known
    dealt | stock 7S | 1:draw stock, 1:discard, 1:peek 1:4 -> view hand 1: AH 2H ?? 4H
b11 a drawn card is seen by its drawer alone
    dealt | stock 5S
    1:draw stock -> view drawn 0 2: ??; view drawn 1: 5S; heard 1: 1:draw stock, drawn 5S;
        heard 0 2: 1:draw stock; knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??;
        knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??
b11 a placed card is known to who placed it and what it replaced to all
    dealt | stock 5S
    1:draw stock, 1:place 3 -> knows 1: ?? ?? ?? ?? / AH 2H 5S ?? / ?? ?? ?? ??;
        knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??;
        view discard 0 1 2: 6D 3H; view drawn 0 1 2: -; heard 0 1 2: ... 1:place 3, discard 3H
b11 what is known of a card ends when it is replaced
    dealt | stock 9S 5S
    1:draw stock, 1:discard, 1:peek 2:3, 2:draw stock, 2:place 3
        -> knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? ?? ??
b11 a card taken from the discard is known to all where it lies
    dealt | 1:draw discard -> view drawn 0 1 2: 6D
    1:place 4 -> knows 0: AS 2S ?? ?? / ?? ?? ?? 6D / ?? ?? ?? ??;
        knows 1: ?? ?? ?? ?? / AH 2H ?? 6D / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? 6D / AC 2C ?? ??
b11 a discarded card is seen by all
    dealt | stock 5S
    1:draw stock, 1:discard -> view discard 0 1 2: 6D 5S; knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??;
        knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??
b11 a look at an own card is private and its place public
    dealt | stock 7S
    1:draw stock, 1:discard, 1:peek 1:4 -> knows 1: ?? ?? ?? ?? / AH 2H ?? 4H / ?? ?? ?? ??;
        knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??;
        heard 1: ... 1:peek 1:4, seen 1:4 4H; heard 2: ... 1:peek 1:4
b11 a look at anothers card is private to the looker
    dealt | stock 9S
    1:draw stock, 1:discard, 1:peek 2:3 -> knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? 3C ??;
        knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??
b11 a power not used shows nothing
    dealt | stock 9S
    1:draw stock, 1:discard, 1:skip -> knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??;
        knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??;
        heard 0: ... 1:skip
b11 test 7 what is known of swapped cards moves with them
    dealt dealer=0 | AS 2S 3S 4S / AH 2H 3H 4H / AC 2C 3C 4C / AD 2D 3D 4D | stock 9S JS
    1:draw stock, 1:discard, 1:peek 3:4, 2:draw stock, 2:discard, 2:swap 2:1 3:4
        -> knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??;
        knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / 4D ?? ?? ?? / ?? ?? ?? ??;
        knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / ?? 2C ?? ?? / ?? ?? ?? AC;
        knows 3: ?? ?? ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ?? / AD 2D ?? ??; hand 2: 4D 2C 3C 4C;
        hand 3: AD 2D 3D AC
b11 a known own card is followed through two swaps
    dealt | stock JS QS
    1:draw stock, 1:discard, 1:swap 1:3 0:2, 2:draw stock, 2:discard, 2:swap 2:4 1:3
        -> knows 0: AS ?? ?? ?? / ?? ?? ?? ?? / ?? ?? ?? 2S
r28 a black kings looks are private
    dealt | stock KS
    1:draw stock, 1:discard, 1:peek 1:3, 1:peek 0:4, 1:swap 1:3 0:4
        -> knows 1: ?? ?? ?? 3H / AH 2H 4S ?? / ?? ?? ?? ??; knows 0: AS 2S ?? ?? / ?? ?? ?? ??
        / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??
b11 a call shows no card
    dealt
    1:cambio -> knows 0: AS 2S ?? ?? / ?? ?? ?? ?? / ?? ?? ?? ??;
        knows 1: ?? ?? ?? ?? / AH 2H ?? ?? / ?? ?? ?? ??; knows 2: ?? ?? ?? ?? / ?? ?? ?? ?? / AC 2C ?? ??
b11 at the end all cards are shown
    dealt | stock 5S 5H
    1:cambio, 2:draw stock, 2:discard, 0:draw stock, 0:place 1 -> knows 0 1 2: 5H 2S 3S 4S / AH 2H 3H 4H
        / AC 2C 3C 4C; heard 0: ... show 1 AH 2H 3H 4H, show 2 AC 2C 3C 4C, show 0 5H 2S 3S 4S
"""
test_deals = scripted_cases(DEALS, dealt=dealt)


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
