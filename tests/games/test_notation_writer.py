"""Events and hands in notation."""

from itertools import permutations

from arena.games.action import SWAP_TEMPLATE, action, format_cards, format_event
from arena.games.cards import HIDDEN, PACKS, card

CARDS = (*PACKS[8].cards, HIDDEN, card("new", "suit", "new", 0))
SWAP = action("exchange", (0,), (1,), SWAP_TEMPLATE)


def test_an_exchange_is_written_the_same_each_time_for_each_seat_and_pair_of_cards() -> None:
    for _ in range(2):
        for seat in (0, 3):
            for given, taken in permutations(CARDS, 2):
                assert format_event(seat, SWAP, (given, taken)) == f"{seat}:{given.text}>{taken.text}"
    assert format_event(None, SWAP, CARDS[:2]) == f"{CARDS[0].text}>{CARDS[1].text}"


def test_three_cards_are_written_with_spaces_like_any_number() -> None:
    for cards in permutations(CARDS[-4:], 3):
        assert format_cards(cards) == " ".join([c.text for c in cards])
    assert format_cards(CARDS[:2]) == f"{CARDS[0].text} {CARDS[1].text}"
    assert format_cards(()) == ""
