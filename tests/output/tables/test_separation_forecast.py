"""The table of what is still to be played."""

import pytest

from arena.columns.column import column_docs
from arena.columns.table_formats import format_table
from arena.output.tables.breakdowns import FORECAST_COLUMNS, OPEN_NOTE, plan_table
from arena.tournament.review.forecast import PairForecast

GAME = ("lives", 4)


def outlook(**changes: object) -> PairForecast:
    known = {"needed": 400, "low": 200, "high": 600, "error": 20.0, "los": 0.8, "separated": False, **changes}
    args = {"better": "greedy", "worse": "prudent", "elo": 12.34, "blocks": 100, "of_run": 200, **known}
    return PairForecast(game=GAME, **args)  # type: ignore[arg-type]


def last_lines(*forecasts: PairForecast, seconds: float = 0.5, jobs: int = 2) -> tuple[list[str], str]:
    [row, *_], notes = (
        part.splitlines()
        for part in format_table(plan_table(forecasts, {GAME: seconds}, jobs, 0.8), "plain").split("\n\n")[1:]
    )
    assert row.split() == list(column_docs(FORECAST_COLUMNS))
    table = format_table(plan_table(forecasts, {GAME: seconds}, jobs, 0.8), "plain").split("\n\n")[1]
    return table.splitlines()[2:], "\n".join(notes)


def test_blocks_become_blocks_of_the_run_and_minutes() -> None:
    [line], note = last_lines(outlook())
    assert line.split() == ["greedy", "prudent", "12.3", "20.0", "80.0%", "100", "200–600", "200–1,000", "5"]
    assert note == "Each pair: 600 blocks more suffice with 80 %, 5 min with 2 jobs."


def test_those_that_take_longest_decide_over_all() -> None:
    lines, note = last_lines(outlook(), outlook(needed=1000), seconds=3.0, jobs=1)
    assert lines[1].split()[-2:] == ["200–1,000", "90"]
    assert note == "Each pair: 1,800 blocks more suffice with 80 %, 90 min with 1 job."


def test_who_is_told_apart_needs_nothing() -> None:
    [line], note = last_lines(outlook(separated=True))
    assert line.split()[-2:] == ["0", "0"]
    assert note == f"Each pair is separated: no more blocks needed. {OPEN_NOTE}"


def test_where_nothing_can_be_said_nothing_is() -> None:
    [_, line], note = last_lines(outlook(), outlook(needed=None, low=None, high=None, error=None, los=None))
    assert line.split()[3:] == ["–", "–", "100", "–", "–", "–"]
    assert note.startswith(
        "Each pair with a number: 600 blocks more suffice with 80 %, 5 min with 2 jobs.\n– no estimate: "
    )


def test_where_nothing_is_known_of_anybody_it_does_not_say_that_nothing_is_missing() -> None:
    _, note = last_lines(outlook(needed=None, low=None, high=None, error=None, los=None))
    assert note.startswith("– no estimate: ")
    lines, note = last_lines(outlook(separated=True), outlook(needed=None))
    assert note.startswith(
        f"Each pair with a number is separated: no more blocks needed. {OPEN_NOTE}\n– no estimate: "
    )
    assert lines[0].split()[-2:] == ["0", "0"]


@pytest.mark.parametrize(("high", "text"), [(4001, "200–4,001"), (None, "200 or more")])
def test_few_blocks_are_said_to_be_too_few_to_plan_from(high: int | None, text: str) -> None:
    [line], note = last_lines(outlook(high=high))
    assert text in line
    assert "Too few blocks to plan from where a range is wider than 1 to 20" in note
    assert "Too few" not in last_lines(outlook(high=4000))[1]


def test_a_knockout_is_not_told_to_go_on() -> None:
    [line], note = last_lines(outlook(goes_on=False))
    assert line.split()[-3:] == ["200–600", "–", "–"]
    assert note.startswith(
        "A knockout plays no more blocks of eliminated bots: separate two with `arena compare`"
    )
    assert "unknown" not in note
    [record] = plan_table([outlook(goes_on=False)], {GAME: 0.01}, 1, 0.8).records
    assert record[-5:] == (400, None, None, 200, 600)


def test_programs_get_minutes_unrounded_enough() -> None:
    [record] = plan_table([outlook()], {GAME: 0.01}, 1, 0.8).records
    assert record[-4:] == (600, 0.1, 200, 600)
