"""The barter family: cards bought from the dealer, or exchanged face down with a neighbour."""
