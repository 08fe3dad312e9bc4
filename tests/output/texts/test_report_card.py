"""The report card of a bot."""

import pytest

from arena.output.texts.checks import WAITING_NOTE, card_text
from arena.play import Limits
from arena.play.conformance import Findings, Issue, OneGameFindings

LIMITS = Limits()
OVER_S = (LIMITS.start_ms + LIMITS.decision_ms) / 1000 + 1


def card(start_seconds: float, seconds: tuple[float, ...], kind: str = "") -> str:
    """Return the card of a bot with these times, and an issue of this kind if there is one."""
    issues = (Issue(kind, "lives", 2, 0, 0, "its cause"),) if kind else ()
    game = OneGameFindings("lives", (2,), 1, len(seconds), 0, 0, seconds, issues)
    findings = Findings(
        level="process", start_seconds=start_seconds, memory_mb=1.0, games=(game,), left_out=0, printed=""
    )
    return card_text("mine", "file", "0" * 64, findings, LIMITS)


@pytest.mark.parametrize(
    ("start_seconds", "seconds"), [(OVER_S, (0.01, 0.01)), (0.1, (OVER_S, 0.01)), (0.1, (0.01, OVER_S))]
)
def test_a_time_over_its_limit_that_is_no_fault_is_explained(
    start_seconds: float, seconds: tuple[float, ...]
) -> None:
    assert WAITING_NOTE in card(start_seconds, seconds)


@pytest.mark.parametrize(
    ("start_seconds", "kind"), [(0.1, ""), (OVER_S, "no-start"), (OVER_S, "timeout"), (0.1, "illegal")]
)
def test_no_other_time_is(start_seconds: float, kind: str) -> None:
    assert WAITING_NOTE not in card(start_seconds, (0.01, 0.01), kind)
