"""The commands of the chapter "From greedy to expert" run as they are written, with fewer blocks."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Arena

ROOT = Path(__file__).parents[2]
CHAPTER = (
    (ROOT / "docs/writing-a-bot.md").read_text(encoding="utf-8").partition("\n## From greedy to expert\n")[2]
)
COMMANDS = [
    line
    for block in re.findall(r"^```sh\n(.*?)^```$", CHAPTER, re.DOTALL | re.MULTILINE)
    for line in block.splitlines()
]
COMMANDS += [" ".join(text.split()) for text in re.findall(r"`(arena run [^`]+)`", CHAPTER)]
SHORT = {
    "check": ("--matches", "1", "--isolation", "inline"),
    "compare": ("--blocks", "2", "--jobs", "1", "--isolation", "inline"),
    "play": ("--isolation", "inline"),
    "run": ("--blocks", "2", "--jobs", "1", "--out"),
}
"""Options by which a command takes less time."""


def test_the_chapter_has_each_kind_of_command() -> None:
    assert {shlex.split(line)[1] for line in COMMANDS} == set(SHORT)


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_chapter_runs(
    arena: Arena, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, command, *arguments = shlex.split(line)
    assert program == "arena"
    folder = [tmp_path / "run"] if command == "run" else []
    result = arena(command, *arguments, *SHORT[command], *folder, stdin=b"quit\n")
    assert result.exit_code == 0, result.output
