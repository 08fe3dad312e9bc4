"""Aliases: the names under which submitters appear, where a league's settings ask for them.

The bots of a submitter are called by the alias, or by names that begin with it and a dash. Whatever is handed
in counts under the submitter: the own name or a former alias in its name is read as the present alias, and
the next update renames the bots that are in the league. Who chose no alias has one that is made from the
league's secret.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Final, Self

import msgspec

from arena.errors import BotNameError, PluginError
from arena.league.accounts import list_accounts
from arena.league.bot_names import parse_name
from arena.league.folder import LeagueFolder
from arena.league.settings import Settings
from arena.league.store import Bot, LeagueDatabase, LeagueRequest, store_alias
from arena.plugins.installed_bots import bot_entry_points
from arena.plugins.manifest import MAX_NAME_CHARS, NAME_SIGNS
from arena.plugins.name_folding import fold_case, fold_name

MAX_ALIAS_CHARS: Final = 24
"""Maximum length of an alias, which leaves room for what follows it in the name of a bot."""
MAX_ALIASES: Final = 5
"""Aliases that a submitter can choose, as each of them stays reserved."""
DEFAULT_PREFIX: Final = "guest"
DEFAULT_DIGITS: Final = 6
DASH: Final = "-"
LETTERS_OF_DIGITS: Final = "olzeasgtbg"
"""The letter in whose place each digit is written, from 0 to 9."""


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
        """Return a bot's name with the present alias of its submitter for the own name or a former alias.

        The same again changes nothing. The result may be longer than a name may be.
        """
        if not self._has(submitter):
            return name
        alias = self.find(submitter)
        own = _occurrences(submitter, *self.list_all(submitter))
        return own.sub(lambda match: alias + (DASH if match[1] else ""), name)

    def rename(self, request: LeagueRequest) -> LeagueRequest:
        """Return a submission under the present alias of its submitter, whichever it was sent under.

        Raises:
            BotNameError: If that name is too long.
        """
        name = self.replace_names(request.submitter, request.name)
        if len(name) > MAX_NAME_CHARS:
            raise BotNameError(
                f"with your alias its name {name} has more than {MAX_NAME_CHARS} characters: shorten it"
            )
        return msgspec.structs.replace(request, name=name)

    def patterns(self, submitter: str) -> tuple[str, ...]:
        """Return the patterns of the names that a submitter's bots may have."""
        listed = self._settings.submitters.get(submitter, ())
        if not self._has(submitter):
            return listed
        alias = self.find(submitter)
        others = (pattern for pattern in listed if self.replace_names(submitter, pattern) == pattern)
        return alias, f"{alias}{DASH}*", *others

    def is_of_another(self, submitter: str, name: str) -> bool:
        """Return whether a bot's name is too much like the alias of another submitter, as `her-on` is."""
        if not self._has(submitter):
            return False
        others = (known for known in self._settings.submitters if known != submitter)
        return fold_alias(name) in {fold_alias(alias) for other in others for alias in self.list_all(other)}

    def _has(self, submitter: str) -> bool:
        return self._settings.aliases and submitter in self._settings.submitters

    def refuse(self, submitter: str, alias: str, bots: Sequence[Bot], reserved: Iterable[str]) -> None:
        """Refuse an alias that another might be taken for.

        All names that are taken or reserved are refused in the same words: which of them are logins is not
        for other submitters.

        Args:
            submitter: Who chooses it.
            alias: The alias.
            bots: The bots of the league.
            reserved: Further names that nobody may have, such as those of organisers.

        Raises:
            PluginError: If the alias is not valid, or is too like another name.
        """
        if DASH in alias or len(alias) > MAX_ALIAS_CHARS:
            raise PluginError(f"an alias has at most {MAX_ALIAS_CHARS} characters and no dash")
        if _occurrences(submitter).search(alias):
            raise PluginError(f"{alias} has your name in it: choose another alias")
        own = _occurrences(submitter, *self.list_all(submitter))
        others = [bot for bot in bots if bot.owner != submitter or not own.search(bot.name)]
        submitters = {*self._settings.submitters, *(bot.owner for bot in bots if bot.owner)}
        names = {
            *reserved,
            *submitters,
            *(name for another in submitters - {submitter} for name in self.list_all(another)),
            *(part for bot in others for part in (bot.name, bot.name.partition(DASH)[0])),
            *(point.name for point in bot_entry_points()),
        }
        folded = fold_alias(alias)
        if folded.startswith(fold_alias(DEFAULT_PREFIX)) or folded in map(fold_alias, names):
            raise PluginError(
                f"{alias} is taken, reserved, or too much like such a name: choose another alias"
            )


def fold_alias(name: str) -> str:
    """Return the text in which two names agree if one is too much like the other to be an alias.

    That is `fold_name` without accents, dots, dashes and underscores, and with letters for the digits that
    are written in their place: `h3ron`, `He_ron` and `h\N{LATIN SMALL LETTER E WITH ACUTE}ron` are `heron`.
    """
    folded = fold_name(_strip_marks(name))
    return _strip_marks(fold_name("".join(_letter_of(char) for char in folded)))


def _strip_marks(text: str) -> str:
    """Return a text without accents and signs."""
    chars = unicodedata.normalize("NFKD", text)
    return "".join(char for char in chars if unicodedata.category(char)[0] != "M" and char not in NAME_SIGNS)


def _letter_of(char: str) -> str:
    """Return the letter for a digit, and any other character as it is."""
    digit = unicodedata.decimal(char, None)
    return char if digit is None else LETTERS_OF_DIGITS[digit]


def _occurrences(*names: str) -> re.Pattern[str]:
    """Return the pattern of names between other than letters; its group is a digit that follows.

    Of names that begin alike the longest is found.
    """
    longest_first = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?<![^\W\d_])(?:{longest_first})(?![^\W\d_])(?=(\d?))", re.IGNORECASE)


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
    alias, accounts = parse_name(text.strip()), list_accounts(LeagueFolder(database.path.parent))
    with database.transaction() as connection:  # nobody else takes it between the check and its storing
        aliases = Aliases.read(database, settings)
        if aliases.find(submitter) == alias:
            return alias
        if is_limited and len(aliases.list_all(submitter)) > MAX_ALIASES:
            raise PluginError(f"you chose {MAX_ALIASES} aliases already: ask the organiser")
        aliases.refuse(submitter, alias, database.bots(), accounts)
        store_alias(connection, submitter, alias)
    return alias


def list_renames(database: LeagueDatabase, settings: Settings) -> list[LeagueRequest]:
    """Return requests for the bots whose names are to follow their submitters' aliases."""
    aliases, bots = Aliases.read(database, settings), database.bots()
    waiting = {request.name for request in database.requests("kind = 'rename' AND state = 'waiting'")}
    taken = {fold_name(bot.name) for bot in bots}
    renames = []
    for bot in bots:
        name = aliases.replace_names(bot.owner, bot.name)
        if name == bot.name or bot.name in waiting:
            continue
        is_taken = fold_name(name) in taken and fold_case(name) != bot.folded_name
        if is_taken or len(name) > MAX_NAME_CHARS or aliases.is_of_another(bot.owner, name):
            name = f"{aliases.find(bot.owner)}{DASH}{bot.number}"
        taken.add(fold_name(name))
        renames.append(LeagueRequest(kind="rename", name=bot.name, new_name=name))
    return renames
