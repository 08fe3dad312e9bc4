"""Parameters of a bot, as a command line writes them."""

import pytest

from arena.errors import ConfigError
from arena.tournament.designs.tuning import Parameter, parse_parameters, start_from_settings, start_settings


@pytest.mark.parametrize(
    ("text", "parameter"),
    [
        ("safe=0.8..0.99", Parameter("safe", 0.8, 0.99)),
        ("safe=0.8..0.99@0.95", Parameter("safe", 0.8, 0.99, 0.95)),
        ("patience=0..1", Parameter("patience", 0, 1)),
        ("low=-1e-3..+2.", Parameter("low", -0.001, 2)),
    ],
)
def test_a_parameter_has_a_range_and_may_have_a_start(text: str, parameter: Parameter) -> None:
    assert Parameter.parse(text) == parameter


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("safe", "write NAME=LOW..HIGH"),
        ("safe=1", "write NAME=LOW..HIGH"),
        ("9=1..2", "write NAME=LOW..HIGH"),
        ("safe=2..1", "2 is not below 1"),
        ("safe=1..1", "1 is not below 1"),
        ("safe=0..1@2", "2 is not between 0 and 1"),
    ],
)
def test_a_text_of_another_form_is_refused(text: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        Parameter.parse(text)


def test_no_parameter_is_given_twice() -> None:
    with pytest.raises(ConfigError, match="safe is given twice"):
        parse_parameters(["safe=0..1", "safe=0..2"])


def test_integers_have_integer_ranges() -> None:
    assert Parameter.parse("draws=4..16@8", is_integer=True) == Parameter("draws", 4, 16, 8, is_integer=True)
    with pytest.raises(ConfigError, match="write whole numbers, or declare it in parameters"):
        Parameter.parse("draws=4..16.5", is_integer=True)


def test_a_name_alone_is_a_declared_parameter() -> None:
    declared = [Parameter("safe", 0, 1, 0.9), Parameter("draws", 1, 9, is_integer=True)]
    assert parse_parameters([], [], declared) == declared
    assert parse_parameters(["safe"], [], declared) == declared[:1]
    assert parse_parameters(["safe=0..0.5"], ["draws"], declared) == [Parameter("safe", 0, 0.5), declared[1]]


def test_the_start_is_the_present_setting_if_it_is_in_range() -> None:
    parameters = [Parameter("safe", 0, 1), Parameter("later", 0, 1, 0.8), Parameter("far", 0, 1)]
    started = start_from_settings(parameters, {"safe": 0.3, "later": 0.2, "far": 5, "style": "calm"})
    assert [parameter.start for parameter in started] == [0.3, 0.8, None]


def test_values_stay_in_the_range_and_integers_are_whole() -> None:
    share, whole = parse_parameters(["share=0..0.3"], ["whole=1..4@2"])
    assert [share.at(place) for place in (-1, 0, 0.5, 2)] == [0, 0, 0.15, 0.3]
    assert [whole.at(place) for place in (0, 0.4, 1)] == [1, 2, 4]
    assert start_settings([share, whole]) == {"whole": 2}
    assert isinstance(whole.at(0.4), int)
