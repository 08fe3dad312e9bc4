"""Ranking hands: by combinations, as at Brag, as at poker, by the total of a suit."""
