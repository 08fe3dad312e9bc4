"""The environments without their libraries: the message names the extra."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

import arena
from arena import load_game
from arena.errors import ArenaError
from tests.strangers.loading import GOLF, forget_games

ROOT = Path(arena.__file__).parent


def test_nothing_but_kernels_needs_numba() -> None:
    """The vector environment imports the types of their memory, which need none."""
    lines = {
        (path.relative_to(ROOT).as_posix(), line.strip())
        for path in ROOT.glob("**/*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r"\s*(import|from) (numba|\S*\.kernel)\b", line)
    }
    outside = {(name, line) for name, line in lines if not re.match(r"(families/\w+|games)/kernel", name)}
    assert {name for name, _ in outside} == {"adapters/batches.py", "adapters/vector_env.py"}
    assert {line.partition(" import ")[0] for _, line in outside} == {"from arena.games.kernel.layout"}
    of_layout = {line for name, line in lines if name == "games/kernel/layout.py"}
    assert lines - outside - of_layout
    assert not of_layout


def test_the_vector_environment_names_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "arena.adapters.vector_env", raising=False)
    with pytest.raises(ArenaError, match=r"gymnasium is not installed: .*commerce-arena\[vector\]"):
        import_module("arena.adapters.vector_env")


def test_without_numba_only_games_with_compiled_play_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env = pytest.importorskip("arena.adapters.vector_env").CommerceVectorEnv
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ArenaError, match=r"numba is not installed: .*commerce-arena\[vector\]"):
        env("lives")
    with forget_games():
        assert not env(load_game(str(GOLF))).is_compiled
    assert not env("lives", compiled=False).is_compiled


@pytest.mark.parametrize("library", ["pettingzoo", "gymnasium"])
def test_a_library_that_is_missing_is_named_with_its_extra(
    library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"arena.adapters.{library}", raising=False)
    with pytest.raises(ArenaError, match=rf"{library} is not installed: .*commerce-arena\[{library}\]"):
        import_module(f"arena.adapters.{library}")


def test_the_games_of_open_spiel_name_what_they_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.delitem(sys.modules, "arena.adapters.open_spiel", raising=False)
    with pytest.raises(ArenaError, match=r"pyspiel is not installed: .*commerce-arena\[open-spiel\]"):
        import_module("arena.adapters.open_spiel")


def test_numbers_and_observations_need_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pettingzoo", "gymnasium"):
        monkeypatch.setitem(sys.modules, library, None)
    for module in ("action_space", "observation", "environment_setup"):
        monkeypatch.delitem(sys.modules, f"arena.adapters.{module}", raising=False)
        import_module(f"arena.adapters.{module}")
