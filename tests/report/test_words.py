"""Every action of the notation has words."""

import pytest

from arena.report.action_text import table_words, words
from arena.report.text_format import format_count, format_signed, strip_unprintable

NOTATION = """
4D>9D | 4D,5H>9D,JS | * | #2>9D | pass | knock | pounce | leave | keep | take | turn | renew
horse | no-horse
trade 4D | barter 4D | give 5H | stand | decline | continue
draw stock | draw discard | discard 4D
swap
place 2 | discard | peek 1:3 | swap 0:2 1:3 | skip | cambio | snap 1:3
draw | buy | lay a4 | lay a4 a4 aC | hold | discard a4 | sell
"""


@pytest.mark.parametrize(
    "action", [one.strip() for one in NOTATION.replace("\n", "|").split("|") if one.strip()]
)
def test_every_action_of_the_notation_has_words_of_its_own(action: str) -> None:
    said = words(action)
    assert said != action
    assert said.split()[0].endswith("s")


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("4D>9D", "takes 9D for 4D"),
        ("4D,5H>9D,JS", "takes 9D JS for 4D 5H"),
        ("#2>9D", "takes 9D for card 2"),
        ("discard 4D", "discards 4D"),
        ("discard", "discards it"),
        ("swap", "swaps with the next"),
        ("swap 0:2 1:3", "swaps 0:2 1:3"),
        ("lay a4 a4 aC", "lays a4 a4 aC"),
        ("yodel 3", "yodel 3"),
    ],
)
def test_words_say_what_was_given_and_taken(action: str, said: str) -> None:
    assert words(action) == said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("widow 9D TS", "9D TS is laid out"),
        ("show 1 KD", "two shows KD"),
        ("replace 0 ??", "one draws in their place"),
        ("thunder 3", "thunder 3"),
    ],
)
def test_the_table_speaks_too(event: str, said: str) -> None:
    assert table_words(event, ["one", "two", "three", "four"]) == said


def test_numbers_agree_with_their_things() -> None:
    assert [format_count(number, "tokens") for number in (-1, 0, 1, 2, 1200)] == [
        "-1 token",
        "0 tokens",
        "1 token",
        "2 tokens",
        "1,200 tokens",
    ]
    assert [format_count(number, "matches") for number in (1, 2)] == ["1 match", "2 matches"]


def test_nought_has_no_sign() -> None:
    assert [format_signed(number) for number in (-3, 0, 3)] == ["-3", "0", "+3"]


def test_what_does_not_print_is_left_out() -> None:
    assert strip_unprintable("a\x1b[31mb\nc\u202ed\u0007") == "a[31mbcd"
