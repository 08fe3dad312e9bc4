"""An update of a league: apply what was asked for, and play until the ratings are precise enough.

An update is a sequence of decisions. Each is made from the blocks of all decisions before it, stored, and
then played to its end in any order; so a process that is killed at any moment leaves at most the last
decision unfinished, and the next process finishes that first. What is stored depends on the requests and
their order alone.
"""

from __future__ import annotations

import logging
import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Final, Literal

from arena.errors import ConfigError, PluginError
from arena.league import inbox
from arena.league.admission import Admission, Check, ConformanceCheck, WriteCard, is_installed
from arena.league.aliases import list_renames
from arena.league.blocks import LeagueBlocks
from arena.league.budget_start import budget_start
from arena.league.field import Field, find_specs, store_terms
from arena.league.folder import LeagueFolder
from arena.league.play_update import UpdatePlayer
from arena.league.ratings_during_update import Standings
from arena.league.settings import Settings, parse_settings, read_settings
from arena.league.store import (
    LeagueDatabase,
    LeagueRequest,
    Update,
    commit_from,
    insert,
    mix_into,
    update_row,
)
from arena.league.table_choice import choose_tables
from arena.league.version_matches import plan_version_matches
from arena.play.isolation import LevelSelector
from arena.plugins import InstalledBot
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.logs import run_logging
from arena.tournament.engine.progress import StopRequest
from arena.tournament.files import FILE_MODE, check_mix, hide_path
from arena.tournament.store.database import writer_lock

Ending = Literal["done", "stopped", "nothing"]
"""`nothing`: nothing was asked for since the last update."""
POLL_INTERVAL_S: Final = 0.2
LOCKED: Final = "is being updated by another process"

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class UpdateOptions:
    """Options of an update; only `date`, `more` and `mix` change what is stored."""

    run: RunOptions
    date: str = ""
    """The date of a new update; empty: today."""
    more: bool = False
    """True to play on although nothing was asked for since the last update."""
    mix: str | None = None
    """Text to mix into the seed of the update that begins."""
    confirmed: str | None = None
    """The level of isolation that the user asked for."""


def update_league(
    folder: LeagueFolder,
    options: UpdateOptions,
    write_card: WriteCard,
    stop: StopRequest,
    on_update: Callable[[Ending], None] = lambda ending: None,
    *,
    watch_every_s: float | None = None,
) -> Ending:
    """Update a league once, or again and again until a stop is requested; return how the last one ended.

    Args:
        folder: Folder of the league.
        options: Options of the update.
        write_card: Writes the report card of a submission.
        stop: Ends it between blocks.
        on_update: Is called after each update, while the league is still locked.
        watch_every_s: Seconds from an update with nothing to do to the next; None for one update only.

    Raises:
        StoreError: If another process updates the league.
        ConfigError: For settings that are wrong.
    """
    with ExitStack() as stack:
        stack.enter_context(writer_lock(folder.path, LOCKED))
        folder.make_private()
        stack.enter_context(run_logging(folder.log, options.run.log_level))
        database = stack.enter_context(LeagueDatabase.open(folder.path, "rw"))
        ending: Ending = "done"
        while True:
            more = options.more and ending != "nothing"  # at rest nothing is played until something is new
            ending = LeagueUpdate(folder, database, replace(options, more=more), stop, write_card).run()
            on_update(ending)
            if watch_every_s is None or stop.is_requested:
                return ending
            if ending == "nothing":
                _wait(stop, watch_every_s)


class LeagueUpdate:
    """Updates of one league, by the one process that holds its lock."""

    def __init__(
        self,
        folder: LeagueFolder,
        database: LeagueDatabase,
        options: UpdateOptions,
        stop: StopRequest,
        write_card: WriteCard,
    ) -> None:
        self._folder, self._database = folder, database
        self._options, self._stop = options, stop
        self._write_card = write_card

    def run(self) -> Ending:
        """Finish the last update, if it is unfinished, and begin another if something was asked for."""
        settings = read_settings(self._folder.path)
        if settings.submitters:
            hide_path(self._folder.settings, FILE_MODE)
        last = self._database.last_update()
        is_mixed = self._check_mix(last)
        if last and last.state == "open":
            ending = self._play(last)
            if ending == "stopped" or is_mixed:
                return ending
        has_news = self._collect(settings)
        if last and last.state == "stopped":
            ending = self._play(last, is_cut_short=has_news)
            if ending == "stopped" or is_mixed:
                return ending
        finished = last is not None and last.state != "done"
        may_play_on = self._options.more and not finished and self._asks_for_more(settings)
        if not (has_news or may_play_on):
            return "done" if finished else "nothing"
        self._refuse_levels(settings)
        return self._play(self._begin(settings))

    def _collect(self, settings: Settings) -> bool:
        """Queue what is in the inbox and what was installed anew; return whether anything is new."""
        inbox.collect(self._folder, self._database, settings, log.info)
        for rename in list_renames(self._database, settings):
            self._database.add_request(rename)
        waiting = self._database.requests("league_update IS NULL")
        versions, queued = self._database.versions(), {request.digest for request in waiting}
        for bot in self._database.bots():
            version = versions[bot.version]
            digest = _installed_digest(version.source)
            if bot.state == "active" and digest and digest not in (version.digest, *queued):
                log.info("%s is installed in another version than before", bot.name)
                self._database.add_request(LeagueRequest(name=bot.name, source=version.source, digest=digest))
        last = self._database.last_update()
        changed = last is not None and last.settings != settings.toml(self._folder.path)
        return changed or bool(self._database.requests("league_update IS NULL"))

    def _refuse_levels(self, settings: Settings) -> None:
        """Refuse an update that could not check or play submitted bots, before it is stored."""
        sources = self._database.query("SELECT source FROM request WHERE league_update IS NULL")
        known = self._database.query("SELECT source FROM version")
        if any(not is_installed(source) for [source] in (*sources, *known)):
            LevelSelector().select_confirmed(
                "a submitted bot", "folder", settings.isolation, self._options.confirmed
            )

    def _check_mix(self, last: Update | None) -> bool:
        """Check the text to mix in; return whether it is already in the last update, which is unfinished.

        Raises:
            ConfigError: For one that cannot be mixed into the next update.
        """
        mix = self._options.mix
        if mix is None:
            return False
        check_mix(mix)
        used = next((number for number, text in self._database.mixes().items() if text == mix), None)
        if last and last.state != "done":
            if used != last.number:
                raise ConfigError(
                    f"--mix is for a new update, and update {last.number} is not finished: finish it without"
                )
            return True
        if used is not None:
            raise ConfigError(f"--mix: this text is in the seed of update {used}, so it was known before")
        number = last.number + 1 if last else 1
        if self._database.committed_seed(number) is None:
            raise ConfigError(
                f"--mix: the seed of update {number} was not committed to, as an older version of the arena "
                "began the league: mix into the one after it"
            )
        return False

    def _begin(self, settings: Settings) -> Update:
        store_terms(self._database, settings)
        day = self._options.date or today()
        with self._database.transaction() as connection:
            values = {"date": day, "state": "open", "settings": settings.toml(self._folder.path)}
            number = insert(connection, "league_update", values)
            if self._options.mix is not None:
                mix_into(connection, number, self._options.mix)
            commit_from(connection, number + 1)  # of a league that an older version began
            connection.execute("UPDATE request SET league_update = ? WHERE league_update IS NULL", [number])
        return Update(number, day, "open", settings.toml(self._folder.path))

    def _play(self, update: Update, *, is_cut_short: bool = False) -> Ending:
        """Play an update to its end; if it is cut short, to the end of the decision that is stored."""
        settings = parse_settings(update.settings, f"the settings of update {update.number}")
        self._set_state(update, "open")
        if not self._apply_requests(update, settings):
            self._set_state(update, "stopped")
            return "stopped"
        inbox.settle(self._folder, self._database, settings)
        player = UpdatePlayer(
            self._folder,
            self._database,
            update,
            settings,
            self._options.run,
            self._options.confirmed,
            update.number if self._options.more else budget_start(self._database, update),
        )
        return player.play(self._stop, is_cut_short=is_cut_short)

    def _apply_requests(self, update: Update, settings: Settings) -> bool:
        """Apply the update's requests; return whether all are, since a stop was not requested before."""
        check: Check = ConformanceCheck(self._folder, settings, self._write_card, self._options.confirmed)
        admission = Admission(self._folder, self._database, settings, check)
        for request in self._database.requests("league_update = ? AND state = 'waiting'", update.number):
            if self._stop.is_requested:
                return False
            admission.apply(request, update.number)
        return True

    def _asks_for_more(self, settings: Settings) -> bool:
        store_terms(self._database, settings)
        field = Field.read(self._database, settings)
        blocks, standings = LeagueBlocks(self._database, field), Standings(field)
        standings.add(blocks.outcomes())
        _, lost = find_specs(self._folder, field)
        excluded = {*lost, *standings.lost_by_faults()}
        seed = self._database.seed
        return bool(
            plan_version_matches(field, blocks.version_blocks(), excluded, seed)
            or choose_tables(field, standings, Counter(), excluded, seed, 0)
        )

    def _set_state(self, update: Update, state: str) -> None:
        with self._database.transaction() as connection:
            update_row(connection, "league_update", update.number, {"state": state})


def today() -> str:
    """Return the date of an update that is given none: SOURCE_DATE_EPOCH, else today.

    Raises:
        ConfigError: If that is not a number of seconds.
    """
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        try:
            return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
        except (ValueError, OverflowError, OSError) as error:
            raise ConfigError(
                f"SOURCE_DATE_EPOCH: {epoch[:40]!r} is not a number of seconds since 1970"
            ) from error
    return date.today().isoformat()


def _wait(stop: StopRequest, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not stop.is_requested and time.monotonic() < deadline:
        time.sleep(POLL_INTERVAL_S)


def _installed_digest(source: str) -> str:
    """Return the digest of an installed bot; empty for others, and for one that is gone."""
    try:
        return InstalledBot(source).digest() if is_installed(source) else ""
    except (PluginError, OSError):
        return ""
