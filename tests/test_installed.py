"""Families of games are found by their entry points, and passed on to the processes of bots."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import PluginError
from arena.games import registry
from arena.games.registry import list_families, load_family
from arena.installed import GROUP, VARIABLE, encode_games, find_games, find_installed_games


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search anew in each test, and keep what it finds out of others."""
    monkeypatch.setattr("arena.installed.find_installed_games", find_installed_games.__wrapped__)
    monkeypatch.setattr(registry, "load_family", load_family.__wrapped__)


def install(folder: Path, name: str, place: str) -> None:
    """Install a distribution that offers a family at a place."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\n{place}\n")


def test_the_families_of_the_arena_are_found() -> None:
    families = find_games()
    assert families.keys() == list_families().keys()
    assert all(place == f"arena.families.{name}:FAMILY" for name, place in families.items())


def test_a_family_of_the_arena_keeps_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "taker", "cox = taker:FAMILY")
    monkeypatch.syspath_prepend(tmp_path)
    assert find_games()["cox"] == "arena.families.cox:FAMILY"


def test_two_families_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        install(tmp_path, name, f"golf = {name}:FAMILY")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(PluginError, match=r"golf is offered by one 1.0 and two 1.0: uninstall all but one"):
        find_games()


@pytest.mark.parametrize(
    ("place", "why"), [("nowhere:FAMILY", "No module named 'nowhere'"), ("json:dumps", "it is no Family")]
)
def test_a_family_that_does_not_load_is_left_out_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, why: str
) -> None:
    install(tmp_path, "broken", f"golf = {place}")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(RuntimeWarning, match=f"the games golf at {place} do not load: {why}"):
        families = list_families.__wrapped__()
    assert families.keys() == list_families().keys()


def test_an_old_installation_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: ())
    with pytest.raises(PluginError, match="older than its code: install it again"):
        find_games()


def test_a_process_that_is_passed_the_families_does_not_search_them() -> None:
    code = "import sys; from arena import variant; print(variant('cox'), 'importlib.metadata' in sys.modules)"
    environment = {**os.environ, VARIABLE: encode_games()}
    out = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert out.split() == ["cox", "False"]
