"""Find which bots can be compared at all, from the graph of who took points from whom."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from arena.rating.pair_counts import FloatArray

Links = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]


def find_connected_groups(points: FloatArray) -> Groups:
    """Return the groups of bots that met, directly or through others; nothing is known between two of them.

    Args:
        points: Square matrix of the points that row took from column.

    Returns:
        Groups of bot numbers, the largest first, then by first member.

    Example:
        >>> import numpy as np
        >>> find_connected_groups(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]]))
        ((0, 1), (2,))
    """
    return _find_components(points > 0, "weak")


def find_comparable_groups(points: FloatArray) -> Groups:
    """Return the groups in which every bot both took points from every other and lost some to it.

    It may do so through others. Only within such a group is a difference of ratings finite without a prior:
    of two groups that met, one won every point. Arguments and order are those of `find_connected_groups`.
    Source: L. R. Ford, Solution of a ranking problem from binary comparisons, Amer. Math. Monthly 64, 1957.
    """
    return _find_components(points > 0, "strong")


def is_reachable(links: Links, start: int, end: int) -> bool:
    """Return whether a path leads from one node of a directed graph to another."""
    from scipy.sparse.csgraph import breadth_first_order

    return end in breadth_first_order(links, start, return_predecessors=False)


def _find_components(links: Links, connection: Literal["weak", "strong"]) -> Groups:
    bots = len(links)
    if (links | np.eye(bots, dtype=np.bool_)).all():  # in most runs: importing scipy takes longer than a fit
        return (tuple(range(bots)),) if bots else ()
    from scipy.sparse.csgraph import connected_components

    number, labels = connected_components(links, connection=connection)
    groups = [tuple(np.flatnonzero(labels == label).tolist()) for label in range(number)]
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))
