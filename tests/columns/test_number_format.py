"""Numbers of tables: halves are rounded up, and nothing is certain that is not."""

import pytest

from arena.columns.number_format import format_percent, round_percent


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (49.5, "50"),
        (50.5, "51"),
        (100 * 0.495, "50"),
        (99.4, "99"),
        (99.6, "> 99"),
        (0.4, "< 1"),
        (100, "100"),
        (0, "0"),
    ],
)
def test_whole_percent(percent: float, text: str) -> None:
    assert round_percent(percent) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.9996, "> 99.9%"), (0.0004, "< 0.1%"), (1.0, "100.0%"), (0.0, "0.0%"), (0.0045, "0.5%")],
)
def test_shares(share: float, text: str) -> None:
    assert format_percent(share) == text
