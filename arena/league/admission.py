"""Apply the requests of a league in their order, first in each update; submissions are checked before."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

import msgspec

from arena.errors import BotNameError, ConfigError, PluginError
from arena.games import Rules
from arena.league.aliases import Aliases
from arena.league.bot_names import find_alike, find_bot, find_same
from arena.league.folder import LeagueFolder
from arena.league.inbox_scan import printable
from arena.league.path_redaction import hide_paths
from arena.league.request_queue import MAX_REASON_CHARS, refuse_taken
from arena.league.settings import Settings
from arena.league.store import MAX_VERSIONS, Bot, LeagueDatabase, LeagueRequest, Version, insert, update_row
from arena.play.bot import Limits, make_factory
from arena.play.conformance import Findings, check_bot
from arena.play.conformance.bot_hosts import open_level
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec, FolderBot, InstalledBot, restore_source, supported_rules
from arena.plugins.name_folding import fold_case

OPPONENT: Final = InstalledBot("random")
LABEL_DIGEST_CHARS: Final = 32
"""Length of a label, in digits of a hash: long enough that nobody can find two contents with one label."""
RENAME: Final = (
    "rename it, as the name of the file, in its bot.toml, with --name, or in the field of the page"
)
"""Advice about a name that its submitter may not use."""
WriteCard = Callable[[str, str, str, Findings, Limits], str]
"""Returns a report card as text, given name, kind of source, digest, findings and limits."""

log = logging.getLogger(__name__)


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
        known = [version for version in self._database.versions() if version.digest == request.digest]
        if known:
            self._return_to(known[0], bot, request, update)
            return
        if len(self._database.versions()) >= MAX_VERSIONS:
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
            same = next(bot for bot in self._database.bots() if bot.number == version.bot)
            is_hidden = self._settings.public_top is not None and same.owner != request.submitter
            raise PluginError(f"its files are those of {'another bot' if is_hidden else same.name}")
        log.info("%s: %s", request.name, describe_replacement(self._database, bot, request))
        with self._database.transaction() as connection:
            update_row(connection, "bot", bot.number, {"version": version.number, "state": "active"})
            changes = {"state": "done", "league_update": update, "version": version.number}
            update_row(connection, "request", request.number, {**changes, "name": request.name})

    def _admit(self, request: LeagueRequest, update: int, spec: BotSpec, bot: Bot | None, card: str) -> None:
        versions = self._database.versions()
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
        bot = find_bot(self._database.bots(), request.name)
        values: dict[str, str] = {}
        if request.kind == "rename":
            refuse_taken(self._database.bots(), request.new_name, bot)
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
        """Play a bot, and return what is wrong with it.

        Raises:
            ConfigError: For a level that is not available or needs the user's word.
            HostUnavailable: If the machine cannot start another process.
        """
        log.info("checking %s", spec.name)
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
    """Return the games of a league that a bot plays.

    Raises:
        PluginError: If there are none.
    """
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

    Raises:
        BotNameError: If the name is another's, or not one of the submitter's.
        PluginError: If it is not taken under any name.
    """
    aliases = Aliases.read(database, settings)
    _refuse_other_names(settings, request, aliases.patterns(request.submitter))
    bots, versions = database.bots(), database.versions()
    bot = find_same(bots, request.name) or _find_renamed(bots, request, aliases)
    if bot is None:
        if alike := find_alike(bots, request.name):
            raise BotNameError(f"{request.name} looks like {alike.name}: choose another name")
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
        waiting = database.requests(query, request.name, request.number)
        return f"{request.name} waits for the next update already: this takes its place." if waiting else ""
    versions = [version for version in database.versions() if version.bot == bot.number]
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
    """Return the bot of a stored source: a folder of the league, or an installed bot.

    Raises:
        PluginError: If it is not there any more, or its files were changed.
    """
    text = source if is_installed(source) else str(folder.path / source)
    spec = BotSpec(restore_source(text), name)
    if isinstance(spec.source, FolderBot) and spec.source.digest() != source.rpartition("/")[2]:
        raise PluginError("its files in the league were changed after it was submitted: submit it again")
    return msgspec.structs.replace(spec, team=spec.source.team)
