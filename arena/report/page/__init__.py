"""Self-contained HTML pages of a run or a match: figures, tables and a replay viewer."""
