"""Adding submitters to league.toml."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import main
from arena.errors import ConfigError
from arena.league.accounts import Student, add_students, add_submitters, read_names, read_students
from arena.league.folder import LeagueFolder
from arena.league.settings import read_settings


@pytest.fixture
def league(tmp_path: Path) -> LeagueFolder:
    return LeagueFolder.create(tmp_path / "course", "", ["lives"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("ann\nben\n", ["ann", "ben"]),
        ("Name,mail\nann,x@y\n\n ben ,\n", ["ann", "ben"]),
        ("\ufeffmail,name\nx@y,ann\nx@z,ben\nx@y,ann\n", ["ann", "ben"]),
    ],
)
def test_names_are_read_from_csv(text: str, names: list[str]) -> None:
    assert read_names(text) == names


def test_names_that_are_none_are_refused() -> None:
    for name in ("-ann", "ann/x", "an\x07n", "a" * 41):
        with pytest.raises(ConfigError, match="is not the name of a person here"):
            read_names(f"{name}\n")
    with pytest.raises(ConfigError, match="there are no names"):
        read_names("name\n")


@pytest.mark.parametrize(
    "text", ["wrong,team\nann,sea\n", "ann,Ann Smith\n", "team\n", "Student\nann\n", "wrong\nann,sea\n"]
)
def test_columns_without_a_name_invite_nobody(league: LeagueFolder, tmp_path: Path, text: str) -> None:
    (tmp_path / "names.csv").write_text(text)
    before = league.settings.read_text()
    done = CliRunner().invoke(main, ["league", "invite", str(league.path), str(tmp_path / "names.csv")])
    assert done.exit_code == 2
    assert "names no column 'name': write 'name,team' above the names" in " ".join(done.stderr.split())
    assert (league.settings.read_text(), done.stdout) == (before, "")


def test_missing_submitters_are_added(league: LeagueFolder) -> None:
    text = league.settings.read_text()
    assert add_submitters(league, ["ann", "Änne B."]) == ["ann", "Änne B."]
    assert add_submitters(league, ["ann", "ben"]) == ["ben"]
    settings = read_settings(league.path)
    assert settings.submitters == {
        "ann": ("ann", "ann-*"),
        "Änne B.": ("Aenne-B.", "Aenne-B.-*"),
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


def test_students_and_their_teams_are_written(league: LeagueFolder) -> None:
    students = read_students("name,team\nann,sea\nben, sea \ncy,\nann,sea\n")
    assert students == [Student("ann", "sea"), Student("ben", "sea"), Student("cy")]
    add_students(league, students)
    settings = read_settings(league.path)
    assert settings.submitters == {name: (name, f"{name}-*") for name in ("ann", "ben", "cy")}
    assert settings.teams == {"ann": "sea", "ben": "sea"}
    add_students(league, [Student("ann", "land"), Student("dan", 'a "b"')])
    assert read_settings(league.path).teams == {"ann": "sea", "ben": "sea", "dan": 'a "b"'}


def test_student_in_two_teams_is_refused() -> None:
    with pytest.raises(ConfigError, match="ann is listed twice"):
        read_students("name,team\nann,sea\nann,land\n")
    with pytest.raises(ConfigError, match="the team of ann"):
        read_students("name,team\nann,s\x07\n")


def test_new_league_takes_a_list_of_students(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("team,name\nsea,ann\n,ben\n")
    folder = tmp_path / "new"
    done = CliRunner().invoke(main, ["league", "new", str(folder), "--students", str(tmp_path / "list.csv")])
    assert done.exit_code == 0, done.output
    assert read_settings(folder).submitters == {"ann": ("ann", "ann-*"), "ben": ("ben", "ben-*")}
    assert read_settings(folder).teams == {"ann": "sea"}


def test_teams_of_the_settings_replace_those_that_bots_declare(league: LeagueFolder) -> None:
    assert read_settings(league.path).team_of("ann", "declared") == "declared"
    add_students(league, [Student("ann", "sea"), Student("ben")])
    settings = read_settings(league.path)
    assert settings.team_of("ann", "declared") == "sea"
    assert settings.team_of("ben", "sea") == ""
    assert settings.team_of("", "sea") == ""


def test_team_of_an_unknown_submitter_is_refused(league: LeagueFolder) -> None:
    with league.settings.open("a") as file:
        file.write('[teams]\nann = "sea"\n')
    with pytest.raises(ConfigError, match=r"teams: 'ann' is not in the table \[submitters\]"):
        read_settings(league.path)


def test_names_added_at_the_same_time_are_all_kept(league: LeagueFolder) -> None:
    names = [f"student{number}" for number in range(12)]
    with ThreadPoolExecutor(12) as threads:
        list(threads.map(lambda name: add_submitters(league, [name]), names))
    assert set(read_settings(league.path).submitters) == {*names}
