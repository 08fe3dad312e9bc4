"""Conformance checks of bots in their own processes report exceptions, output, time and memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.games import VARIANTS, variant
from arena.play import Limits
from arena.play.bot import make_factory
from arena.play.conformance import Findings, check_bot, open_host
from arena.play.conformance.bot_hosts import BotHost
from arena.plugins import InstalledBot, parse_bot

LIMITS = Limits(decision_ms=5000, start_ms=60_000)
PLAYS = "class Bot:\n    def act(self, view):\n        "


@contextmanager
def environment(folder: Path, code: str, limits: Limits = LIMITS) -> Iterator[BotHost]:
    (folder / "bot.py").write_text(code)
    with open_host(parse_bot("bot.py:Bot", folder), "process", limits) as opened:
        yield opened


def check(folder: Path, code: str, *names: str, limits: Limits = LIMITS, matches: int = 1) -> Findings:
    games = [variant(name) for name in names or ("lives",)]
    opponent = make_factory(InstalledBot("random").load())
    with environment(folder, code, limits) as opened:
        return check_bot(games, opened, opponent, matches=matches, limits=limits)


def test_a_good_bot_is_timed_measured_and_has_no_issues(tmp_path: Path) -> None:
    code = "from random import Random\n" + PLAYS + "return Random(str(view.hand)).choice(view.legal)\n"
    findings = check(tmp_path, code, "lives", "cambio", "cox")
    assert (findings.level, findings.issues, findings.repeated) == ("process", (), 3)
    assert findings.memory_mb is not None
    assert findings.memory_mb > 5
    assert findings.start_seconds > 0
    assert findings.asked_again > 3


MADE = "class Bot:\n    def __init__(self, info):\n        raise OSError('no weights')\n"
COUNTS = "seen = []\n" + PLAYS + "seen.append(1)\n        "


@pytest.mark.parametrize(
    ("code", "kind", "details"),
    [
        (PLAYS + "return view.legal[10**6]\n", "crash", ("return view.legal[10**6]", "IndexError: tuple")),
        (
            PLAYS + "return view.legal[0]\n    def deal_over(self, result): int('over')\n",
            "crash",
            ("int('over')",),
        ),
        (
            "import os, sys\n" + PLAYS + "print('alas', file=sys.stderr); os._exit(3)\n",
            "crash",
            ("its program ended (status 3)", "alas"),
        ),
        (MADE + "    def act(self, view): ...\n", "no-start", ("OSError: no weights",)),
        (COUNTS + "return view.legal[len(seen) % len(view.legal)]\n", "keeps-state", ("played twice",)),
        (COUNTS + "return view.legal[min(len(seen) - 1, 1)]\n", "keeps-state", ("played twice",)),
        ("import random\n" + PLAYS + "return random.choice(view.legal)\n", "not-repeated", ("played twice",)),
    ],
)
def test_a_mistake_is_an_issue_of_its_kind(
    tmp_path: Path, code: str, kind: str, details: tuple[str, ...]
) -> None:
    findings = check(tmp_path, code, "cuccu", "pool")
    assert {issue.kind for issue in findings.issues} == {kind}
    assert all(detail in findings.issues[0].detail for detail in details)


def test_output_is_kept(tmp_path: Path) -> None:
    findings = check(tmp_path, PLAYS + "print('thinking', view.deal)\n        return view.legal[0]\n")
    assert findings.issues == ()
    assert "thinking 0" in findings.printed


def test_check_stops_after_timeouts_in_three_games(tmp_path: Path) -> None:
    code = "import time\nasked = []\n" + PLAYS + "asked.append(1)\n"
    code += "        time.sleep(60 * (len(asked) > 1))\n        return view.legal[0]\n"
    limits = Limits(decision_ms=10, bank_ms=0, start_ms=60_000, faults=1)
    games = [str(rules) for rules in VARIANTS[:5]]
    findings = check(tmp_path, code, *games, limits=limits, matches=4)
    assert {issue.kind for issue in findings.issues} == {"timeout"}
    assert [(game.variant, game.matches) for game in findings.games] == [(name, 1) for name in games[:3]]
    assert (findings.left_out, findings.repeated) == (2, 0)


@pytest.mark.parametrize(
    ("code", "detail"),
    [
        ("import nowhere\n", "No module named 'nowhere'"),
        ("class Bot: pass\n", "act(self, view)"),
        ("import os; os._exit(5)\n", "status 5"),
    ],
)
def test_bot_that_does_not_start_has_one_issue(tmp_path: Path, code: str, detail: str) -> None:
    findings = check(tmp_path, code, "lives", "pool", matches=3)
    (issue,) = findings.issues
    assert issue.kind == "no-start"
    assert detail in issue.detail
    assert (findings.decisions, findings.left_out) == (0, 1)
