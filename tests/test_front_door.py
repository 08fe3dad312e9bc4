"""`import arena` loads nothing heavy and still exports every public name."""

import subprocess
import sys

import pytest

import arena
from arena.errors import ArenaError


def test_importing_arena_imports_nothing_heavy() -> None:
    heavy = "{'numpy', 'scipy', 'msgspec', 'arena.games', 'arena.play', 'difflib'}"
    code = f"import sys, arena, arena.errors; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


@pytest.mark.parametrize("name", arena.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert name in dir(arena)
    assert getattr(arena, name) is getattr(arena, name)


def test_an_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'arena' has no attribute 'varient'"):
        _ = arena.varient  # type: ignore[attr-defined]


def test_every_error_is_an_arena_error() -> None:
    public = [getattr(arena, name) for name in arena.__all__]
    errors = [value for value in public if isinstance(value, type) and issubclass(value, Exception)]
    assert len(errors) == 12
    assert all(issubclass(error, ArenaError) for error in errors)


@pytest.mark.parametrize(
    "name", ["UnknownVariant", "UnknownOption", "InvalidRules", "IllegalAction", "InvalidNotation"]
)
def test_errors_of_the_caller_are_value_errors(name: str) -> None:
    assert issubclass(getattr(arena, name), ValueError)
