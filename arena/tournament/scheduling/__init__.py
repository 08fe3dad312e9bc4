"""What is played: the blocks of a tournament, and the seeds of all that is left to chance."""
