"""What the compiled play of all families shares, many matches at once; it needs numba (extra `vector`).

The same rules as those of `arena.games`, which never import from here.
"""
