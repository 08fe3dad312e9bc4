"""The page of a run or of a match: HTML that opens from disk, with figures, tables and a replay viewer."""
