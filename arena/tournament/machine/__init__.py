"""The machine: whether it is fit for tournaments, and how fast it plays."""
