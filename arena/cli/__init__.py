"""The command line: a module for commands of one kind, which parses, calls and prints."""

import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any, NoReturn

IS_ARMED = (
    signal.getsignal(signal.SIGINT) is signal.default_int_handler
    and threading.current_thread() is threading.main_thread()
)
if IS_ARMED:  # Ctrl-C during the imports below would be a traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)

# Read by numpy when it is imported. Threads that wait for each other in small matrices take several times the
# CPU time, and the cores are busy with workers.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import click  # noqa: E402

from arena import __version__  # noqa: E402
from arena.errors import (  # noqa: E402
    ArenaError,
    ConfigError,
    InvalidNotation,
    InvalidRules,
    MissingPackage,
    PluginError,
    UnknownOption,
    UnknownVariant,
    suggest_nearest,
)
from arena.output.words.text import printable_line, steers_terminal  # noqa: E402

if IS_ARMED:
    signal.signal(signal.SIGINT, signal.default_int_handler)

COMMANDS = {
    "Play": {
        "run": ("arena.cli.run", "Play a tournament and rate its bots."),
        "resume": ("arena.cli.run", "Continue a tournament that was stopped."),
        "merge": ("arena.cli.run", "Merge the shards of a run into one run."),
        "slurm": ("arena.cli.slurm", "Write the scripts that play a run as an array job of SLURM."),
        "play": ("arena.cli.play", "Play against bots in the terminal or in the browser."),
        "playground": ("arena.cli.play", "Write a page in which the arena runs without being installed."),
        "watch": ("arena.cli.tables", "Follow a tournament in progress."),
    },
    "Compare": {
        "compare": ("arena.cli.designs", "Find out which of two or more bots is the strongest."),
        "grade": ("arena.cli.designs", "Find out how far up the ladder of built-in bots a bot is."),
        "track": ("arena.cli.designs", "Rate the checkpoints of a bot in training, as one curve."),
        "tune": (
            "arena.cli.training",
            "Search the settings of a bot that score best against a pool.",
        ),
        "exploit": (
            "arena.cli.training",
            "Train a bot that beats another, and measure by how much.",
        ),
        "train": ("arena.cli.training", "Train a bot for a game, and write the constants it plays by."),
    },
    "Read results": {
        "table": ("arena.cli.tables", "Print the ratings of a tournament, or another table of its results."),
        "why": ("arena.cli.reports", "Show where the difference between two bots comes from."),
        "report": ("arena.cli.reports", "Write a run's tables, figures and replays as one offline page."),
        "figure": ("arena.cli.reports", "Write one figure of a run, league, track or tuning as a file."),
        "plan": ("arena.cli.tables", "Estimate how many more blocks would separate the bots."),
        "replay": ("arena.cli.replay", "List the matches played, and show one."),
        "export": ("arena.cli.reports", "Write a run's matches, deals and decisions to files."),
        "verify": (
            "arena.cli.verify",
            "Replay a run, a league or records, and find every difference.",
        ),
        "seal": ("arena.cli.verify", "Write and sign a manifest of a finished run or of a league."),
        "publish": ("arena.cli.verify", "Pack a run for somebody else to read and verify."),
    },
    "Bots": {
        "bots": ("arena.cli.bots", "List installed and submitted bots."),
        "new": ("arena.cli.new", "Create a bot, a game or a config to start from."),
        "check": ("arena.cli.bots", "Check a bot or a game, and print its report card."),
        "snapshot": ("arena.cli.bots", "Keep a copy of a bot to compare later versions with."),
        "submit": ("arena.cli.bots", "Submit a bot, rename or remove a submission."),
    },
    "Games": {
        "variants": ("arena.cli.games", "List the games, or print the rules of one."),
        "hand": ("arena.cli.games", "Rank hands by the rules of a game."),
    },
    "League and server": {
        "league": ("arena.cli", "Keep a standing league of bots that are submitted and rated."),
        "serve": ("arena.cli.serve", "Serve a league or a run to browsers."),
    },
    "Machine": {
        "doctor": (
            "arena.cli.machine",
            "Check that this machine can run tournaments, or measure its speed.",
        ),
        "docs": ("arena.cli.docs", "List the pages of the documentation, print one, or search them."),
    },
}
"""The module of each command and its summary, by the heading under which help lists it."""
MODULES = {name: module for commands in COMMANDS.values() for name, (module, _) in commands.items()}
MODULES["bench"] = "arena.cli.machine"
"""The module of each command, also of those that help does not list."""

FORMER_LEAGUE_COMMANDS = ("revoke", "alias", "withdraw", "rename", "ban")
LEAGUE_SUMMARIES = {
    "new": "Create a league in a new folder, with a league.toml to edit.",
    "kit": "Write a starter kit for students, a zip archive.",
    "submit": "Submit a bot to a league; the next update checks and admits it.",
    "invite": "Make accounts of the league's server and print them as CSV, or end one.",
    "change": "Withdraw, ban or rename a bot, or set the alias of a submitter.",
    "update": "Admit what was submitted, and play until the ratings are precise.",
    "list": "Print the ladders, bots, submissions, submitters, faults, or pairs of bots to look at.",
    "final": "Play the best bots of a league against each other.",
    "reveal": "Show the next round of a final that is held back.",
    "grade": "Compare each bot of a league with milestones, for grades.",
    "site": "Write the pages of a league into its folder site/, as each update does by itself.",
}

WELCOME = """\
The arena for Commerce: bots play Commerce and its family of card games against each
other, and get Elo ratings with error bars and replays of every match.

Three commands to start with:

  arena run               play a quick tournament of the built-in bots
  arena variants lives    read the rules of the game they play
  arena bots              list the bots

`arena --help` lists all commands, `arena COMMAND --help` explains one."""

DEBUG, WARNING = 10, 30
"""Levels of `logging`, whose import would make help slower."""
MAX_NAME_CHARS = 40
MAX_FILE_BYTES = 255
"""Maximum length of a file's name in bytes, on usual file systems."""
OUT_OF_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)
CAUGHT = (click.ClickException, click.Abort, ArenaError, MemoryError, OSError, UnicodeEncodeError)
USAGE_ERRORS = (
    *(ConfigError, InvalidNotation, InvalidRules, MissingPackage, PluginError, UnknownOption),
    UnknownVariant,
)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Collect no garbage now, and keep what is made out of later collections: modules are never garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


class LazyGroup(click.Group):
    """Commands that are imported when they are called.

    Args:
        targets: "module:attribute" by name, also of commands that help does not list.
        summaries: Summary by name, by heading.
        attributes: Those of a group.
    """

    def __init__(
        self, targets: Mapping[str, str], summaries: Mapping[str, Mapping[str, str]], **attributes: Any
    ) -> None:
        super().__init__(invoke_without_command=True, **attributes)
        self.targets = targets
        self.headed = summaries
        self.summaries = {name: text for part in summaries.values() for name, text in part.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.targets:
            return None
        module, _, attribute = self.targets[cmd_name].partition(":")
        with _uncollected() if module not in sys.modules else nullcontext():
            command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.targets:
            ctx.fail(f"there is no command {args[0]!r}; {suggest_nearest(args[0], self.summaries)}.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, summaries in self.headed.items():
            with formatter.section(heading):
                formatter.write_dl(list(summaries.items()))


class Arena(LazyGroup):
    """All commands; an error in one is a line on standard error."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        """Run a command and exit: 0 done, 1 the work failed, 2 the call or config is wrong."""
        is_program = not args and "args" not in extra
        if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
            extra.setdefault("color", False)
        try:
            for word in extra.get("args") or sys.argv:
                word.encode()  # refuses file names that are not UTF-8 first
                if steers_terminal(word):
                    raise ConfigError(f"{word!a} has control characters: rename the file or folder")
            status = super().main(*args, **{**extra, "standalone_mode": False})
        except CAUGHT as error:
            message, status = _describe(error)
            click.echo(f"arena: {printable_line(message)}", err=True)
        if is_program:  # Ctrl-C while Python shuts down would be a traceback
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        sys.exit(status)


def _describe(error: Exception) -> tuple[str, int]:
    """Return the message of an error, and the exit status."""
    if isinstance(error, UnicodeEncodeError):
        name = ascii(error.object[max(error.end - MAX_NAME_CHARS, 0) : error.end])
        return f"a file name that ends in {name} is not UTF-8: rename the file or folder", 2
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "arena"
        message = error.format_message()
        end = "" if message.endswith((".", "?", "!")) else "."
        return f"{message}{end} See `{path} --help`.", 2
    if isinstance(error, click.ClickException):
        return error.format_message(), error.exit_code
    if isinstance(error, click.Abort):
        return "interrupted", 1
    if isinstance(error, MemoryError):
        return "there is no memory left; close other programs, or lower --jobs", 1
    if isinstance(error, OSError) and error.errno in OUT_OF_DESCRIPTORS:
        return f"{error}: close other programs, lower --jobs, or run `ulimit -n 4096` first", 1
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        return f"{error.filename}: a file's name has at most {MAX_FILE_BYTES} bytes", 2
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}", 1
    return str(error), 2 if isinstance(error, USAGE_ERRORS) else 1


@click.command(
    cls=Arena,
    targets={name: f"{module}:{name}_command" for name, module in MODULES.items()},
    summaries={
        heading: {name: summary for name, (_, summary) in rows.items()} for heading, rows in COMMANDS.items()
    },
    name="arena",
    epilog="Example: arena run",
)
@click.version_option(__version__, message="arena %(version)s")
@click.option(
    "trusted",
    "--trust-game",
    metavar="PATH",
    multiple=True,
    envvar="ARENA_TRUST_GAMES",
    type=click.Path(exists=True),
    help="Load a game from its file or folder first, for a config, run, league or record that plays it. Its "
    "code runs with your rights.",
)
@click.option("log_level", "-v", "--verbose", flag_value=DEBUG, type=int, help="Log every step.")
@click.option("log_level", "-q", "--quiet", flag_value=WARNING, type=int, help="No progress, only warnings.")
@click.pass_context
def main(ctx: click.Context, trusted: tuple[str, ...], log_level: int | None) -> None:
    """Tournaments of bots at Commerce and its family of card games."""
    if trusted:
        from arena.plugins.games import load_games  # here, so that help starts fast

        for path in trusted:
            load_games(path)
    if ctx.invoked_subcommand is None:
        click.echo(WELCOME)


@click.command(
    cls=LazyGroup,
    targets={
        name: f"arena.cli.league:league_{name}_command"
        for name in (*LEAGUE_SUMMARIES, *FORMER_LEAGUE_COMMANDS)
    },
    summaries={"Commands": LEAGUE_SUMMARIES},
    name="league",
    epilog="\b\nExample: arena league new myleague\nNext: arena league submit myleague mybot",
)
@click.pass_context
def league_command(ctx: click.Context) -> None:
    """Keep a standing league of bots that are submitted and rated.

    Each league is a folder. `arena league COMMAND --help` explains each command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
