"""The barter family: cards bought from the dealer, or exchanged unseen with a neighbour."""
