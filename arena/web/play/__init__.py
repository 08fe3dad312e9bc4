"""Play in the browser: sitting down at a table, the table itself, and its records."""
