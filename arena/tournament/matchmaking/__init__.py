"""Matchmaking: which bots sit at a table together."""
