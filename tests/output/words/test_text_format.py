"""Numbers and texts as they are printed."""

import pytest

from arena.columns.number_format import format_count
from arena.output.words.text import format_signed, printable_line, shorten_names, strip_unprintable, truncate


def test_numbers_agree_with_their_nouns() -> None:
    assert [format_count(number, "tokens") for number in (-1, 0, 1, 2, 1200)] == [
        "-1 token",
        "0 tokens",
        "1 token",
        "2 tokens",
        "1,200 tokens",
    ]
    assert [format_count(number, "matches") for number in (1, 2)] == ["1 match", "2 matches"]


def test_zero_has_no_sign() -> None:
    assert [format_signed(number) for number in (-3, 0, 3)] == ["-3", "0", "+3"]


def test_unprintable_characters_are_removed() -> None:
    assert strip_unprintable("a\x1b[31mb\nc\u202ed\u0007") == "a[31mbcd"


def test_a_long_text_ends_in_an_ellipsis() -> None:
    assert [truncate("abcdef", size) for size in (6, 5)] == ["abcdef", "abcd…"]


def test_short_names_of_different_bots_differ() -> None:
    names = ["mine.py:Bot(calm=0.2, bold=1)", "mine.py:Bot(calm=0.4, bold=1)", "greedy", "greedy"]
    for size in (10, 13, 40):
        short = shorten_names(names, size)
        assert len(set(short)) == 3
        assert max(map(len, short)) <= size
    assert shorten_names(["greedy", "a-very-long-name"], 13) == ["greedy", "a-very-long-…"]


def test_an_error_quotes_at_most_200_characters_of_a_word() -> None:
    line = printable_line(f"no bot is called {'g' * 300!r}")
    assert max(map(len, line.split())) == 200


TEXTS = ("g ", "it's a name, ", "a 'b' \"c\" \\", "\\", "'\" ", "` ' ")


@pytest.mark.parametrize("part", TEXTS)
def test_an_error_quotes_at_most_200_characters_of_any_text(part: str) -> None:
    text = part * 999
    line = printable_line(f"variants[0]: no variant {text!r}; there are lives, pool and the players' own")
    assert line.startswith("variants[0]: no variant ")
    assert line.endswith("; there are lives, pool and the players' own")
    assert len(line) < 200 + 80


def test_an_error_is_short_whatever_it_contains() -> None:
    for text in ("a b'c " * 1000, "\\' " * 40_000, "\\'" * 80_000, "' \" ` " * 30_000, "x' " * 40_000):
        line = printable_line(f"{text} is not a command; name a program")
        assert len(line) <= 2000
        assert line.endswith("is not a command; name a program")
