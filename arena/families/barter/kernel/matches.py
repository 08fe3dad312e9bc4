"""The names of `arena.families.barter.kernel` that bots import from here."""

from arena.families.barter.actions import HAND_SIZE as HAND_SIZE
from arena.families.barter.kernel import *  # noqa: F403
