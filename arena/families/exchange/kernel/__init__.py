"""Compiled play of the exchange family, many matches at once; it needs numba (extra `vector`).

The same rules as `arena.families.exchange.deal`, on arrays: import from here only where matches are played by
the thousands. Legal actions, hand ranks and options come from the rules themselves; the course of a deal and
the settlements are written a second time, and a test compares both over many matches of all that is served.
"""
