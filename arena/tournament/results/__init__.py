"""Everything counted from a run's stored blocks, and the columns of the tables made of it."""
