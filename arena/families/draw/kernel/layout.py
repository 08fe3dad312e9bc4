"""The names of `arena.families.draw.kernel` that bots import from here."""

from arena.families.draw.kernel import *  # noqa: F403
