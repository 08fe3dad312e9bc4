"""`arena why`."""

import base64
import json
import re
import shlex
import zlib
from pathlib import Path

import pytest

from tests.cli.conftest import Arena


@pytest.fixture
def played(arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A comparison in a field."""
    monkeypatch.chdir(tmp_path)
    game = ("--field", "random", "--players", "2", "--set", "tokens=1", "--blocks", "12", "--seed", "why")
    assert arena("compare", "greedy", "stand-pat", *game, "--out", "run", "--jobs", "1").exit_code == 0
    return Path("run")


def test_leads_by_game_seat_and_opponent_and_the_commands_of_the_largest_swings(
    arena: Arena, played: Path
) -> None:
    result = arena("why", "greedy", "stand-pat", str(played), "--all")
    assert result.exit_code == 0, result.output
    assert "Lead in score of greedy over stand-pat, in the same seats on the same" in result.stdout
    commands = [line.strip() for line in result.stdout.splitlines() if "arena replay show" in line]
    for command in commands[:2]:
        shown = arena(*shlex.split(command)[1:])
        assert shown.exit_code == 0, shown.output
    assert Path("swing-1a.html").exists()
    assert Path("swing-1b.html").exists()


def test_a_conclusion_and_three_examples_come_first_and_the_rest_by_all(arena: Arena, played: Path) -> None:
    result = arena("why", "greedy", "stand-pat", str(played))
    lines = result.stdout.splitlines()
    assert lines[0].startswith("greedy leads stand-pat by ")
    same = "percentage points in the same seats on the same cards (12 blocks)."
    assert lines[0].endswith(same)
    behind = arena("why", "stand-pat", "greedy", str(played)).stdout.splitlines()
    assert behind[0] == lines[0].replace("greedy leads stand-pat", "stand-pat loses to greedy")
    [title, *_] = [line for line in behind if ", seat " in line]
    assert re.search(r", stand-pat loses [0-9]+\.[0-9]{2}$", title)
    assert "Deals in which greedy gained most on stand-pat after they first acted differently:" in lines
    commands = [line.partition(": ")[2] for line in lines if "arena replay show" in line]
    assert 2 <= len(commands) <= 6
    assert arena(*shlex.split(commands[0])[1:]).exit_code == 0
    assert lines[-1].startswith("--all lists")
    assert len(lines) < 25
    complete = arena("why", "greedy", "stand-pat", str(played), "--all").stdout
    assert complete.startswith(lines[0])
    assert len(complete) > 2 * len(result.stdout)
    assert "What cost stand-pat most, where greedy decided otherwise on the same cards:" in complete
    [line] = [line for line in complete.splitlines() if line.startswith("  stand-pat: arena replay show")][:1]
    assert arena(*shlex.split(line.partition(": ")[2])[1:]).exit_code == 0


def test_a_page_has_the_situations_and_the_deals_to_step_through(
    arena: Arena, played: Path, tmp_path: Path
) -> None:
    page = tmp_path / "why.html"
    options = ("--chances", "2", "--by", "prudent")
    made = arena("why", "greedy", "stand-pat", str(played), "--html", "--out", page, *options)
    assert made.exit_code == 0, made.output
    text = page.read_text()
    assert "What cost stand-pat most, where greedy decided otherwise" in text
    matches = {int(number) for number in re.findall('href="#match=([0-9]+)&amp;deal=', text)}
    script = re.search('id="matches">(.*?)</script>', text, re.DOTALL)
    assert script
    replays = json.loads(script[1])
    assert [replay["number"] for replay in replays] == list(range(1, len(replays) + 1))
    assert matches <= {replay["number"] for replay in replays}
    deals = json.loads(zlib.decompress(base64.b64decode(replays[0]["packed"])))
    assert "chances" in deals[0]
    assert replays[0]["others"] == ["prudent"]
    assert any("prudent" in frame.get("others", {}) for deal in deals for frame in deal["frames"])
    assert (
        "already exists" in arena("why", "greedy", "stand-pat", str(played), "--html", "--out", page).stderr
    )


def test_programs_get_leads_that_are_those_of_the_comparison_and_mirror_each_other(
    arena: Arena, played: Path
) -> None:
    first, other = (
        json.loads(arena("why", *bots, str(played), "--json").stdout)
        for bots in (("greedy", "stand-pat"), ("stand-pat", "greedy"))
    )
    assert first["lessons"] == other["lessons"][::-1]
    assert all(
        lesson["deals"] >= 8 > 0 > lesson["lead"] for lessons in first["lessons"] for lesson in lessons
    )
    assert any(first["lessons"])
    leads = {(part["part"], part["name"]): part["lead"] for part in first["parts"]}
    assert set(leads) == {
        *(
            ("game", "lives(tokens=1), 2 players"),
            ("position", "2"),
            ("position", "1"),
            ("opponent", "random"),
        )
    }
    table = arena("table", str(played), "--standings", "--format", "json").stdout
    score = max(row["score"] for row in json.loads(table))
    assert abs(leads["game", "lives(tokens=1), 2 players"]) == pytest.approx(score - 50, abs=0.06)
    assert leads["game", "lives(tokens=1), 2 players"] == pytest.approx(
        (leads["position", "2"] + leads["position", "1"]) / 2
    )
    assert {(part["name"], -part["lead"]) for part in other["parts"]} == {
        (part["name"], part["lead"]) for part in first["parts"]
    }
    sizes = [abs(swing["scores"][0] - swing["scores"][1]) for swing in first["swings"]]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 0
