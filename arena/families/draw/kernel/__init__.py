"""Compiled play of the draw family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.draw.deal`, on arrays: a test compares both over many matches. The turns are
also those of the searching bots' deals.
"""
