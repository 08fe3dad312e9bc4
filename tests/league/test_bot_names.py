"""Names of bots in a league."""

import pytest

from arena.errors import PluginError
from arena.league.bot_names import parse_name


@pytest.mark.parametrize("name", ["ann", "Ann-2.b_c", "Åsa", "田中", "a" * 40, "हिन्दी"])
def test_names_of_any_script_are_taken(name: str) -> None:
    assert parse_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-a",
        ".a",
        "a b",
        "a" * 41,
        "<b>",
        "a\u202eb",
        "a\u200fb",
        "a\x1b[31m",
        "a\nb",
        "\u0301a",
        "=1",
        "a/b",
        "a" * 500,
        "\ufb01" * 500,
        "ann\ufe0f",
        "an\u034fn",
        "\u3164",
        "a\uffa0",
        "ann\U000e0100",
        "a" + "\u0316" * 4,
    ],
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(PluginError, match="is not a valid name in a league"):
        parse_name(name)


def test_a_decomposed_name_is_composed() -> None:
    assert parse_name("A\u030asa") == "Åsa"
