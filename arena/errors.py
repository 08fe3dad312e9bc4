"""What can go wrong, as one tree.

ArenaError                  everything the arena raises on purpose
├── UnknownVariant          no variant of that name              (also ValueError)
├── UnknownOption           the variant has no option like that  (also ValueError)
├── InvalidRules            rules that cannot be dealt           (also ValueError)
├── IllegalAction           an action the rules forbid now       (also ValueError)
├── InvalidNotation         text that is no card, hand or action (also ValueError)
├── ConfigError             a tournament that cannot be set up
├── PluginError             a bot that cannot be found or loaded
├── RecordError             a record that is not a true account of its match
└── StoreError              a run folder that cannot be read or written

A message is whole without its class name: it says what is wrong, where, and what would be right.
"""

from collections.abc import Iterable


class ArenaError(Exception):
    """Everything the arena raises on purpose."""


class UnknownVariant(ArenaError, ValueError):
    """No variant of that name."""


class UnknownOption(ArenaError, ValueError):
    """The variant has no option of that name, or not with that value."""


class InvalidRules(ArenaError, ValueError):
    """Rules that cannot be dealt; the message holds the numbers."""


class IllegalAction(ArenaError, ValueError):
    """An action the rules do not allow at this decision."""


class InvalidNotation(ArenaError, ValueError):
    """Text that is no card, hand or action."""


class ConfigError(ArenaError):
    """A tournament that cannot be set up; the message names file and key."""


class PluginError(ArenaError):
    """A bot that cannot be found or loaded."""


class RecordError(ArenaError):
    """A record that is not a true account of its match."""


class StoreError(ArenaError):
    """A run folder that cannot be read or written."""


def suggest_nearest(name: str, names: Iterable[str]) -> str:
    """The end of a message about an unknown name: the likeliest right one, or else all there are."""
    from difflib import get_close_matches  # here, so that no command pays for it before something fails

    known = sorted(names)
    in_lower_case = {one.lower(): one for one in reversed(known)}
    close = get_close_matches(name.lower(), in_lower_case, n=1)
    if close:
        return f"the nearest is {in_lower_case[close[0]]!r}"
    return f"there are {', '.join(known)}" if known else "there are none"
