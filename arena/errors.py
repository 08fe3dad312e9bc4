"""The errors that the arena raises on purpose, as one tree.

ArenaError
├── UnknownVariant          no variant of that name              (also ValueError)
├── UnknownOption           the variant has no option like that  (also ValueError)
├── InvalidRules            rules that cannot be dealt           (also ValueError)
├── IllegalAction           an action the rules forbid now       (also ValueError)
├── InvalidNotation         text that is not a card, hand or action (also ValueError)
├── ConfigError             a tournament that cannot be set up
├── PluginError             a bot that cannot be found or loaded
│   └── BotNameError        a name that a bot may not have
├── RecordError             a record that does not match its replay
├── StoreError              a run folder that cannot be read or written
├── MissingPackage          an optional package not installed    (also ImportError)
└── Unavailable             raised by a bot: what it needs does not answer now

A message is complete without the class name: it says what is wrong, where, and what would be right.
"""

from collections.abc import Iterable
from types import ModuleType
from typing import Any


class ArenaError(Exception):
    """Base class of all errors that the arena raises on purpose.

    Attributes:
        path: File or folder, as it was named; None where it does not apply, as for all attributes.
        line: Line of the file, from 1.
        key: Key of a config, such as `variants[0].tokens`.
        deal: Deal of a match, from 1.
        action: Action of a deal, from 1.
    """

    def __init__(
        self,
        message: str = "",
        *,
        path: str | None = None,
        line: int | None = None,
        key: str | None = None,
        deal: int | None = None,
        action: int | None = None,
    ) -> None:
        super().__init__(message)
        self.path, self.line, self.key, self.deal, self.action = path, line, key, deal, action

    @property
    def location(self) -> dict[str, Any]:
        """The attributes that are not None, by name."""
        names = ("path", "line", "key", "deal", "action")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


class UnknownVariant(ArenaError, ValueError):
    """No variant has that name."""


class UnknownOption(ArenaError, ValueError):
    """The variant has no option of that name, or not with that value."""


class InvalidRules(ArenaError, ValueError):
    """Rules that cannot be dealt; the message holds the numbers."""


class IllegalAction(ArenaError, ValueError):
    """An action the rules do not allow at this decision."""


class InvalidNotation(ArenaError, ValueError):
    """Text that is not a card, hand or action."""


class SamplingError(ArenaError):
    """A view for which no deal was found that it allows, as `view.sample` looks for it."""


class ConfigError(ArenaError):
    """A tournament that cannot be set up; the message names file and key."""


class PluginError(ArenaError):
    """A bot that cannot be found or loaded."""


class BotNameError(PluginError):
    """A name that a bot may not have: another one may do."""


class RecordError(ArenaError):
    """A record that is malformed, or does not match its replay."""


class StoreError(ArenaError):
    """A run folder that cannot be read or written."""


class MissingPackage(ArenaError, ImportError):
    """An optional package that is not installed; the message says how to install it."""


class Unavailable(ArenaError):
    """Raised by a bot if something outside that it needs does not answer now: no fault.

    The blocks in play are put back, and begun again later; where it lasts, the run pauses.

    Attributes:
        retry_after: Seconds after which to ask again; None if that needs a person, as after a spent budget:
            the run pauses at once.
    """

    def __init__(self, retry_after: float | None = 60.0, reason: str = "") -> None:
        super().__init__(reason or "what it needs is unavailable")
        self.retry_after = None if retry_after is None else float(retry_after)

    def __reduce__(self) -> tuple[Any, ...]:
        return Unavailable, (self.retry_after, str(self))


def import_optional(module: str, extra: str) -> Any:
    """Import a module of an optional package.

    Args:
        module: Its name, dotted.
        extra: The extra of this project that installs the package.

    Raises:
        MissingPackage: It is not installed.
    """
    from importlib import import_module  # here, so that only optional packages pay for the import

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if (error.name or "").partition(".")[0] != package:
            raise  # something that the package itself lacks
        raise MissingPackage(f"{package} is not installed: {suggest_extra(extra)}") from None


def suggest_extra(extra: str) -> str:
    """Return the end of a message about a missing package: how to install an extra of this project.

    Example:
        >>> suggest_extra("tune")
        "pip install 'commerce-arena[tune]' (in a clone: make extra-tune)"
    """
    return f"pip install 'commerce-arena[{extra}]' (in a clone: make extra-{extra})"


def suggest_class(name: str, module: ModuleType) -> str:
    """Return the end of a message about a class that a module lacks: the most similar of its own classes."""
    classes = [key for key, value in vars(module).items() if isinstance(value, type)]
    return suggest_nearest(
        name, [label for label in classes if vars(module)[label].__module__ == module.__name__]
    )


def suggest_nearest(name: str, names: Iterable[str]) -> str:
    """Return the end of a message about an unknown name: the most similar known one, or else all of them.

    Example:
        >>> suggest_nearest("gredy", ["random", "greedy"])
        "the nearest is 'greedy'"
    """
    from difflib import get_close_matches  # here, so that only errors pay for the import

    known = sorted(names)
    in_lower_case = {name.lower(): name for name in reversed(known)}
    close = get_close_matches(name.lower(), in_lower_case, n=1)
    if close:
        return f"the nearest is {in_lower_case[close[0]]!r}"
    return f"there are {', '.join(known)}" if known else "there are none"
