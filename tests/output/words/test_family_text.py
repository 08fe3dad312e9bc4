"""Every event of every family has words, which name no card that the reader may not know."""

from collections.abc import Iterator
from random import Random

import pytest

from arena.families.barter.deal import PUBLIC_GIVE
from arena.families.cambio.actions import DRAWN, LAID, RESHUFFLED, seen_event, spot_action
from arena.families.cox.actions import replacement
from arena.families.cuckoo.deal import completed_swap
from arena.families.cuckoo.view import STOCK
from arena.families.draw.deal import DISCARDED, DRAW_STOCK
from arena.families.exchange.actions import blind_swap, swap
from arena.games import VARIANTS, Deal, Rules, View, variant
from arena.games.action import Action, Event, action, merge_events, show_action, widow_action
from arena.games.cards import HIDDEN, Hand
from arena.output.words.family_text import FamilyText, get_family_text
from arena.output.words.seat_names import SeatNames

PLAYER = SeatNames.for_player(["greedy", "person", "thirty", "greedy"], 1)
OBSERVER = SeatNames(("one", "two", "three", "four"))
EXCHANGE, BARTER, DRAW, CUCKOO, CAMBIO, COX = (
    variant(name) for name in ("lives", "ready-money", "thirty-one", "cuccu", "cambio", "cox")
)


def test_long_names_are_cut_and_stay_different() -> None:
    bots = ["person", "widower/bot.py:Careful", "widower/bot.py:Bold", "greedy", "greedy"]
    names = SeatNames.for_player(bots, 0).by_seat
    assert names == ("you", "Careful", "Bold", "greedy 3", "greedy 4")
    of_two_files = SeatNames.for_player(["person", "mine/careful.py:Bot", "yours/careful.py:Bot"], 0).by_seat
    assert of_two_files == ("you", "mine/careful.py…", "yours/careful.p…")


def describe(rules: Rules, seat: int | None, done: Action, cards: str, names: SeatNames) -> str:
    """Return an event in words after the name of its subject."""
    pack = rules.whole_pack
    hand = tuple([HIDDEN if text == "??" else pack.card(text) for text in cards.split()])
    event = Event(None, 0, seat, done, hand)
    subject, words = get_family_text(rules).describe(event, names)
    return words if subject is None else f"{names[subject]} {words}"


ONE_FOR_ONE = swap((3, 3), (2,), (1,))
TWO_FOR_TWO = swap((3, 3), (1, 2), (0, 1))
ALL_FOR_ALL = swap((3, 3), (0, 1, 2), (0, 1, 2))
HIDDEN_SWAP = action("exchange", (), (1,), "??>??")


@pytest.mark.parametrize(
    ("rules", "seat", "done", "cards", "sentence"),
    [
        (EXCHANGE, 0, ONE_FOR_ONE, "4D 9D", "greedy 0 takes 9D for 4D"),
        (EXCHANGE, 1, TWO_FOR_TWO, "4D 5H 9D JS", "you take 9D JS for 4D 5H"),
        (EXCHANGE, 1, ALL_FOR_ALL, "4D 5H 6H 9D JS 3C", "you exchange the whole hand for the widow"),
        (EXCHANGE, 0, blind_swap((3, 3), (1,), (0,)), "4D 9D", "greedy 0 takes 9D for card 2"),
        (EXCHANGE, 0, HIDDEN_SWAP, "?? ??", "greedy 0 takes a hidden card for a hidden card"),
        (EXCHANGE, 1, HIDDEN_SWAP, "5D ??", "you take a hidden card for 5D"),
        (EXCHANGE, 1, action("pass"), "", "you pass"),
        (EXCHANGE, 1, action("continue"), "", "you go on"),
        (EXCHANGE, 2, action("take"), "", "thirty takes the second packet"),
        (EXCHANGE, None, widow_action(1), "9D", "9D is added to the widow"),
        (EXCHANGE, None, widow_action(3), "9D JS 3C", "the widow is 9D JS 3C"),
        (EXCHANGE, None, show_action(1, 1), "KD", "you show KD"),
        (BARTER, 0, PUBLIC_GIVE["trade"], "??", "greedy 0 trades a hidden card"),
        (BARTER, 1, PUBLIC_GIVE["trade"], "4D", "you trade 4D"),
        (BARTER, 1, PUBLIC_GIVE["barter"], "4D", "you offer 4D to the neighbour"),
        (BARTER, 2, PUBLIC_GIVE["give"], "??", "thirty gives a hidden card"),
        (BARTER, None, show_action(0, 1), "5H", "greedy 0 gives you 5H"),
        (BARTER, None, show_action(0, 3), "5H 6H 7H", "greedy 0 shows 5H 6H 7H"),
        (DRAW, 1, DRAW_STOCK, "4D", "you draw from the stock: 4D"),
        (DRAW, 0, DRAW_STOCK, "??", "greedy 0 draws from the stock"),
        (DRAW, 0, DISCARDED, "4D", "greedy 0 discards 4D"),
        (CUCKOO, 0, action("swap"), "", "greedy 0 asks to swap"),
        (CUCKOO, 0, completed_swap(1), "?? ??", "greedy 0 swaps with you"),
        (CUCKOO, 1, completed_swap(STOCK), "5H 4D", "you swap with the stock"),
        (CAMBIO, None, DRAWN, "4D", "you have drawn 4D"),
        (CAMBIO, 1, action("place", (1,), (), "place 2"), "", "you keep it at place 2"),
        (CAMBIO, 0, spot_action("peek", (0, 2)), "", "greedy 0 looks at its card 3"),
        (CAMBIO, 0, spot_action("peek", (1, 2)), "", "greedy 0 looks at your card 3"),
        (CAMBIO, 1, spot_action("peek", (1, 2)), "", "you look at your card 3"),
        (CAMBIO, None, seen_event((1, 2)), "KD", "your card 3 is KD"),
        (CAMBIO, 2, spot_action("swap", (2, 0), (0, 3)), "", "thirty swaps its card 1 and greedy 0's card 4"),
        (CAMBIO, 3, spot_action("snap", (1, 1)), "", "greedy 3 snaps your card 2"),
        (CAMBIO, None, spot_action("penalty", (3, 4)), "", "greedy 3 gets a card nobody has seen"),
        (CAMBIO, None, LAID, "4D", "4D lies on the discard"),
        (CAMBIO, None, RESHUFFLED, "", "the discards become the stock"),
        (COX, None, show_action(1, 3), "a3 a3 a3", "you lay out a3 a3 a3"),
        (COX, None, replacement(0, 2), "?? ??", "greedy 0 gets 2 cards in return"),
        (COX, None, replacement(1, 1), "g3", "you get g3 in return"),
        (COX, 2, action("buy", (), (0,), "buy"), "a3", "thirty buys the discard"),
    ],
)
def test_a_player_reads_events_in_plain_sentences(
    rules: Rules, seat: int | None, done: Action, cards: str, sentence: str
) -> None:
    assert describe(rules, seat, done, cards, PLAYER) == sentence


def test_an_observer_reads_all_cards_and_places_in_notation() -> None:
    assert describe(CAMBIO, 0, spot_action("swap", (0, 1), (2, 3)), "", OBSERVER) == "one swaps 0:2 and 2:4"
    assert describe(DRAW, 1, DRAW_STOCK, "4D", OBSERVER) == "two draws from the stock: 4D"


@pytest.mark.parametrize(
    "phrase",
    ["passes", "goes on", "does nothing", "takes 9D", "lets it go by", "puts it there", "has chosen 3"],
)
def test_the_second_person_has_no_s(phrase: str) -> None:
    verb = {
        "passes": "pass",
        "goes": "go",
        "does": "do",
        "takes": "take",
        "lets": "let",
        "puts": "put",
        "has": "have",
    }
    first, *rest = phrase.split()
    assert PLAYER.conjugate(1, phrase).split() == [verb[first], *rest]
    assert PLAYER.conjugate(0, phrase) == phrase


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
@pytest.mark.parametrize("names", [PLAYER, OBSERVER], ids=["player", "observer"])
def test_every_event_has_words_other_than_its_notation(rules: Rules, names: SeatNames) -> None:
    for event in events_of(rules):
        seat, words = get_family_text(rules).describe(event, names)
        assert words
        assert seat == names.reader or words != event.action.text(event.cards)
        assert "??" not in words
        assert "{}" not in words
        assert "%s" not in words


def events_of(rules: Rules) -> Iterator[Event]:
    """Yield what the second of three seats may know, and every action in full, in random matches."""
    for seed in "abc":
        match, rng = rules.match(3, seed), Random(seed)
        while not match.is_over:
            deal = match.deal
            match.apply(rng.choice(deal.legal_actions.actions))
            if deal is not match.deal or match.is_over:
                yield from merge_events(deal.public, deal.private_events[1])
                yield from deal.log


def test_a_game_without_words_shows_the_cards_of_its_table_the_stock_and_the_pool() -> None:
    class TableView(View, frozen=True, eq=False):
        table: Hand
        stock_left: int

    view = variant("pool").match(players=2, seed="table").view(0)
    shared = {name: getattr(view, name) for name in View.__struct_fields__}
    shown = TableView(**shared, table=EXCHANGE.whole_pack.parse("9D KS"), stock_left=7)
    assert FamilyText[View, Deal]().table_rows(shown) == [
        ["", "table", "", "9D KS", ""],
        ["", "stock", "", "7 cards", ""],
        ["", "pool", f"{view.holdings.pool} chips", "", ""],
    ]
