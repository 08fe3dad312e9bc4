"""Compiled play of the cambio family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.cambio.deal`, on arrays: a test compares both over many matches.
"""
