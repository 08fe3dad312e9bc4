"""The command line: one file a command, which parses, calls and prints."""

import os
import sys
from typing import Any, NoReturn

import click

from arena import __version__
from arena.cli.lazy_group import LazyGroup
from arena.errors import (
    ArenaError,
    ConfigError,
    InvalidNotation,
    InvalidRules,
    PluginError,
    UnknownOption,
    UnknownVariant,
)
from arena.report.text_format import strip_unprintable

SUMMARIES = {
    "run": "Play a tournament and rate its bots.",
    "resume": "Go on with a tournament that was stopped.",
    "table": "Print the ratings of a tournament, or another table of its results.",
    "compare": "Find out which of two bots is the stronger.",
    "report": "Write a run's tables, figures and replays as one page.",
    "plan": "Tell how much more of a run would separate its bots.",
    "verify": "Play a whole run again and compare it with its files.",
    "watch": "Follow a tournament that is being played.",
    "play": "Sit down at a table with bots.",
    "replay": "List, show, verify and export the matches played.",
    "bots": "List the bots that are installed and those that were submitted.",
    "new": "Make a folder with a bot to begin with.",
    "check": "Play a bot as a tournament would, and print its report card.",
    "submit": "Hand a bot in, or list those that were.",
    "variants": "List the games, or print the rules of one.",
    "hand": "Compare hands by the ranks of a game.",
    "doctor": "Look whether this machine is fit for tournaments.",
    "bench": "Measure how many decisions are played in a second.",
}

WELCOME = """\
The arena for Commerce: bots play Commerce and its family of card games against each
other, and come out with Elo ratings, honest error bars and replays of every match.

Three commands to start with:

  arena run               play a quick tournament of the built-in bots
  arena variants lives    read the rules of the game they play
  arena bots              see who can play

`arena --help` lists all commands, `arena COMMAND --help` explains one."""

WRONG_CALL = (ConfigError, InvalidNotation, InvalidRules, PluginError, UnknownOption, UnknownVariant)


class Arena(LazyGroup):
    """All commands; whatever goes wrong in one is a line on standard error."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Runs a command and ends the process: 0 done, 1 the work failed, 2 the call or config is wrong."""
        if os.environ.get("NO_COLOR"):
            extra.setdefault("color", False)
        try:
            status = super().main(*args, **{**extra, "standalone_mode": False})
        except (click.ClickException, click.Abort, ArenaError, OSError) as error:
            message, status = _explained(error)
            click.echo(f"arena: {strip_unprintable(' '.join(message.split()))}", err=True)
        sys.exit(status)


def _explained(error: Exception) -> tuple[str, int]:
    """What to say of an error, and the exit status."""
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "arena"
        return f"{error.format_message()} `{path} --help` explains.", 2
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, click.Abort):
        return "interrupted", 1
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}", 1
    return str(error), 2 if isinstance(error, WRONG_CALL) else 1


@click.command(cls=Arena, package="arena.cli", summaries=SUMMARIES, name="arena", epilog="Example: arena run")
@click.version_option(__version__, message="arena %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Tournaments of bots at Commerce and its family of card games."""
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME)
