"""`arena check`: check a bot, and print its report card."""

import logging
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from typing import get_args

import click

from arena.cli.game_check import check_and_print
from arena.cli.options import (
    GameOption,
    announce,
    find_house_games,
    json_option,
    load_if_path,
    print_json,
    store_option,
)
from arena.cli.run_execution import DEFAULT_START_METHOD, jobs_option
from arena.errors import ArenaError
from arena.league.settings import Settings, read_settings
from arena.output.texts.checks import card_fields, card_text, debug_text, game_line, result_line
from arena.play.conformance import Findings, find_debuggable
from arena.plugins import BotSpec, FolderBot, parse_bot
from arena.plugins.game_detection import names_a_game
from arena.plugins.games import is_game_path, load_games
from arena.plugins.submissions import is_reference, resolve_references
from arena.tournament.engine.levels import BotCheck, debug_issue, run_check, try_check
from arena.tournament.engine.workers import make_workers
from arena.tournament.setup.command_line import check_terms, parse_bot_with_settings
from arena.tournament.setup.config import Config, Isolation, read_config

BOT_CHECK_MATCHES = 4
BOT_CHECK_MINUTES = 1.0
"""Minutes after which no more matches of one of several submissions are begun."""
OLD_FLAG = "\0"
"""Value of `--game` without one."""


@click.command(epilog="Example: arena check mybot --game lives, arena check golf.py:golf")
@click.argument("bot", metavar="BOT|GAME", required=False)
@click.option(
    "kind",
    "--as",
    type=click.Choice(["game"]),
    help="Check a game, also where the file or name does not show that it is one.",
)
@click.option(
    "level",
    "--isolation",
    type=click.Choice(get_args(Isolation)),
    help="Isolation level; default: as a tournament would choose.",
)
@click.option(
    "--config",
    metavar="CONFIG",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take games, limits and isolation from this tournament.",
)
@click.option(
    "--league",
    metavar="FILE",
    type=click.Path(exists=True, path_type=Path),
    help="Take games, limits and isolation from this league.toml, or the folder it is in.",
)
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    is_flag=False,
    flag_value=OLD_FLAG,
    multiple=True,
    help="A game to play; may be repeated. Default: all the bot supports.",
)
@click.option(
    "--matches",
    type=click.IntRange(1),
    show_default=f"{BOT_CHECK_MATCHES}, or as the league says; 1,000 of a game",
    help="Matches of each game.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, min_open=True),
    show_default="1 of a game, without --matches, and of each submission",
    help="Examine a game for this CPU time, of up to --matches; begin no match of a bot after this time.",
)
@jobs_option
@click.option(
    "--debug",
    is_flag=True,
    help="Play the decision that failed again, in this process, under pdb: only for code you trust.",
)
@store_option
@json_option
def check_command(
    bot: str | None,
    kind: str | None,
    level: str | None,
    config: Path | None,
    league: Path | None,
    variants: tuple[str, ...],
    matches: int | None,
    minutes: float | None,
    jobs: int,
    debug: bool,
    store: Path,
    as_json: bool,
) -> None:
    """Check a bot or a game, and print its report card.

    A bot plays as in a tournament, every game it supports, against random bots at tables of several sizes.
    Each match is played twice, and some decisions are asked again with other hidden cards: the answers should
    not change. With `submitted` all submissions are checked, several at a time, each for up to a minute and
    up to the first game in which it takes too long.

    A game is played at random, and each match is played again. Positions are copied, dealt with other hidden
    cards and sampled: 20 matches first, and 1,000 if these show no issue. That ends after a minute of CPU
    time, or --minutes; --matches alone sets no limit of time. An issue names the shortest match that shows
    it, and what to write. The game's code runs in this process, with your rights. A Python file that does not
    show whether it has a bot or a game is refused and not run; --as game checks it as a game.

    The exit status is 1 if there are issues.
    """
    bot, variants, is_game = _read_old_flag(bot, variants)
    is_game = is_game or kind is not None
    if is_game and is_game_path(bot):
        load_games(bot)
    is_game = is_game or (
        not is_reference(bot) and bool(find_house_games().find(bot) or names_a_game(bot, Path()))
    )
    if is_game:
        for option, value in {
            "--isolation": level,
            "--config": config,
            "--league": league,
            "--game": variants,
            "--debug": debug,
        }.items():
            if value:
                raise click.UsageError(f"{bot} is a game: {option} is for bots.")
        click.get_current_context().exit(0 if check_and_print(bot, matches, minutes, as_json) else 1)
    if config and league:
        raise click.UsageError("--config and --league both name the games: give one of them.")
    if debug:
        _refuse_debugging(bot, as_json)
    logging.getLogger("arena").addHandler(logging.NullHandler())  # the report card shows failures
    specs = _parse_bots(bot, store)
    terms = read_config(config, submissions=store) if config else read_settings(league) if league else None
    prepare = partial(_prepare, terms=terms, variants=variants, level=level, matches=matches)
    if len(specs) == 1:
        ok = _check_one(prepare(specs[0])._replace(max_seconds=60 * (minutes or inf)), as_json, debug)
    else:
        ok = _check_all(specs, prepare, 60 * (minutes or BOT_CHECK_MINUTES), jobs, as_json)
    click.get_current_context().exit(0 if ok else 1)


def _read_old_flag(bot: str | None, variants: tuple[str, ...]) -> tuple[str, tuple[str, ...], bool]:
    """Return the bot or game, the games to play, and whether `--game` is a flag, as in version 0.2."""
    names = tuple(name for name in variants if name != OLD_FLAG)
    is_flag = len(names) < len(variants)
    if bot is None and len(names) == 1 and not is_flag:  # as in `--game golf.py`
        (bot,), names, is_flag = names, (), True
    if bot is None:
        raise click.UsageError("Missing argument 'BOT|GAME'.")
    if is_flag:
        click.echo("note: --game names a game to play; to check a game write --as game", err=True)
    return bot, tuple(map(load_if_path, names)), is_flag


def _parse_bots(bot: str, store: Path) -> list[BotSpec]:
    """Return the bot that a text names, with its settings, or the submissions."""
    if is_reference(bot):
        return [parse_bot(entry, Path()) for entry in resolve_references([bot], store)]
    return [parse_bot_with_settings(bot)]


def _prepare(
    spec: BotSpec,
    terms: Config | Settings | None,
    variants: tuple[str, ...],
    level: str | None,
    matches: int | None,
) -> BotCheck:
    """Return the check of a bot; the packages that it names are installed."""
    if isinstance(spec.source, FolderBot):
        spec.source.install_packages(announce)
    of_league = terms.check_matches if isinstance(terms, Settings) else BOT_CHECK_MATCHES
    return BotCheck(spec, *check_terms(spec, terms, variants, level), matches=matches or of_league)


def _refuse_debugging(bot: str, as_json: bool) -> None:
    """Refuse to debug without a terminal, and to run strangers' code in this process."""
    if bot.partition(":")[0] == "submitted":
        raise click.UsageError(
            "--debug runs the bot with your rights, and a submission is not your own code: copy it to a "
            "file, read it, and check that file."
        )
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--debug asks for commands: call it in a terminal, without --json.")


def _check_one(check: BotCheck, as_json: bool, debug: bool) -> bool:
    """Check a bot, with a line a game as it goes, and return whether there are no issues."""
    if debug and check.spec.source.kind == "command":
        raise click.UsageError("--debug is for Python bots: a program runs in a process of its own.")
    findings = run_check(check, on_game=lambda game: click.echo(game_line(game), err=True))
    _print_card(check, findings, as_json)
    if debug:
        _debug(check, findings)
    return not findings.issues


def _debug(check: BotCheck, findings: Findings) -> None:
    issue = find_debuggable(findings)
    if issue is None:
        click.echo("\nThere is nothing to debug: no decision failed.")
        return
    click.echo(debug_text(issue))
    if not debug_issue(check, issue):
        click.echo("The bot did not fail here: it plays otherwise in this process.")


def _check_all(
    specs: list[BotSpec], prepare: Callable[[BotSpec], BotCheck], max_seconds: float, jobs: int, as_json: bool
) -> bool:
    """Check bots, with a line a bot as it goes, and return whether there are no issues.

    No more matches of one are begun after `max_seconds`, and after a game in which it took too long.
    """
    checks, numbers = [], count(1)
    for spec in specs:
        try:
            checks.append(prepare(spec)._replace(max_seconds=max_seconds, max_slow_games=1))
        except ArenaError as error:  # as for one that does not play the games asked for
            click.echo(f"{next(numbers)} of {len(specs)}: {spec.name}: {error}", err=True)
    all_ok = len(checks) == len(specs)
    with make_workers(jobs, DEFAULT_START_METHOD) as workers:
        for check, outcome in zip(checks, workers.map(try_check, checks), strict=True):
            line = outcome if isinstance(outcome, str) else result_line(outcome)
            click.echo(f"{next(numbers)} of {len(specs)}: {check.spec.name}: {line}", err=True)
            if isinstance(outcome, Findings):
                _print_card(check, outcome, as_json)
            all_ok &= isinstance(outcome, Findings) and not outcome.issues
    return all_ok


def _print_card(check: BotCheck, findings: Findings, as_json: bool) -> None:
    name, source = check.spec.name, check.spec.source
    if as_json:
        print_json(card_fields(name, source.kind, source.digest(), findings))
    else:
        click.echo(card_text(name, source.kind, source.digest(), findings, check.limits, source.beside))
