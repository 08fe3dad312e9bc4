"""Aliases: the names under which submitters appear, where a league's settings ask for them.

The bots of a submitter are called by the alias, or by names that begin with it and a dash. A name with the
submitter's own in it is changed when it is handed in, and that of a bot which has it already by the next
update. Who chose no alias has one that is made from the league's secret.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, Self

from arena.errors import PluginError
from arena.league.names import MAX_NAME_CHARS, find_alike, parse_name
from arena.league.settings import Settings
from arena.league.store import Bot, LeagueDatabase, Request
from arena.plugins.name_folding import check_not_installed, fold_case, fold_name

MAX_ALIAS_CHARS: Final = 24
"""Maximum length of an alias, which leaves room for what follows it in the name of a bot."""
MAX_ALIASES: Final = 5
"""Aliases that a submitter can choose, as each of them stays reserved."""
DEFAULT_PREFIX: Final = "guest"
DEFAULT_DIGITS: Final = 6
DASH: Final = "-"


class Aliases:
    """The aliases of a league's submitters.

    Args:
        settings: Settings of the league.
        seed: Secret of the league.
        chosen: Submitters and the aliases that they chose, in order.
    """

    def __init__(self, settings: Settings, seed: str, chosen: Sequence[tuple[str, str]]) -> None:
        self._settings, self._seed = settings, seed
        self._chosen: defaultdict[str, list[str]] = defaultdict(list)
        for submitter, name in chosen:
            self._chosen[submitter].append(name)

    @classmethod
    def read(cls, database: LeagueDatabase, settings: Settings) -> Self:
        """Return the aliases in the database of a league."""
        return cls(settings, database.seed, database.aliases())

    def find(self, submitter: str) -> str:
        """Return the alias of a submitter; empty if the league has none, and for the organiser."""
        return self.list_all(submitter)[-1] if self._has(submitter) else ""

    def list_all(self, submitter: str) -> list[str]:
        """Return all aliases that a submitter ever had, the present one last."""
        key = self._seed.encode()[:64]
        digest = blake2b(f"alias {submitter}".encode(), key=key, digest_size=8).hexdigest()
        return [f"{DEFAULT_PREFIX}{digest[:DEFAULT_DIGITS]}", *self._chosen.get(submitter, ())]

    def replace_names(self, submitter: str, name: str) -> str:
        """Return a bot's name with the alias of its submitter for the own name or an earlier alias."""
        if not self._has(submitter):
            return name
        alias = self.find(submitter)
        for old in (submitter, *self.list_all(submitter)[:-1]):
            name = _occurrences(old).sub(lambda found: alias + (DASH if found[1] else ""), name)
        return name[:MAX_NAME_CHARS].rstrip(DASH)

    def patterns(self, submitter: str) -> tuple[str, ...]:
        """Return the patterns of the names that a submitter's bots may have."""
        listed = self._settings.submitters.get(submitter, ())
        if not self._has(submitter):
            return listed
        own = [pattern for name in reversed(self.list_all(submitter)) for pattern in (name, f"{name}-*")]
        return (*own, *(one for one in listed if self.replace_names(submitter, one) == one))

    def _has(self, submitter: str) -> bool:
        return self._settings.aliases and submitter in self._settings.submitters

    def refuse(self, submitter: str, alias: str, bots: Sequence[Bot]) -> None:
        """Refuse an alias that another might be taken for.

        Raises: PluginError.
        """
        if DASH in alias or len(alias) > MAX_ALIAS_CHARS:
            raise PluginError(f"an alias has at most {MAX_ALIAS_CHARS} characters and no dash")
        if _occurrences(submitter).search(alias):
            raise PluginError(f"{alias} has your name in it: choose another alias")
        check_not_installed(alias, "choose another alias")
        folded = fold_name(alias)
        others = [one for one in self._settings.submitters if one != submitter]
        taken = [*self._settings.submitters, *(name for one in others for name in self.list_all(one))]
        if any(fold_name(name) == folded for name in taken):
            raise PluginError(f"{alias} is taken, or looks like a name that is: choose another alias")
        foreign = [bot for bot in bots if bot.owner != submitter]
        begins = any(fold_name(bot.name).startswith(f"{folded}{fold_name(DASH)}") for bot in foreign)
        if find_alike(foreign, alias) or begins:
            raise PluginError(f"{alias} looks like the name of another's bot: choose another alias")


def _occurrences(name: str) -> re.Pattern[str]:
    """Return the pattern of a name between other than letters; its group is a digit that follows."""
    return re.compile(rf"(?<![^\W\d_]){re.escape(name)}(?![^\W\d_])(?=(\d?))", re.IGNORECASE)


def choose_alias(
    database: LeagueDatabase, settings: Settings, submitter: str, text: str, *, is_limited: bool = True
) -> str:
    """Store the alias of a submitter, and return it; bots get it with the next update.

    Args:
        database: Database of the league, open for writing.
        settings: Settings of the league.
        submitter: Who chooses it.
        text: The alias.
        is_limited: True to refuse more than `MAX_ALIASES` of a submitter.

    Raises:
        PluginError: For one that is not valid or taken, and where the league has no aliases.
    """
    if not settings.aliases:
        raise PluginError("the league has no aliases: `aliases = true` in league.toml switches them on")
    if submitter not in settings.submitters:
        raise PluginError(f"{submitter} is not in the table [submitters] of league.toml")
    aliases, alias = Aliases.read(database, settings), parse_name(text.strip())
    if aliases.find(submitter) == alias:
        return alias
    if is_limited and len(aliases.list_all(submitter)) > MAX_ALIASES:
        raise PluginError(f"you chose {MAX_ALIASES} aliases already: ask the organiser")
    aliases.refuse(submitter, alias, database.bots())
    database.add_alias(submitter, alias)
    return alias


def list_renames(database: LeagueDatabase, settings: Settings) -> list[Request]:
    """Return requests for the bots whose names are to follow their submitters' aliases."""
    aliases, bots = Aliases.read(database, settings), database.bots()
    waiting = {request.name for request in database.requests("kind = 'rename' AND state = 'waiting'")}
    taken = {fold_name(bot.name) for bot in bots}
    renames = []
    for bot in bots:
        name = aliases.replace_names(bot.owner, bot.name)
        if name == bot.name or bot.name in waiting:
            continue
        if fold_name(name) in taken and fold_case(name) != bot.folded_name:
            name = f"{aliases.find(bot.owner)}{DASH}{bot.number}"
        taken.add(fold_name(name))
        renames.append(Request(kind="rename", name=bot.name, new_name=name))
    return renames
