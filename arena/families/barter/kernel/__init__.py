"""Compiled play of the barter family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.barter.deal`, on arrays: a test compares both over many matches.
"""
