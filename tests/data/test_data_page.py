"""docs/reading-results.md names the columns of the rows."""

import re
from pathlib import Path

import pytest

from arena import RunData

PAGE = (Path(__file__).parents[2] / "docs/reading-results.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["tallies", "blocks", "deals", "decisions"])
def test_the_page_lists_the_columns(kind: str, run: RunData) -> None:
    (listed,) = re.findall(rf"^\| `run\.{kind}` \|.*\| `([^`]+)` \|$", PAGE, re.MULTILINE)
    assert tuple(listed.split()) == getattr(run, kind).columns
