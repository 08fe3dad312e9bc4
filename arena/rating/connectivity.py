"""Find which bots can be compared at all, from the graph of who took points from whom."""

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
    links = points > 0
    return _find_components(links | links.T)


def find_comparable_groups(points: FloatArray) -> Groups:
    """Return the groups in which every bot both took points from every other and lost some to it.

    It may do so through others. Only within such a group is a difference of ratings finite without a prior:
    of two groups that met, one won every point. Arguments and order are those of `find_connected_groups`.
    Source: L. R. Ford, Solution of a ranking problem from binary comparisons, Amer. Math. Monthly 64, 1957.
    """
    return _find_components(points > 0)


def is_reachable(links: Links, start: int, end: int) -> bool:
    """Return whether a path leads from one node of a directed graph to another."""
    return end in _search_depth_first(links, start, np.ones(len(links), np.bool_))


def _find_components(links: Links) -> Groups:
    """Return the groups within which paths lead from every node to every other.

    scipy does this too, but importing its graphs takes more time and memory than rating most fields.
    Source: M. Sharir, A strong-connectivity algorithm, Computers & Mathematics with Applications 7, 1981.
    """
    left, finished = np.ones(len(links), np.bool_), list[int]()
    while left.any():
        finished += _search_depth_first(links, int(left.argmax()), left)
    left, backwards = np.ones(len(links), np.bool_), np.ascontiguousarray(links.T)
    groups = [
        tuple(sorted(_search_depth_first(backwards, node, left))) for node in reversed(finished) if left[node]
    ]
    return tuple(sorted(groups, key=lambda group: (-len(group), group)))


def _search_depth_first(links: Links, start: int, left: Links) -> list[int]:
    """Return the nodes that paths within `left` lead to, each after those it leads to; they leave `left`."""
    path, finished = [start], []
    left[start] = False
    while path:
        following = links[path[-1]] & left
        node = int(following.argmax())
        if following[node]:
            left[node] = False
            path.append(node)
        else:
            finished.append(path.pop())
    return finished
