"""The site of a league: static pages with links among them, and their data for programs."""
