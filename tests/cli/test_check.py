"""`arena check` of bots: the report card, and its exit status."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

CODE = """
class Good:
    variants = ("lives", "cuccu")
    def act(self, view):
        return view.legal[0]

class Bad(Good):
    variants = ("lives",)
    def act(self, view):
        return self.deep() if view.deal else super().act(view)
    def deep(self):
        return 1 / 0
"""

LIMIT = "limit 2.070 s: 0.020 for the decision + 2.000 for the first after a start + 0.050 left in the time "


@pytest.fixture
def bots(here: Path) -> Path:
    (here / "mine.py").write_text(CODE)
    return here


def test_a_bot_is_checked_with_its_settings(arena: Arena, bots: Path) -> None:
    code = "class Mine:\n    def __init__(self, info):\n        self.place = info.settings['place']\n"
    (bots / "placed.py").write_text(
        f"{code}    def act(self, view):\n        return view.legal[self.place]\n"
    )
    common = ("--isolation", "inline", "--matches", "1", "--variant", "cuccu")
    assert arena("check", "placed.py(place=0)", *common).exit_code == 0
    wrong = arena("check", "placed.py", *common)
    assert wrong.exit_code == 1
    assert "KeyError: 'place'" in wrong.stdout


def test_check_plays_a_good_bot_in_the_games_it_supports(arena: Arena, bots: Path) -> None:
    result = arena("check", "mine.py:Good", "--isolation", "inline", "--matches", "1")
    assert result.exit_code == 0
    card = result.stdout.splitlines()
    assert card[0] == "mine.py:Good"
    rows = {line[2:20].strip(): line[20:] for line in card[1:12]}
    assert rows["runs in"] == "inline"
    assert rows["games"] == "2, no issues"
    assert rows["played again"] == "every match went the same"
    assert rows["hidden cards"].endswith("no answers changed")
    assert rows["faults"] == "none"
    assert card[-1] == "Ready for a tournament."
    assert [line.partition(",")[0] for line in result.stderr.splitlines()] == ["lives", "cuccu"]


def test_report_card_in_the_docs_matches_the_output(arena: Arena, bots: Path) -> None:
    printed = arena("check", "mine.py:Good", "--matches", "1").stdout
    page = Path(__file__).parents[2] / "docs/submitting.md"
    (shown,) = re.findall(r"```text\n(mybot\n.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    labels = [[line[:20] for line in card.splitlines() if line.startswith("  ")] for card in (printed, shown)]
    assert labels[0] == labels[1]
    assert printed.splitlines()[-1] == shown.splitlines()[-1]


def test_report_card_shows_the_traceback_of_a_failing_bot(arena: Arena, bots: Path) -> None:
    result = arena("check", "mine.py:Bad", "--isolation", "inline")
    assert result.exit_code == 1
    assert "crash ×12: it raised an exception or ended" in result.stdout
    assert "    ZeroDivisionError: division by zero" in result.stdout
    assert "return 1 / 0" in result.stdout
    assert result.stdout.endswith("Fix these issues before a tournament.\n")
    assert result.stderr.endswith(" decisions, crash\n")


def test_json_report_card_has_the_same_content(arena: Arena, bots: Path) -> None:
    words = ["--isolation", "inline", "--variant", "lives", "--matches", "2", "--json"]
    card = json.loads(arena("check", "mine.py:Good", *words).stdout)
    assert (card["ok"], card["flaws"], card["isolation"], card["origin"]) == (True, [], "inline", "file")
    assert [(game["variant"], game["matches"], game["ok"]) for game in card["games"]] == [("lives", 2, True)]
    bad = json.loads(arena("check", "mine.py:Bad", *words).stdout)
    assert (bad["ok"], bad["flaws"][0]["kind"]) == (False, "crash")


def test_bot_that_runs_out_of_memory_is_not_called_peeking(arena: Arena, bots: Path) -> None:
    (bots / "hungry.py").write_text(
        "hoard = []\nclass Hungry:\n    def act(self, view):\n"
        "        hoard.append(bytearray(8 << 20))\n        return view.legal[0]\n"
    )
    words = ("--isolation", "process", "--variant", "lives", "--matches", "3")
    result = arena("check", "hungry.py:Hungry", *words)
    assert result.exit_code == 1
    assert "crash ×" in result.stdout
    assert "Hint: it ran out of memory; use less" in result.stdout
    assert "peeking" not in result.stdout
    assert "not-repeated" not in result.stdout


def test_failure_with_other_hidden_cards_is_not_called_peeking(arena: Arena, bots: Path) -> None:
    (bots / "third.py").write_text(
        "made = 0\nclass Third:\n    def __init__(self, info):\n        global made\n        made += 1\n"
        "    def act(self, view):\n        assert made < 3, 'no more'\n        return view.legal[0]\n"
    )
    words = ("--isolation", "inline", "--variant", "lives", "--matches", "1", "--json")
    card = json.loads(arena("check", "third.py:Third", *words).stdout)
    assert {flaw["kind"] for flaw in card["flaws"]} == {"crash"}


def test_timeout_names_limit_bank_and_cpu_time(arena: Arena, bots: Path) -> None:
    (bots / "slow.py").write_text(
        "class Slow:\n    def act(self, view):\n        while True:\n            pass\n"
    )
    (bots / "it.toml").write_text(
        'bots = ["random", "greedy"]\n'
        "limits = {decision_ms = 20, bank_ms = 50, start_ms = 2000, faults = 1}\n"
        '[[variants]]\nname = "lives"\nplayers = 2\ntokens = 1\n'
    )
    result = arena("check", "slow.py:Slow", "--isolation", "process", "--config", "it.toml", "--matches", "1")
    assert LIMIT in result.stdout
    assert " s of CPU time since its start; it was in:" in result.stdout


def test_missing_package_and_stray_output_have_hints(arena: Arena, bots: Path) -> None:
    (bots / "missing.py").write_text(f"import numpie\n{CODE}")
    result = arena("check", "missing.py:Good", "--isolation", "process", "--matches", "1")
    assert "Hint: a bot can import Python's standard library, arena and msgspec" in result.stdout
    assert "  memory            not measured\n" in result.stdout
    (bots / "loud.py").write_text(CODE.replace("return view", "print('thinking'); return view"))
    result = arena("check", "loud.py:Good", "--isolation", "process", "--matches", "1")
    assert "    thinking\n    Hint: nobody sees this output in a tournament" in result.stdout


def test_one_match_that_went_differently_is_in_the_singular(arena: Arena, bots: Path) -> None:
    (bots / "dice.py").write_text(
        "import random\nclass Dice:\n    def act(self, view):\n        return random.choice(view.legal)\n"
    )
    words = ("--isolation", "inline", "--variant", "lives", "--matches", "1")
    assert "  played again      1 match went differently\n" in arena("check", "dice.py:Dice", *words).stdout


def test_all_submissions_are_checked(arena: Arena, bots: Path) -> None:
    for name in ("Good", "Bad"):
        assert arena("submit", f"mine.py:{name}", "--name", name).exit_code == 0
    result = arena("check", "submitted", "--isolation", "inline", "--matches", "1")
    assert result.exit_code == 1
    assert [line for line in result.stdout.splitlines() if line in ("Good", "Bad")] == ["Bad", "Good"]
    assert re.fullmatch(
        r"1 of 2: Bad: crash ×\d+\n2 of 2: Good: ready for a tournament, \d+ decisions\n", result.stderr
    )
    again = arena("check", "submitted", "--isolation", "inline", "--matches", "1", "--jobs", "2")
    timeless = [re.sub(r"[\d.,]+ (ms|MB)", "", text.stdout) for text in (result, again)]
    assert timeless[0] == timeless[1]


def test_submissions_are_checked_by_a_config_or_game_even_if_one_does_not_play_it(
    arena: Arena, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_STORE", "store")
    for name in ("Good", "Bad"):
        assert arena("submit", f"mine.py:{name}", "--name", name).exit_code == 0
    (bots / "cuccu.toml").write_text(
        'bots = ["submitted:Good", "random"]\n[[variants]]\nname = "cuccu"\nplayers = 2\n'
    )
    common = (
        "check",
        "submitted",
        "--isolation",
        "inline",
        "--matches",
        "1",
        "--jobs",
        "1",
    )
    for option, reason in (
        (("--variant", "cuccu"), "Bad does not play cuccu: its variants are lives; "),
        (("--config", "cuccu.toml"), "Bad plays none of the config's games: cuccu"),
    ):
        result = arena(*common, *option)
        first, second = result.stderr.splitlines()
        assert first.startswith(f"1 of 2: Bad: {reason}")
        assert second.startswith("2 of 2: Good: ready for a tournament, ")
        assert (result.exit_code, result.stdout.splitlines()[0]) == (1, "Good")


def test_the_time_of_a_check_is_limited(arena: Arena, bots: Path) -> None:
    result = arena("check", "mine.py:Good", "--isolation", "inline", "--minutes", "1e-9")
    assert "  games             1, no issues; 1 more were not played\n" in result.stdout


def test_submission_is_checked_by_name(arena: Arena, bots: Path) -> None:
    arena("submit", "mine.py:Good")
    result = arena("check", "submitted:good", "--isolation", "inline", "--matches", "1")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "good")


def test_check_uses_the_games_and_limits_of_a_config(arena: Arena, bots: Path) -> None:
    config = 'bots = ["greedy", "random"]\n[limits]\nfaults = 2\ndecision_ms = 70\n'
    config += '[[variants]]\nname = "pool"\nplayers = 2\n'
    for game in ("cuccu", "lives"):
        config += f'[[variants]]\nname = "{game}"\nplayers = 2\ntokens = 2\n'
    (bots / "cup.toml").write_text(config)
    inline = ("--isolation", "inline")
    result = arena("check", "mine.py:Good", *inline, "--config", "cup.toml", "--matches", "1")
    assert "(allowed 70)" in result.stdout
    assert [line.partition(",")[0] for line in result.stderr.splitlines()] == [
        "cuccu(tokens=2)",
        "lives(tokens=2)",
    ]
    assert "  runs in           inline" in result.stdout.splitlines()
    undeclared = arena("check", "mine.py:Good", *inline, "--variant", "pool")
    assert (undeclared.exit_code, "does not play pool" in undeclared.stderr) == (2, True)
    call = ("check", "mine.py:Bad", *inline, "--config", "cup.toml", "--matches", "1", "--json")
    bad = json.loads(arena(*call).stdout)
    assert [flaw["kind"] for flaw in bad["flaws"]] == ["crash", "crash"]
    assert {game["variant"] for game in bad["games"]} == {"lives(tokens=2)"}


def test_check_uses_the_games_and_limits_of_a_league(arena: Arena, bots: Path) -> None:
    (bots / "ours").mkdir()
    (bots / "ours/league.toml").write_text(
        "check_matches = 1\n[limits]\ndecision_ms = 70\n"
        '[[variants]]\nname = "pool"\nplayers = 2\n[[variants]]\nname = "lives"\nplayers = 2\n'
    )
    for league in ("ours", "ours/league.toml"):
        words = ("--isolation", "inline", "--league", league)
        result = arena("check", "mine.py:Good", *words)
        assert "(allowed 70)" in result.stdout
        assert [line.partition(",")[0] for line in result.stderr.splitlines()] == ["lives"]
        card = json.loads(arena("check", "mine.py:Good", *words, "--json").stdout)
        assert [game["matches"] for game in card["games"]] == [1]
    (bots / "cox.py").write_text(CODE.replace('("lives", "cuccu")', '("cox",)'))
    result = arena("check", "cox.py:Good", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "plays none of the league's games: pool, lives" in result.stderr
    assert arena("check", "mine.py:Good", *words, "--config", "mine.py").exit_code == 2


HOSTILE = Path(__file__).parents[1] / "play/bot_processes/hostile_bots.py"


def test_check_finds_memory_that_no_resource_limit_counts(arena: Arena) -> None:
    words = ("--variant", "lives", "--isolation", "process", "--matches", "1")
    result = arena("check", f"{HOSTILE}:Hoarder", *words)
    assert result.exit_code == 1
    assert "MB of memory (allowed 256)" in result.stdout
