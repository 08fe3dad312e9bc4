"""A run looked at afterwards: whether it is true, what it shows, and what more of it would tell."""
