"""The site of a league: static pages with links among them, and their machine-readable data."""
