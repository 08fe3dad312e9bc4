"""House games that a config or a file defines: found, described, written out, refused."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ArenaError, ConfigError
from arena.games import variant
from arena.output.tables.games import format_rule_page, read_rule_page
from arena.plugins.games import load_game
from arena.tournament.schedule import RoundRobin
from arena.tournament.setup.bots import HouseGames
from arena.tournament.setup.config import Config, make_config
from arena.tournament.setup.toml_checks import parse_toml
from arena.tournament.store.metadata import collect_metadata
from arena.tournament.store.store import BlockKeys
from tests.strangers.loading import GOLF, forget_games

SCAT: dict[str, Any] = {"name": "scat", "base": "thirty-one", "three_alike": 30.5, "tokens": 2}


def config(games: list[dict[str, Any]], folder: Path = Path(), **entry: Any) -> Config:
    variants = [{"name": "scat", "players": 2, **entry}, {"name": "lives", "players": 2}]
    table = {"bots": ["random", "greedy"], "blocks": 1, "games": games, "variants": variants}
    return make_config(table, base=folder, where="here")


def write_games(folder: Path, name: str, text: str) -> None:
    (folder / "games").mkdir(exist_ok=True)
    (folder / "games" / name).write_text(text, encoding="utf-8")


def test_a_config_plays_a_house_game_under_its_name_and_its_own_text_is_complete() -> None:
    made = config([SCAT], rounds=7)
    assert [str(entry.rules) for entry in made.variants] == ["scat(rounds=7)", "lives"]
    assert made.variants[0].rules.base == "thirty-one(three_alike=30.5, tokens=2)"
    assert make_config(parse_toml(made.toml(), "again"), base=Path("elsewhere"), where="again") == made
    without = {key: value for key, value in parse_toml(made.toml(), "again").items() if key != "games"}
    assert make_config(without, base=Path(), where="again").variants == made.variants


def test_a_base_is_named_by_its_file_once_its_code_is_trusted(tmp_path: Path) -> None:
    shutil.copy(GOLF, tmp_path)
    game = {"name": "home-golf", "base": "golf.py:golf(deals=3)"}
    write_games(tmp_path, "home.toml", '[[games]]\nname = "home-golf"\nbase = "golf.py"\ndeals = 3\n')
    with forget_games():
        with pytest.raises(ConfigError, match=r"games\[0\]: the game golf is code in .*--trust-game"):
            config([game], tmp_path, name="home-golf")
        games = HouseGames(folder=tmp_path)
        assert (games.all(), list(games.untrusted)) == ([], ["home-golf"])
        assert games.rules("lives") is variant("lives")
        with pytest.raises(ConfigError, match="call `arena --trust-game"):
            games.rules("home-golf")
        load_game("golf.py", tmp_path)
        made = config([game], tmp_path, name="home-golf")
        assert made.variants[0].rules.base == "golf(deals=3)"
        assert HouseGames(folder=tmp_path).rules("home-golf").base == "golf(deals=3)"


def test_a_base_in_an_entry_is_enough() -> None:
    made = config([], name="home", base="lives(tokens=2)", rounds=3)
    assert str(made.variants[0].rules) == "home(rounds=3)"
    assert made.games == ()


def test_files_beside_the_config_define_games(tmp_path: Path) -> None:
    write_games(tmp_path, "home.toml", '[[games]]\nname = "scat"\nbase = "scat"\ntokens = 4\n')
    assert config([], tmp_path).variants[0].rules.base == "thirty-one(tokens=4)"
    assert config([SCAT], tmp_path).variants[0].rules.base == "thirty-one(three_alike=30.5, tokens=2)"
    assert str(config([]).variants[0].rules) == "thirty-one"  # an alias, where no file says otherwise


def test_only_the_games_played_are_kept(tmp_path: Path) -> None:
    made = config([SCAT, {"name": "home", "base": "lives", "tokens": 1}], tmp_path)
    assert [game.name for game in made.games] == ["scat"]


def test_two_definitions_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        write_games(tmp_path, name, '[[games]]\nname = "home"\nbase = "lives"\n')
    with pytest.raises(ConfigError, match=r"b\.toml: games: another file in .* has home, too"):
        HouseGames(folder=tmp_path).find("home")


@pytest.mark.parametrize("text", ["[[games]", "[[games]]\nname = 'home'\n", "game = 3\n", "games = 'home'\n"])
def test_a_file_that_is_not_right_is_named_and_asked_for_only_where_it_is_needed(
    tmp_path: Path, text: str
) -> None:
    write_games(tmp_path, "home.toml", text)
    games = HouseGames(folder=tmp_path)
    assert str(games.rules("lives")) == "lives"
    with pytest.raises(ConfigError, match=r"home\.toml"):
        games.rules("home")


def test_an_unknown_name_lists_the_house_games(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match=r"no variant 'scatt'.*house games: scat"):
        HouseGames([SCAT]).rules("scatt")


def test_a_page_of_its_own_or_that_of_the_base_below_the_options() -> None:
    plain = HouseGames([SCAT]).rules("scat", {"rounds": 7})
    page = read_rule_page(plain)
    assert page.startswith("# scat\n\nA house game, thirty-one(three_alike=30.5, tokens=2). Draw and discard")
    assert "\n## Thirty-One\n" in page
    described = HouseGames([{**SCAT, "title": "Ours.", "page": "# Ours\n\n1. Two tokens.\n"}]).rules("scat")
    assert described.title == "Ours."
    assert read_rule_page(described).startswith("# Ours\n\n1. Two tokens.\n\nA house game: thirty-one(")
    assert re.search(r"\ntokens +2 ", format_rule_page(described))


def test_a_block_is_another_where_the_name_had_another_base() -> None:
    keys = []
    for games in ([SCAT], [{**SCAT, "tokens": 3}]):
        made = config(games)
        facts = collect_metadata(made, "seed", dict.fromkeys(("random", "greedy"), "inline"))
        key = BlockKeys(made, facts).key
        keys.append({block.address: key(block) for block in RoundRobin(made, "seed")})
    assert keys[0].keys() == keys[1].keys()
    changed = [address for address in keys[0] if keys[0][address] != keys[1][address]]
    assert {address.partition("/")[0] for address in changed} == {"scat"}
