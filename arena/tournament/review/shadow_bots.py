"""Bots that are asked what they would have done in a recorded match."""

from collections.abc import Iterable, Sequence

from tqdm import tqdm

from arena.errors import ArenaError, ConfigError
from arena.games import Deal, Rules
from arena.play import Limits
from arena.play.actions_of_other_bots import Shadow, Suggestions, suggest_actions
from arena.play.faults import HostUnavailable
from arena.play.isolation import LevelSelector
from arena.plugins import BotSpec, check_supported, label_versions
from arena.plugins.command_bots import PREFIX
from arena.tournament.machine.cpu import usable_cores
from arena.tournament.setup.cli_overrides import parse_bot_with_settings

SILENT_S = 2.0
"""Seconds before progress is shown."""


def choose_shadows(texts: Iterable[str], rules: Rules, isolation: str) -> list[Shadow]:
    """Return the bots that texts name, each with the isolation level it will run at.

    A text names several bots separated by commas, or one that is a command or has settings. Their code is
    not run; one that is not built in is never loaded into the arena's process.

    Raises:
        PluginError: For a bot that does not exist.
        ConfigError: For a bot that does not play the game, a level that is not available, or `inline` for a
            bot that is not built in.
    """
    names = [name for text in texts for name in _split(text)]
    selector, shadows = LevelSelector(), {}
    for bot in label_versions([parse_bot_with_settings(name) for name in names]):
        check_supported(bot.name, bot.source.variants(), [rules])
        level = selector.select(bot.source.kind, isolation)
        if level == "inline" and bot.source.kind != "built-in":
            raise ConfigError(
                f"{bot.name} is not built in: --shadow runs it in a process of its own; "
                "leave out --isolation inline"
            )
        shadows[bot.name] = Shadow(bot, level)
    return list(shadows.values())


def choose_playout_bot(text: str, rules: Rules) -> BotSpec:
    """Return the built-in bot that a text names, which plays playouts of a game in this process.

    Raises:
        PluginError: For a bot that does not exist.
        ConfigError: For a bot that does not play the game or is not built in.
    """
    bot = parse_bot_with_settings(text)
    check_supported(bot.name, bot.source.variants(), [rules])
    if bot.source.kind != "built-in":
        raise ConfigError(
            f"{bot.name} is not built in: playouts are played in the arena's process; name a built-in bot"
        )
    return bot


def _split(text: str) -> list[str]:
    is_single = text.startswith(PREFIX) or "(" in text
    return [text] if is_single else [name.strip() for name in text.split(",")]


def ask_shadows(
    deals: Sequence[Deal], shadows: Sequence[Shadow], limits: Limits | None = None
) -> list[Suggestions]:
    """Return by deal what bots would have done in a match; if it takes long, a terminal shows progress.

    Raises:
        ArenaError: If the machine cannot start a bot's process.
    """
    actions = sum(len(deal.action_indices) for deal in deals)
    with tqdm(
        total=actions * len(shadows),
        desc="asking the shadow bots",
        unit=" actions",
        delay=SILENT_S,
        disable=None,  # shown on a terminal only
        leave=False,
        dynamic_ncols=True,
    ) as bar:
        try:
            return suggest_actions(deals, shadows, limits or Limits(), usable_cores(), bar.update)
        except HostUnavailable as error:
            raise ArenaError(str(error)) from error
