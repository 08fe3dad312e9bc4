"""`arena run --dry-run`, and bots that are left out."""

from pathlib import Path

import pytest

from tests.cli.conftest import Arena

BAD = """format = "round-robbin"
bots = [
    "greedy",
    "gredy",
    "./nowhere",
]
blocks = 0
colour = "red"
hero = "gredy"

[limits]
decision_ms = "fast"

[[variants]]
name = "lives"
players = 40

[[variants]]
name = "livs"
"""
SMALL = ("--variant", "lives", "--players", "2", "--set", "tokens=1", "--blocks", "50", "--jobs", "1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ARENA_STORE", raising=False)
    (tmp_path / "fine.py").write_text("class Fine:\n    def act(self, view):\n        return view.legal[0]\n")
    (tmp_path / "broken.py").write_text("import numpie\n\nclass Broken:\n    act = print\n")
    return tmp_path


def test_all_errors_of_a_config_are_listed_with_their_lines(arena: Arena, here: Path) -> None:
    (here / "bad.toml").write_text(BAD)
    result = arena("run", "bad.toml", "--dry-run")
    assert (result.exit_code, result.stderr) == (2, "8 errors; nothing was played\n")
    numbers = [int(line.rpartition("(line ")[2][:-1]) for line in result.stdout.splitlines()]
    assert numbers == sorted(numbers)
    places = {
        (line.split()[1].rstrip(":"), line.rpartition("(line ")[2]) for line in result.stdout.splitlines()
    }
    assert places == {
        ("colour", "8)"),
        ("bots[1]", "4)"),
        ("bots[2]", "5)"),
        ("format", "1)"),
        ("blocks", "7)"),
        ("limits.decision_ms", "12)"),
        ("variants[0].players", "16)"),
        ("variants[1]", "18)"),
    }
    assert sorted(path.name for path in here.iterdir()) == ["bad.toml", "broken.py", "fine.py"]


def test_an_error_about_all_bots_does_not_hide_the_others(arena: Arena, here: Path) -> None:
    (here / "bad.toml").write_text('bots = []\nblocks = 0\n[[variants]]\nname = "lives"\n')
    result = arena("run", "bad.toml", "--dry-run")
    assert [line.split()[1] for line in result.stdout.splitlines()] == ["bots:", "blocks"]


@pytest.mark.parametrize(
    ("game", "error"),
    [
        ('bots = ["random", "gredy"]', "variants[0].bots: no bot is called 'gredy'; "),
        ('bots = ["random", 3]', "variants[0].bots[1] must be a text, not 3 "),
        ('players = ["4"]', "variants[0].players[0] must be a whole number, not '4' "),
        ("blocks_with = {random = 0}", "variants[0].blocks_with: each value must be 1 or more "),
    ],
)
def test_a_wrong_value_of_a_game_is_one_error(arena: Arena, here: Path, game: str, error: str) -> None:
    (here / "bad.toml").write_text(f'bots = ["random", "greedy"]\n[[variants]]\nname = "lives"\n{game}\n')
    result = arena("run", "bad.toml", "--dry-run")
    assert result.stderr == "1 error; nothing was played\n"
    assert result.stdout.startswith(f"bad.toml: {error}")


@pytest.mark.parametrize(
    ("bots", "game", "errors"),
    [
        ('["gredy"]', "", ["no bot is called 'gredy'", "there is only gredy"]),
        ('[{bot = "gredy", name = "mine"}]', "", ["no bot is called 'gredy'", "there is only mine"]),
        ('["./nowhere"]', "", ["there is no folder", "there is only ./nowhere"]),
        ('["random", {bot = "greedy", name = "=1"}]', "", ["'=1' cannot be a name"]),
        ('["gredy", "random"]', "blocks_with = {greedy = 1}", ["no bot is called 'gredy'"]),
        ("[]", "blocks_with = {greedy = 1}", ["bots: the array is empty"]),
    ],
)
def test_no_error_names_what_a_wrong_bot_was_replaced_with(
    arena: Arena, here: Path, bots: str, game: str, errors: list[str]
) -> None:
    (here / "bad.toml").write_text(f'bots = {bots}\n[[variants]]\nname = "lives"\nplayers = 2\n{game}\n')
    lines = arena("run", "bad.toml", "--dry-run").stdout.splitlines()
    assert len(lines) == len(errors)
    assert all(error in line for line, error in zip(lines, errors, strict=True))


def test_a_bot_that_a_game_names_is_left_out(arena: Arena, here: Path) -> None:
    (here / "cup.toml").write_text(
        'bots = ["random", "greedy", "counter"]\nblocks = 1\n[[variants]]\nname = "lives"\nplayers = 2\n'
        'bots = ["random", "greedy", "counter"]\nblocks_with = {counter = 1}\n'
    )
    call = ("run", "cup.toml", "--dry-run", "--jobs", "1", "--without", "counter")
    assert arena(*call).stdout.startswith("No errors: 2 bots, 1 game, round-robin.")
    refused = arena(*call, "--without", "random")
    assert refused.exit_code == 2
    assert "there is only greedy" in refused.stdout


def test_bots_that_do_not_start_are_listed(arena: Arena, here: Path) -> None:
    call = ("run", "fine.py:Fine", "broken.py:Broken", "greedy", "--isolation", "inline", *SMALL)
    result = arena(*call, "--dry-run", "--isolation", "process")
    assert result.exit_code == 1
    assert result.stdout.startswith("broken.py:Broken does not start: ")
    assert "numpie" in result.stdout
    result = arena(*call, "--dry-run", "--isolation", "process", "--without", "broken.py:Broken")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "No errors: 2 bots, 1 game, round-robin."
    assert lines[1].startswith("Estimate: 50 blocks, about ")
    assert lines[2].startswith("A bot that takes 100 ms for each decision would add about ")
    assert not (here / "results").exists()


def test_bots_are_left_out_by_config_and_option(arena: Arena, here: Path) -> None:
    for name in ("ann", "ben", "cec"):
        assert arena("submit", "fine.py:Fine", "--name", name).exit_code == 0
    (here / "cup.toml").write_text(
        'bots = ["submitted", "greedy", "random"]\nwithout = ["ann", "random"]\nblocks = 1\n'
        '[[variants]]\nname = "lives"\ntokens = 1\nplayers = 2\n'
    )
    call = ("run", "cup.toml", "--isolation", "inline", "--jobs", "1", "--out", "run")
    refused = arena(*call, "--without", "bem")
    assert refused.exit_code == 2
    assert "--without: no bot is called 'bem'; the nearest is 'ben'" in refused.stderr
    assert arena(*call, "--without", "ben").exit_code == 0
    rows = (here / "run/matches.csv").read_text().splitlines()[1:]
    assert {row.split(",")[5] for row in rows} == {"cec", "greedy"}
    assert "without" not in (here / "run/run.toml").read_text()
    (here / "cup.toml").write_text(
        'without = "ann"\n' + (here / "cup.toml").read_text().replace("without", "#")
    )
    refused = arena(*call)
    assert "without: is an array of names" in refused.stderr


def test_a_damaged_submission_can_be_left_out(arena: Arena, here: Path) -> None:
    arena("submit", "fine.py:Fine", "--name", "ann")
    (here / "fine.py").write_text((here / "fine.py").read_text() + "# other\n")
    arena("submit", "fine.py:Fine", "--name", "ben")
    [code] = [path for path in (here / "submissions/bots").glob("*/fine.py") if b"other" in path.read_bytes()]
    code.chmod(0o644)
    code.write_text("changed")
    call = ("run", "submitted", "greedy", *SMALL, "--isolation", "process", "--dry-run")
    assert "ben: its files were changed" in arena(*call).stdout
    assert arena(*call, "--without", "ben").exit_code == 0


def test_errors_quote_little_of_a_config_and_steer_no_terminal(arena: Arena, here: Path) -> None:
    long = "x y'z\\\" " * 400
    (here / "bad.toml").write_text(
        f'bots = ["greedy", "random"]\nformat = "{long}"\n[limits]\n"\\u001b[31m{long}" = 1\n'
        f'[[variants]]\nname = "{long}"\n'
    )
    result = arena("run", "bad.toml", "--dry-run")
    assert (result.exit_code, "\x1b" in result.stdout) == (2, False)
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= 2000
    assert sum(len(line) < 1000 for line in lines) == 2
