"""Fixtures for the tests of bots that search."""

from importlib import import_module
from typing import Any

import pytest


@pytest.fixture
def search(request: pytest.FixtureRequest) -> Any:
    """Return the module named by `SEARCH`, which needs numba."""
    pytest.importorskip("numba")
    return import_module(request.module.SEARCH)
