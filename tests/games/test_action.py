"""Actions, events and their notation, and which events each seat has seen."""

from itertools import permutations
from random import Random

import pytest

from arena.families.exchange.actions import PASS
from arena.games.action import (
    SWAP_TEMPLATE,
    Event,
    PrivateEvent,
    action,
    format_cards,
    format_event,
    merge_events,
    show_action,
    widow_action,
)
from arena.games.cards import HIDDEN, PACKS, card

CARD = PACKS[52].parse("TD")


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events]


class Teller:
    """Tells one seat things in all the three ways, and keeps what it should have heard."""

    def __init__(self) -> None:
        self.public: Event | None = None
        self.aside: PrivateEvent | None = None
        self.number = 0
        self.heard: list[str] = []

    def to_all(self, word: str) -> None:
        self.public = Event(self.public, self.number, 1, action(word), ())
        self.number += 1
        self.heard.append(f"1:{word}")

    def in_part(self, word: str) -> None:
        """All hear that it was done, this seat with its card."""
        done = action("draw", template=f"{word} %s")
        self.public = Event(self.public, self.number, 0, done, (HIDDEN,))
        self.aside = PrivateEvent(self.aside, Event(None, self.number, 0, done, CARD), True)
        self.number += 1
        self.heard.append(f"0:{word} TD")

    def alone(self, word: str) -> None:
        self.aside = PrivateEvent(self.aside, Event(None, self.number, 0, action(word), ()), False)
        self.heard.append(f"0:{word}")


@pytest.mark.parametrize("seed", range(100))
def test_the_chains_give_what_was_told_in_the_order_it_was_told(seed: int) -> None:
    """Whenever somebody has listened so far, the rest is what was told since."""
    rng, teller = Random(seed), Teller()
    marks = [(teller.public, teller.aside, 0)]
    for number in range(rng.randrange(1, 12)):
        rng.choice([teller.to_all, teller.in_part, teller.alone])(f"w{number}")
        marks.append((teller.public, teller.aside, len(teller.heard)))
    assert texts(merge_events(teller.public, teller.aside)) == teller.heard
    for public, aside, count in marks:
        assert texts(merge_events(teller.public, teller.aside, public, aside)) == teller.heard[count:]
        assert texts(merge_events(public, aside)) == teller.heard[:count]


def test_others_hear_the_public_chain_alone() -> None:
    teller = Teller()
    teller.to_all("a")
    teller.in_part("b")
    teller.alone("c")
    assert texts(merge_events(teller.public, None)) == ["1:a", "0:b ??"]


def test_an_event_is_written_with_its_seat_and_what_the_table_does_without() -> None:
    assert format_event(2, PASS, ()) == "2:pass"
    assert format_event(None, widow_action(2), PACKS[52].parse("9D JS")) == "widow 9D JS"
    assert format_event(None, show_action(1, 1), PACKS[52].parse("KD")) == "show 1 KD"
    assert format_event(0, action("exchange", (0,), (1,), "%s>%s"), PACKS[52].parse("4D 9D")) == "0:4D>9D"


def test_an_action_names_the_last_of_the_cards_it_moves() -> None:
    blind = action("exchange", (1,), (0,), "#2>%s")
    assert blind.text(PACKS[52].parse("4D 9D")) == "#2>9D"
    assert blind.cards(PACKS[52].parse("2H 4D"), PACKS[52].parse("9D")) == PACKS[52].parse("4D 9D")
    assert repr(blind) == "<#2>[0]>"


def test_events_cannot_be_changed() -> None:
    teller = Teller()
    teller.in_part("draw")
    for event, part in ((teller.public, "cards"), (teller.aside, "event")):
        with pytest.raises(AttributeError):
            setattr(event, part, ())
    assert texts(merge_events(teller.public, teller.aside)) == teller.heard


def test_a_long_past_is_freed_without_harm() -> None:
    """Freeing a list of events one inside the other must neither exhaust the stack nor touch other memory."""
    teller = Teller()
    for number in range(20_000):
        teller.in_part(f"w{number % 7}")
    heard = [f"0:w{number % 7} TD" for number in range(20_000)]
    teller.public = teller.aside = None
    assert teller.heard == heard


# --- notation ---

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
