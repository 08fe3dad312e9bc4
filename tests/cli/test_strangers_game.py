"""A stranger's game, in a single file and as an installed package, does all that a game of the arena can.

No file of the arena knows it. Bots in other processes, in Python and in JavaScript, play it too.
"""

import json
import re
import shlex
import shutil
import sys
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from arena import installed, load_game
from arena.errors import ConfigError, InvalidRules
from arena.games import Rules
from arena.play.isolation import probe
from arena.tournament.run import Run
from tests.cli.conftest import Arena
from tests.strangers.loading import GOLF, forget_games

PYTHON_BOT = """
class Careful:
    def __init__(self, info):
        assert info.rules.settlement.deals == 1 and not info.rules.rank_table is None

    def act(self, view):
        assert type(view).__name__ == "GolfView"
        assert view.holdings.other["strokes"][view.seat] == 0 and view.drawn is None or view.drawn.rank
        return view.legal[0]

    def deal_over(self, result):
        assert len(result["strokes"]) == 2
"""
JAVASCRIPT_BOT = """
const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.t === "hello") console.log(JSON.stringify({ t: "ready", v: 1 }));
  if (message.t !== "act") return;
  const view = message.view;
  const action = view.holdings.strokes.length === 2 && view.discard ? view.legal[0] : "nothing";
  console.log(JSON.stringify({ t: "action", m: message.m, action }));
});
"""


class Game(NamedTuple):
    """A game as its player names it."""

    name: str
    trust: tuple[str, ...]
    """Options of commands that find the game in a config, run or record."""


@pytest.fixture
def folder(here: Path) -> Path:
    """The current folder, with the game in a file and two bots."""
    shutil.copy(GOLF, here / "golf.py")
    (here / "careful.py").write_text(PYTHON_BOT)
    (here / "first").mkdir()
    (here / "first" / "bot.js").write_text(JAVASCRIPT_BOT)
    (here / "first" / "bot.toml").write_text('name = "first"\ncommand = ["node", "bot.js"]\n')
    return here


@pytest.fixture(params=["file", "package"])
def game(request: pytest.FixtureRequest, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    with forget_games():
        if request.param == "file":
            yield Game("golf.py:golf", ("--trust-game", "golf.py"))
            return
        install(folder / "site")
        monkeypatch.syspath_prepend(folder / "site")
        installed.find_installed_games.cache_clear()
        yield Game("golf", ())
        installed.find_installed_games.cache_clear()
    for name in [name for name in sys.modules if name.startswith("strange_golf")]:
        del sys.modules[name]


def install(site: Path) -> None:
    """Install a distribution whose package has the game and its rule page."""
    package, info = site / "strange_golf", site / "strange_golf-2.5.dist-info"
    (package / "pages").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "pages" / "golf.md").write_text("# Golf\n\nAs strangers play it.\n")
    (package / "game.py").write_text(GOLF.read_text().replace("arena.games.authoring", "strange_golf.names"))
    (package / "names.py").write_text("from arena.games.authoring import *\n")
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-golf\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text("[arena.games]\ngolf = strange_golf.game\n")


def need(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"there is no program {program}")


def run_bots(arena: Arena, game: Game, level: str, bots: tuple[str, ...], out: str = "out") -> str:
    """Play a small tournament into a folder, and return what is printed."""
    options = ("--players", 2, "--blocks", 1, "--set", "deals=1", "--seed", "any text", "--jobs", 1)
    named = list(bots)
    done = arena("run", *named, "--variant", game.name, *options, "--isolation", level, "--out", out)
    assert done.exit_code == 0, done.output
    assert json.loads(arena(*game.trust, "table", out, "--format", "json").stdout)
    return done.stdout


def test_the_commands_that_a_run_prints_load_the_game(arena: Arena, game: Game) -> None:
    printed = run_bots(arena, game, "inline", ("random", "careful.py"))
    commands = re.findall(r"^  arena (.+?)   ", printed, re.MULTILINE)
    assert [shlex.split(command)[len(game.trust)] for command in commands] == ["table", "replay", "verify"]
    for command in commands:
        words = shlex.split(command)
        assert [word.removeprefix("./") for word in words[: len(game.trust)]] == list(game.trust)
        assert arena(*words).exit_code == 0


def test_a_sandboxed_tournament_of_a_python_and_a_javascript_bot(arena: Arena, game: Game) -> None:
    need("node")
    support = probe("sandbox")
    if not support.usable:
        pytest.skip(f"there is no sandbox here: {support.reason}")
    run_bots(arena, game, "sandbox", ("random", "careful.py", "first"))
    rows = json.loads(arena(*game.trust, "table", "out", "--format", "json").stdout)
    assert {row["bot"]: row["faults"] for row in rows if row["variant"] != "overall"} == {
        "random": 0,
        "careful.py": 0,
        "first": 0,
    }


def test_the_files_of_a_run(arena: Arena, game: Game, folder: Path) -> None:
    run_bots(arena, game, "inline", ("random", "careful.py"))
    for command in (
        ("verify", "out", "--play-again", 1, "--isolation", "inline", "--jobs", 1),
        ("replay", "verify", "out"),
        ("export", "out", "--out", "tables"),
        ("publish", "out", "--out", "out.zip"),
        ("resume", "out", "--isolation", "inline", "--jobs", 1),
    ):
        done = arena(*game.trust, *command)
        assert done.exit_code == 0, (command, done.output)
    shown = arena(*game.trust, "replay", "show", "out").stdout
    assert "plays draw stock: " in shown
    assert "upcard " in shown
    assert arena(*game.trust, "replay", "show", "out", "--html", "--out", "page.html").exit_code == 0
    packed = re.search(r'"packed":"([^"]+)"', (folder / "page.html").read_text(encoding="utf-8"))
    assert packed
    assert "draw stock" in zlib.decompress(b64decode(packed[1])).decode()
    record = json.loads(arena(*game.trust, "replay", "export", "out").stdout.splitlines()[0])
    assert (record["variant"], record["game"]["version"]) == ("golf", 1)
    assert record["deals"][0]["result"].keys() == {"strokes"}


def test_the_environment_can_name_the_games_that_are_trusted(
    arena: Arena, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with forget_games():
        assert arena("variants", "golf").exit_code == 2
        monkeypatch.setenv("ARENA_TRUST_GAMES", str(folder / "golf.py"))
        assert "2-6 players" in arena("variants", "golf").stdout


def test_code_is_imported_only_where_it_is_named_and_only_the_same(arena: Arena, folder: Path) -> None:
    game = Game("golf.py", ("--trust-game", "golf.py"))
    with forget_games():
        run_bots(arena, game, "inline", ("random", "careful.py"))
        record = folder / "record.jsonl"
        record.write_text(arena("replay", "export", "out").stdout)
    (folder / "golf.py").write_text("raise RuntimeError('imported')")
    for command in (
        ("table", "out"),
        ("resume", "out"),
        ("verify", "out"),
        ("run", "out/run.toml"),
        ("report", "out"),
    ):
        refused = arena(*command)
        assert refused.exit_code == 2, command
        assert "would run in the arena's process with your rights: if you trust it" in refused.output
    assert "load it by `arena --trust-game PATH" in arena("replay", "verify", record).output
    assert "imported" in arena(*game.trust, "table", "out").output
    (folder / "golf.py").write_text(f"{GOLF.read_text()}\n# changed\n")
    with forget_games():
        assert arena(*game.trust, "table", "out").exit_code == 0
        with pytest.raises(ConfigError, match=r"golf\(deals=1\) changed since this run began"):
            Run.open(Path("out")).refuse_changes()
        assert (
            "and golf(deals=1) is version 1 of its rules, code " in arena("replay", "verify", record).output
        )
        assert "had version 1, and code " in arena("verify", "out", "--jobs", "2").output


def test_play_compare_and_pages(arena: Arena, game: Game) -> None:
    played = arena("play", game.name, "--players", 2, "--seed", "x", "--set", "deals=1", stdin=b"1\n" * 60)
    assert played.exit_code == 0, played.output
    assert "To win, have the best result at the end of the match." in played.stdout
    assert "draw stock" in played.stdout
    compared = arena(
        *("compare", "random", "greedy", "--variant", game.name, "--players", 2, "--set", "deals=1"),
        *("--blocks", 2, "--jobs", 1, "--seed", "x"),
    )
    assert compared.exit_code == 0, compared.output
    page = arena("variants", game.name).stdout
    assert "2-6 players" in page
    assert ("As strangers play it." in page) == (not game.trust)
    assert arena("check", "careful.py", "--variant", game.name, "--matches", 1).exit_code in (0, 1)


@pytest.fixture
def golf() -> Iterator[Rules]:
    with forget_games():
        yield load_game(str(GOLF)).with_options({"deals": 1})


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo(golf: Rules) -> None:
    testing = pytest.importorskip("pettingzoo.test", reason="the extra pettingzoo is not installed")
    from arena.adapters.pettingzoo import env

    table = env(golf, players=3)
    testing.api_test(table, num_cycles=40)
    assert len(table.unwrapped.observe("player_0")["action_mask"]) == 8


@pytest.mark.filterwarnings("ignore")
def test_gymnasium(golf: Rules) -> None:
    pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
    from gymnasium.utils.env_checker import check_env

    from arena.adapters.gymnasium import CommerceEnv

    check_env(CommerceEnv(golf, opponents=["random", "greedy"], players=3), skip_render_check=True)


def test_the_vector_environment(golf: Rules) -> None:
    pytest.importorskip("gymnasium", reason="the extra gymnasium is not installed")
    from arena.adapters.vector_env import CommerceVectorEnv

    table = CommerceVectorEnv(golf, 2, players=3, self_play=True)
    _, infos = table.reset(seed=1)
    for _ in range(20):
        *_, infos = table.step(infos["action_mask"].argmax(axis=1))
    assert not table.is_compiled
    with pytest.raises(InvalidRules, match="no compiled play: the golf family has none"):
        CommerceVectorEnv(golf, 2, compiled=True)


def test_openspiel(golf: Rules) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="the extra open-spiel is not installed")
    from arena.adapters.open_spiel import register_games

    register_games([golf])
    game = pyspiel.load_game("commerce_golf", {"players": 2, "deals": 1})
    observer = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    state, rng = game.new_initial_state(), Random(1)
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(actions, chances)[0])
        else:
            observer.set_from(state, state.current_player())
            state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0
    assert len(state.history()) < game.max_game_length() + game.max_chance_nodes_in_history()


def test_a_league_ships_its_game(arena: Arena, game: Game, folder: Path) -> None:
    created = arena("league", "new", "ours", "--variant", game.name)
    assert created.exit_code == 0, created.output
    settings = folder / "ours" / "league.toml"
    name = "games/golf.py:golf" if game.trust else "golf"
    assert f'name = "{name}"' in settings.read_text()
    trust = ("--trust-game", "ours/games/golf.py") if game.trust else ()
    short = "precision = 90\nblocks = 12\ncheck_matches = 1\n"
    settings.write_text(f'{short}[[variants]]\nname = "{name}"\nplayers = 2\ndeals = 1\n')
    (folder / "golf.py").unlink()
    assert arena(*trust, "league", "submit", "ours", "greedy", "random").exit_code == 0
    updated = arena(*trust, "league", "update", "ours", "--jobs", 1, "--date", "2026-03-01", "-q")
    assert updated.exit_code == 0, updated.output
    rows = json.loads(arena(*trust, "league", "list", "ours", "--json").stdout)
    assert {(row["bot"], row["game"]) for row in rows} >= {("greedy", "golf(deals=1)")}
    assert arena(*trust, "verify", "ours").exit_code == 0
    assert arena(*trust, "league", "kit", "ours", "--out", "kit.zip").exit_code == 0
    with zipfile.ZipFile("kit.zip") as kit:
        names = {name.partition("/")[2] if "kit" in name else name for name in kit.namelist()}
        assert ("games/golf.py" in names) == bool(game.trust)
