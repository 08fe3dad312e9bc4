"""The blocks of a tournament, and the seeds of its random choices."""
