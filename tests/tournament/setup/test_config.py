"""Configs: values, defaults and error messages."""

import os
import pickle
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.play import Limits
from arena.plugins import BotSpec, CommandBot, FileBot, InstalledBot
from arena.plugins.bot_source import hash_files
from arena.tournament.setup.config import QUICK, Config, make_config, read_config
from arena.tournament.setup.toml_checks import parse_toml, read_text
from arena.tournament.store.metadata import collect_metadata, find_changed_bots

CONFIGS = sorted(Path(__file__).parents[3].glob("configs/*.toml"))
BOTS = ["random", "greedy", "prudent", "counter"]
FLAGS: dict[str, Any] = {"bots": BOTS, "variants": [{"name": "lives"}]}


def config(base: Path = Path(), **changes: Any) -> Config:
    return make_config({**FLAGS, **changes}, base=base, where="here")


def test_all_keys_but_bots_and_variants_have_defaults() -> None:
    made = config()
    assert made.bots == tuple(BotSpec(InstalledBot(name), name) for name in BOTS)
    assert [(str(entry.rules), entry.players) for entry in made.variants] == [("lives", (4,))]
    assert (made.format, made.blocks, made.seed, made.isolation) == ("round-robin", 50, "", "auto")
    assert (made.keys.tables, made.max_blocks, made.replays) == (None, 10_000, 10_000)
    assert made.limits == Limits(decision_ms=100, bank_ms=2000, start_ms=5000, memory_mb=256, faults=3)


FULL = """
format = "gauntlet"
bots = [
    "random", "greedy", "mine/bot.py:Bot", "cmd:./bot",
    {bot = "prudent", name = "p2", team = "reds", depth = 2},
]
blocks = 7
seed = "any text"
isolation = "inline"
hero = "p2"
same_team = false
tables = "all"
max_blocks = 20
replays = 0
[limits]
decision_ms = 50
faults = 1
[[variants]]
name = "commerce"
players = [3, 5]
tokens = 5
pounce = false
[[variants]]
name = "pool"
players = 2
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/bot.py").write_text("class Bot: ...")
    return tmp_path.resolve()


def test_every_key_is_read(folder: Path) -> None:
    (folder / "full.toml").write_text(FULL)
    made = read_config(folder / "full.toml")
    assert made.bots == (
        BotSpec(InstalledBot("random"), "random"),
        BotSpec(InstalledBot("greedy"), "greedy"),
        BotSpec(FileBot(f"{folder}/mine/bot.py", "Bot"), "mine/bot.py:Bot"),
        BotSpec(CommandBot((f"{folder}/bot",)), "cmd:./bot"),
        BotSpec(InstalledBot("prudent"), "p2", {"depth": 2}, "reds"),
    )
    assert (made.blocks, made.seed, made.isolation, made.keys.hero) == (7, "any text", "inline", "p2")
    assert (made.keys.tables, made.max_blocks, made.replays) == ("all", 20, 0)
    assert not made.same_team
    assert made.limits == Limits(decision_ms=50, faults=1)
    printed = [(str(entry.rules), entry.players) for entry in made.variants]
    assert printed == [("lives(tokens=5)", (3, 5)), ("pool", (2,))]  # pounce = false is what it is anyhow


def test_toml_of_a_config_round_trips_in_another_folder(folder: Path) -> None:
    made = make_config(parse_toml(FULL, "full"), base=folder, where="full")
    again = make_config(parse_toml(made.toml(), "again"), base=folder / "elsewhere", where="again")
    assert again == made
    assert again.toml() == made.toml()
    assert 'name = "lives"\nplayers = [\n    3,\n    5,\n]\ntokens = 5\n' in made.toml()


@pytest.mark.parametrize("value", ["30.5", "'30.5'"])
def test_an_option_of_numbers_in_text_may_be_a_number(value: str) -> None:
    table = f'name = "thirty-one"\nplayers = 2\nthree_alike = {value}\n'
    text = f'bots = ["random", "thirty"]\n[[variants]]\n{table}'
    made = make_config(parse_toml(text, "c"), base=Path(), where="c")
    assert str(made.variants[0].rules) == "thirty-one(three_alike=30.5)"
    assert make_config(parse_toml(made.toml(), "again"), base=Path(), where="again") == made


def test_keys_that_name_bots_take_any_spelling_of_a_path(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text("class Bot:\n    def act(self, view): ...\n")
    bots = {"bots": ["./a.py", "b.py", {"bot": "c.py", "name": "./c.py"}, "greedy"], "without": ["./b.py"]}
    game = {"name": "lives", "bots": ["./a.py", "./b.py", "./c.py"], "blocks_with": {"./a.py": 4}}
    made = config(tmp_path, **bots, variants=[game])
    assert [bot.name for bot in made.bots] == ["a.py", "./c.py", "greedy"]
    assert config(tmp_path, **bots, format="gauntlet", hero="./a.py").keys.hero == "a.py"
    assert (made.variants[0].bots, made.variants[0].blocks_with) == (("a.py", "./c.py"), {"a.py": 4})


def test_toml_of_a_config_has_withdrawn_bots() -> None:
    made = config(format="swiss", withdrawn={"greedy": 40})
    assert make_config(parse_toml(made.toml(), "again"), base=Path(), where="again") == made
    assert "withdrawn" not in config(format="swiss").toml()


def test_config_can_be_sent_to_workers() -> None:
    assert pickle.loads(pickle.dumps(config())) == config()


def test_options_override_a_file() -> None:
    table = parse_toml('bots = ["random", "greedy"]\nblocks = 9\n[[variants]]\nname = "lives"\n', "file")
    made = make_config({**table, "blocks": 3, "bots": BOTS}, base=Path(), where="file and flags")
    assert (made.blocks, len(made.bots)) == (3, 4)


@pytest.mark.parametrize("name", ["round-robin", "gauntlet", "swiss", "knockout", "ladder"])
def test_separated_teams_must_be_as_many_as_seats(name: str) -> None:
    bots = [{"bot": bot, "team": team} for bot, team in zip(BOTS, ["reds", "reds", "blues", ""], strict=True)]
    assert config(format=name, bots=bots).teams == dict(zip(BOTS, range(4), strict=True))
    apart: dict[str, Any] = {"format": name, "bots": bots, "same_team": False}
    with pytest.raises(
        ConfigError, match=r"^here: same_team: a table of 4 needs bots of 4 teams, there are 3$"
    ):
        config(**apart, variants=[{"name": "lives", "players": 4}])
    made = config(**apart, variants=[{"name": "lives", "players": 3}])
    assert made.teams == {"random": 0, "greedy": 0, "prudent": 1, "counter": 2}


def test_players_are_four_or_as_many_as_there_are_bots_if_the_game_allows_it() -> None:
    def players(bots: list[Any], game: str = "lives", **changes: Any) -> tuple[int, ...]:
        return config(bots=bots, variants=[{"name": game}], **changes).variants[0].players

    assert players(BOTS[:2]) == (2,)
    assert players([*BOTS, "simple"]) == (4,)
    assert players(BOTS[:2], format="comparison") == (4,)
    teams = [{"bot": bot, "team": team} for bot, team in zip(BOTS, "aabb", strict=True)]
    assert players(teams, same_team=False) == (2,)
    whole = config(variants=[{"name": "lives", "bots": BOTS[:3]}])
    assert whole.variants[0].players == (3,)


@pytest.mark.parametrize("key", ["bots", "variants"])
def test_missing_required_key_is_refused(key: str) -> None:
    table = {name: value for name, value in FLAGS.items() if name != key}
    with pytest.raises(ConfigError, match=f"^here: {key}: missing"):
        make_config(table, base=Path(), where="here")


def test_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    with pytest.raises(ConfigError, match=r"run\.toml: cannot be read: No such file or directory"):
        read_config(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"run\.toml: is not text in UTF-8"):
        read_config(path)
    path.write_text("bots = [\nblocks = ]")
    with pytest.raises(ConfigError, match=r"run\.toml is not valid TOML: .*line 2"):
        read_config(path)


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_configs_of_the_repository_are_valid(path: Path) -> None:
    assert read_config(path).variants


def test_quick_config_is_the_packaged_file() -> None:
    assert QUICK.read_text() == next(path for path in CONFIGS if path.stem == "quick").read_text()
    quick = read_config(QUICK)
    assert [bot.name for bot in quick.bots] == ["random", "stand-pat", "greedy", "prudent", "counter"]
    assert [(entry.name, entry.players) for entry in quick.variants] == [("lives", (4,))]


def test_settings_similar_to_reserved_keys_are_allowed() -> None:
    two = [{"name": "lives", "players": 2}]
    made = config(variants=two, bots=["greedy", {"bot": "random", "temp": 1, "mean": 2, "game": "x"}])
    assert made.bots[1].settings == {"game": "x", "mean": 2, "temp": 1}
    named = config(variants=two, bots=["greedy", {"bot": "random", "name": "r", "names": "all"}])
    assert named.bots[1].settings == {"names": "all"}


def test_a_name_with_escape_characters_in_a_stored_config_is_refused() -> None:
    """Such a config does not come from the arena, and its names would reach the terminal."""
    bots = [{"bot": "greedy", "name": "\x1b[2Jgreedy"}, "random"]
    with pytest.raises(ConfigError, match="has characters that do not print"):
        make_config({**FLAGS, "bots": bots}, base=Path(), where="here", is_stored=True)


@pytest.mark.parametrize("text", ["blocks = " + "9" * 5000, "a = " + "[" * 10_000])
def test_a_malicious_config_is_an_error(text: str) -> None:
    with pytest.raises(ConfigError, match="here is not valid TOML"):
        parse_toml(text, "here")


def test_endless_or_large_config_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.toml"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # sparse
    with pytest.raises(ConfigError, match=r"large\.toml is not valid TOML: it is larger than 1024 KiB"):
        read_config(path)


@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="/dev/shm cannot be written")
def test_named_pipe_in_memory_does_not_block() -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        test_named_pipe_does_not_block(Path(folder))


def test_an_open_pipe_is_not_refused() -> None:
    reader, writer = os.pipe()
    with os.fdopen(reader):
        with os.fdopen(writer, "w") as file:
            file.write("seed = 'any'\n")
        assert read_text(Path(f"/dev/fd/{reader}")) == "seed = 'any'\n"


def test_named_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.toml")
    with pytest.raises(ConfigError, match=r"run.toml: is a named pipe"):
        read_config(tmp_path / "run.toml")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"bots": ["greedy"] * 1001}, "bots: there are 1,001; a tournament takes at most 1,000"),
        ({"bots": ["greedy", {"bot": "random", "name": "n" * 1001}]}, "has more than 255 bytes"),
        ({"bots": ["greedy", "./a\0b"]}, "has no null character in its text"),
        (
            {"bots": ["greedy", {"bot": "random"} | {f"k{i}": 1 for i in range(1001)}]},
            "at most 1000 settings",
        ),
        ({"bots": ["greedy", {"bot": "random", "team": "\u202e"}]}, "team: .* characters that do not print"),
        ({"title": "t" * 1001}, "title: 't+' has characters that do not print, or more than 1000"),
    ],
    ids=["bots", "name", "null character", "settings", "team", "title"],
)
def test_config_that_takes_long_or_cannot_be_printed_is_refused(changes: dict[str, Any], why: str) -> None:
    config = {"bots": ["greedy", "random"], "variants": [{"name": "lives", "players": 2}], **changes}
    with pytest.raises(ConfigError, match=why):
        make_config(config, base=Path(), where="c")


def test_bots_of_one_source_look_it_up_and_hash_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []

    def count_hashes(text: str, files: Sequence[tuple[str, Path]]) -> str:
        hashed.append(text)
        return hash_files(text, files)

    monkeypatch.setattr("arena.plugins.sources.hash_files", count_hashes)
    bots = [{"bot": "random", "name": f"random {number}"} for number in range(9)] + ["greedy"]
    config = make_config(
        {"bots": bots, "variants": [{"name": "lives", "players": 2}]}, base=Path(), where="the test"
    )
    assert len({id(bot.source) for bot in config.bots}) == 2
    metadata = collect_metadata(config, "seed", {})
    assert len(hashed) == 2
    assert not [*find_changed_bots(metadata, config)]
    assert len(hashed) == 4
