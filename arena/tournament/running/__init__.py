"""A run: begun, played, interrupted and gone on with, to its end."""
