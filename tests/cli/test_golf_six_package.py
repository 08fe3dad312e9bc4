"""The package examples/games/golf-six, as a stranger's: its own tests, and commands that play it.

It is found by the entry points that its `pyproject.toml` declares, as if it had been installed.
"""

import json
import sys
import tomllib
import unittest
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena import variant
from arena.adapters.action_space import get_action_space
from arena.adapters.observation import get_encoder
from arena.installed import find_installed_games
from arena.play.game_conformance import check_game
from tests.cli.conftest import Arena, shorten_check
from tests.strangers.loading import forget_games

PACKAGE = Path(__file__).parents[2] / "examples/games/golf-six"


@pytest.fixture(autouse=True)
def installed(here: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the package importable, with the metadata of an installed distribution."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"], project["version"]
    info = here / "site" / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = [
        "\n".join([f"[{group}]", *[f"{key} = {value}" for key, value in points.items()]])
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))
    monkeypatch.syspath_prepend(PACKAGE)
    monkeypatch.syspath_prepend(info.parent)
    before = set(sys.modules)
    with forget_games():
        find_installed_games.cache_clear()
        yield
        find_installed_games.cache_clear()
    for module in set(sys.modules) - before:
        if module.partition(".")[0] in {"dealing", "test_golf", "test_skyjo", "test_play"}:
            del sys.modules[module]


@pytest.mark.full
@pytest.mark.parametrize("is_short", [True, False])
def test_its_own_tests_pass(monkeypatch: pytest.MonkeyPatch, is_short: bool) -> None:
    if is_short:
        shorten_check(monkeypatch)
    monkeypatch.syspath_prepend(PACKAGE / "tests")
    result = unittest.TestResult()
    unittest.TestLoader().discover(str(PACKAGE / "tests")).run(result)
    assert [text for _, text in result.errors + result.failures] == []
    assert result.testsRun >= 20


@pytest.mark.full
def test_the_commands(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten_check(monkeypatch)
    assert "2-4 players" in arena("variants", "golf-six").stdout
    assert "Skyjo" in arena("variants", "skyjo").stdout
    checked = arena("check", "golf-six", "--matches", 1)
    assert checked.exit_code == 0, checked.output
    bots = ("golf-columns", "golf-search(worlds=4)")
    games = ("--variant", "golf-six", "--set", "deals=1", "--players", 2)
    done = arena(
        *("run", *bots, *games, "--blocks", 1, "--seed", "x"),
        *("--isolation", "inline", "--jobs", 1, "--out", "out"),
    )
    assert done.exit_code == 0, done.output
    rows = json.loads(arena("table", "out", "--format", "json").stdout)
    assert {row["faults"] for row in rows if row["variant"] != "overall"} == {0}
    assert arena("replay", "verify", "out").exit_code == 0
    shown = arena("replay", "show", "out").stdout
    assert "card at place" in shown
    assert " lies on the discard" in shown


@pytest.mark.parametrize("name", ["golf-six", "skyjo"])
def test_a_person_plays_it(arena: Arena, name: str) -> None:
    played = arena("play", name, "--against", "random", "--seed", "x", "--set", "deals=1", stdin=b"1\n" * 200)
    assert played.exit_code == 0, played.output
    assert "card at place 1 is" in played.stdout


@pytest.mark.parametrize(("name", "actions"), [("golf-six", 16), ("skyjo", 28)])
def test_actions_and_observations_have_numbers(name: str, actions: int) -> None:
    rules = variant(name, deals=1)
    encoder = get_encoder(rules, players=2)
    match = rules.match(players=2, seed="numbers")
    while not match.is_over:
        seat = match.seat_to_act
        assert seat is not None
        view = match.view(seat)
        assert len(encoder.encode(view)) == encoder.layout.size
        match.apply(view.legal[0])
    assert len(get_action_space(rules, players=2).names) == actions


@pytest.mark.full
def test_hundreds_of_random_matches_pass_the_check() -> None:
    for name in ("golf-six", "skyjo"):
        assert check_game(variant(name), matches=300).issues == ()
