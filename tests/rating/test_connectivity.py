"""Groups of comparable bots."""

import subprocess
import sys

import numpy as np
import pytest

from arena.rating.pair_counts import FloatArray, find_comparable_groups, find_connected_groups, is_reachable


def taken(size: int, *pairs: tuple[int, int]) -> FloatArray:
    """Points where each first bot of a pair took one from the second."""
    points = np.zeros((size, size))
    for winner, loser in pairs:
        points[winner, loser] = 1
    return points


def test_a_cycle_of_wins_is_one_group() -> None:
    assert find_comparable_groups(taken(4, (0, 1), (1, 2), (2, 3), (3, 0))) == ((0, 1, 2, 3),)


def test_an_unbeaten_bot_is_its_own_group() -> None:
    points = taken(3, (0, 1), (1, 0), (2, 0), (2, 1))
    assert find_comparable_groups(points) == ((0, 1), (2,))
    assert find_connected_groups(points) == ((0, 1, 2),)


def test_a_tie_connects_a_field() -> None:
    points = taken(3, (0, 1), (1, 2))
    points[0, 2] = points[2, 0] = 0.5
    assert find_comparable_groups(points) == ((0, 1, 2),)


def test_bots_that_never_met_are_groups_the_largest_first() -> None:
    points = taken(6, (0, 4), (1, 2), (2, 5))
    assert find_connected_groups(points) == ((1, 2, 5), (0, 4), (3,))


@pytest.mark.parametrize("seed", range(20))
def test_groups_equal_the_transitive_closure(seed: int) -> None:
    points = np.random.default_rng(seed).random((9, 9)) < 0.14
    reach = points | np.eye(9, dtype=np.bool_)
    for _ in range(4):
        reach = reach @ reach
    mutual = {tuple(np.flatnonzero(row).tolist()) for row in reach & reach.T}
    assert set(find_comparable_groups(points.astype(np.float64))) == mutual


def test_a_long_chain_and_a_large_field_are_no_deeper_than_they_are_wide() -> None:
    chain = np.eye(2000, k=1)
    assert len(find_comparable_groups(chain)) == 2000
    assert find_connected_groups(chain) == (tuple(range(2000)),)
    assert is_reachable(chain > 0, 3, 1999)
    assert not is_reachable(chain > 0, 1999, 3)


def test_rating_a_field_imports_none_of_scipys_graphs() -> None:
    code = (
        "import sys; from arena.rating.pair_counts import count_pairs; "
        "from arena.rating.elo_fit import fit_elo; "
        "fit_elo(count_pairs('ab', 2, [(block, (0, 1), (1, 2 - block % 2)) for block in range(9)])); "
        "print(*(name for name in sys.modules if name.startswith('scipy.sparse')))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b""
