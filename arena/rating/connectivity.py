"""Which bots can be compared at all: the graph of who took points from whom."""

import numpy as np
from numpy.typing import NDArray

from arena.rating.elo_scale import Array

Links = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]


def met_groups(points: Array) -> Groups:
    """Groups of bots that never met a bot of another group, the largest first.

    Between two of them nothing at all is known. `points[i, j]` is what i took from j.
    """
    return _strong_groups((points + points.T) > 0)


def comparable_groups(points: Array) -> Groups:
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
            group = left & reached(links, start) & reached(links.T, start)
            left &= ~group
            groups.append(tuple(int(bot) for bot in np.flatnonzero(group)))
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


def reached(links: Links, start: int) -> Links:
    """Which nodes can be reached from `start`, itself included."""
    reached = np.zeros(len(links), dtype=np.bool_)
    reached[start] = True
    front = reached
    while front.any():
        front = links[front].any(axis=0) & ~reached
        reached = reached | front
    return reached
