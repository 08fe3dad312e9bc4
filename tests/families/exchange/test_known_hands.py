"""Observers of exchanges know the cards that they have seen, until these may be gone."""

from arena.families.exchange.actions import KNOCK, POUNCE, swap
from arena.families.exchange.known_hands import follow_all_seats, follow_hands
from arena.games.action import Action, Event, show_action
from arena.games.cards import HIDDEN, PACKS, Hand

PACK = PACKS[52]
SIZES = (3, 3)
SWAP_ONE = swap(SIZES, (0,), (0,))


def event(seat: int | None, action: Action, cards: str = "") -> Event:
    return Event(None, 0, seat, action, hand(cards))


def hand(text: str) -> Hand:
    return tuple([HIDDEN if word == "??" else PACK.card(word) for word in text.split()])


def followed(before: str, *events: Event) -> Hand:
    """Return what is known of seat 1 after the events."""
    held = [hand("AS"), hand(before)]
    follow_hands(held, events, PACK)
    assert held[0] == hand("AS")
    return held[1]


def test_a_card_taken_is_known_until_it_is_given() -> None:
    taken = event(1, SWAP_ONE, "2C 9D")
    assert followed("", taken) == hand("9D")
    assert followed("", taken, event(1, SWAP_ONE, "9D 3C")) == hand("3C")
    assert followed("4C 9D 5C", event(1, SWAP_ONE, "9D 3C")) == hand("4C 5C 3C")


def test_nothing_is_known_of_a_hand_that_gave_a_hidden_card() -> None:
    assert followed("4C 9D", event(1, SWAP_ONE, "?? 3C")) == hand("3C")


def test_a_hidden_card_taken_is_not_known() -> None:
    assert followed("4C 9D", event(1, SWAP_ONE, "9D ??")) == hand("4C")


def test_a_hand_shown_is_known_and_one_that_pounces_is_four_of_a_kind() -> None:
    assert followed("4C", event(None, show_action(1, 3), "7S 7H 8D")) == hand("7S 7H 8D")
    assert followed("7S", event(1, POUNCE.actions[0], "7C")) == hand("7S 7H 7D 7C")


def test_events_without_cards_change_nothing() -> None:
    known = [((), hand("2C")), (hand("3C"), ())]
    news = [[event(0, KNOCK)]] * 2
    assert follow_all_seats(known, news, PACK) is known


def test_each_seat_follows_the_others_by_what_it_sees() -> None:
    known = [((), hand("2C"), ()), ((), (), ()), ((), hand("2C"), ())]
    seen, hidden = [event(1, SWAP_ONE, "2C 9D")], [event(1, SWAP_ONE, "2C ??")]
    assert follow_all_seats(known, [seen, seen, hidden], PACK) == [
        ((), hand("9D"), ()),
        ((), (), ()),
        ((), (), ()),
    ]
