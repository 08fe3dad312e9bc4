"""Tuning of a bot's settings: the search, what it plays, and the comparison at its end."""
