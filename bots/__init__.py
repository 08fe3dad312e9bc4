"""The built-in bots: models to learn from and opponents to measure against, loaded like anybody's."""
