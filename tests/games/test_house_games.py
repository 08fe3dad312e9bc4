"""House games: an installed variant with options set, under a name of its own."""

import pickle

import pytest

from arena import play_match, variant
from arena.errors import InvalidRules, UnknownOption, UnknownVariant
from arena.games import check_name
from arena.play.records.record_check import check_record

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
