"""A standing league: submissions in, up-to-date ratings out, in one folder for years."""
