"""Families are imported only when they are needed."""

import subprocess
import sys

import pytest


def families_after(code: str) -> set[str]:
    """Return the families imported after running this code."""
    listed = f"import sys; {code}; print(*[m for m in sys.modules if m.endswith('.variants')])"
    out = subprocess.check_output([sys.executable, "-c", listed], text=True)
    return {name.split(".")[2] for name in out.split()}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import arena.families.exchange.view, arena.families.cambio.view", set()),
        ("from arena import variant; variant('lives')", {"exchange"}),
        ("from arena import variant; variant('ready-money')", {"exchange", "barter"}),
        (
            "from arena import VARIANTS",
            {"exchange", "barter", "draw", "cuckoo", "cambio", "cox"},
        ),
    ],
)
def test_a_family_is_imported_when_one_of_its_variants_is_asked_for(code: str, expected: set[str]) -> None:
    assert families_after(code) == expected
