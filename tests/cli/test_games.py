"""`arena variants` and `arena hand`, and house games in runs and leagues."""

import csv
import json
from pathlib import Path

import pytest

from arena.games import VARIANTS
from arena.tournament.files import RunFolder
from tests.cli.conftest import Arena


def test_variants_prints_a_table_or_json(arena: Arena) -> None:
    names = [rules.name for rules in VARIANTS]
    heading, _, *lines = arena("variants").stdout.splitlines()
    family = heading.index("family")
    assert [line.split()[0].rstrip(",") for line in lines if line[family] != " "] == names
    listed = json.loads(arena("variants", "--json").stdout)
    assert [entry["name"] for entry in listed] == names
    assert listed[0] == {
        "name": "lives",
        "aliases": ["commerce"],
        "family": "exchange",
        "players": [2, 16],
        "from": "S004",
        "title": VARIANTS[0].title,
    }


def test_variant_is_found_by_alias_and_shown_with_its_options(arena: Arena) -> None:
    page = arena("variants", "commerce").stdout
    assert page == arena("variants", "lives").stdout
    assert "2-16 players (in the source 3-12) · exchange family · from S004 · a ten is written `T`" in page
    assert "tokens 3 1 to 1000 tokens each player begins with" in " ".join(page.split())
    facts = json.loads(arena("variants", "lives", "--json").stdout)
    assert facts["page"].strip() in page
    assert {"name": "flush", "default": "cards", "choices": ["point", "cards"]}.items() <= next(
        fact for fact in facts["options"] if fact["name"] == "flush"
    ).items()


def test_hand_json_matches_the_documented_form(arena: Arena) -> None:
    result = arena("hand", "lives", "7C 7D AS", "AH KH JH", "--json")
    assert result.stdout == (
        '{"variant":"lives","hands":[{"cards":"AH KH JH","category":"flush","place":1},'
        '{"cards":"7C 7D AS","category":"pair","place":2}]}\n'
    )


def test_options_change_the_rank_of_a_hand(arena: Arena) -> None:
    call = ("hand", "lives", "AH 2H 3H", "--json")
    assert '"category":"flush"' in arena(*call).stdout
    result = arena(*call, "--set", "alow=true", "--set", "flush=point", "--set", "tokens=5")
    assert result.stdout.startswith('{"variant":"lives(alow=true, flush=point, tokens=5)"')
    assert '"category":"sequence"' in result.stdout


def test_hands_are_printed_as_a_table(arena: Arena) -> None:
    lines = arena("hand", "thirty-one", "7S 7D 7C", "AH KH JH").stdout.splitlines()
    assert [line.split() for line in lines if "-" not in line] == [
        ["place", "cards", "category", "value"],
        ["1", "AH", "KH", "JH", "points", "31"],
        ["2", "7S", "7D", "7C", *lines[3].split()[4:]],
    ]


def test_cox_hand_json_matches_the_documented_form(arena: Arena) -> None:
    call = ("hand", "cox", "[a4 a4 a4] [f1 f2 f3] s2 s2 $1", "--number", "1")
    counted = '"variant":"cox","count":14,"doubled":false,"clear":false,"points":9'
    assert arena(*call, "--json").stdout == f"{{{counted}}}\n"
    assert "points: 9" in arena(*call).stdout.splitlines()


def test_cox_hands_are_ranked_by_points(arena: Arena) -> None:
    told = json.loads(arena("hand", "cox", "f1 f2 $1", "a1 s1", "f1 f2 BK", "g3 g4 $2", "--json").stdout)
    ranked = [(hand["place"], hand["cards"], hand["points"]) for hand in told["hands"]]
    assert ranked == [(1, "f1 f2 BK", 10), (2, "f1 f2 $1", 6), (2, "g3 g4 $2", 6), (4, "a1 s1", -5)]


def test_hands_may_be_typed_in_any_case(arena: Arena) -> None:
    assert arena("hand", "lives", "ah Kh jh").stdout == arena("hand", "lives", "AH KH JH").stdout
    assert arena("hand", "cambio", "r1 kd 2s 3h").stdout == arena("hand", "cambio", "R1 KD 2S 3H").stdout
    typed = arena("hand", "cox", "[A4 A4 ac] [F1 F2 bk] S2 S2 $1", "--json")
    assert typed.stdout == arena("hand", "cox", "[a4 a4 aC] [f1 f2 BK] s2 s2 $1", "--json").stdout


def test_three_alike_is_set_as_a_number(arena: Arena) -> None:
    for value, shown in (("30", "30"), ("30.5", "30.5")):
        result = arena(
            "hand", "thirty-one", "7S 7D 7C", "KH 9H AH", "--set", f"three_alike={value}", "--json"
        )
        assert f'"category":"three-alike","value":{shown}' in result.stdout
        assert '"category":"points","value":30' in result.stdout


def test_a_four_is_a_hand_only_where_pounce_is_on(arena: Arena) -> None:
    four = ("9S 9H 9D 9C", "--json")
    assert '"category":"four"' in arena("hand", "lives", *four, "--set", "pounce=true").stdout
    assert '"category":"four"' in arena("hand", "pounce", *four).stdout


HOUSE_GAME = """
[[games]]
name = "home"
base = "cuccu"
tokens = 1
title = "Cuccu with one token."
"""
BOT = """
class Teller:
    def __init__(self, info):
        assert str(info.rules) == "home" and info.rules.settlement.tokens == 1
        assert info.options == {"base": "cuccu(tokens=1)"}

    def act(self, view):
        assert str(view.opening.rules) == "home"
        return view.legal[0]
"""


@pytest.fixture
def house(here: Path) -> Path:
    """The current folder, with a house game and a bot that checks its view."""
    (here / "games").mkdir()
    (here / "games" / "home.toml").write_text(HOUSE_GAME)
    (here / "teller.py").write_text(BOT)
    return here


def test_variants_and_hand_know_the_house_games_of_the_folder(arena: Arena, house: Path) -> None:
    rows = json.loads(arena("variants", "--json").stdout)
    assert (rows[-1]["name"], rows[-1]["title"]) == ("home", "Cuccu with one token.")
    assert "A house game, cuccu(tokens=1). Cuccu with one token." in arena("variants", "home").stdout
    hands = json.loads(arena("hand", "home", "KD", "AS", "--json").stdout)
    assert hands["variant"] == "home"


def test_a_house_game_is_played_and_verified_without_its_file(arena: Arena, house: Path) -> None:
    bots = ("teller.py:Teller", "greedy", "--isolation", "inline", "--jobs", "1")
    result = arena("run", *bots, "--variant", "home", "--players", "2", "--blocks", "6", "--out", "out")
    assert result.exit_code == 0, result.output
    (house / "games" / "home.toml").unlink()
    with RunFolder.open(Path("out")).elo_csv.open() as file:
        rows = list(csv.DictReader(file))
    assert {(row["variant"], row["faults"]) for row in rows if row["variant"] != "overall"} == {("home", "0")}
    for command in (("verify", "out"), ("replay", "verify", "out"), ("table", "out", "--variant", "home")):
        assert arena(*command).exit_code == 0, command
    assert arena("resume", "out", "--isolation", "inline", "--jobs", "1").exit_code == 0
    assert "home/2/" in arena("replay", "list", "out", "--variant", "home").stdout


def test_a_league_keeps_the_definition_and_puts_it_into_the_kit(arena: Arena, house: Path) -> None:
    assert arena("league", "new", "ours", "--variant", "home", "--variant", "lives").exit_code == 0
    text = (house / "ours" / "league.toml").read_text()
    assert '[[games]]\nname = "home"\nbase = "cuccu(tokens=1)"' in text
    assert arena("league", "update", "ours").exit_code == 0
    assert arena("league", "kit", "ours").exit_code == 0
    assert arena("verify", "ours").exit_code == 0
