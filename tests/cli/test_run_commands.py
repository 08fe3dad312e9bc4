"""`arena run` and `arena resume`."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from arena.play.isolation import Level, ProbeResult, probe
from arena.tournament.engine.machine import measure_speed
from arena.tournament.run import Run
from arena.tournament.schedule import commitment
from arena.tournament.setup.config import QUICK
from tests.cli.conftest import Arena

SMALL = (
    *("--bot", "greedy", "--bot", "random", "--variant", "lives", "--players", "2", "--set", "tokens=1"),
    *("--blocks", "6", "--seed", "any text", "--jobs", "1"),
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_run_prints_its_table_and_the_next_commands(arena: Arena) -> None:
    result = arena("run", *SMALL)
    assert result.exit_code == 0
    assert result.stderr.startswith("Playing 6 blocks into results/quick-001: 1 job, 2 bots inline.\n")
    table, *rest = result.stdout.split("\n\nResults are in results/quick-001; the seed is any text\n\n")
    assert table.startswith("lives(tokens=1), 2 players\n\n  rank  bot")
    page, *commands = [line.split("  ")[1] for line in rest[0].splitlines()]
    assert Path(page).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert commands == [
        "arena table results/quick-001 --explain",
        "arena replay list results/quick-001 --worst random",
        "arena replay verify results/quick-001",
    ]
    for command in commands:
        assert arena(*command.split()[1:]).exit_code == 0
    assert arena("table", "results/quick-001").stdout.startswith(
        f"{table}\n\nRules: lives(tokens=1) 1. Bots: "
    )


RAISING = """
class Raising:
    def act(self, view):
        raise ValueError

class Unmade(Raising):
    def __init__(self):
        raise KeyError
"""


@pytest.mark.parametrize("quiet", [(), ("-q",)], ids=["", "quiet"])
def test_each_command_probes_a_level_once(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, quiet: tuple[str, ...]
) -> None:
    probed = []

    def count_probe(level: Level) -> ProbeResult:
        probed.append(level)
        return probe(level)

    monkeypatch.setattr("arena.play.isolation.level_selector.probe", count_probe)
    stopped = arena("run", *SMALL, *quiet, "--isolation", "process", "--time-limit", "1e-9")
    assert (stopped.exit_code, probed) == (1, ["process"])
    assert arena("resume", "results/quick-001", "--jobs", "1", *quiet).exit_code == 0
    assert probed == ["process", "process"]


def test_faults_name_the_bots_as_the_run_does(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text(RAISING)
    (here / "it.toml").write_text(
        """bots = [
            "greedy", {bot = "mine.py:Raising", name = "alpha"}, {bot = "mine.py:Unmade", name = "beta"}
        ]
        blocks = 1
        replays = 0
        [[variants]]
        name = "lives"
        players = 3
        """
    )
    result = arena("run", "it.toml", "--isolation", "inline", "--jobs", "1", "--keep-going")
    assert re.search(r"alpha at seat \d, deal \d+: crash: ValueError", result.stderr)
    assert re.search(r"beta at seat \d, deal \d+: no-start: KeyError", result.stderr)
    assert "arena replay" not in result.stdout  # there is none


def test_each_run_has_a_folder_of_its_own(arena: Arena, here: Path) -> None:
    arena("run", *SMALL)
    arena("run", *SMALL)
    first, second = sorted((here / "results").iterdir())
    assert (first.name, second.name) == ("quick-001", "quick-002")
    assert (first / "elo.csv").read_bytes() == (second / "elo.csv").read_bytes()


def test_config_names_the_folder_and_options_override_it(arena: Arena, here: Path) -> None:
    (here / "mine.toml").write_text(
        'bots = ["greedy", "random"]\nblocks = 3\n[[variants]]\nname = "lives"\nplayers = 2\ntokens = 1\n'
    )
    result = arena("run", "mine.toml", "--blocks", "1", "--jobs", "1")
    assert result.exit_code == 0
    run = Run.open(here / "results" / "mine-001")
    assert (run.config.blocks, str(run.config.variants[0].rules)) == (1, "lives(tokens=1)")
    said, seed = result.stderr.splitlines()[1], run.seed
    assert said.startswith("Random seed, revealed at the end; its hash is ")
    assert seed not in result.stderr
    assert f"the seed is {seed}\n" in result.stdout


def test_drawn_seed_is_committed_to_before_the_run_and_published_after_it(arena: Arena, here: Path) -> None:
    call = ("run", "--bot", "greedy", "--bot", "random", "--players", "2", "--blocks", "1", "--jobs", "1")
    played = arena(*call, "--out", "mine")
    [seed] = re.findall('^seed = "(.{32})"$', (here / "mine/run.toml").read_text(), re.MULTILINE)
    assert f"its hash is {commitment(seed)}." in played.stderr
    assert seed not in played.stderr + (here / "mine/arena.log").read_text()


def test_run_without_a_config_plays_the_quick_tournament(arena: Arena, here: Path) -> None:
    result = arena("run", "--blocks", "1", "--set", "tokens=1", "--jobs", "1")
    assert result.exit_code == 0
    played = Run.open(here / "results" / "quick-001").config
    assert [bot.name for bot in played.bots] == ["random", "stand-pat", "greedy", "prudent", "counter"]
    assert QUICK.stem == "quick"


@pytest.mark.parametrize("level", ["inline", pytest.param("process", marks=pytest.mark.full)])
def test_single_bot_joins_the_quick_tournament(arena: Arena, here: Path, level: str) -> None:
    (here / "mine.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[-1]\n")
    call = ("run", "--bot", "mine.py:Bot", "--blocks", "1", "--set", "tokens=1", "--jobs", "1")
    assert arena(*call, "--isolation", level).exit_code == 0
    run = Run.open(here / "results" / "quick-001")
    assert len(run.config.bots) == 6
    assert run.metadata.isolation["mine.py:Bot"] == level


def test_folder_with_a_run_is_not_overwritten(arena: Arena, here: Path) -> None:
    assert arena("run", *SMALL, "--out", "run").exit_code == 0
    before = {file: file.read_bytes() for file in (here / "run").iterdir()}
    result = arena("run", *SMALL, "--out", "run")
    assert result.exit_code == 1
    assert result.stderr == "arena: run holds a run already; `arena resume run` continues it\n"
    assert {file: file.read_bytes() for file in (here / "run").iterdir()} == before


def test_stopped_run_says_how_to_resume_and_ends_the_same(arena: Arena, here: Path) -> None:
    whole = arena("run", *SMALL, "--out", "whole")
    stopped = arena("run", *SMALL, "--out", "stopped", "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert "Stopped early; resume with `arena resume stopped`." in stopped.stdout
    resumed = arena("resume", "stopped", "--jobs", "1")
    assert (resumed.exit_code, resumed.stdout) == (0, whole.stdout.replace("whole", "stopped"))
    for name in ("elo.csv", "matches.csv", "replays.jsonl.zst"):
        assert (here / "stopped" / name).read_bytes() == (here / "whole" / name).read_bytes()


def test_table_is_printed_in_every_format(arena: Arena, played: Path) -> None:
    lines, in_folder = arena("table", played, "--format", "csv").stdout, (played / "elo.csv").read_text()
    assert lines == in_folder
    assert arena("table", played, "--format", "md").stdout == (played / "elo.md").read_text()
    rows = json.loads(arena("table", played, "--format", "json").stdout)
    assert [row["variant"] for row in rows] == [*["lives(tokens=1)"] * 3, *["pool"] * 3, *["overall"] * 3]
    plain = arena("table", played).stdout
    assert plain.count("\n  rank  bot") == 3


def test_explain_documents_the_table(arena: Arena, played: Path) -> None:
    plain, explained = arena("table", played).stdout, arena("table", played, "--explain").stdout
    assert explained.startswith(f"{plain}\nrank     Place by Elo, the highest first")


def test_bench_measures_random_and_greedy_bots(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.cli.machine.MEASUREMENT_CPU_S", 0.01)
    monkeypatch.setattr("arena.cli.machine.measure_speed", cache(measure_speed))
    speeds = json.loads(arena("bench", "lives", "--json").stdout)
    assert [(speed["variant"], speed["bot"]) for speed in speeds] == [
        ("lives", "random"),
        ("lives", "greedy"),
    ]
    table, _, meaning = arena("bench", "lives").stdout.partition("\n\n")
    assert [line.split()[0] for line in table.splitlines()] == ["variant", "---------", "lives"]
    assert meaning.startswith("/s            decisions per second of CPU time")


def test_bot_is_withdrawn_when_resuming(arena: Arena, here: Path) -> None:
    (here / "mine.toml").write_text(
        'format = "swiss"\nrounds = 2\nbots = ["random", "stand-pat", "greedy", "prudent"]\nblocks = 1\n'
        '[[variants]]\nname = "lives"\nplayers = 2\ntokens = 1\n'
    )
    assert arena("run", "mine.toml", "--jobs", "1", "--time-limit", "1e-9").exit_code == 1
    resume = ("resume", "results/mine-001", "--jobs", "1", "--withdraw")
    wrong = arena(*resume, "gredy")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert wrong.stderr == "arena: no bot in the run is called 'gredy'; the nearest is 'greedy'\n"
    result = arena(*resume, "greedy")
    assert result.exit_code == 0
    standings = result.stdout.partition("\n\nWithdrawn: ")[0].splitlines()
    assert standings[0] == "Swiss after 2 of 2 rounds"
    assert standings[-1].split() == ["greedy", "(withdrawn)", "0"]
    assert "greedy = 0" in (here / "results/mine-001/run.toml").read_text()


def test_early_interrupt_says_how_to_resume(
    arena: Arena, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "play", interrupted)
    call = ("run", "--bot", "greedy", "--bot", "random", "--players", "2", "--out", "my run")
    said = "arena: interrupted; run `arena resume 'my run'` to continue\n"
    for result in (arena(*call), arena("resume", "my run")):
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.endswith(said)
    compared = arena("compare", "greedy", "random", "--out", "it")
    assert compared.stderr.endswith("run `arena resume it` to continue\n")
    monkeypatch.setattr(Run, "create", interrupted)
    assert arena(*call[:-1], "other").stderr.endswith("arena: interrupted\n")  # nothing has begun


CLAIMING = """
class Choosy:
    variants = {names}

    def act(self, view):
        return view.legal[0]
"""


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ('("lives", "exchange")', None),
        ("()", None),
        (
            '("cuckoo", "pool")',
            "mine.py:Choosy does not play lives: its variants are cuckoo, pool; leave out the",
        ),
        (
            '("livs",)',
            "variants: no game and no family is called 'livs'; the nearest is 'lives'",
        ),
        ('"lives"', "variants: 'lives' is not a list of games: write variants = [\"lives\"]"),
    ],
)
def test_run_refuses_a_game_that_a_bot_does_not_support(
    arena: Arena, here: Path, names: str, message: str | None
) -> None:
    (here / "mine.py").write_text(CLAIMING.format(names=names))
    bots = ("--bot", "mine.py:Choosy", "--bot", "random", "--isolation", "inline")
    result = arena("run", *bots, "--players", "2", "--blocks", "1", "--jobs", "1")
    if message is None:
        assert result.exit_code == 0
    else:
        assert (result.exit_code, result.stdout, message in result.stderr) == (2, "", True)
        assert "mine.py" in result.stderr
        assert not (here / "results").exists()


MINE = "class Good:\n    def act(self, view):\n        return view.legal[-1]\n"
FAST = ("--blocks", "1", "--set", "tokens=1", "--jobs", "1", "--isolation", "inline", "--out", "run")


@pytest.mark.parametrize(
    "call",
    [
        ("--bot", "mine.py:Good", "--bot", "greedy"),
        ("mine.py:Good", "greedy"),
        ("mine.py", "--bot", "greedy"),
        ("./mine", "greedy"),
    ],
)
def test_two_bots_play_at_tables_of_two(arena: Arena, here: Path, call: tuple[str, ...]) -> None:
    (here / "mine.py").write_text(MINE)
    (here / "mine").mkdir()
    (here / "mine" / "good.py").write_text(MINE)
    result = arena("run", *call, *FAST)
    assert result.exit_code == 0, result.output
    played = Run.open(here / "run").config
    assert [bot.name for bot in played.bots] == [call[0] if ":" in call[0] else played.bots[0].name, "greedy"]
    assert [entry.players for entry in played.variants] == [(2,)]


def test_a_bot_joins_the_default_field(arena: Arena, here: Path) -> None:
    (here / "mine.py").write_text(MINE)
    assert arena("run", "mine.py", *FAST).exit_code == 0
    played = Run.open(here / "run").config
    assert [bot.name for bot in played.bots[4:]] == ["counter", "mine.py"]
    assert [entry.players for entry in played.variants] == [(4,)]


def test_a_bot_of_the_default_field_may_be_named(arena: Arena, here: Path) -> None:
    result = arena("run", "greedy", *FAST)
    assert result.exit_code == 0
    assert result.stderr.startswith("greedy is already in the default field.\n")
    assert len(Run.open(here / "run").config.bots) == 5


def test_a_bot_of_a_config_may_be_named_by_its_file(arena: Arena, here: Path) -> None:
    (here / "cups").mkdir()
    (here / "mine.py").write_text(MINE)
    (here / "cups" / "cup.toml").write_text(
        'bots = ["../mine.py:Good", "random"]\n[[variants]]\nname = "lives"\n'
    )
    result = arena("run", "cups/cup.toml", "mine.py:Good", *FAST)
    assert result.exit_code == 0, result.output
    assert result.stderr.startswith("mine.py:Good is already in cups/cup.toml.\n")
