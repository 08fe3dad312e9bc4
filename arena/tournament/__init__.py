"""Tournaments: what is asked for, the schedule, playing it, and the run folder that keeps it."""
