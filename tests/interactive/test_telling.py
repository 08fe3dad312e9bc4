"""What has happened is told as one of the table would tell it, and of cards only what you may know."""

from random import Random

import pytest

from arena.games import VARIANTS, Rules
from arena.interactive.event_text import describe_event
from arena.interactive.seat_names import name_seats, second_person

AT_TABLE = name_seats(["greedy", "person", "thirty", "greedy"], 1)


@pytest.mark.parametrize(
    ("family", "event", "sentence"),
    [
        ("exchange", "0:4D>9D", "greedy 1  takes 9D for 4D"),
        ("exchange", "1:4D,5H>9D,JS", "you       take 9D JS for 4D 5H"),
        ("exchange", "0:#2>9D", "greedy 1  takes 9D for card 2"),
        ("exchange", "0:??>??", "greedy 1  takes the hidden card for a card unseen"),
        ("exchange", "1:5D>??", "you       take the hidden card for 5D"),
        ("exchange", "1:pass", "you       pass"),
        ("exchange", "1:continue", "you       go on"),
        ("exchange", "2:take", "thirty    takes the second packet, unseen"),
        ("exchange", "widow 9D", "          9D is laid to the widow"),
        ("exchange", "widow 9D JS 3C", "          the widow is 9D JS 3C"),
        ("exchange", "show 1 KD", "          you show KD"),
        ("barter", "0:trade ??", "greedy 1  trades a card with the dealer"),
        ("barter", "1:trade 4D", "you       trade 4D with the dealer"),
        ("barter", "0:barter ??", "greedy 1  offers the neighbour a card"),
        ("barter", "1:barter 4D", "you       offer 4D to the neighbour"),
        ("barter", "2:give ??", "thirty    gives a card for it"),
        ("barter", "2:give 5H", "thirty    gives 5H"),
        ("barter", "show 0 5H", "          greedy 1 gives you 5H"),
        ("barter", "show 0 5H 6H 7H", "          greedy 1 shows 5H 6H 7H"),
        ("draw", "1:draw stock", "you       draw from the stock"),
        ("draw", "0:discard 4D", "greedy 1  discards 4D"),
        ("cuckoo", "0:swap", "greedy 1  swaps with the next"),
        ("cuckoo", "show 2 KD", "          thirty shows KD"),
        ("cambio", "drawn 4D", "          you have drawn 4D"),
        ("cambio", "0:place 2", "greedy 1  puts it at place 2"),
        ("cambio", "1:place 2", "you       put it at place 2"),
        ("cambio", "0:peek 0:3", "greedy 1  looks at its card 3"),
        ("cambio", "0:peek 1:3", "greedy 1  looks at your card 3"),
        ("cambio", "1:peek 1:3", "you       look at your card 3"),
        ("cambio", "seen 1:3 KD", "          your card 3 is KD"),
        ("cambio", "2:swap 2:1 0:4", "thirty    swaps its card 1 and greedy 1's card 4"),
        ("cambio", "3:snap 1:2", "greedy 2  snaps your card 2"),
        ("cambio", "penalty 3:5", "          greedy 2 gets a card nobody has seen"),
        ("cambio", "reshuffle", "          the discards become the stock"),
        ("cox", "show 1 a3 a3 a3", "          you lay out a3 a3 a3"),
        ("cox", "replace 0 ?? ??", "          greedy 1 gets two cards in return"),
        ("cox", "replace 1 g3", "          you get g3 in return"),
        ("cox", "2:buy", "thirty    buys the discard"),
    ],
)
def test_an_event_is_told_in_a_sentence(family: str, event: str, sentence: str) -> None:
    assert describe_event(event, AT_TABLE, family) == sentence


def test_you_do_what_others_do_without_an_s() -> None:
    deeds = [
        "passes",
        "goes on",
        "does without",
        "takes 9D",
        "lets it go by",
        "puts it there",
        "buys a horse",
    ]
    assert [second_person(deed) for deed in deeds] == [
        *("pass", "go on", "do without", "take 9D", "let it go by", "put it there", "buy a horse")
    ]


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_no_event_of_any_game_is_told_in_notation(rules: Rules) -> None:
    at_table = name_seats(["one", "person", "three"], 1)
    for event in events(rules):
        sentence = describe_event(event, at_table, rules.family)
        assert sentence.strip() != event
        assert ":" not in sentence
        assert "??" not in sentence


def events(rules: Rules) -> set[str]:
    """What the second of three seats may hear in some matches of chance."""
    heard: set[str] = set()
    for seed in "abc":
        match = rules.match(3, seed)
        rng = Random(seed)
        while not match.is_over:
            match.apply(rng.choice(match.deal.legal_actions.actions))
            heard.update(match.view(1).events)
    return heard
