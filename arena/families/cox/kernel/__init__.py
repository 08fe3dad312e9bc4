"""Compiled play of the cox family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.cox.deal`, on arrays: a test compares both over many matches.
"""
