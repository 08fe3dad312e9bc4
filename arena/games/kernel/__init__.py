"""Shared parts of the compiled play of all families, many matches at once; they need numba (extra `vector`).

The same rules as those of `arena.games`, which never import from here.
"""
