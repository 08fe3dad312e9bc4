"""The lines of a config, and the options of a command line, that errors name."""

from pathlib import Path

import pytest

from arena.errors import ConfigError
from arena.tournament.setup.config import read_config
from arena.tournament.setup.toml_checks import ConfigOrigin, find_line

TEXT = """\
bots = [
    "greedy",
    "random",
]
blocks = 3

[[variants]]
name = "lives"
players = 2

[limits]
faults = 3
"""


@pytest.mark.parametrize(
    ("line", "changed", "error"),
    [
        (3, '    "randm",', "bots[1]: no bot is called 'randm'; the nearest is 'random' (line 3)"),
        (5, "blocks = 0", "blocks must be 1 or more, not 0 (line 5)"),
        (5, "blcks = 3", "blcks: there is no such key; the nearest is 'blocks' (line 5)"),
        (8, 'name = "livs"', "variants[0]: no variant 'livs': the nearest is 'lives'; there are .* (line 7)"),
        (
            9,
            "players = 4",
            "variants[0].players: lives is set for 4 players, but there are 2 bots: set players = 2, or add "
            "bots (line 9)",
        ),
        (12, "faults = 0", "limits.faults must be 1 or more, not 0 (line 12)"),
        (9, "tokens = [", "is not valid TOML: invalid value (line 11)"),
        (4, "[", "is not valid TOML: invalid value (line 5)"),
        (5, "blocks = [1", "is not valid TOML: unclosed array (line 7)"),
    ],
)
def test_an_error_in_a_file_ends_with_its_line(tmp_path: Path, line: int, changed: str, error: str) -> None:
    lines = TEXT.splitlines()
    lines[line - 1] = changed
    path = tmp_path / "cup.toml"
    path.write_text("\n".join(lines))
    with pytest.raises(ConfigError) as refused:
        read_config(path)
    head, _, end = error.partition(".*")
    message = str(refused.value).removeprefix(str(path)).removeprefix(":").strip()
    assert message.startswith(head)
    assert message.endswith(end or head)


def test_the_line_of_a_key_within_a_text_of_several_lines_is_where_its_statement_begins() -> None:
    text = "title = \"\"\"\nblocks = 1\n\"\"\"\nblocks = 0\nseed = '''\nx\n'''\n"
    assert (find_line(text, "blocks"), find_line(text, "title"), find_line(text, "seed")) == (4, 1, 5)
    assert find_line(text, "variants") is None
    assert find_line("", "blocks") is None


def test_an_option_is_named_in_place_of_the_key_that_it_set() -> None:
    origin = ConfigOrigin("cup.toml", "blocks = 3\n", {"players": "--players", "tokens": "--set tokens"})
    located = [
        str(origin.locate(ConfigError(message)))
        for message in ("variants[0].players: too many", "variants[1].tokens must be 1", "blocks must be 1")
    ]
    assert located == ["--players: too many", "--set tokens must be 1", "cup.toml: blocks must be 1 (line 1)"]
