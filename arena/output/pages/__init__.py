"""Self-contained HTML pages of a run or a match: sections, tables and a replay viewer."""
