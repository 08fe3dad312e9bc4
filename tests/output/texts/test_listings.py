"""Bots, games, hands, matches and speeds as tables; a run with a word before and after it."""

from pathlib import Path

import msgspec
import pytest

from arena.errors import InvalidNotation
from arena.games import VARIANTS, Rules, variant
from arena.output.tables.games import describe_variant, format_rule_page, variants_table
from arena.output.tables.listings import BotRow, bots_table, outline, replays_table
from arena.output.texts.machine import speed_table
from arena.output.texts.run import ending_text, start_message
from arena.output.words.cards import compare_hands, format_comparison
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.machine import Speed
from arena.tournament.record_search import read_records
from tests.tournament.made_runs import make_run

BOTS = ["greedy", "random"]


def test_a_bot_that_cannot_play_is_a_row_that_says_why() -> None:
    rows = [
        BotRow(
            name="greedy", title="Takes the best hand.", kind="built-in", content="0123456789abcdef",
            distribution="commerce-arena", version="1.0", built_in=True, origin="bots.plain:Greedy",
            isolation="inline",
        ),
        BotRow(
            name="broken", title="\x1b[2J", kind="plug-in", content="", distribution="stranger",
            version="0.3", built_in=False, origin="stranger:Bot", error="ImportError: no\nmodule",
        ),
        BotRow(
            name="shark", title="", kind="folder", content="fedcba9876543210", distribution="", version="2",
            built_in=False, origin="submitted:shark", author="Ann", isolation="sandbox",
        ),
    ]  # fmt: skip
    assert (
        bots_table(rows)
        == """\
bot     what it does          hash          origin              isolation    state
------  --------------------  ------------  ------------------  -----------  ----------------------
greedy  Takes the best hand.  0123456789ab  commerce-arena 1.0  inline       ok
broken  [2J                                 stranger 0.3        –            ImportError: no module
shark                         fedcba987654  Ann, version 2      sandbox      ok"""
    )


def test_every_game_is_listed_with_its_aliases_family_and_source() -> None:
    lines = variants_table(VARIANTS).splitlines()
    assert lines[0].split() == ["variant", "family", "players", "from", "in", "short"]
    assert lines[2].startswith("lives, commerce  ")
    assert {"exchange", "2-16", "S004", "One", "card", "a", "turn"} <= set(lines[2].split())
    assert max(map(len, lines)) <= 130


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_rule_page_ends_with_every_option_its_default_and_its_range(rules: Rules) -> None:
    page, _, table = format_rule_page(rules).rpartition("\n\n")
    facts = describe_variant(rules)
    assert page.startswith("# ")
    assert f"{rules.players[0]}-{rules.players[-1]} players" in page
    rows = {line.split()[0]: line.split()[1] for line in table.splitlines()[2:] if line[0] != " "}
    assert rows == {
        fact["name"]: str(fact["default"]).lower()
        if fact["default"] in (True, False)
        else str(fact["default"])
        for fact in facts["options"]
    }
    assert facts["page"].strip() in page


def test_hands_are_placed_best_first_and_equal_ones_share_their_place() -> None:
    appraisal = compare_hands(variant("lives"), ["7C 7D AS", "AH KH JH", "AS KS JS"])
    assert appraisal == {
        "variant": "lives",
        "hands": [
            {"cards": "AH KH JH", "category": "flush", "place": 1},
            {"cards": "AS KS JS", "category": "flush", "place": 1},
            {"cards": "7C 7D AS", "category": "pair", "place": 3},
        ],
    }
    assert (
        format_comparison(appraisal)
        == """\
  place  cards     category
-------  --------  ----------
      1  AH KH JH  flush
      1  AS KS JS  flush
      3  7C 7D AS  pair"""
    )


def test_where_a_game_counts_values_they_are_told() -> None:
    appraisal = compare_hands(variant("schwimmen"), ["7S 7D 7C", "AH KH JH"])
    assert [(hand["category"], hand["value"]) for hand in appraisal["hands"]] == [
        ("points", 31),
        ("three-alike", 30.5),
    ]


def test_what_is_no_hand_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="a card stands twice in 'AH AH KD'"):
        compare_hands(variant("lives"), ["7C 7D AS", "AH AH KD"])


RECORD = {
    "v": 1,
    "variant": "lives",
    "options": {"tokens": 1},
    "players": 2,
    "bots": ["a", "b\x1b"],
    "block": "",
    "rotation": 1,
    "deals": [{"dealer": 0, "hands": [], "table": "", "stock": "", "actions": [], "result": {}}],
    "payoffs": [-1, 0],
    "placings": [2, 1],
    "faults": [{"seat": 0, "kind": "crash", "deal": 0}, {"seat": 7, "kind": "crash", "deal": 0}],
}


def test_a_match_is_a_line_with_how_it_ended_and_what_went_wrong() -> None:
    [record] = read_records("a file", [msgspec.json.encode(RECORD)])
    assert (
        replays_table([record], "my runs/a")
        == """\
  match  block              rotation    deals  placing, bot (payoff)    faults
-------  ---------------  ----------  -------  -----------------------  ---------------------------
      1  lives(tokens=1)           1        1  1 b (0), 2 a (-1)        a crash ×1, seat 7 crash ×1

Show one: arena replay show 'my runs/a' --match 1"""
    )
    for_programs = msgspec.to_builtins(outline(record))
    assert for_programs == {
        **{
            key: RECORD[key]
            for key in ("players", "block", "rotation", "bots", "placings", "payoffs", "faults")
        },
        "match": 1,
        "variant": "lives(tokens=1)",
        "deals": 1,
    }


def test_no_match_is_said_in_words() -> None:
    assert replays_table([], "a") == "No match meets these conditions."


def test_speeds_stand_side_by_side_and_a_bot_that_cannot_play_has_none() -> None:
    fast = Speed("lives", 4, "random", referee=500_000, records=400_000, blocks=450_000, compiled=True)
    slow = Speed("lives", 4, "greedy", referee=0, records=0, blocks=0, compiled=True)
    table, _, meaning = speed_table([fast, slow]).partition("\n\n")
    assert (
        table
        == """\
variant      players    random/s    with records    in blocks    greedy/s    with records    in blocks
---------  ---------  ----------  --------------  -----------  ----------  --------------  -----------
lives              4     500,000             80%          90%           –"""
    )
    assert "decisions per second of CPU time on one core" in meaning
    assert meaning.endswith("The rule book is compiled.")
    assert "is not compiled" in speed_table([msgspec.structs.replace(fast, compiled=False)])


def test_a_run_is_announced_and_a_seed_that_was_chosen_needs_no_hash(tmp_path: Path) -> None:
    chosen = start_message(make_run(tmp_path / "a", BOTS, blocks=1), RunOptions(jobs=2))
    assert chosen == f"Playing 1 block into {tmp_path / 'a'}: 2 jobs, 2 bots inline."
    drawn = make_run(tmp_path / "b", BOTS, blocks=1, seed=None)
    said = start_message(drawn, RunOptions())
    assert said.splitlines()[1].startswith("Random seed, revealed at the end; its hash is ")
    assert drawn.seed not in said


def test_the_end_of_a_run_is_its_table_its_seed_and_where_to_go_on(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run", BOTS, blocks=1)
    stopped = ending_text(run, "interrupted")
    assert stopped == (
        f"Nothing has been played yet.\n\nStopped early; resume with `arena resume {run.folder.path}`."
    )
    assert f"Results are in {run.folder.path}; the seed is any text\n" in ending_text(run, "done")
