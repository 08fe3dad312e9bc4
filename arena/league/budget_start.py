"""The update from which on blocks count towards the budget of a bot: the last that had a reason to play."""

from __future__ import annotations

from arena.league.store import LeagueDatabase, Update


def budget_start(database: LeagueDatabase, update: Update) -> int:
    """Return the number of the update from which on blocks count towards what a bot may play in an update.

    An update in which everything was rejected, or bots were only renamed, gives no reason to play: it goes on
    with what the update before it left unplayed. One without any request was asked for by `--more`.
    """
    updates = {update.number: update for update in database.updates()}
    number = update.number
    while number > 1 and not _is_reason(database, updates[number - 1], updates[number]):
        number -= 1
    return number


def _is_reason(database: LeagueDatabase, before: Update, update: Update) -> bool:
    requests = database.requests("league_update = ?", update.number)
    changed = any(request.state == "done" and request.kind != "rename" for request in requests)
    return changed or not requests or before.settings != update.settings
