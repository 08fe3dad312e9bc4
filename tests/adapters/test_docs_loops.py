"""The loops of the documentation play the same match each time."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[2] / "docs/adapters.md"


@pytest.mark.parametrize("library", ["PettingZoo", "Gymnasium"])
def test_the_loop_of_a_library_is_reproducible(library: str) -> None:
    pytest.importorskip(library.lower())
    section = PAGE.read_text(encoding="utf-8").partition(f"## {library}\n")[2]
    code = re.findall(r"^```python\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)[0]
    matches = []
    for _ in range(3):
        namespace: dict[str, Any] = {}
        exec(compile(code, str(PAGE), "exec"), namespace)
        match = namespace["env"].unwrapped.match
        assert match.is_over
        matches.append([(deal.action_indices, deal.changes) for deal in match.finished_deals])
    assert matches[0] == matches[1] == matches[2]
