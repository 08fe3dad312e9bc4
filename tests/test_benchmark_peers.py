"""Other libraries are measured alternating with ours, where they are installed."""

import json
import sys
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from arena.errors import import_optional
from arena.games import variant
from benchmarks import peers


def play_two_decisions(seed: int) -> int:
    return 2


def greet_and_make() -> peers.PlayOne:
    """Write to the output, as pygame does when it is imported, and return how to play."""
    sys.stdout.write("Hello from the community.\n")
    return play_two_decisions


def test_a_library_is_measured_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.PEERS, "rlcard", ("a game", lambda: play_two_decisions))
    speed = peers.measure_peer("rlcard", variant("lives", tokens=1), seconds=0.01)
    assert (speed.library, speed.game, speed.variant) == ("rlcard", "a game", "lives(tokens=1)")
    assert speed.rate > speed.own_rate > 0
    assert 0 < speed.ratio < 1


@pytest.mark.parametrize(
    ("module", "make", "at_least"),
    [
        ("pyspiel", peers.leduc_of_open_spiel, peers.LEDUC_PLAYERS - 1),
        ("rlcard", peers.leduc_of_rlcard, 1),
        ("pygame", peers.leduc_of_pettingzoo, 1),
    ],
)
def test_a_library_is_played_by_its_fastest_loop(
    module: str, make: Callable[[], peers.PlayOne], at_least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One generator of random numbers is enough for all matches."""
    pytest.importorskip(module)
    play = make()
    monkeypatch.setattr(peers, "Random", None)
    decisions = [play(number) for number in range(20)]
    assert min(decisions) >= at_least
    assert len(set(decisions)) > 2


def test_bench_leaves_out_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.PEERS, "rlcard", ("a game", greet_and_make))
    monkeypatch.setitem(
        peers.PEERS, "pettingzoo", ("another", lambda: import_optional("not_there", peers.EXTRA))
    )
    libraries = ("--library", "rlcard", "--library", "pettingzoo")
    result = CliRunner().invoke(peers.main, ["lives", *libraries, "--seconds", "0.01", "--json"])
    assert result.exit_code == 0, result.output
    assert [row["library"] for row in json.loads(result.stdout)] == ["rlcard"]
    assert "pettingzoo is left out: not_there is not installed" in result.stderr
    assert "commerce-arena[bench]" in result.stderr
