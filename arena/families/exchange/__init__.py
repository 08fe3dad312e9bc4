"""The exchange family: Commerce with a widow, and its descendants."""
