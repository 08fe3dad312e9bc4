"""`arena figure`: a figure of a run, a track or a tuning as a file, and what cannot be drawn."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Arena


def read_svg(path: Path) -> ElementTree.Element:
    """Return the root of a document."""
    return ElementTree.fromstring(path.read_bytes())


@pytest.mark.parametrize("kind", ["ratings", "matrix", "seats"])
def test_every_figure_of_a_run_is_a_document(arena: Arena, played: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / "figures" / f"{kind}.svg"
    game = ("--variant", "pool", "--style", "print", "--colors", "#123456", "--font", "Courier")
    result = arena("figure", played, "--kind", kind, *game, "--out", out)
    assert (result.exit_code, result.stdout) == (0, f"{out}\n"), result.output
    root = read_svg(out)
    assert (root.get("font-family") or "").startswith("'Courier', ")
    assert root.get("width") == "190.00mm" or kind == "matrix"
    assert ("#123456" in out.read_text()) == (kind != "matrix")


def test_ratings_are_those_over_all_games_unless_one_is_named(
    arena: Arena, played: Path, tmp_path: Path
) -> None:
    out = tmp_path / "elo.svg"
    assert arena("figure", played, "--out", out).exit_code == 0
    assert (read_svg(out).get("aria-label") or "").startswith("Elo over all games")
    assert arena("figure", played, "--variant", "lives", "--out", out).exit_code == 0
    assert (read_svg(out).get("aria-label") or "").startswith("Elo at lives(tokens=1), 3 players")


def test_a_folder_of_something_else_is_refused(arena: Arena, tmp_path: Path) -> None:
    result = arena("figure", tmp_path, "--out", tmp_path / "elo.svg")
    assert result.exit_code == 1
    assert "holds no run, league, track or tuning" in result.stderr
