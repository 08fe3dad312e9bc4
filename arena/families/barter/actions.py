"""The hand of the barter family and an action, which bots import from here."""

from arena.families.barter.deal import CONTINUE
from arena.families.barter.view import HAND_SIZE

__all__ = ["CONTINUE", "HAND_SIZE"]
