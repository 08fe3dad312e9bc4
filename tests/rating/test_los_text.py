"""A likelihood of superiority is never printed as certain."""

import pytest

from arena.rating.los_text import format_los


@pytest.mark.parametrize(
    ("los", "text"),
    [
        *((1.0, "> 99.9%"), (0.9996, "> 99.9%"), (0.9994, "99.9%"), (0.975, "97.5%"), (0.5, "50.0%")),
        *((0.0006, "0.1%"), (0.0004, "< 0.1%"), (0.0, "< 0.1%")),
    ],
)
def test_los_stays_between_certainties(los: float, text: str) -> None:
    assert format_los(los) == text
