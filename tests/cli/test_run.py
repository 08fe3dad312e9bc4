"""`arena run` and `arena resume`: what they play and print, their logs, and seeds that are committed to."""

import csv
import importlib
import json
import logging
import re
import shlex
import sqlite3
import stat
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena import compare, play_match
from arena.play.isolation import Level, ProbeResult, probe
from arena.tournament.run import Run
from arena.tournament.schedule import commitment
from arena.tournament.setup.config import QUICK
from tests.cli.conftest import Arena

SMALL = (
    *("run", "greedy", "random", "--variant", "lives", "--players", "2"),
    *("--set", "tokens=1", "--blocks", "6", "--seed", "any text", "--jobs", "1"),
)
NEVER = ("--time-limit", "1e-9")


pytestmark = pytest.mark.usefixtures("here")


def ending(errors: str) -> dict[str, str]:
    """The last line, for scripts."""
    return dict(word.split("=", 1) for word in shlex.split(errors.splitlines()[-1]))


def told(folder: str) -> list[str]:
    """The log of a run without its times and names."""
    return [line.split(": ", 1)[1] for line in Path(folder, "arena.log").read_text().splitlines()]


def test_last_line_is_machine_readable(arena: Arena) -> None:
    stopped = arena(*SMALL, "--out", "a run", *NEVER, "--json")
    assert ending(stopped.stderr) == {"ending": "interrupted", "blocks": "0", "total": "6", "folder": "a run"}
    done = arena("resume", "a run", "--jobs", "1", "--json")
    fields = {"ending": "done", "blocks": 6, "total": 6, "folder": "a run"}
    assert fields.items() <= json.loads(done.stdout).items()
    assert ending(done.stderr) == {"ending": "done", "blocks": "6", "total": "6", "folder": "a run"}


def test_quiet_prints_only_the_table(arena: Arena) -> None:
    result = arena(*SMALL, "--out", "run", "-q")
    assert result.stderr == ""
    assert result.stdout.startswith("lives(tokens=1), 2 players\n")


def test_verbose_logs_every_step(arena: Arena) -> None:
    assert "6 blocks stored" not in arena(*SMALL, "--out", "usual").stderr
    assert "DEBUG: 6 blocks stored\n" in arena(*SMALL, "--out", "verbose", "--verbose").stderr
    assert "6 blocks stored" in told("verbose")
    assert "6 blocks stored" not in told("usual")


def test_verbose_leaves_out_the_steps_of_the_compiler(caplog: pytest.LogCaptureFixture) -> None:
    importlib.import_module("arena.tournament.engine.logs")
    with caplog.at_level(logging.DEBUG):
        assert logging.getLogger("arena").isEnabledFor(logging.DEBUG)
        assert not logging.getLogger("numba.core.ssa").isEnabledFor(logging.DEBUG)


def test_log_has_timestamped_events(arena: Arena) -> None:
    arena(*SMALL, "--out", "run", *NEVER, "-q")
    arena("resume", "run", "--jobs", "1")
    lines = told("run")
    heads = [line.partition(":")[0] for line in lines]
    start = "round-robin of 2 bots, blocks in the store: 0; played with --jobs 1 --start forkserver"
    assert lines.count(start) == 2
    assert [head for head in heads if head.startswith(("interrupted", "done", "tables"))] == [
        "interrupted up to block 6",
        "interrupted by time limit; blocks in the store",
        "tables and replays are written",
        "done up to block 6",
        "done; blocks in the store",
        "tables and replays are written",
    ]
    assert "rules of lives(tokens=1): 1" in lines
    assert {"greedy", "random"} < set(heads)


def test_bots_given_by_path_are_printed_by_short_names_and_kept_by_whole_ones(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    for place, choice in (("old/mine.py", 0), ("new/mine.py", -1), ("other.py", 0)):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text(
            f"class Mine:\n    def act(self, view):\n        return view.legal[{choice}]\n"
        )
    bots = ["greedy", *(str(tmp_path / place) for place in ("old/mine.py", "new/mine.py", "other.py"))]
    common = ("--isolation", "inline", "--blocks", "8", "--players", "2", "--jobs", "1", "--seed", "s")
    played = arena("run", *bots, *common, "--out", "run")
    assert played.exit_code == 0, played.output
    assert str(tmp_path) not in played.output
    ranked = [line.split()[1] for line in played.stdout.split("\n\n")[1].splitlines()[2:]]
    assert sorted(ranked) == ["greedy", "new/mine.py", "old/mine.py", "other.py"]
    for style in ("plain", "md"):
        assert str(tmp_path) not in arena("table", "run", "--format", style).stdout
    assert str(tmp_path) not in (here / "run/elo.md").read_text()
    places = ("old/mine.py", "new/mine.py", "other.py")
    labels = {"greedy": "greedy"} | {f"../{place}": place for place in places}
    rows = json.loads(arena("table", "run", "--format", "json").stdout)
    assert {row["bot"]: row["label"] for row in rows} == labels
    with (here / "run/elo.csv").open() as file:
        elo = list(csv.DictReader(file))
    assert {row["bot"]: row["label"] for row in elo} == labels
    assert list(elo[0])[-1] == "label"
    with (here / "run/matches.csv").open() as file:
        matches = csv.DictReader(file)
        assert {row["bot"] for row in matches} == set(labels)
        assert "label" not in (matches.fieldnames or ())
    seats = json.loads(arena("table", "run", "--show", "matrix", "--format", "json").stdout)
    assert {row["other"]: row["other_label"] for row in seats} == labels
    assert arena("why", "new/mine.py", "old/mine.py", "run").stdout.startswith("new/mine.py ")
    listed = arena("replay", "list", "run", "--worst", "other.py").stdout
    assert "other.py (" in listed
    assert str(tmp_path) not in listed
    unlabelled = arena("run", "greedy", "random", *common, "--out", "plain")
    assert unlabelled.exit_code == 0
    assert "label" not in (here / "plain/elo.csv").read_text()


def test_each_spelling_of_a_path_plays_the_same_cards(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    (here / "bots").mkdir(parents=True)
    code = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
    (here / "bots/mine.py").write_text(code)
    (here / "configs").mkdir()
    monkeypatch.chdir(here)
    common = ("--isolation", "inline", "--jobs", "1", "--seed", "s", "--blocks", "6")
    printed: list[list[Any]] = []
    for number, text in enumerate(("./bots/mine.py", str(here / "bots/mine.py"), "../here/bots/mine.py")):
        relative = text if text.startswith("/") else f"../{text}"
        (here / "configs/c.toml").write_text(
            f"""format = "gauntlet"
            hero = "{"../bots/mine.py" if number else relative}"
            bots = ["greedy", "{relative}", "random"]
            variants = [{{name = "cuccu", players = 2}}]"""
        )
        for out, call in (("r", (text, "greedy", "--variant", "cuccu")), ("c", ("configs/c.toml",))):
            played = arena("run", *call, *common, "--out", f"{out}{number}")
            assert played.exit_code == 0, played.output
        printed.append(
            [
                arena("compare", text, "greedy", "--game", "cuccu", *common, "--json").stdout,
                arena("why", text, "greedy", f"r{number}").stdout.replace(f"r{number}", "r"),
                (here / f"r{number}/matches.csv").read_text(),
                (here / f"c{number}/matches.csv").read_text(),
                play_match("cuccu", [text, "greedy"], seed="s")["bots"],
                compare(text, "greedy", game="cuccu", blocks=6, seed="s", isolation="inline").fields,
            ]
        )
    assert all(outputs == printed[0] for outputs in printed)


def test_run_prints_its_table_and_the_next_commands(arena: Arena) -> None:
    result = arena(*SMALL)
    assert result.exit_code == 0
    assert result.stderr.startswith("Playing 6 blocks into results/quick-001: 1 job, 2 bots inline.\n")
    table, *rest = result.stdout.split("\n\nResults are in results/quick-001; the seed is any text\n\n")
    assert table.startswith("lives(tokens=1), 2 players\n\n  rank  bot")
    page, *commands = [line.split("  ")[1] for line in rest[0].splitlines()]
    assert Path(page).read_text(encoding="utf-8").startswith("<!doctype html>")
    assert commands == [
        "arena table results/quick-001 --explain",
        "arena replay list results/quick-001 --worst random",
        "arena verify results/quick-001",
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


def test_each_command_probes_a_level_once(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    probed = []

    def count_probe(level: Level) -> ProbeResult:
        probed.append(level)
        return probe(level)

    monkeypatch.setattr("arena.play.isolation.level_selector.probe", count_probe)
    stopped = arena(*SMALL, "--isolation", "process", "--time-limit", "1e-9")
    assert (stopped.exit_code, probed) == (1, ["process"])
    assert arena("resume", "results/quick-001", "--jobs", "1", "-q").exit_code == 0
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
    result = arena("run", "it.toml", "--isolation", "inline", "--jobs", "1", "--on-fault", "keep")
    assert re.search(r"alpha at seat \d, deal \d+: crash: ValueError", result.stderr)
    assert re.search(r"beta at seat \d, deal \d+: no-start: KeyError", result.stderr)
    assert "arena replay" not in result.stdout  # there is none


def test_each_run_has_a_folder_of_its_own(arena: Arena, here: Path) -> None:
    arena(*SMALL)
    arena(*SMALL)
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
    assert said.startswith(f"Random seed, revealed at the end; its hash is {commitment(seed)}.")
    assert seed not in result.stderr + (here / "results/mine-001/arena.log").read_text()
    assert f'seed = "{seed}"' in (here / "results/mine-001/run.toml").read_text()
    assert f"the seed is {seed}\n" in result.stdout


def test_run_without_a_config_plays_the_quick_tournament(arena: Arena, here: Path) -> None:
    result = arena("run", "--blocks", "1", "--set", "tokens=1", "--jobs", "1")
    assert result.exit_code == 0
    played = Run.open(here / "results" / "quick-001").config
    assert [bot.name for bot in played.bots] == ["random", "stand-pat", "greedy", "prudent", "counter"]
    assert QUICK.stem == "quick"


@pytest.mark.parametrize("level", ["inline", pytest.param("process", marks=pytest.mark.full)])
def test_single_bot_joins_the_quick_tournament(arena: Arena, here: Path, level: str) -> None:
    (here / "mine.py").write_text("class Bot:\n    def act(self, view):\n        return view.legal[-1]\n")
    call = ("--blocks", "1", "--set", "tokens=1", "--jobs", "1", "--isolation", level)
    for words in (("mine.py",), ("mine.py:Bot",)):
        assert arena("run", *words, *call).exit_code == 0
    run = Run.open(here / "results" / "quick-002")
    assert [bot.name for bot in run.config.bots[4:]] == ["counter", "mine.py:Bot"]
    assert [entry.players for entry in run.config.variants] == [(4,)]
    assert run.metadata.isolation["mine.py:Bot"] == level


def test_folder_with_a_run_is_not_overwritten(arena: Arena, here: Path) -> None:
    assert arena(*SMALL, "--out", "run").exit_code == 0
    before = {file: file.read_bytes() for file in (here / "run").iterdir()}
    result = arena(*SMALL, "--out", "run")
    assert result.exit_code == 1
    assert result.stderr == "arena: run holds a run already; `arena resume run` continues it\n"
    assert {file: file.read_bytes() for file in (here / "run").iterdir()} == before


def test_stopped_run_says_how_to_resume_and_ends_the_same(arena: Arena, here: Path) -> None:
    whole = arena(*SMALL, "--out", "whole")
    stopped = arena(*SMALL, "--out", "stopped", "--time-limit", "1e-9")
    assert stopped.exit_code == 1
    assert "Stopped early; resume with `arena resume stopped`." in stopped.stdout
    resumed = arena("resume", "stopped", "--jobs", "1")
    assert (resumed.exit_code, resumed.stdout) == (0, whole.stdout.replace("whole", "stopped"))
    for name in ("elo.csv", "matches.csv", "replays.jsonl.zst"):
        assert (here / "stopped" / name).read_bytes() == (here / "whole" / name).read_bytes()


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
    call = ("run", "greedy", "random", "--players", "2", "--out", "my run")
    said = "arena: interrupted; run `arena resume 'my run'` to continue\n"
    for result in (arena(*call), arena("resume", "my run")):
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.endswith(said)
    compared = arena("compare", "greedy", "random", "--out", "it")
    assert compared.stderr.endswith("run `arena resume it` to continue\n")
    (here / "mine.py").write_text("class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    unconfined = arena("compare", "mine.py", "random", "--out", "other", "--isolation", "inline")
    assert unconfined.stderr.endswith("run `arena resume other --isolation inline` to continue\n")
    monkeypatch.setattr(Run, "create", interrupted)
    assert arena(*call[:-1], "none").stderr.endswith("arena: interrupted\n")  # nothing has begun


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
        ('("livs",)', "variants: no game and no family is called 'livs'; the nearest is 'lives'"),
        ('"lives"', "variants: 'lives' is not a list of games: write variants = [\"lives\"]"),
    ],
)
def test_run_refuses_a_game_that_a_bot_does_not_support(
    arena: Arena, here: Path, names: str, message: str | None
) -> None:
    (here / "mine.py").write_text(CLAIMING.format(names=names))
    bots = ("mine.py:Choosy", "random", "--isolation", "inline")
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
        ("mine.py:Good", "greedy"),
        ("mine.py", "greedy"),
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


CONFIG = """
bots = ["greedy", "random"]
blocks = 2
[[variants]]
name = "cuccu"
players = 2
"""
BEACON = "drand 4242: 8d1f"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "cup.toml"
    path.write_text(CONFIG)
    return path


def commit(arena: Arena, config: Path, folder: Path) -> str:
    result = arena("run", config, "--commit", "--out", folder)
    assert result.exit_code == 0
    assert f"arena run {config} --out {folder} --mix TEXT" in result.stdout
    return result.stdout.splitlines()[0].removeprefix("Commitment: ")


def test_the_seed_is_the_one_committed_to(arena: Arena, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    commitment = commit(arena, config, folder)
    assert json.loads((folder / "commitment.json").read_text()) == {"commitment": commitment}
    assert stat.S_IMODE((folder / "seed.secret").stat().st_mode) == 0o600
    played = arena("run", config, "--out", folder, "--mix", BEACON, "--jobs", "1")
    assert played.exit_code == 0
    assert f"committed to as {commitment}" in played.stdout
    told = json.loads((folder / "commitment.json").read_text())
    assert told["commitment"] == commitment == sha256(told["secret"].encode()).hexdigest()
    assert told["seed"] == sha256(f"{told['secret']}\n{BEACON}".encode()).hexdigest()
    assert f'seed = "{told["seed"]}"' in (folder / "run.toml").read_text()
    assert commitment in (folder / "report.html").read_text()
    assert not (folder / "seed.secret").exists()
    assert arena("verify", folder, "--jobs", "1", "--commitment", commitment).exit_code == 0
    false = arena("verify", folder, "--jobs", "1", "--commitment", "00")
    assert (false.exit_code, f"committed to as {commitment}, not as 00" in false.stdout) == (1, True)


def test_a_seed_that_was_changed_is_found(arena: Arena, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    commit(arena, config, folder)
    assert arena("run", config, "--out", folder, "--jobs", "1").exit_code == 0
    with closing(sqlite3.connect(folder / "arena.db")) as connection, connection:
        connection.execute("UPDATE fact SET value = '\"other\"' WHERE name = 'seed'")
    result = arena("verify", folder, "--jobs", "1")
    assert (result.exit_code, "not the hash of the secret committed to" in result.stdout) == (1, True)


def test_a_commitment_is_not_replaced_or_bypassed(arena: Arena, config: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cup"
    commit(arena, config, folder)
    again = arena("run", config, "--commit", "--out", folder)
    assert (again.exit_code, "has a commitment already" in again.stderr) == (2, True)
    seeded = arena("run", config, "--out", folder, "--seed", "mine", "--jobs", "1")
    assert (seeded.exit_code, "was committed to" in seeded.stderr) == (2, True)
    (folder / "seed.secret").write_text("00\n")
    false = arena("run", config, "--out", folder, "--jobs", "1")
    assert (false.exit_code, "is not the secret" in false.stderr) == (1, True)


@pytest.mark.parametrize("text", ["", "a\nb", "\udcff", "x" * 201])
def test_a_text_that_cannot_be_copied_from_a_page_is_not_mixed_in(
    arena: Arena, config: Path, tmp_path: Path, text: str
) -> None:
    commit(arena, config, tmp_path / "cup")
    result = arena("run", config, "--out", tmp_path / "cup", "--mix", text)
    assert result.exit_code == 2


CALL = ("run", "greedy", "random", "--players", "2", "--blocks", "40", "--set", "tokens=1", "--jobs", "1")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_drawn_seed_is_published_when_the_run_is_done(arena: Arena, tmp_path: Path) -> None:
    run = tmp_path / "run"
    assert arena(*CALL, "--time-limit", "1e-9", "--out", run).exit_code == 1
    seed = Run.open(run).seed
    assert mode_of(run / "arena.db") == 0o600
    for name in ("run.toml", "report.html"):
        assert seed not in (run / name).read_text(encoding="utf-8")
    packed = arena("publish", run, "--out", tmp_path / "cup.zip")
    assert "WARNING: the run is not done, and the archive has the seed" in packed.stderr
    assert arena("resume", run, "--jobs", "1").exit_code == 0
    assert mode_of(run / "arena.db") == mode_of(run / "run.toml")
    for name in ("run.toml", "report.html"):
        assert seed in (run / name).read_text(encoding="utf-8")
    assert "WARNING" not in arena("publish", run, "--out", tmp_path / "done.zip").stderr
    assert arena("verify", run).exit_code == 0


def test_only_its_owner_reads_the_seed_of_a_league(arena: Arena, tmp_path: Path) -> None:
    league = tmp_path / "league"
    assert arena("league", "new", league).exit_code == 0
    assert mode_of(league / "league.db") == 0o600
    (league / "league.db").chmod(0o644)  # as earlier versions left it
    arena("league", "submit", league, "greedy")
    assert mode_of(league / "league.db") == 0o600


def test_missing_scheduler_is_named_and_the_run_can_be_resumed(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    monkeypatch.setattr("arena.tournament.engine.dask.CONNECT_TIMEOUT_S", 0.2)
    bots = ["greedy", "random", "--players", "2", "--blocks", "1"]
    lost = arena("run", *bots, "--cluster", "tcp://127.0.0.1:9", "--out", tmp_path / "run")
    assert lost.exit_code == 1
    assert "no scheduler answers at tcp://127.0.0.1:9" in lost.stderr.splitlines()[-1]
    assert arena("resume", tmp_path / "run", "--jobs", "1").exit_code == 0
