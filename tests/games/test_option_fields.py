"""Variants and their options: found by name, set by name, refused with what would be right."""

import json
import re
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from arena.errors import InvalidRules, UnknownOption, UnknownVariant
from arena.games import VARIANTS, Rules, check_name, variant
from arena.games.option_fields import list_options
from arena.play import play_match


def test_a_variant_is_one_value_however_it_is_asked_for() -> None:
    assert variant("lives") is variant("lives") is variant("commerce")
    assert variant("lives", tokens=5) is variant("lives", tokens=5)
    assert variant("lives", tokens=5, pack=40) is variant("lives", pack=40, tokens=5)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_rules_by_name_and_options_can_be_named(rules: Rules) -> None:
    check_name(rules)
    check_name(rules.with_options({"deals": 3}))
    check_name(deepcopy(rules))


LIVES: Any = variant("lives")
FIVE: Any = variant("lives", tokens=5)
UNNAMED: list[tuple[Rules, str]] = [
    (
        replace(LIVES, settlement=FIVE.settlement),
        "these rules are not those of lives, .*: get them by variant('lives', tokens=5)",
    ),
    (replace(FIVE, rounds=7), "get them by variant('lives', rounds=7, tokens=5)"),
    (replace(LIVES, max_players=3), "no options of lives make them"),
    (replace(LIVES, closing=variant("pool").closing), "no options of lives make them"),  # type: ignore[attr-defined]
    (replace(LIVES, name="house"), "no variant 'house'"),
]


@pytest.mark.parametrize(("rules", "words"), UNNAMED)
def test_rules_that_cannot_be_named_are_refused_with_the_way_to_name_them(rules: Rules, words: str) -> None:
    """Bots would look other rules up, and records would be read by them."""
    match = re.escape(words).replace(r"\.\*", ".*")
    with pytest.raises((InvalidRules, UnknownVariant), match=match):
        check_name(rules)
    with pytest.raises((InvalidRules, UnknownVariant), match=match):
        play_match(rules, ["greedy", "random"], seed="x")


def test_an_option_is_printed_where_it_is_not_the_variants_own() -> None:
    assert str(variant("lives")) == "lives"
    assert str(variant("lives", tokens=5)) == "lives(tokens=5)"
    assert str(variant("lives", tokens=3)) == "lives"
    assert str(variant("lives", alow=True, flush="point")) == "lives(alow=true, flush=point)"
    assert variant("commerce", tokens=5).name == "lives"


def test_an_option_may_belong_to_a_part_of_the_rules() -> None:
    rules = variant("lives", tokens=5, flush="point", max_exchange=2, rounds=7)
    assert dict(rules.overrides) == {"tokens": 5, "flush": "point", "max_exchange": 2, "rounds": 7}
    assert rules.settlement.initial_holdings(2).tokens == (5, 5)
    assert rules.rank("KS QS 9S") > rules.rank("AH 4H 2H")


@pytest.mark.parametrize("name", [5, None, variant("lives")])
def test_a_variant_is_named_by_a_text(name: Any) -> None:
    with pytest.raises(TypeError, match="a variant is named by a text such as 'lives', not by "):
        variant(name)


@pytest.mark.parametrize(
    ("players", "seed", "words"),
    [
        ("3", "x", "players is a whole number, not '3'"),
        (3.0, "x", "players is a whole number, not 3.0"),
        (3, 7, "a seed is a text such as '7', not 7"),
    ],
)
def test_a_match_is_for_a_number_of_players_and_seeded_by_a_text(players: Any, seed: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        variant("lives").match(players, seed)


@pytest.mark.parametrize("name", ["livs", "Lives", "", "lives ", "lives(tokens=5)"])
def test_an_unknown_variant_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(
        UnknownVariant, match=f"no variant {name!r}".replace("(", r"\(").replace(")", r"\)")
    ) as caught:
        variant(name)
    assert all(rules.name in str(caught.value) for rules in VARIANTS)
    assert str(caught.value).count("there are") == 1
    assert isinstance(caught.value, ValueError)


def test_capital_letters_do_not_hide_the_nearest_name() -> None:
    with pytest.raises(UnknownVariant, match="no variant 'LIVES': the nearest is 'lives'; there are"):
        variant("LIVES")


@pytest.mark.parametrize(("number", "text"), [(30, "30"), (30.5, "30.5")])
def test_an_option_whose_values_are_numbers_in_text_takes_the_number_too(number: float, text: str) -> None:
    assert variant("schwimmen", three_alike=number) is variant("schwimmen", three_alike=text)


def test_an_alias_with_options_is_the_variant_itself() -> None:
    assert variant("commerce", tokens=5) is variant("lives", tokens=5)


@pytest.mark.parametrize("value", [31, 30.0001, True, "30.50"])
def test_a_number_that_is_no_choice_is_refused(value: object) -> None:
    with pytest.raises(UnknownOption, match=r"three_alike is one of '30\.5', '30', 'off', not"):
        variant("schwimmen", three_alike=value)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"token": 5}, "no option 'token': the nearest is 'tokens'"),
    ({"name": "mine"}, "no option 'name'"),
    ({"tokens": "5"}, "tokens is a whole number, not '5'"),
    ({"tokens": True}, "tokens is a whole number, not True"),
    ({"tokens": 5.0}, "tokens is a whole number, not 5.0"),
    ({"tokens": 0}, "tokens is from 1 to 1000, not 0"),
    ({"tokens": 1001}, "tokens is from 1 to 1000, not 1001"),
    ({"alow": 1}, "alow is true or false, not 1"),
    ({"flush": "suit"}, "flush is one of 'point', 'cards', not 'suit'"),
    ({"pack": 53}, "pack is from 8 to 52, not 53"),
    ({"tokens": None}, "tokens cannot be None"),
    ({"tokens": [3]}, r"tokens cannot be \[3\]"),
]


def test_what_is_refused_stays_refused_when_its_equal_was_accepted() -> None:
    """Python holds 5 and 5.0, or 1 and true, for equal."""
    assert variant("lives", tokens=5).overrides == {"tokens": 5}
    assert variant("lives", tokens=1).overrides == {"tokens": 1}
    for tokens in (5.0, True):
        with pytest.raises(UnknownOption, match="tokens is a whole number"):
            variant("lives", tokens=tokens)


@pytest.mark.parametrize(("changes", "reason"), REFUSED, ids=[str(changes) for changes, _ in REFUSED])
def test_what_is_no_option_or_no_value_of_it_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(UnknownOption, match=reason):
        variant("lives", **changes)


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("pool", {"private_take": True}, "no option 'private_take'"),
        ("pool", {"max_exchange": 0}, "max_exchange is from 1 to 3, not 0"),
        ("pool", {"after_three": "any"}, "after_three is one of 'fewer', 'none', not 'any'"),
        ("schwimmen", {"knock_from_round": 3}, "knock_from_round is from 1 to 2, not 3"),
        ("schwimmen", {"unsuited": True}, "no option 'unsuited'"),
        ("golf-four", {"jokers": True}, "no option 'jokers'"),
    ],
)
def test_a_variant_has_the_options_it_offers_within_its_limits(
    name: str, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(UnknownOption, match=reason):
        variant(name, **changes)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_every_option_says_what_it_does_and_can_be_set(rules: Rules) -> None:
    for option, value in list_options(rules):
        assert option.metadata["doc"]
        assert type(value) is type(option.default)
        assert variant(rules.name, **{option.name: value}) is rules
        for other in option.metadata["choices"] or ([not value] if isinstance(value, bool) else []):
            try:
                house = variant(rules.name, **{option.name: other})
            except InvalidRules:
                continue  # it could not be dealt, and that is said
            assert dict(house.overrides) == ({option.name: other} if other != value else {})
            assert variant(house.name, **house.overrides) is house or not house.overrides


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_no_two_options_have_one_name(rules: Rules) -> None:
    names = [option.name for option, _ in list_options(rules)]
    assert len(set(names)) == len(names)


def test_names_and_aliases_are_all_different() -> None:
    names = [name for rules in VARIANTS for name in (rules.name, *rules.aliases)]
    assert len(set(names)) == len(names)
    assert VARIANTS[0].name == "lives"


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_match_is_refused_to_too_few_or_too_many_with_the_numbers(rules: Rules) -> None:
    last = rules.players[-1]
    assert rules.players[0] == 2
    for players in (-1, 0, 1, last + 1, 1000):
        with pytest.raises(InvalidRules, match=rf"{players}.*at most {last} can play"):
            rules.match(players, "x")


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_rules_say_who_they_are(rules: Rules) -> None:
    assert rules.title
    assert rules.title.endswith(".")
    assert rules.source
    assert deepcopy(rules) is rules


def test_rules_with_options_can_be_told_in_json() -> None:
    rules = variant("pool", tokens=2, pounce=True, flush="cards")
    told = json.loads(json.dumps({"variant": rules.name, "options": rules.overrides}))
    assert variant(told["variant"], **told["options"]) is rules
