import pytest

from arena.tournament.engine.progress import LiveLeader


def test_nobody_leads_before_the_first_match() -> None:
    assert LiveLeader().leader == ""


def test_who_left_more_opponents_behind_leads() -> None:
    standings = LiveLeader()
    standings.add(["greedy", "random", "prudent"], [2, 3, 1])
    assert standings.leader == "prudent"
    standings.add(["greedy", "random", "prudent"], [1, 2, 3])
    assert standings.leader == "greedy"


def test_a_tie_counts_half() -> None:
    """Level with both others (1, 1, 1) is worth as much as between them (2); alone on top is more."""
    standings = LiveLeader()
    standings.add(["a", "b", "c"], [1, 1, 1])
    standings.add(["d", "e", "f"], [1, 2, 3])
    assert standings.leader == "d"
    standings.add(["d", "e", "f"], [3, 2, 1])
    assert standings.leader == ""  # all have a half now


@pytest.mark.parametrize("matches", [1, 10])
def test_the_mean_counts_not_the_sum(matches: int) -> None:
    standings = LiveLeader()
    for _ in range(matches):
        standings.add(["often", "x", "y"], [2, 1, 3])
    standings.add(["once", "x", "y"], [1, 3, 2])
    assert standings.leader == "once"


def test_a_bot_that_is_out_does_not_lead() -> None:
    standings = LiveLeader()
    standings.add(["greedy", "loop", "random"], [2, 1, 3])
    standings.excluded.add("loop")
    assert standings.leader == "greedy"
