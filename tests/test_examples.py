"""The example bots in other languages answer every request with a legal action."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from arena.games import VARIANTS, View, variant
from arena.play.bot_runtime.json_views import view_to_json

EXAMPLES = Path(__file__).parents[1] / "examples"
ENCODE = msgspec.json.encode


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"{program} is not here")


@pytest.fixture
def javascript() -> list[str]:
    need("node")
    return ["node", str(EXAMPLES / "javascript/bot.js")]


@pytest.fixture
def c(tmp_path: Path) -> list[str]:
    need("cc")
    program, code = tmp_path / "bot", EXAMPLES / "c/bot.c"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", program, code], check=True)
    return [str(program)]


def views(name: str, matches: int = 1) -> Iterator[View]:
    """Return the questions asked in matches between players who act at random."""
    rng = Random(name)
    for number in range(matches):
        match = variant(name).match(3, f"{name} {number}")
        while not match.is_over:
            seat = match.seat_to_act
            assert seat is not None
            view = match.view(seat)
            yield view
            match.apply(rng.choice(view.legal))


def answered(command: list[str], asked: list[View]) -> list[str]:
    """The actions of a program that is asked all this, each in a match of its own."""
    said = [b'{"t":"hello","v":1,"bot":"x","limits":{},"settings":{}}']
    said += [ENCODE({"t": "act", "m": m, "view": view_to_json(view)}) for m, view in enumerate(asked)]
    done = subprocess.run(
        command, input=b"\n".join([*said, b'{"t":"bye"}\n']), capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    ready, *answers = map(msgspec.json.decode, done.stdout.splitlines())
    assert (ready["t"], ready["v"]) == ("ready", 1)
    assert [(answer["t"], answer["m"]) for answer in answers] == [("action", m) for m in range(len(asked))]
    actions = [answer["action"] for answer in answers]
    return [
        view.text(view.legal[action]) if isinstance(action, int) else view.text(view.parse(action))
        for view, action in zip(asked, actions, strict=True)
    ]


@pytest.mark.parametrize("language", ["javascript", "c"])
def test_example_answers_every_request_of_every_game(language: str, request: pytest.FixtureRequest) -> None:
    command = request.getfixturevalue(language)
    asked = [view for rules in VARIANTS for view in views(str(rules))]
    assert len(answered(command, asked)) == len(asked)


def test_examples_play_identically(javascript: list[str], c: list[str]) -> None:
    asked = [view for name in ("lives", "pool", "cambio") for view in views(name, matches=3)]
    assert answered(javascript, asked) == answered(c, asked)


def test_examples_prefer_the_better_hand(javascript: list[str], c: list[str]) -> None:
    ranks = variant("lives").rank_table
    asked = list(views("lives", matches=3))
    for command in (javascript, c):
        for view, text in zip(asked, answered(command, asked), strict=True):
            made = dict(zip(view.legal, view.hands_after(), strict=True))
            best = max(ranks[hand] for hand in made.values())
            assert ranks[made[view.parse(text)]].category == best.category
