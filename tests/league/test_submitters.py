"""Adding submitters to league.toml."""

from pathlib import Path

import pytest

from arena.errors import ConfigError, PluginError
from arena.league.folder import LeagueFolder
from arena.league.settings import read_settings
from arena.league.submitters import add_submitters, read_names


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    return LeagueFolder.create(tmp_path / "course", "", ["lives"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ann\nben\n", ["ann", "ben"]),
        ("ann,Ann Smith\n\n ben ,Ben\n", ["ann", "ben"]),
        ("\ufeffmail,name\nx@y,ann\nx@z,ben\nx@y,ann\n", ["ann", "ben"]),
    ],
)
def test_names_are_read_from_csv(text: str, names: list[str]) -> None:
    assert read_names(text) == names


def test_names_that_are_none_are_refused() -> None:
    with pytest.raises(PluginError, match="not a valid name"):
        read_names("ann smith\n")
    with pytest.raises(ConfigError, match="there are no names"):
        read_names("name\n")


def test_missing_submitters_are_added(league: LeagueFolder) -> None:
    text = league.settings.read_text()
    assert add_submitters(league, ["ann", "änne.b"]) == ["ann", "änne.b"]
    assert add_submitters(league, ["ann", "ben"]) == ["ben"]
    settings = read_settings(league.path)
    assert settings.submitters == {
        "ann": ("ann", "ann-*"),
        "änne.b": ("änne.b", "änne.b-*"),
        "ben": ("ben", "ben-*"),
    }
    assert league.settings.read_text().startswith(text.rstrip())


def test_an_existing_table_is_kept(league: LeagueFolder) -> None:
    text = league.settings.read_text()
    at = text.index("[[variants]]")
    league.settings.write_text(f'{text[:at]}[submitters]  # ours\nann = ["x-*"]\n\n{text[at:]}')
    assert add_submitters(league, ["ann", "ben"]) == ["ben"]
    assert read_settings(league.path).submitters == {"ben": ("ben", "ben-*"), "ann": ("x-*",)}


def test_a_table_that_is_written_otherwise_is_not_changed(league: LeagueFolder) -> None:
    text = 'submitters = { ann = ["ann"] }\n' + league.settings.read_text()
    league.settings.write_text(text)
    with pytest.raises(ConfigError):
        add_submitters(league, ["ben"])
    assert league.settings.read_text() == text
