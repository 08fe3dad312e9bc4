"""The page on a league for a class: its blocks are run one after another, word for word."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs/league-for-a-class.md"
SETTINGS = "course/league.toml"
SHORTER = {
    "precision = 25 ": "precision = 900 ",
    "blocks = 300 ": "blocks = 3 ",
    "[submitters]": "check_matches = 1\n[submitters]",
    'name = "lives"': 'name = "lives"\ntokens = 1',
    '[[variants]]\nname = "thirty-one"\nplayers = [4]\n': "",
    "random simple greedy counter retuned": "random simple retuned",
    "--top 7": "--top 4",
    "--blocks 40": "--blocks 2",
    "--minutes 10": "--minutes 0.01",
}
"""Lengths on the page with its second game and three bots, and those of the test."""


def read_blocks() -> list[tuple[str, str]]:
    """Return the language and text of the blocks of the page, as long as the test plays them."""
    text = PAGE.read_text(encoding="utf-8")
    for long, short in SHORTER.items():
        assert long in text
        text = text.replace(long, short)
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.skipif(sys.platform != "linux", reason="submitted bots are isolated on Linux alone")
def test_the_page_runs_word_for_word(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    printed = ""
    for language, block in read_blocks():
        if language == "toml":
            (tmp_path / SETTINGS).write_text(block, encoding="utf-8")
        elif language == "sh":
            done = subprocess.run(
                ["sh", "-e", "-c", block],
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
            printed += done.stdout
    assert "ann: admitted" in printed
    assert "ben: admitted" in printed
    bots = json.loads((tmp_path / "course/site/bots.json").read_bytes())["bots"]
    assert {row["bot"]: row["state"] for row in bots if row["bot"] in ("ann", "ben")} == {
        "ann": "active",
        "ben": "withdrawn",
    }
    assert (tmp_path / "course/finals/001/report.html").exists()


def test_nothing_on_the_page_needs_root() -> None:
    shell = [block for language, block in read_blocks() if language == "sh"]
    assert not any(word in block for block in shell for word in ("chown", "sudo", "systemctl", "/srv"))
