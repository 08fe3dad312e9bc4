"""`arena bots`, `arena variants` and `arena hand`."""

import importlib
import json
from importlib.metadata import version
from pathlib import Path

import pytest

from arena.games import VARIANTS
from tests.cli.conftest import Arena


def test_bots_lists_the_origin_of_each_bot(arena: Arena) -> None:
    result = arena("bots")
    assert result.exit_code == 0
    [greedy] = [line.split() for line in result.stdout.splitlines() if line.startswith("greedy ")]
    assert greedy[-4:] == ["commerce-arena", version("commerce-arena"), "inline", "ok"]
    rows = {row["name"]: row for row in json.loads(arena("bots", "--json").stdout)}
    assert rows["greedy"]["origin"] == "bots.greedy:Greedy"
    assert len({row["content"] for row in rows.values() if len(row["content"]) == 64}) == len(rows)


def test_submissions_are_listed_after_the_installed_bots(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("arena.cli.bots.discover", list)  # the installed ones take their time
    (tmp_path / "mine.py").write_text(
        "class Shark:\n    def act(self, view):\n        return view.legal[0]\n"
    )
    arena("submit", "mine.py:Shark", "--author", "Ann")
    (row,) = [row for row in json.loads(arena("bots", "--json").stdout) if row["kind"] == "folder"]
    assert (row["name"], row["version"], row["author"], row["error"]) == ("shark", "1", "Ann", None)
    assert row["origin"] == "submitted:shark"
    assert row["isolation"] not in ("", "inline")
    assert arena("bots").stdout.splitlines()[-1].split()[:2] == ["shark", row["content"][:12]]
    (tmp_path / "mine.py").write_text("import nowhere\nclass Shark: ...\n")
    arena("submit", "mine.py:Shark", "--author", "Ann")
    row = json.loads(arena("bots", "--json").stdout)[-1]
    assert (row["version"], "No module named 'nowhere'" in row["error"]) == ("2", True)
    for file in Path(tmp_path, "submissions/bots", row["content"]).iterdir():
        file.chmod(0o644)
        file.write_text("name = 7")
    assert json.loads(arena("bots", "--json").stdout)[-1]["error"].endswith("got `int` - at `name`")


def test_broken_plug_in_is_a_row_not_a_failure(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    info = tmp_path / "stranger-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text("[arena.bots]\nlost = nowhere:Bot\n")
    importlib.invalidate_caches()
    result = arena("bots", "--json")
    assert result.exit_code == 0
    row = json.loads(result.stdout)[-1]
    assert (row["name"], row["kind"], row["built_in"]) == ("lost", "plug-in", False)
    assert (row["distribution"], row["version"], row["origin"]) == ("stranger", "1.5", "nowhere:Bot")
    assert row["error"] == "ModuleNotFoundError: No module named 'nowhere'"
    assert "ModuleNotFoundError: No module named 'nowhere'" in arena("bots").stdout


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
