"""The page of one match, optionally with the choices of other bots."""

from collections.abc import Sequence
from pathlib import Path

from arena.errors import ConfigError
from arena.play.bot import BotFactory, make_factory
from arena.play.suggested_actions import suggest_actions
from arena.plugins import parse_bot
from arena.report.page.render import render_replay
from arena.report.page.replay_data import replay_of_record
from arena.tournament.files.record_files import FoundRecord, replay_deals


def load_shadows(names: Sequence[str]) -> dict[str, BotFactory]:
    """Return the factories of built-in bots by name. Raises PluginError or ConfigError for any other bot."""
    makers = {}
    for name in names:
        spec = parse_bot(name, Path())
        if spec.source.kind != "built-in":
            raise ConfigError(
                f"{name} is not built in: --shadow runs bots without isolation and allows only built-in ones"
            )
        makers[spec.name] = make_factory(spec.source.load())
    return makers


def render_replay_page(name: str, one: FoundRecord, others: dict[str, BotFactory]) -> str:
    """Return the page of a record of the file `name`; RecordError if the record breaks the rules."""
    deals = replay_deals(name, one)
    answers = suggest_actions(deals, others) if others else None
    return render_replay(replay_of_record(one, deals[0].opening.rules, deals, list(others), answers))
