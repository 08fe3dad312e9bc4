"""A family is imported only when it is needed, and of it only what plays."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from arena.games import VARIANTS, Rules
from arena.games.registry import list_families

ROOT = Path(__file__).parents[2]
FAMILIES = list_families()
SMALL = {f"arena.{name}" for name in ("compiled_classes", "errors", "installed")}
PLAY = """
from arena import variant
match = variant({!r}).match(2, "seed")
while not match.is_over:
    match.apply(match.view(match.seat_to_act).legal[0])
"""


def modules_after(code: str) -> set[str]:
    """Return the modules of the arena imported after running this code."""
    listed = f"{code}\nimport sys; print(*[m for m in sys.modules if m.partition('.')[0] == 'arena'])"
    return set(subprocess.check_output([sys.executable, "-c", listed], cwd=ROOT, text=True).split())


def families_after(code: str) -> set[str]:
    """Return the families whose variants are imported after running this code."""
    return {name.split(".")[2] for name in modules_after(code) if name.endswith(".variants")}


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import arena.families.exchange.view, arena.families.cambio.view", set()),
        ("import arena.cli.run, arena.cli.tables", set()),
        ("from arena import variant; variant('lives')", {"exchange"}),
        ("from arena import variant; variant('ready-money')", {"barter"}),
        ("from arena import variant; variant('ranter-go-round')", FAMILIES.keys() - {"cambio", "cox"}),
        ("from arena import VARIANTS", FAMILIES.keys()),
    ],
)
def test_a_family_is_imported_when_one_of_its_variants_is_asked_for(code: str, expected: set[str]) -> None:
    assert families_after(code) == expected


@pytest.mark.parametrize("name", [family.variants[-1] for family in FAMILIES.values()])
def test_playing_imports_neither_other_families_nor_words_nor_action_numbers(name: str) -> None:
    family = next(family for family in FAMILIES.values() if name in family.variants)
    others = {other.package for other in FAMILIES.values()} | {"arena", "arena.families"}
    modules = modules_after(PLAY.format(name))
    inside = {module for module in modules if module.startswith(f"{family.package}.")}
    assert f"{family.package}.deal" in inside
    assert not {f"{family.package}.{place.partition(':')[0]}" for place in family.parts.values()} & inside
    shared = {module for module in modules if module.startswith("arena.games")}
    assert modules - inside - shared - others <= SMALL


def test_a_family_names_the_variants_it_has() -> None:
    assert [rules.name for rules in VARIANTS] == [
        name for family in FAMILIES.values() for name in family.variants
    ]
    for name, family in FAMILIES.items():
        assert {rules.family for rules in family.rules} == {name}
        module = import_module(f"{family.package}.variants")
        declared = {value.name for value in vars(module).values() if isinstance(value, Rules)}
        assert declared == set(family.variants)
