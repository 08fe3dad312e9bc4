"""The page of one match, with what other bots would have done in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.errors import ConfigError
from arena.play.bot import BotFactory, make_factory
from arena.play.suggested_actions import suggest_actions
from arena.plugins import parse_bot
from arena.report.page.render import replay_html
from arena.report.page.replay_data import replay_of_record
from arena.tournament.files.record_files import FoundRecord, replay_deals


def load_shadows(names: Sequence[str]) -> dict[str, BotFactory]:
    """Makers of bots by their names: built-in ones, which may run in the arena's own process.

    Raises: PluginError, for a bot that is not there; ConfigError, for one that is not built in.
    """
    makers = {}
    for name in names:
        spec = parse_bot(name, Path())
        if spec.source.kind != "built-in":
            raise ConfigError(
                f"{name} is not built in: it is asked in the arena's own process, where only those may be"
            )
        makers[spec.name] = make_factory(spec.source.load())
    return makers


def render_replay_page(name: str, one: FoundRecord, others: dict[str, BotFactory]) -> str:
    """The page of a match found in a file of that name, on which the others say what they would have done.

    Raises: RecordError, if the match cannot have been played so.
    """
    deals = replay_deals(name, one)
    answers = suggest_actions(deals, others) if others else None
    return replay_html(replay_of_record(one, deals[0].opening.rules, deals, list(others), answers))
