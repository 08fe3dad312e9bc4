"""The cambio family: cards face down, known to the seats that have seen them."""
