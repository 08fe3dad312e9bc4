"""Report cards of bots, and hints at the causes of faults."""

import pytest

from arena.output.texts.checks import WAITING_NOTE, card_text
from arena.output.texts.run import find_hints
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


NO_PACKAGE = "ModuleNotFoundError: No module named 'arena bot /home/ann/mybot/bot'"


@pytest.mark.parametrize(
    ("fault", "hint"),
    [
        ("EOFError: EOF when reading a line", "input()"),
        ("TypeError: Bot.act() takes 1 positional argument but 2 were given", "is self missing?"),
        ("TypeError: Bot.__init__() takes 1 positional argument but 2 were given", "is self missing?"),
        ("TypeError: Action.__init__() missing 3 required positional arguments", "action.kind for action in"),
        ("RuntimeError: can't start new thread", "threads do not make it faster"),
        ("it had 90 threads (allowed 64)", "threads do not make a bot faster"),
        ("ModuleNotFoundError: No module named 'helper'", "helper.py is beside the bot"),
        ("ModuleNotFoundError: No module named 'lib.deep'", "lib is beside the bot"),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'data/t.json'", "data is beside the bot"),
        ("PermissionError: [Errno 13] Permission denied: '/x/table.json'", "table.json is beside the bot"),
        ("ModuleNotFoundError: No module named 'numpy'", "requirements.txt"),
        (f"    from .helper import pick\n{NO_PACKAGE}", "helper.py is beside the bot"),
        (
            f"    from .util import pick\n{NO_PACKAGE}",
            "no package: `from util import pick`, not `from .util import",
        ),
        (f"    from . import util\n{NO_PACKAGE}", "`import util`, not `from . import util`"),
        (
            "  from .a import b\nImportError: attempted relative import with no known parent package",
            "`from a",
        ),
    ],
)
def test_a_fault_has_one_hint(fault: str, hint: str) -> None:
    (given_hint,) = find_hints(fault, {"helper.py", "lib", "data", "table.json"})
    assert hint in given_hint


def test_other_faults_have_none() -> None:
    assert find_hints("TypeError: Bot.helper() takes 1 positional argument but 2 were given", ()) == []
    assert find_hints("FileNotFoundError: [Errno 2] No such file or directory: 'x'", {"y"}) == []
