"""Runs of a tournament: create, play, interrupt and resume them."""
