"""`arena bots`, `check`, `snapshot` and `submit`: list, check, keep and hand in bots."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from shlex import quote
from typing import get_args

import click
from tqdm import tqdm

from arena.adapters.observation import observe_view
from arena.cli.options import (
    FormerOption,
    GameOption,
    announce,
    command,
    find_game,
    find_house_games,
    former_store_option,
    json_option,
    load_if_path,
    print_json,
    store_option,
    url_option,
)
from arena.cli.run_execution import DEFAULT_START_METHOD, jobs_option
from arena.errors import ArenaError
from arena.game_source_files import MANIFEST
from arena.games import Rules
from arena.league.server_client import LeagueServer, pack_bot
from arena.league.settings import Settings, read_settings
from arena.output.tables.listings import (
    bot_rows,
    bots_table,
    handed_in_text,
    removal_text,
    renaming_text,
    start_submissions,
    submission_text,
    submissions_table,
)
from arena.output.texts.checks import (
    card_fields,
    card_text,
    debug_text,
    game_card_fields,
    game_card_text,
    game_line,
    result_line,
    stage_line,
)
from arena.output.words.text import printable_line
from arena.play.conformance import Findings, find_debuggable
from arena.play.game_conformance import GameFindings, check_game
from arena.play.game_conformance.matches import MatchLog
from arena.plugins import BotSpec, FolderBot, discover, parse_bot
from arena.plugins.bot_files import take_snapshot
from arena.plugins.games import is_game_path, is_loaded, load_games, names_a_game
from arena.plugins.manifest import name_of_file
from arena.plugins.submission_store import (
    SubmissionStore,
    default_store,
    is_reference,
    parse_bot_or_reference,
    resolve_references,
)
from arena.tournament.engine.levels import BotCheck, debug_issue, run_check, try_check
from arena.tournament.engine.workers import make_workers
from arena.tournament.files import RESULTS
from arena.tournament.record_search import find_runs_with
from arena.tournament.setup.command_line import check_terms, parse_bot_with_settings
from arena.tournament.setup.config import Config, Isolation, read_config

# --- arena bots ---


@command(epilog="Example: arena bots --json", then="arena check mybot")
@store_option
@json_option
def bots_command(store: Path, as_json: bool) -> None:
    """List installed and submitted bots.

    Each is loaded in a process of its own; one that cannot play is listed with its error.
    The hash is of the bot's files; isolation is the level of a run that asks for none.
    """
    rows = bot_rows(discover(), SubmissionStore(store).submissions())
    if as_json:
        print_json(rows)
    else:
        click.echo(bots_table(rows))


# --- arena check, of a game ---

GAME_CHECK_MATCHES = 1000
GAME_CHECK_MINUTES = 1.0


def _check_and_print(name: str, matches: int | None, minutes: float | None, as_json: bool) -> bool:
    """Check a game, print its report card, and return whether there are no issues.

    Args:
        name: The game.
        matches: Matches to play; without `minutes`, however long they take.
        minutes: Time that the check may take.
        as_json: Print the card as JSON.
    """
    is_folder = "/" not in name and Path(name, MANIFEST).is_file()
    if minutes is None and matches is None:
        minutes = GAME_CHECK_MINUTES
    name = f"./{name}" if is_folder else name
    if is_game_path(name) and not is_loaded(name):
        click.echo(f"Running {name} as a game, with your rights.", err=True)
    findings = _check(find_game(name), matches or GAME_CHECK_MATCHES, minutes)
    if as_json:
        print_json(game_card_fields(findings))
    else:
        click.echo(game_card_text(findings))
    return not findings.issues


def _check(rules: Rules, matches: int, minutes: float | None) -> GameFindings:
    """Check a game; a line on standard error says what has been examined, on a terminal after a bar."""
    return check_game(
        rules,
        matches=matches,
        seconds=None if minutes is None else 60 * minutes,
        observe=observe_view,
        track=_show_progress,
        on_stage=lambda result: click.echo(stage_line(result), err=True),
    )


def _show_progress(name: str, logs: Sequence[MatchLog]) -> Iterable[MatchLog]:
    """Return matches to iterate over, with a bar on a terminal."""
    disable = not sys.stderr.isatty()
    bar: Iterable[MatchLog] = tqdm(logs, desc=name, unit=" matches", leave=False, disable=disable)
    return bar


# --- arena check ---

BOT_CHECK_MATCHES = 4
BOT_CHECK_MINUTES = 1.0
"""Minutes after which no more matches of one of several submissions are begun."""
OLD_FLAG = "\0"
"""Value of `--game` without one."""


@command(epilog="Example: arena check mybot --game lives, arena check golf.py:golf", then="arena grade mybot")
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
@former_store_option
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
        click.get_current_context().exit(0 if _check_and_print(bot, matches, minutes, as_json) else 1)
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
    if debug and check.spec.source.kind in ("command", "module"):
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


# --- arena snapshot ---


@command(
    epilog="Example: arena snapshot mine.py before-knocking",
    then="arena compare mine.py snapshots/before-knocking",
)
@click.argument("bot")
@click.argument("name", required=False, default="")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default="snapshots",
    show_default=True,
    help="The folder of snapshots.",
)
def snapshot_command(bot: str, name: str, out: Path) -> None:
    """Keep a copy of a bot to compare later versions with.

    BOT is path/bot.py, with :Class if it has several, a folder, or cmd:./program. The copy is a folder, which
    never changes; it is called NAME or, without one, after the bot, with the next number.
    """
    path = take_snapshot(parse_bot_or_reference(bot, Path(), default_store()), name, out)
    click.echo(
        f"Copied {bot} to {path}. After the next change:\n\n"
        f"  arena compare {quote(bot)} {quote(f'{path}')}    find out whether it made the bot stronger"
    )


# --- arena submit ---


@command(epilog="Example: arena submit mybot --author Ann --team sea", then="arena bots")
@click.argument("bots", metavar="[BOT]...", nargs=-1)
@store_option
@click.option("--name", default="", help="Submit it under this name instead of its own.")
@click.option("--author", default="", help="The bot's author, if its bot.toml names none.")
@click.option("--team", default="", help="The bot's team; a config can keep teammates at different tables.")
@click.option("listing", "--list", cls=FormerOption, now="`arena bots`", is_flag=True)
@click.option("--rename", metavar="OLD NEW", nargs=2, help="Rename a submission.")
@click.option("--remove", metavar="NAME", help="Take a submission off the list; its files stay.")
@click.option("--purge", metavar="NAME", help="Delete the files of a submission, by its name or hash.")
@click.option("--force", is_flag=True, help="With --purge: also files that runs need.")
@url_option("Hand the bot in at the league's server with this address.", name="--to")
@click.option(
    "token_file",
    "--token-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --to: the file with your token.",
)
@click.option("--note", default="", help="With --to: a note for yourself; the organiser can read it.")
@json_option
def submit_command(
    bots: tuple[str, ...],
    store: Path,
    name: str,
    author: str,
    team: str,
    listing: bool,
    rename: tuple[str, str] | None,
    remove: str | None,
    purge: str | None,
    force: bool,
    url: str | None,
    token_file: Path | None,
    note: str,
    as_json: bool,
) -> None:
    """Submit a bot, rename or remove a submission.

    BOT is a folder with a bot.toml, a zip archive of one, path/bot.py:Class, or cmd:./program. It is copied
    into the store of submissions, which a config refers to as `submitted`. A copy never changes; submitting
    again under the same name makes a new version. The bot's code is not run; `arena bots` starts each
    submission. Packages named in its requirements.txt or pyproject.toml are installed, as wheels.

    --remove keeps the files: runs that played the bot can be resumed and verified. --purge deletes them,
    unless a run in results/, here or beside the store, needs them; then it lists these runs and exits 1.

    With --to the bot is handed in at a league's server instead. The check is shown while it is made, then the
    report card and the provisional places. The exit status is 1 if a bot is rejected.
    """
    if url or token_file or note:
        if listing or rename or remove or purge or author or team:
            raise click.UsageError("--to takes a BOT, --token-file, --name, --note and --json.")
        return _hand_in_all(bots, url, token_file, name, note, as_json)
    if sum(map(bool, (bots, listing, rename, remove, purge))) != 1:
        raise click.UsageError("Name a BOT to submit, or --rename OLD NEW, --remove NAME, or --purge NAME.")
    if force and not purge:
        raise click.UsageError("--force is for --purge.")
    if name and len(bots) > 1:
        raise click.UsageError("--name is for one BOT.")
    submissions = SubmissionStore(store)
    if listing:
        table = start_submissions(submissions.submissions())
        print_json(table) if as_json else click.echo(submissions_table(table))
    elif remove:
        click.echo(removal_text(remove, submissions.hide(remove), store))
    elif purge:
        _purge(submissions, purge, force)
    else:
        given = {"name": name, "author": author, "team": team}
        changed = (
            [("", submissions.rename(*rename))]
            if rename
            else ((bot, submissions.submit(bot, Path(), **given, announce=announce)) for bot in bots)
        )
        for bot, submission in changed:
            text = submission_text(submission, store, "" if name else bot)
            print_json(submission) if as_json else click.echo(text)


def _hand_in_all(
    bots: tuple[str, ...], url: str | None, token_file: Path | None, name: str, note: str, as_json: bool
) -> None:
    """Hand bots in at a league's server, and exit with status 1 if one is rejected."""
    if not (bots and url and token_file):
        raise click.UsageError("--to, --token-file and a BOT go together: give all of them.")
    server = LeagueServer(url, token_file.read_text(encoding="utf-8").strip())
    passed = [_hand_in(server, bot, name, note, as_json) for bot in bots]
    click.get_current_context().exit(0 if all(passed) else 1)


def _hand_in(server: LeagueServer, bot: str, name: str, note: str, as_json: bool) -> bool:
    """Hand a bot in at a league's server, follow its check, and return whether it passed."""
    if bot.endswith(".py") and not name:
        name = name_of_file(Path(bot).stem)
        click.echo(renaming_text(bot, name), err=True, nl=False)
    fields = server.hand_in(pack_bot(bot), name)
    if note:
        server.write_note(fields["number"], note)
    for kind, data in server.follow(fields["number"]):
        if kind == "hand-in":
            fields = data
        else:
            click.echo(printable_line(str(data)), err=True)
    print_json(fields) if as_json else click.echo(handed_in_text(fields))
    return fields["state"] in ("passed", "admitted")


def _purge(submissions: SubmissionStore, name: str, force: bool) -> None:
    """Delete the files of a submission, unless runs need them."""
    folders = (RESULTS, submissions.path.parent / RESULTS)
    runs = list(find_runs_with(submissions.purgeable(name), folders))
    if runs and not force:
        click.echo(f"These runs need the files of {name} to be resumed, verified or played again:\n")
        click.echo("\n".join(f"  {run}" for run in runs))
        raise ArenaError("nothing was deleted; --force deletes the files all the same")
    submissions.purge(name)
    click.echo(f"Deleted {name} from {submissions.path}")
