"""Compiled play of the cuckoo family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.cuckoo.deal`, on arrays: a test compares both over many matches.
"""
