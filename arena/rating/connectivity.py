"""Which bots can be compared at all: the graph of who took points from whom."""

import numpy as np
from numpy.typing import NDArray

from arena.rating.elo_scale import FloatArray

Links = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]


def find_connected_groups(points: FloatArray) -> Groups:
    """Groups of bots that never met a bot of another group, the largest first.

    Between two of them nothing at all is known. `points[i, j]` is what i took from j.
    """
    return _strong_groups((points + points.T) > 0)


def find_comparable_groups(points: FloatArray) -> Groups:
    """Groups within which every bot has, over others or directly, both taken points and given some.

    Only within them is a difference of ratings finite without the prior: of two groups that met, one
    won every point. The largest group comes first.
    Source: L. R. Ford, Solution of a ranking problem from binary comparisons, Amer. Math. Monthly 64, 1957.
    """
    return _strong_groups(points > 0)


def _strong_groups(links: Links) -> Groups:
    """Strongly connected components of a directed graph, the largest first, then by first member."""
    left = np.ones(len(links), dtype=np.bool_)
    groups = []
    for start in range(len(links)):
        if left[start]:
            group = left & find_reachable(links, start) & find_reachable(links.T, start)
            left &= ~group
            groups.append(tuple(int(bot) for bot in np.flatnonzero(group)))
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


def find_reachable(links: Links, start: int) -> Links:
    """Which nodes can be reached from `start`, itself included."""
    find_reachable = np.zeros(len(links), dtype=np.bool_)
    find_reachable[start] = True
    front = find_reachable
    while front.any():
        front = links[front].any(axis=0) & ~find_reachable
        find_reachable = find_reachable | front
    return find_reachable
