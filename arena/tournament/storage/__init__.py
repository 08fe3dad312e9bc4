"""Stored data: results and their packing, the database, and what is counted from it."""
