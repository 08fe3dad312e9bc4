"""Hints at the causes of faults."""

import pytest

from arena.output.texts.run import find_hints

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
