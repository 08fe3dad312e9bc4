"""Variants by their names and aliases, house games, and when a family is imported."""

import pickle
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from arena import play_match, variant
from arena.errors import InvalidRules, UnknownOption, UnknownVariant
from arena.games import VARIANTS, Rules, check_name
from arena.games.option_fields import list_options
from arena.games.registry import list_families
from arena.play.records.record_check import check_record

ALIASES = {
    "commerce": "lives",
    "knack": "schwimmen",
    "schnauz": "schwimmen",
    "hosn-obe": "schwimmen",
    "trente-et-un": "trentuno",
    "scat": "thirty-one",
    "blitz": "thirty-one",
    "ranter-go-round": "cuccu",
    "chase-the-ace": "cuccu",
}
USUAL = {
    "scat": {"tokens": 3, "sweep": 31, "free_ride": True, "knocker_double": True, "three_alike": "off"},
    "ranter-go-round": {"tokens": 3, "ace_high": False, "stock_king_ok": False, "tie": "all", "pack": 52},
    "knack": {"tokens": 3, "pack": 32, "three_alike": "30.5", "free_ride": True, "sweep": 33},
}
"""Values of options as the sheets give them for games of these names. Source: sheets B4, B5, B10."""


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_the_same_game(alias: str, name: str) -> None:
    assert variant(alias) is variant(name)
    assert str(variant(alias, tokens=5)) == f"{name}(tokens=5)"


@pytest.mark.parametrize("alias", USUAL)
def test_the_usual_rules_under_a_name_are_those_of_its_variant(alias: str) -> None:
    values = {option.name: value for option, value in list_options(variant(alias))}
    assert USUAL[alias].items() <= values.items()


def test_a_king_bars_the_swap_at_ranter_go_round_and_the_ace_is_low() -> None:
    rules = variant("ranter-go-round")
    assert getattr(rules, "refusing") == "K"  # noqa: B009 - a field of the family's rules
    assert rules.rank("AS") < rules.rank("2S") < rules.rank("KS")


# --- house games: an installed variant with options set, under a name of its own ---

BASE = "thirty-one(three_alike=30, tokens=2)"


def test_a_house_game_is_its_base_under_another_name() -> None:
    rules = variant("home-scat", base=BASE)
    usual = variant("thirty-one", three_alike="30", tokens=2)
    assert (str(rules), rules.family, rules.aliases) == ("home-scat", "draw", ())
    assert (rules.ranking, rules.settlement) == (usual.ranking, usual.settlement)
    assert (rules.base, rules.installed_name, usual.installed_name) == (BASE, "thirty-one", "thirty-one")
    assert usual.base == ""


def test_the_same_text_of_a_base_makes_the_same_object_however_it_is_written() -> None:
    rules = variant("home-scat", base=BASE)
    assert variant("home-scat", base="scat( tokens=2,three_alike=30 )") is rules
    assert variant(rules.name, **rules.overrides) is rules
    check_name(rules)


def test_options_go_on_top_of_those_of_the_base() -> None:
    rules = variant("home-scat", base=BASE, tokens=5, rounds=9)
    assert str(rules) == "home-scat(rounds=9, tokens=5)"
    assert repr(rules) == f"variant('home-scat', base={BASE!r}, rounds=9, tokens=5)"
    assert variant(rules.name, **rules.overrides) is rules
    assert str(pickle.loads(pickle.dumps(rules))) == str(rules)
    assert variant("home-scat", base=BASE, tokens=2) is variant("home-scat", base=BASE, rounds=20)


def test_a_name_may_be_an_alias_but_not_a_variants_own() -> None:
    assert str(variant("scat", base="thirty-one")) == "scat"
    assert str(variant("scat")) == "thirty-one"
    with pytest.raises(InvalidRules, match="lives is an installed game"):
        variant("lives", base="pool")


@pytest.mark.parametrize("name", ["", "Home", "a b", "a(b=1)", "-a", "a--b", "a" * 41, "a\n"])
def test_a_name_that_cannot_be_written_in_tables_is_refused(name: str) -> None:
    with pytest.raises(InvalidRules, match="cannot be the name of a game"):
        variant(name, base="lives")


@pytest.mark.parametrize(
    ("base", "error", "message"),
    [
        ("livs", UnknownVariant, "the nearest is 'lives'"),
        ("lives(", UnknownOption, "base is a game with its options"),
        ("lives(tokens)", UnknownOption, "'tokens' is not an option and its value"),
        ("lives(tokns=3)", UnknownOption, "the nearest is 'tokens'"),
        ("lives(tokens=0)", UnknownOption, "tokens is from 1 to 1000"),
        (3, UnknownOption, "base cannot be 3"),
    ],
)
def test_a_base_that_is_not_right_is_refused(base: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        variant("home", base=base)


def test_a_record_of_a_house_game_can_be_verified_without_its_definition() -> None:
    record = play_match(variant("home-scat", base=BASE, rounds=9), ["greedy", "simple"], seed="home")
    assert (record["variant"], record["options"]) == ("home-scat", {"base": BASE, "rounds": 9})
    usual = variant("thirty-one", three_alike="30", tokens=2, rounds=9)
    seen = play_match(usual, ["greedy", "simple"], seed="home")
    assert record["deals"] == seen["deals"]
    assert check_record(record).matches == 1


# --- a family is imported only when it is needed, and of it only what plays ---

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
    """Return the families whose rules are imported after running this code."""
    modules = [name for name in modules_after(code) if name.startswith("arena.families.")]
    return {name.split(".")[2] for name in modules if name.endswith(".rules")}


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
        module = import_module(f"{family.package}.rules")
        declared = {value.name for value in vars(module).values() if isinstance(value, Rules)}
        assert declared == set(family.variants)
