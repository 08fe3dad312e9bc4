"""The bots of the chapter "From greedy to expert" play without faults, and the chapter quotes their code."""

import re
from pathlib import Path

import pytest

from arena import run_tournament
from arena.games.registry import find_variant
from arena.play import Limits
from arena.play.conformance.checks import find_startup_error
from arena.plugins import parse_bot

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples/greedy-to-expert"
CHAPTER = ROOT / "docs/writing-a-bot.md"
STEPS = range(1, 6)


def make_config(blocks: int, *steps: int) -> dict[str, object]:
    bots = [{"bot": str(FOLDER), "name": f"step {step}", "step": step} for step in steps]
    variants = [{"name": "cambio", "players": len(steps)}]
    return {"bots": bots, "variants": variants, "blocks": blocks, "seed": "any text", "replays": 0}


def test_all_steps_play_together_without_faults(tmp_path: Path) -> None:
    run = run_tournament(make_config(2, *STEPS), tmp_path / "run", isolation="inline").run
    matches = [match for _, result in run.played() for match in result.matches]
    assert len(matches) == 2 * len(STEPS)
    assert not any(match.faults for match in matches)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"stp": 3}, "unknown setting 'stp'; the settings are step, knowledge, harm, public"),
        ({"step": 6}, "step is a whole number from 1 to 5, not 6"),
        ({"step": 2.5}, "step is a whole number from 1 to 5, not 2.5"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], reason: str) -> None:
    spec = parse_bot({"bot": str(FOLDER), **settings}, Path())
    error = find_startup_error(spec, "inline", Limits(), find_variant("cambio"))
    assert error is not None
    assert reason in error


@pytest.mark.full
@pytest.mark.parametrize("step", STEPS[1:])
def test_each_step_is_ahead_of_the_one_before(step: int, tmp_path: Path) -> None:
    run = run_tournament(make_config(300, step, step - 1), tmp_path / "run", isolation="inline").run
    first = run.results().rows[0]
    assert first.bot == f"step {step}"
    assert first.elo is not None
    assert first.error is not None
    assert first.elo - 1500 > first.error


def test_the_chapter_quotes_the_code_of_the_steps() -> None:
    lines = [
        line.strip()
        for step in STEPS
        for line in (FOLDER / f"step_{step}.py").read_text(encoding="utf-8").splitlines()
    ]
    quotes = re.findall(r"^```py\n(.*?)^```$", CHAPTER.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert quotes
    for quote in quotes:
        wanted = [line.strip() for line in quote.splitlines()]
        starts = range(len(lines) - len(wanted) + 1)
        assert any(lines[start : start + len(wanted)] == wanted for start in starts), quote
