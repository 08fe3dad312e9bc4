"""Parameters of a bot that are tuned: settings with a range."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from arena.errors import ConfigError, PluginError
from arena.plugins.bot_source import BotSource, ParameterKind, open_without_links
from arena.plugins.manifest import MANIFEST

NUMBER: Final = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
FORM: Final = re.compile(rf"([A-Za-z_]\w*)=({NUMBER})\.\.({NUMBER})(?:@({NUMBER}))?")
DIGITS: Final = 6
"""Significant digits of a setting."""
MAX_SEARCHED_BYTES: Final = 1 << 20
"""Maximum size of a bot's file in which names of settings are searched, in bytes."""

Settings = Mapping[str, int | float]


class Parameter(msgspec.Struct, frozen=True):
    """A setting of a bot and its range.

    Attributes:
        name: Name of the setting.
        low: Least value.
        high: Largest value, above `low`.
        start: Start of the search; None for the bot's own default, and then in the middle of the range.
        is_integer: True if only integers are tried.
    """

    name: str
    low: float
    high: float
    start: float | None = None
    is_integer: bool = False

    @classmethod
    def parse(cls, text: str, *, is_integer: bool = False) -> Parameter:
        """Return the parameter that `NAME=LOW..HIGH` or `NAME=LOW..HIGH@START` names.

        Example:
            >>> Parameter.parse("safe=0.8..0.99@0.95")
            Parameter(name='safe', low=0.8, high=0.99, start=0.95, is_integer=False)

        Raises:
            ConfigError: For a text of another form, or an empty range, or numbers that are not integers where
                only integers are to be tried.
        """
        match = FORM.fullmatch(text)
        if not match:
            examples = "draws=4..16 or draws=4..16@8" if is_integer else "safe=0.8..0.99 or patience=0..1@0.5"
            raise ConfigError(
                f"{text!r} is not a parameter: write NAME=LOW..HIGH or NAME=LOW..HIGH@START, such as "
                f"{examples}"
            )
        name, *numbers = match.groups()
        given = [number for number in numbers if number is not None]
        low, high, *start = map(float, given)
        if not low < high:
            raise ConfigError(f"{text!r} is not a parameter: {given[0]} is not below {given[1]}")
        if start and not low <= start[0] <= high:
            raise ConfigError(
                f"{text!r} is not a parameter: {given[2]} is not between {given[0]} and {given[1]}"
            )
        if is_integer and not all(re.fullmatch(r"[+-]?\d+", number) for number in given):
            raise ConfigError(
                f"{text!r} is not an integer parameter: write whole numbers, or declare it in parameters "
                "(--param), which takes any numbers"
            )
        return cls(name, low, high, start[0] if start else None, is_integer)

    def at(self, share: float) -> int | float:
        """Return the value at a share of the range from 0 to 1; ends stand for shares beyond them."""
        value = self.low + min(max(share, 0.0), 1.0) * (self.high - self.low)
        return round(value) if self.is_integer else float(f"{value:.{DIGITS}g}")

    @property
    def start_share(self) -> float:
        """The place in the range, 0 to 1, at which the search begins."""
        return 0.5 if self.start is None else (self.start - self.low) / (self.high - self.low)


def start_settings(parameters: Sequence[Parameter]) -> dict[str, int | float]:
    """Return the settings at the start, without those left to the bot."""
    return {
        parameter.name: int(parameter.start) if parameter.is_integer else parameter.start
        for parameter in parameters
        if parameter.start is not None
    }


def declared_parameters(source: BotSource) -> list[Parameter]:
    """Return the parameters that a bot declares; its code is not run.

    Raises:
        ConfigError: For a declaration of another form.
        PluginError: For a declaration of another form.
    """
    real = _parse_declared(source, "parameters")
    integers = _parse_declared(source, "integers")
    names = {parameter.name for parameter in real}
    for parameter in integers:
        if parameter.name in names:
            raise ConfigError(
                f"{source}: {parameter.name} is in parameters and in integers: name it in integers only, "
                "which also gives its range"
            )
    _refuse_repeated([*real, *integers])
    return [*real, *integers]


def _parse_declared(source: BotSource, kind: ParameterKind) -> list[Parameter]:
    """Return the parameters in one of a bot's two lists."""
    try:
        return [Parameter.parse(text, is_integer=kind == "integers") for text in source.parameters(kind)]
    except ConfigError as error:
        raise ConfigError(f"{source}: its list {kind}: {error}") from error


def parse_parameters(
    texts: Sequence[str], integers: Sequence[str] = (), declared: Sequence[Parameter] = ()
) -> list[Parameter]:
    """Return parameters with different names, those of `integers` last.

    A text that is only a name stands for the declared parameter of that name; without texts all declared ones
    are returned.

    Raises:
        ConfigError: Also if there is none.
    """
    known = {parameter.name: parameter for parameter in declared}
    parameters = [known.get(text) or Parameter.parse(text) for text in texts]
    parameters += [known.get(text) or Parameter.parse(text, is_integer=True) for text in integers]
    parameters = parameters or list(declared)
    if not parameters:
        raise ConfigError(
            "there is nothing to tune: the bot declares no parameters; give --param NAME=LOW..HIGH, or "
            "--integer for whole numbers, or declare them in its class or bot.toml: "
            'parameters = ["safe=0.6..0.99@0.95"], integers = ["draws=4..16@8"]'
        )
    _refuse_repeated(parameters)
    return parameters


def start_from_settings(parameters: Sequence[Parameter], settings: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameters; those without a start begin at the bot's own setting, if it is in range."""
    return [
        msgspec.structs.replace(parameter, start=float(value))
        if parameter.start is None
        and isinstance(value := settings.get(parameter.name), int | float)
        and parameter.low <= value <= parameter.high
        else parameter
        for parameter in parameters
    ]


def find_unmentioned(parameters: Sequence[Parameter], source: BotSource) -> list[str]:
    """Return the names of parameters that no file of a bot in Python mentions but its `bot.toml`."""
    if not source.launch().target:
        return []
    names = {parameter.name for parameter in parameters}
    for file_name, path in source.files():
        if file_name == MANIFEST:
            continue
        try:
            with open_without_links(path.resolve()) as file:
                data = file.read(MAX_SEARCHED_BYTES + 1)
        except (PluginError, OSError):
            return []
        if len(data) > MAX_SEARCHED_BYTES:
            return []
        names = {name for name in names if not re.search(rf"\b{name}\b".encode(), data)}
    return [parameter.name for parameter in parameters if parameter.name in names]


def _refuse_repeated(parameters: Sequence[Parameter]) -> None:
    names = [parameter.name for parameter in parameters]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"the parameter {name} is given twice")
