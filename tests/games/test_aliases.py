"""Further names of variants, and that the usual rules under such a name are those of the variant."""

import pytest

from arena import variant
from arena.games.option_fields import list_options

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
