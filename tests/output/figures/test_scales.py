"""Scales map values to coordinates and have round ticks."""

import pytest

from arena.output.figures.charts import (
    Interval,
    Scale,
    dot_plot,
    find_axis_ends,
    fit_scale,
    powers_of_ten,
    round_step,
)


def test_values_lie_between_the_ends() -> None:
    down = Scale(1000, 2000, 300, 10)
    assert [down.at(value) for value in (1000, 1500, 2000)] == [300, 155, 10]


def test_a_scale_of_one_value_puts_it_in_the_middle() -> None:
    assert Scale(5, 5, 0, 100).at(5) == 50
    assert fit_scale([5.0], 0, 100).at(5.0) == 50


@pytest.mark.parametrize(
    ("least", "step"), [(1, 1), (1.1, 2), (3, 5), (7, 10), (12, 20), (0.03, 0.05), (0, 1)]
)
def test_steps_are_round(least: float, step: float) -> None:
    assert round_step(least) == pytest.approx(step)


def test_ticks_are_round_and_within() -> None:
    assert Scale(943, 2011, 0, 100).ticks(4) == [1000, 1500, 2000]
    assert Scale(2.44, 2.57, 0, 100).ticks(3) == pytest.approx([2.45, 2.5, 2.55])


def test_powers_of_ten() -> None:
    assert powers_of_ten(6, 12_000) == [10, 100, 1000, 10_000]
    assert powers_of_ten(2, 7) == []


def test_a_giant_bar_ends_in_an_arrow_and_does_not_stretch_the_axis() -> None:
    bars = {"a": Interval(1900, 20), "b": Interval(1600, 20), "c": Interval(1000, 3000)}
    assert find_axis_ends(list(bars.values())) == [1880, 1920, 1580, 1620, 100, 2800]
    assert find_axis_ends([Interval(1500, None), Interval(1400, 90)]) == [1500, 1500, 1310, 1490]
    figure = dot_plot(bars, None, "Elo")
    assert figure.count("l-6 6l6 6") == figure.count("l6 6l-6 6") == figure.count("</svg>")
    assert "-2000" not in figure
