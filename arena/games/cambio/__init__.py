"""The cambio family: cards face down, known to those who have seen them."""
