"""Requests to a league: their aliases, their queue, and their admission by the next update."""

from __future__ import annotations

import logging
import re
import sys
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from hashlib import blake2b
from pathlib import Path
from typing import Final, NamedTuple, Self

import msgspec

from arena.errors import BotNameError, ConfigError, PluginError
from arena.games import Rules
from arena.league.accounts import list_accounts, printable
from arena.league.bot_names import find_bot, find_same, name_bot_of, parse_name
from arena.league.folder import LeagueFolder, bots_mode
from arena.league.settings import Settings
from arena.league.store import (
    MAX_VERSIONS,
    Bot,
    LeagueDatabase,
    LeagueRequest,
    RequestKind,
    Version,
    insert,
    update_row,
)
from arena.play.bot import Limits, make_factory
from arena.play.conformance import Findings, check_bot
from arena.play.conformance.bot_hosts import open_level
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec, FolderBot, InstalledBot, restore_source, supported_rules
from arena.plugins.bot_spec import parse_source
from arena.plugins.manifest import MAX_NAME_CHARS, NAME_SIGNS, check_name, fold_case, name_of_file
from arena.plugins.sources import bot_entry_points, check_not_installed
from arena.tournament.files import make_private_folder

log = logging.getLogger(__name__)


# --- aliases ---
# Submitters appear under aliases where a league's settings ask for them.
#
# The bots of a submitter are called by the alias, or by names that begin with it and a dash. Whatever is
# handed in counts under the submitter: the own name or a former alias in its name is read as the present
# alias, and the next update renames the bots that are in the league. Who chose no alias has one that is made
# from the league's secret.

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
        return cls(settings, database.seed, database.read_aliases())

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
        own = _occurrences(submitter, name_bot_of(submitter), *self.list_all(submitter))
        return own.sub(lambda match: alias + (DASH if match[1] else ""), name)

    def rename(self, request: LeagueRequest) -> LeagueRequest:
        """Return a submission under the present alias of its submitter, whichever it was sent under."""
        name = self.replace_names(request.submitter, request.name)
        if len(name) > MAX_NAME_CHARS:
            raise BotNameError(
                f"with your alias its name {name} has more than {MAX_NAME_CHARS} characters: shorten it"
            )
        return msgspec.structs.replace(request, name=name)

    def patterns(self, submitter: str) -> tuple[str, ...]:
        """Return the patterns of the names that a submitter's bots may have."""
        listed = self._settings.submitters.get(submitter, ())
        own = name_bot_of(submitter)  # in other letters, if the name is not in those of ASCII
        listed = tuple(dict.fromkeys([*listed, *(pattern.replace(submitter, own) for pattern in listed)]))
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
        return _fold_alias(name) in {_fold_alias(alias) for other in others for alias in self.list_all(other)}

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
        """
        if DASH in alias or len(alias) > MAX_ALIAS_CHARS:
            raise PluginError(f"an alias has at most {MAX_ALIAS_CHARS} characters and no dash")
        if _occurrences(submitter, name_bot_of(submitter)).search(alias):
            raise PluginError(f"{alias} has your name in it: choose another alias")
        own = _occurrences(submitter, name_bot_of(submitter), *self.list_all(submitter))
        others = [bot for bot in bots if bot.owner != submitter or not own.search(bot.name)]
        submitters = {*self._settings.submitters, *(bot.owner for bot in bots if bot.owner)}
        names = {
            *reserved,
            *submitters,
            *map(name_bot_of, submitters),
            *(name for another in submitters - {submitter} for name in self.list_all(another)),
            *(part for bot in others for part in (bot.name, bot.name.partition(DASH)[0])),
            *(point.name for point in bot_entry_points()),
        }
        folded = _fold_alias(alias)
        if folded.startswith(_fold_alias(DEFAULT_PREFIX)) or folded in map(_fold_alias, names):
            raise PluginError(
                f"{alias} is taken, reserved, or too much like such a name: choose another alias"
            )


def _fold_alias(name: str) -> str:
    """Return the text in which two names agree if one is too much like the other to be an alias.

    That is without case, accents, dots, dashes and underscores, and with letters for the digits that are
    written in their place: `h3ron`, `He_ron` and `h\N{LATIN SMALL LETTER E WITH ACUTE}ron` are `heron`.
    """
    return _strip_marks(fold_case("".join(_letter_of(char) for char in _strip_marks(name))))


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
    """
    if not settings.aliases:
        raise PluginError("the league has no aliases: `aliases = true` in league.toml switches them on")
    if submitter not in settings.submitters:
        raise PluginError(f"{submitter} is not in the table [submitters] of league.toml")
    alias, accounts = text.strip(), list_accounts(LeagueFolder(database.path.parent))
    with database.transaction() as connection:  # nobody else takes it between the check and its storing
        aliases = Aliases.read(database, settings)
        if aliases.find(submitter) == alias:
            return alias
        check_name(alias)
        if is_limited and len(aliases.list_all(submitter)) > MAX_ALIASES:
            raise PluginError(f"you chose {MAX_ALIASES} aliases already: ask the organiser")
        aliases.refuse(submitter, alias, database.read_bots(), accounts)
        insert(connection, "alias", {"submitter": submitter, "name": alias})
    return alias


def list_renames(database: LeagueDatabase, settings: Settings) -> list[LeagueRequest]:
    """Return requests for the bots whose names are to follow their submitters' aliases."""
    aliases, bots = Aliases.read(database, settings), database.read_bots()
    waiting = {request.name for request in database.read_requests("kind = 'rename' AND state = 'waiting'")}
    taken = {bot.folded_name for bot in bots}
    renames = []
    for bot in bots:
        name = aliases.replace_names(bot.owner, bot.name)
        if name == bot.name or bot.name in waiting:
            continue
        is_taken = fold_case(name) in taken - {bot.folded_name}
        if is_taken or len(name) > MAX_NAME_CHARS or aliases.is_of_another(bot.owner, name):
            name = f"{aliases.find(bot.owner)}{DASH}{bot.number}"
        taken.add(fold_case(name))
        renames.append(LeagueRequest(kind="rename", name=bot.name, new_name=name))
    return renames


# --- request queue ---

MAX_REASON_CHARS: Final = 300
CHOOSE_ANOTHER: Final = (
    "choose another, as the name of the file, in its bot.toml, or with --name (in `arena league`: --as)"
)
"""Advice about a name that is taken."""


def submit(
    folder: LeagueFolder,
    database: LeagueDatabase,
    text: str,
    base: Path,
    *,
    name: str = "",
    submitter: str = "",
    announce: Callable[[str], None] = lambda line: None,
) -> LeagueRequest:
    """Queue a bot: its files are copied now, and checked by the next update.

    `text` names an installed bot, a folder, a file and class, a command or a zip archive.
    """
    request = copy_bot(folder, text, base, name=name, submitter=submitter, announce=announce)
    parse_name(request.name, database.read_bots())
    return database.add_request(request, time.time())


def copy_bot(
    folder: LeagueFolder,
    text: str,
    base: Path,
    *,
    name: str = "",
    submitter: str = "",
    announce: Callable[[str], None] = lambda line: None,
) -> LeagueRequest:
    """Copy a bot into the league, and return the request for it, which is not queued yet."""
    if (installed := _installed(text, base)) is not None:
        chosen = parse_name(name or installed.entry_name)
        return LeagueRequest(
            name=chosen, digest=installed.digest(), source=str(installed), submitter=submitter
        )
    if text.endswith(".py"):
        name = name or name_of_file(Path(text).stem)
    ascii_name = name if name.isascii() else name_of_file(name)  # a bot.toml takes no others
    given = _name_without_manifest(text, ascii_name)
    make_private_folder(folder.bots, bots_mode())
    with folder.contents.copied(text, base, name=given, announce=announce) as copied:
        chosen = parse_name(name or copied.manifest.name)
        check_not_installed(chosen, CHOOSE_ANOTHER)
        digest = folder.contents.move_in(copied.folder)
    return LeagueRequest(name=chosen, digest=digest, source=f"bots/{digest}", submitter=submitter)


def request_change(
    database: LeagueDatabase, kind: RequestKind, name: str, new_name: str = "", aliases: Aliases | None = None
) -> LeagueRequest:
    """Queue the withdrawal, the ban or another name of a bot; with aliases in place of its owner's name."""
    bot = find_bot(database.read_bots(), name)
    if kind == "rename":
        request = LeagueRequest(kind=kind, name=parse_name(new_name, [bot]), submitter=bot.owner)
        new_name = aliases.rename(request).name if aliases else request.name
        check_not_installed(new_name, CHOOSE_ANOTHER)
        _refuse_taken(database.read_bots(), new_name, bot)
    request = LeagueRequest(kind=kind, name=bot.name, new_name=new_name)
    return database.add_request(request, time.time())


def _refuse_taken(bots: Sequence[Bot], name: str, own: Bot) -> None:
    """Raise PluginError if another bot has the name."""
    others = [bot for bot in bots if bot.number != own.number]
    if (taken := find_same(others, name)) is not None:
        raise PluginError(f"{name} is taken: a bot is called {taken.name}")


def _installed(text: str, base: Path) -> InstalledBot | None:
    if not text.replace("-", "").replace("_", "").isalnum() or (base / text).exists():
        return None
    source = parse_source(text, base)
    return source if isinstance(source, InstalledBot) else None


def _name_without_manifest(text: str, name: str) -> str:
    """Return the name to write where a bot has no `bot.toml`: those that have one are copied unchanged."""
    return name if text.startswith("cmd:") or text.endswith(".py") or ".py:" in text else ""


# --- path redaction ---
# Report cards and reasons are read by submitters.

FOLDERS: Final = re.compile(r"(?<![\w.…/:])/(?!(?:usr|bin|lib|lib64|dev|proc)/)(?:[\w.+@~%=,-]+/)+")
"""Folders at the beginning of an absolute path, but those that every machine has; not of `https://host/a/b`."""
SHARED: Final = frozenset({"/", "/usr", "/usr/local"})
HIDDEN: Final = "…"


def hide_paths(text: str, league: Path, source: str = "") -> str:
    """Return a text with `…` for the folders in paths of this machine, and a bot's own files by their names.

    Args:
        text: What a check, a traceback or a bot itself said.
        league: Folder of the league.
        source: Folder of the bot; empty if there is none.
    """
    if source:
        text = text.replace(f"{source}/", "").replace(source, ".")
    roots = {league, Path.home(), *map(Path, (sys.prefix, sys.base_prefix, sys.executable))}
    places = {str(place) for root in roots for place in (root, root.resolve())} - SHARED
    for place in sorted(places, key=len, reverse=True):  # they may have spaces in them
        text = text.replace(place, HIDDEN)
    return FOLDERS.sub(f"{HIDDEN}/", text)


# --- admission ---
# Requests are applied first in each update; submissions are checked before.

OPPONENT: Final = InstalledBot("random")
LABEL_DIGEST_CHARS: Final = 32
"""Length of a label, in digits of a hash: long enough that nobody can find two contents with one label."""
RENAME: Final = (
    "rename it, as the name of the file, in its bot.toml, with --name, or in the field of the page"
)
"""Advice about a name that its submitter may not use."""
WriteCard = Callable[[str, str, str, Findings, Limits], str]
"""Returns a report card as text, given name, kind of source, digest, findings and limits."""


class Verdict(NamedTuple):
    """The result of the check of a submission."""

    reason: str
    """Empty: admitted."""
    card: str = ""


Check = Callable[[BotSpec, Sequence[Rules]], Verdict]


class Admission:
    """Applies the requests of an update to the bots of a league."""

    def __init__(
        self, folder: LeagueFolder, database: LeagueDatabase, settings: Settings, check: Check
    ) -> None:
        self._folder, self._database, self._settings = folder, database, settings
        self._check = check

    def apply(self, request: LeagueRequest, update: int) -> None:
        """Apply one request, or store why it is rejected; all that this changes is one transaction."""
        try:
            if request.kind == "submit":
                self._submit(Aliases.read(self._database, self._settings).rename(request), update)
            else:
                self._change(request, update)
        except PluginError as error:
            reason = hide_paths(str(error), self._folder.path)
            self._reject(request, update, Verdict(printable(reason)[:MAX_REASON_CHARS]))

    def _submit(self, request: LeagueRequest, update: int) -> None:
        spec = find_source(self._folder, request.source, request.name)
        bot = find_owned_bot(self._database, self._settings, request, spec.source.author)
        known = [version for version in self._database.read_versions() if version.digest == request.digest]
        if known:
            self._return_to(known[0], bot, request, update)
            return
        if len(self._database.read_versions()) >= MAX_VERSIONS:
            raise PluginError(f"the league has {MAX_VERSIONS:,} versions, more than which it cannot count")
        played = games_of(spec, self._settings)
        verdict = self._check(spec, played)
        if verdict.reason:
            self._reject(request, update, verdict)
        else:
            self._admit(request, update, spec, bot, verdict.card)

    def _return_to(self, version: Version, bot: Bot | None, request: LeagueRequest, update: int) -> None:
        """Make a version that was admitted before the current one of its bot."""
        if bot is None or bot.number != version.bot:
            same = next(bot for bot in self._database.read_bots() if bot.number == version.bot)
            is_hidden = self._settings.public_top is not None and same.owner != request.submitter
            raise PluginError(f"its files are those of {'another bot' if is_hidden else same.name}")
        log.info("%s: %s", request.name, describe_replacement(self._database, bot, request))
        with self._database.transaction() as connection:
            update_row(connection, "bot", bot.number, {"version": version.number, "state": "active"})
            changes = {"state": "done", "league_update": update, "version": version.number}
            update_row(connection, "request", request.number, {**changes, "name": request.name})

    def _admit(self, request: LeagueRequest, update: int, spec: BotSpec, bot: Bot | None, card: str) -> None:
        versions = self._database.read_versions()
        source = spec.source
        manifest = source.manifest if isinstance(source, FolderBot) else None
        with self._database.transaction() as connection:
            number = len(versions)
            values = {"name": request.name, "folded_name": fold_case(request.name), "state": "active"}
            if bot is None:
                owned = {**values, "owner": request.submitter, "version": number}
                bot_number = insert(connection, "bot", owned)
            else:
                bot_number = bot.number
                update_row(connection, "bot", bot_number, {"state": "active", "version": number})
            fields = {
                "number": number,
                "bot": bot_number,
                "ordinal": 1 + sum(version.bot == bot_number for version in versions),
                "digest": request.digest,
                "label": f"{request.name}@{request.digest[:LABEL_DIGEST_CHARS]}",
                "source": request.source,
                "team": source.team,
                "author": source.author,
                "description": manifest.description if manifest else "",
                "variants": msgspec.json.encode(source.variants()).decode(),
                "admitted": update,
            }
            insert(connection, "version", fields)
            changes = {"state": "done", "card": card, "league_update": update, "version": number}
            update_row(connection, "request", request.number, {**changes, "name": request.name})

    def _change(self, request: LeagueRequest, update: int) -> None:
        bot = find_bot(self._database.read_bots(), request.name)
        values: dict[str, str] = {}
        if request.kind == "rename":
            _refuse_taken(self._database.read_bots(), request.new_name, bot)
            values = {"name": request.new_name, "folded_name": fold_case(request.new_name)}
        else:
            values = {"state": "withdrawn" if request.kind == "withdraw" else "banned"}
        with self._database.transaction() as connection:
            update_row(connection, "bot", bot.number, values)
            update_row(connection, "request", request.number, {"state": "done", "league_update": update})
            if request.kind == "rename":  # what is asked for the bot follows its name
                query = """UPDATE request SET name = ?
                           WHERE state = 'waiting' AND kind != 'submit' AND name = ?"""
                connection.execute(query, [request.new_name, bot.name])

    def _reject(self, request: LeagueRequest, update: int, verdict: Verdict) -> None:
        log.info("%s is rejected: %s", request.name, verdict.reason)
        self._database.change_request(
            request.number, state="rejected", reason=verdict.reason, card=verdict.card, league_update=update
        )


class ConformanceCheck:
    """Checks submissions as `arena check` does, each at the level of isolation at which it will play."""

    def __init__(
        self, folder: LeagueFolder, settings: Settings, write_card: WriteCard, confirmed: str | None
    ) -> None:
        self._league, self._settings = folder.path, settings
        self._write_card, self._confirmed = write_card, confirmed
        self._selector = LevelSelector()

    def __call__(self, spec: BotSpec, games: Sequence[Rules]) -> Verdict:
        """Play a bot, and return what is wrong with it."""
        log.info("checking %s", spec.name)
        if spec.source.needs_process:
            return Verdict('it needs isolation "process", which no league gives a submission')
        settings, opponent = self._settings, make_factory(OPPONENT.load())
        level = self._selector.select_confirmed(
            spec.name, spec.source.kind, settings.isolation, self._confirmed
        )
        try:
            with open_level(spec, level, settings.limits) as environment:
                matches, limits = settings.check_matches, settings.limits
                findings = check_bot(games, environment, opponent, matches=matches, limits=limits)
        except (PluginError, ConfigError) as error:
            return Verdict(printable(self._hide_paths(str(error), spec))[:MAX_REASON_CHARS])
        card = self._write_card(spec.name, spec.source.kind, spec.source.digest(), findings, settings.limits)
        card = self._hide_paths(card, spec)
        kinds = dict.fromkeys(issue.kind for issue in findings.issues)
        return Verdict(f"its check found: {', '.join(kinds)}" if kinds else "", card)

    def _hide_paths(self, text: str, spec: BotSpec) -> str:
        return hide_paths(text, self._league, str(spec.source))


def games_of(spec: BotSpec, settings: Settings) -> list[Rules]:
    """Return the games of a league that a bot plays."""
    games = [entry.rules for entry in settings.variants]
    names = {rules.name for rules in supported_rules(spec.source.variants())}
    played = [rules for rules in games if rules.installed_name in names]
    if not played:
        raise PluginError(f"it plays none of this league's games: {', '.join(map(str, games))}")
    return played


def find_owned_bot(
    database: LeagueDatabase, settings: Settings, request: LeagueRequest, author: str
) -> Bot | None:
    """Return the bot that has the name of a submission, if there is one; refuse a name that is another's.

    What is dropped or handed in is by its submitter and, where there are none, by the author that it names.
    """
    aliases = Aliases.read(database, settings)
    _refuse_other_names(settings, request, aliases.patterns(request.submitter))
    bots, versions = database.read_bots(), database.read_versions()
    bot = find_same(bots, request.name) or _find_renamed(bots, request, aliases)
    if bot is None:
        if aliases.find(request.submitter).isascii():  # one that was chosen when all letters were allowed
            check_name(request.name)
        if aliases.is_of_another(request.submitter, request.name):
            raise BotNameError(f"{request.name} is too much like another's alias: choose another name")
        _refuse_too_many(settings, bots, request)
        return None
    version = versions[bot.version]
    if is_installed(version.source) and not is_installed(request.source):
        raise BotNameError(
            f"{bot.name} is an installed bot, which no submission changes: choose another name"
        )
    if bot.state == "banned":
        raise BotNameError(f"{bot.name} is banned")
    if request.file:
        _refuse_foreign(bot, version.author, request, author)
    if bot.state == "withdrawn":
        _refuse_too_many(settings, bots, request)
        log.warning("%s was withdrawn, and was submitted again", bot.name)
    return bot


def describe_replacement(database: LeagueDatabase, bot: Bot | None, request: LeagueRequest) -> str:
    """Return which version a submission replaces, or which it is the same as; empty for a new bot.

    Args:
        database: Database of the league.
        bot: The bot that has its name; None if there is none.
        request: The submission.
    """
    if bot is None:
        query = "state = 'waiting' AND kind = 'submit' AND name = ? AND number != ?"
        waiting = database.read_requests(query, request.name, request.number)
        return f"{request.name} waits for the next update already: this takes its place." if waiting else ""
    versions = [version for version in database.read_versions() if version.bot == bot.number]
    current = next(version for version in versions if version.number == bot.version)
    same = next((version for version in versions if version.digest == request.digest), None)
    if same is None:
        ordinal, replaced = len(versions) + 1, current.ordinal
        return f"It becomes version {ordinal} of {bot.name}, in place of version {replaced}."
    about = f"It is the same file as version {same.ordinal} of {bot.name}"
    if bot.state != "active":
        return f"{about}, which returns to the league."
    if same.number == current.number:
        return f"{about}, which plays now: nothing changes."
    return f"{about}, which plays again in place of version {current.ordinal}."


def _find_renamed(bots: Sequence[Bot], request: LeagueRequest, aliases: Aliases) -> Bot | None:
    """Return the bot of a submitter that is about to get the name of a request with an alias."""
    own = [bot for bot in bots if bot.owner == request.submitter] if request.submitter else []
    names = ((bot, aliases.replace_names(bot.owner, bot.name)) for bot in own)
    return next((bot for bot, name in names if fold_case(name) == fold_case(request.name)), None)


def _refuse_other_names(settings: Settings, request: LeagueRequest, allowed: Sequence[str]) -> None:
    """Refuse a name that its submitter may not use, and something dropped into nobody's inbox."""
    if request.submitter and request.submitter not in settings.submitters:
        raise PluginError(f"{request.submitter} is not in the table [submitters] of league.toml")
    if request.submitter and not any(
        fnmatchcase(fold_case(request.name), fold_case(pattern)) for pattern in allowed
    ):
        raise BotNameError(
            f"bots of {request.submitter} are called {' or '.join(allowed)}, not {request.name}: {RENAME}"
        )
    if settings.submitters and request.file and not request.submitter:
        names = ", ".join(sorted(settings.submitters))
        raise PluginError(f"put it into the folder of its submitter in inbox/: {names}")


def _refuse_too_many(settings: Settings, bots: Sequence[Bot], request: LeagueRequest) -> None:
    """Refuse one bot more of a submitter who has as many as the league allows."""
    own = [bot.name for bot in bots if bot.owner == request.submitter and bot.state == "active"]
    if request.submitter and settings.max_bots is not None and len(own) >= settings.max_bots:
        raise PluginError(
            f"the league takes {settings.max_bots} of each submitter, and has {', '.join(own)}: withdraw "
            "one, or submit it under one of these names"
        )


def _refuse_foreign(bot: Bot, known: str, request: LeagueRequest, author: str) -> None:
    """Refuse the name of another's bot, of the author `known`, to something that was dropped or handed in."""
    if request.submitter != bot.owner:
        raise BotNameError(f"{bot.name} is the name of another's bot: choose another name")
    if not request.submitter and author != known:
        raise PluginError(
            f"{bot.name} is the name of a bot by {known or 'an author without a name'}: choose another "
            "name or, if it is yours, "
            + (f'write author = "{known}" into bot.toml' if known else "leave out the author in bot.toml")
        )


def is_installed(source: str) -> bool:
    """Return whether a stored source is an installed bot, not a folder of the league."""
    return "/" not in source


def find_source(folder: LeagueFolder, source: str, name: str) -> BotSpec:
    """Return the bot of a stored source: a folder of the league, or an installed bot."""
    text = source if is_installed(source) else str(folder.path / source)
    spec = BotSpec(restore_source(text), name)
    if isinstance(spec.source, FolderBot) and spec.source.digest() != source.rpartition("/")[2]:
        raise PluginError("its files in the league were changed after it was submitted: submit it again")
    return msgspec.structs.replace(spec, team=spec.source.team)
