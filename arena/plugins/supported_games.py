"""The games a bot says it plays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from arena.errors import ConfigError, PluginError, UnknownVariant, suggest_nearest

if TYPE_CHECKING:
    from arena.games import Rules


def check_variants(names: Any) -> frozenset[str]:
    """The games that a declaration names, or whose family, by their own names; none claims all.

    Raises: PluginError, for what is no list of names of games and families.
    """
    if not isinstance(names, list | tuple | set | frozenset) or not all(isinstance(n, str) for n in names):
        raise PluginError(f'variants: {names!r} is no list of games: write variants = ["lives"]')
    return frozenset(game for name in names for game in _meant(name))


def refuse_unclaimed(bot: str, names: Any, games: Iterable[Rules]) -> None:
    """Refuses to let a bot that declares these names play games that are not among them.

    Raises: ConfigError, naming bot and game; PluginError, for a declaration that is none.
    """
    try:
        claimed = check_variants(names)
    except PluginError as error:
        raise PluginError(f"{bot}: {error}") from error
    for rules in games if claimed else ():
        if rules.name not in claimed:
            raise ConfigError(
                f"{bot} does not play {rules}: its variants are {', '.join(sorted(names))}; "
                "leave out the bot or the game"
            )


def _meant(name: str) -> frozenset[str]:
    from arena.games import VARIANTS, variant  # here, so that a listing of bots needs no rules

    of_family = frozenset(rules.name for rules in VARIANTS if rules.family == name)
    try:
        return of_family or frozenset([variant(name).name])
    except UnknownVariant as error:
        names = {known for rules in VARIANTS for known in (rules.name, rules.family)}
        raise PluginError(
            f"variants: no game and no family is called {name!r}; {suggest_nearest(name, names)}"
        ) from error
