"""Checkpoints of a bot in training, each rated against the same field on the same deals."""
