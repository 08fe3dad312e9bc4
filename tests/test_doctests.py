"""The examples in the docstrings of the public API are true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import arena.play
import arena.play.records
import arena.rating

MODULES = [
    "arena.errors",
    *(
        module.name
        for package in (arena.play, arena.play.records, arena.rating)
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
        if not module.ispkg
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_there_are_examples() -> None:
    assert sum(doctest.testmod(import_module(name)).attempted for name in MODULES) > 20
