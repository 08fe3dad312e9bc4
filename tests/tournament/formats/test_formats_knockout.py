"""Knockout: tables play to their checkpoints until it is clear who stays, down to the last one."""

from collections import Counter
from functools import partial
from itertools import combinations, pairwise

import pytest

from arena.columns.column import records
from arena.tournament.formats import make_format
from arena.tournament.formats.knockout import EQUAL, UNSEPARATED
from tests.tournament.fake_formats import (
    config,
    course,
    names,
    result,
    stages,
    standings,
    strongest_wins,
    tables,
    tied,
)


@pytest.mark.parametrize("size", [2, 3, 4, 6])
@pytest.mark.parametrize("bots", [6, 7, 9, 16, 23, 24])
def test_a_full_table_plays_the_final_and_its_best_is_first(bots: int, size: int) -> None:
    knockout = course(bots, size, format="knockout", blocks=6, max_blocks=6)
    rounds = [tables(blocks) for blocks in stages(knockout, strongest_wins)]
    assert all(len(table) == size for tables_of_round in rounds for table in tables_of_round)
    sent_home = [table[0] for tables_of_round in rounds for table in tables_of_round]
    assert len(set(sent_home)) == len(sent_home)
    [final] = rounds[-1]
    assert standings(knockout)[0] == final[-1] == f"bot{bots - 1:02}"


def test_eight_of_sixteen_stay_at_tables_of_four_then_four() -> None:
    knockout = course(16, 4, format="knockout", blocks=6, max_blocks=6)
    rounds = [tables(blocks) for blocks in stages(knockout, strongest_wins)]
    assert [len(tables_of_round) for tables_of_round in rounds] == [4, 2, 1]
    for before, after in pairwise(rounds):
        stayed = {bot for table in before for bot in table[2:]}
        assert {bot for table in after for bot in table} == stayed


def test_who_went_on_without_playing_plays_the_next_round() -> None:
    made = config(5, 2, format="knockout", blocks=6, max_blocks=6)
    for seed in range(10):
        rounds = [tables(blocks) for blocks in stages(make_format(made, f"seed {seed}"), strongest_wins)]
        assert [len(tables_of_round) for tables_of_round in rounds] == [2, 1, 1]
        [rested] = set(names(5)) - {bot for table in rounds[0] for bot in table}
        assert any(rested in table for table in rounds[1])


def test_only_as_many_go_home_as_leave_a_full_final() -> None:
    """Five at tables of four: one rests, one goes home, and the other four play the final."""
    knockout = course(5, 4, format="knockout", blocks=6, max_blocks=6)
    first, final = (tables(blocks) for blocks in stages(knockout, strongest_wins))
    [table], [last] = first, final
    assert set(names(5)) - set(last) == {table[0]}
    assert standings(knockout) == [*last[::-1], table[0]]


def test_a_table_goes_on_to_twice_as_many_blocks_until_it_is_clear() -> None:
    knockout = course(2, 2, format="knockout", blocks=6, max_blocks=100)
    assert [len(blocks) for blocks in stages(knockout, tied)] == [6, 6, 12, 24, 48, 4]
    assert standings(knockout) == ["bot00", "bot01"]  # level to the end: in the order of the config
    clear = course(2, 2, format="knockout", blocks=6, max_blocks=100)
    assert [len(blocks) for blocks in stages(clear, strongest_wins)] == [6]
    assert standings(clear) == ["bot01", "bot00"]


def test_fewer_than_six_blocks_make_nothing_clear() -> None:
    knockout = course(2, 2, format="knockout", blocks=1, max_blocks=100)
    assert [len(blocks) for blocks in stages(knockout, strongest_wins)] == [1, 1, 2, 4]


def test_the_blocks_of_a_table_go_on_counting_over_checkpoints_and_games() -> None:
    games = [{"name": "lives", "players": 2}, {"name": "pool", "players": 2}]
    knockout = course(2, 2, format="knockout", blocks=3, max_blocks=12, variants=games)
    blocks = [block for stage in stages(knockout, tied) for block in stage]
    expected = [(variant, number) for number in range(12) for variant in ("lives", "pool")]
    assert [(block.variant, block.repetition) for block in blocks] == expected


def test_close_pairs_take_longer_than_unequal_ones() -> None:
    knockout = course(12, 2, format="knockout", blocks=6, max_blocks=5000)
    blocks = Counter(block.bots for stage in stages(knockout) for block in stage)
    near = [number for (first, other), number in blocks.items() if int(other[3:]) - int(first[3:]) <= 1]
    far = [number for (first, other), number in blocks.items() if int(other[3:]) - int(first[3:]) >= 6]
    assert near
    assert far
    assert min(near) > max(far)
    assert standings(knockout)[0] == "bot11"


def test_seldom_does_the_weaker_go_on() -> None:
    """Pairs of bots 1 apart, with a luck of 3 in each match: the better takes 59 of 100."""
    wrong = 0
    for seed in range(60):
        knockout = make_format(config(2, 2, format="knockout", blocks=6, max_blocks=5000), f"seed {seed}")
        blocks = [block for stage in stages(knockout) for block in stage]
        assert len(blocks) < 5000
        wrong += standings(knockout)[0] == "bot00"
    assert wrong <= 4  # 1 % at each of some looks


def test_a_bot_withdrawn_loses_its_table_at_the_next_checkpoint() -> None:
    knockout = course(4, 2, format="knockout", blocks=6, max_blocks=48, withdrawn={"bot03": 12})
    played = [tables(blocks) for blocks in stages(knockout, tied)]
    assert {"bot03"} & {bot for table in played[0] for bot in table}
    assert not any("bot03" in table for tables_of_round in played[1:] for table in tables_of_round)
    assert standings(knockout)[-1] == "bot03"
    assert len(played[-1]) == 1  # a final all the same


def test_it_ends_where_those_left_are_too_few_for_a_table() -> None:
    """After the first round of seven at tables of three, all but two are withdrawn."""
    gone = dict.fromkeys(["bot02", "bot03", "bot04", "bot05", "bot06"], 12)
    knockout = course(7, 3, format="knockout", blocks=6, max_blocks=6, withdrawn=gone)
    assert len(list(stages(knockout, strongest_wins))) == 1
    assert len(standings(knockout)) == 7


@pytest.mark.parametrize(("bots", "size", "teams"), [(24, 2, 6), (23, 4, 6), (9, 3, 3)])
def test_bots_of_one_team_never_meet_not_even_in_the_final(bots: int, size: int, teams: int) -> None:
    for seed in range(5):
        made = config(bots, size, teams=teams, same_team=False, format="knockout", blocks=6, max_blocks=12)
        for blocks in stages(make_format(made, f"seed {seed}")):
            for first, other in (pair for table in tables(blocks) for pair in combinations(table, 2)):
                assert int(first[3:]) % teams != int(other[3:]) % teams


def test_who_is_still_in_stands_before_those_who_went_home() -> None:
    knockout = course(8, 2, format="knockout", blocks=6, max_blocks=6)
    for number, blocks in enumerate(stages(knockout, strongest_wins)):
        if number == 1:
            board = knockout.scoreboard()
            assert board is not None
            assert board.title == "Knockout in round 2"
            still_in = {bot for table in tables(blocks) for bot in table}
            assert set(standings(knockout)[:4]) == still_in
            cells = board.standings.sheets[0].cells
            assert [row[2] for row in cells] == [""] * 4 + ["round 1"] * 4
            assert [row[3:] for row in cells[4:]] == [["0.0%", "6"]] * 4
    assert knockout.scoreboard().title == "Knockout of 3 rounds"  # type: ignore[union-attr]


def test_equals_are_ranked_by_the_order_of_the_config_and_the_ranking_says_so() -> None:
    knockout = course(4, 2, format="knockout", blocks=6, max_blocks=12)
    list(stages(knockout, tied))
    board = knockout.scoreboard()
    assert board is not None
    assert {row.note for row in board.rows} == {EQUAL}
    assert board.standings.sheets[0].headings[-1] == "note"


def test_a_clear_knockout_has_no_notes_and_the_winner_has_an_error() -> None:
    knockout = course(4, 2, format="knockout", blocks=40, max_blocks=40)
    list(stages(knockout))
    board = knockout.scoreboard()
    assert board is not None
    [first, *_] = records(board.columns, board.rows)
    assert 0 < float(first["error"] or 0) < 50
    [sheet] = board.standings.sheets
    assert f"± {first['error']}%" in sheet.cells[0][3]
    assert first["note"] == ""


def test_close_bots_are_not_separated() -> None:
    knockout = course(2, 2, format="knockout", blocks=6, max_blocks=6)
    list(stages(knockout, partial(result, luck=1000.0)))
    board = knockout.scoreboard()
    assert board is not None
    assert all(row.note.startswith(UNSEPARATED) for row in board.rows)


@pytest.mark.parametrize(("bots", "size"), [(8, 4), (16, 4), (7, 3), (9, 2), (5, 4), (2, 2)])
def test_the_range_of_blocks_is_known_before(bots: int, size: int) -> None:
    for result_of, most in ((strongest_wins, False), (tied, True)):
        knockout = course(bots, size, format="knockout", blocks=6, max_blocks=20)
        expected = knockout.total_range
        assert expected is not None
        assert sum(map(len, stages(knockout, result_of))) == expected[most]


def test_a_knockout_that_is_ended_is_decided_by_the_scores_so_far() -> None:
    """The first round of eight at tables of four is cut after 9 of its 12 blocks a table."""
    knockout = course(8, 4, format="knockout", blocks=6, max_blocks=100, ended_after=2 * 9)
    assert [len(blocks) for blocks in stages(knockout, partial(result, luck=1000.0))] == [12, 6]
    board = knockout.scoreboard()
    assert board is not None
    assert board.title == "Knockout, ended in round 1: its time was over"
    assert [row.out for row in board.rows] == [None] * 4 + [1] * 4
    assert [row.blocks for row in board.rows] == [9] * 8
    assert [row.note for row in board.rows[:4]] == [UNSEPARATED] * 4


def test_the_draw_hangs_on_the_seed_alone() -> None:
    made = config(16, 2, format="knockout", blocks=6, max_blocks=6)
    first, again, other = (list(stages(make_format(made, seed))) for seed in ("run", "run", "other"))
    assert first == again
    assert tables(first[0]) != tables(other[0])
