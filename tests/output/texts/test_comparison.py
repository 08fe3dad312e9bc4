"""A comparison in words: the answer, how sure it is, or what it lacks."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from arena.output.texts.comparison import announcement, comparison_fields, comparison_text
from arena.play.isolation import Level
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.run import Run
from arena.tournament.store.metadata import collect_metadata
from tests.tournament.fake_formats import Result, config, result, stages, strongest_wins, tied


def compared(folder: Path, played: Result | None, bots: int = 2, players: int = 4, **changes: Any) -> Run:
    made = config(bots, players, **{"format": "comparison", "seed": "a seed", **changes})
    run = Run(RunFolder(folder), made, "a seed")
    levels: dict[str, Level] = {spec.name: "inline" for spec in made.bots}
    vars(run)["metadata"] = collect_metadata(made, "a seed", levels)
    for _ in stages(run.stages.format, played) if played else ():
        pass
    return run


def test_the_answer_comes_with_all_that_follows_from_the_score(tmp_path: Path) -> None:
    text = comparison_text(compared(tmp_path, result))
    setting, table, answer, seed = text.split("\n\n")
    assert setting == (
        "bot00 against bot01 at lives, 4 players: each in half of the seats, and then in the other half"
    )
    assert [line.split()[0] for line in table.splitlines()] == ["score", "Elo", "LOS", "payoff", "played"]
    assert answer.startswith(
        "bot01 is the stronger.\n"
        "± holds at all 16 looks together in 95 of 100 comparisons; LOS follows from it.\n"
        "A test stops when the score is extreme: Elo and its interval are corrected for that."
    )
    assert seed == "Its seed is a seed"


def test_a_test_says_which_lead_fits_and_what_is_corrected_for_its_stop(tmp_path: Path) -> None:
    text = comparison_text(compared(tmp_path, result, sprt=[-20, 0]))
    assert "\nSPRT    LLR -" in text
    assert "\n\nH0: a lead of -20 Elo fits better than one of 0.\n" in text
    assert "Elo and its interval are corrected for that; ± and LOS are not." in text


def test_the_elo_after_a_stop_is_nearer_to_zero_than_that_of_the_score(tmp_path: Path) -> None:
    late = comparison_fields(compared(tmp_path, partial(result, luck=20.0)))
    assert late["blocks"] > 32
    assert late["score_elo"] < late["elo"] < 0
    assert late["low"] < late["elo"] < late["high"] < 0
    first = comparison_fields(compared(tmp_path, partial(result, luck=2.0)))
    assert first["blocks"] == 32
    assert first["elo"] == pytest.approx(first["score_elo"], abs=0.01)


@pytest.mark.parametrize(
    ("played", "changes", "said"),
    [
        (tied, {"max_blocks": 50}, "Both had the same result in every block: they seem to play alike."),
        (strongest_wins, {"max_blocks": 1}, "at the maximum of blocks. No number of blocks is known"),
        (partial(result, luck=40.0), {"max_blocks": 64}, "blocks more separate them with a chance of 80 %."),
        (result, {"max_blocks": 40, "sprt": [-61, -60]}, "At this rate the test needs about "),
    ],
)
def test_without_an_answer_it_says_what_is_missing(
    tmp_path: Path, played: Result, changes: dict[str, Any], said: str
) -> None:
    text = comparison_text(compared(tmp_path, played, **changes))
    assert "Not resolved: stopped " in text
    assert said in text
    for nonsense in ("nan", "None", "± 0.0%", "inf"):
        assert nonsense not in text


def test_where_nothing_differs_there_is_no_error_but_a_word(tmp_path: Path) -> None:
    text = comparison_text(compared(tmp_path, tied, max_blocks=50))
    assert "score   50.0% ± unknown: the blocks do not differ, or are fewer than six\nElo     +0.0\n" in text
    assert "LOS  " not in text
    won = comparison_text(compared(tmp_path, strongest_wins))
    assert "Elo     unbounded: one of them won every point" in won
    assert won.split("\n\n")[2] == "bot01 is the stronger."
    assert "The interval" not in comparison_text(compared(tmp_path, result, max_blocks=1))


def test_a_field_is_named_and_the_score_is_a_lead(tmp_path: Path) -> None:
    text = comparison_text(compared(tmp_path, result, bots=4, players=3))
    setting, table, *_ = text.split("\n\n")
    assert setting.endswith("lives, 3 players: in each other's place at tables of bot02, bot03")
    assert table.startswith("lead in score  -")
    alone = comparison_text(compared(tmp_path, result, alone=True))
    assert "4 players: bot00 alone against copies of bot01\n" in alone


def test_at_a_table_of_an_odd_number_nobody_has_half_of_the_seats(tmp_path: Path) -> None:
    text = comparison_text(compared(tmp_path, result, players=3))
    assert text.startswith(
        "bot00 against bot01 at lives, 3 players: each in turn with one seat more than the other, all round"
    )


@pytest.mark.parametrize(("blocks", "more"), [(20, 12), (31, 1)])
def test_a_test_cut_off_before_its_first_look_says_so(tmp_path: Path, blocks: int, more: int) -> None:
    run = compared(tmp_path, strongest_wins, sprt=[-20, 0], max_blocks=blocks)
    least = "1 block" if more == 1 else f"{more} blocks"
    assert comparison_fields(run)["blocks_missing"] is None  # as no block differs
    assert "A test has its first look after 32 blocks.\n" in comparison_text(run)
    luck = compared(tmp_path, result, sprt=[-400, 400], max_blocks=blocks)
    assert comparison_fields(luck)["blocks_missing"] >= more
    assert f"after 32 blocks, and at this rate needs {least} more.\n" in comparison_text(luck)


def test_before_the_first_look_there_is_nothing_to_say_and_no_seed_to_tell(tmp_path: Path) -> None:
    run = compared(tmp_path, None)
    vars(run)["count_blocks"] = lambda: 5
    assert comparison_text(run) == (
        "Stopped before the first look, after 32 blocks: no result yet. Played so far: 5 blocks."
    )
    assert comparison_fields(run)["seed"] is None
    assert comparison_fields(run)["score"] is None


def test_blocks_after_the_last_look_are_said_not_to_count(tmp_path: Path) -> None:
    run = compared(tmp_path, None)
    for _ in islice(stages(run.stages.format, tied), 2):  # the second stage is not played
        pass
    vars(run)["count_blocks"] = lambda: 45
    assert comparison_text(run).endswith(
        "\n\nNot counted: 13 blocks, played since the last look after 32. "
        "The interval holds at looks alone, which are fixed in advance."
    )
    assert comparison_fields(run)["blocks_not_counted"] == 13


def test_programs_get_the_same_numbers(tmp_path: Path) -> None:
    run = compared(tmp_path, result, sprt=[-20, 0])
    fields = comparison_fields(run)
    assert fields["bots"] == ["bot00", "bot01"]
    assert (fields["sprt"], fields["verdict"], fields["resolved"]) == ((-20, 0), "H0", True)
    assert f"LLR {fields['llr']:+.2f}" in comparison_text(run)
    assert fields["seed"] == "a seed"


def test_it_is_announced_with_the_most_it_will_take(tmp_path: Path) -> None:
    run = compared(tmp_path, None, max_blocks=500)
    playing, same = announcement(run, RunOptions(jobs=2), None).splitlines()
    assert playing == "Playing at most 500 blocks: 2 jobs, 2 bots inline."
    assert same.startswith("bot00 and bot01 are the same bot, content ")
    secret = compared(tmp_path, None, seed="")
    assert announcement(secret, RunOptions(), tmp_path).startswith(
        f"Playing at most 10,000 blocks into {tmp_path}: 1 job, 2 bots inline.\n"
        "Random seed, revealed at the end; its hash is "
    )
