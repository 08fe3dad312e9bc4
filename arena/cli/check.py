"""`arena check`: check a bot, and print its report card."""

import logging
from pathlib import Path
from typing import get_args

import click

from arena.cli.options import announce, json_option, print_json, store_option
from arena.play.bot import make_factory
from arena.play.conformance import check_bot, open_environment
from arena.plugins import BotSpec, FolderBot, InstalledBot, parse_bot
from arena.plugins.submissions import resolve_references
from arena.report.conformance_text import card_fields, card_text, game_line
from arena.tournament.setup.cli_overrides import check_terms
from arena.tournament.setup.config import Config, Isolation, read_config

OPPONENT = InstalledBot("random")


@click.command(epilog="Example: arena check mybot --variant lives")
@click.argument("bot")
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
@click.option("variants", "--variant", multiple=True, help="A game to play; default: all the bot supports.")
@click.option("--matches", type=click.IntRange(1), default=4, show_default=True, help="Matches of each game.")
@store_option
@json_option
def command(
    bot: str,
    level: str | None,
    config: Path | None,
    variants: tuple[str, ...],
    matches: int,
    store: Path,
    as_json: bool,
) -> None:
    """Play a bot as a tournament would, and print its report card.

    The bot plays every game it supports against random bots, at tables of several sizes. Each match is played
    twice, and some decisions are asked again with other hidden cards: the answers should not change.
    The exit status is 1 if there are issues. With `submitted` all submissions are checked.
    """
    logging.getLogger("arena").addHandler(logging.NullHandler())  # the report card shows failures
    entries = resolve_references([bot], store)
    specs = [parse_bot(entry, Path()) for entry in entries]
    tournament = read_config(config) if config else None
    wrong = [_check(spec, tournament, variants, level, matches, as_json) for spec in specs]
    click.get_current_context().exit(1 if any(wrong) else 0)


def _check(
    spec: BotSpec,
    config: Config | None,
    variants: tuple[str, ...],
    level: str | None,
    matches: int,
    as_json: bool,
) -> bool:
    """Check a bot, print its report card, and return whether there are issues."""
    if isinstance(spec.source, FolderBot):
        spec.source.install_packages(announce)
    games, where, limits = check_terms(spec, config, variants, level)
    with open_environment(spec, where, limits) as environment:
        found = check_bot(
            games, environment, make_factory(OPPONENT.load()), matches=matches,
            settings=spec.settings, limits=limits, on_game=lambda game: click.echo(game_line(game), err=True),
        )  # fmt: skip
    origin, sha = spec.source.kind, spec.source.digest()
    if as_json:
        print_json(card_fields(spec.name, origin, sha, found))
    else:
        click.echo(card_text(spec.name, origin, sha, found, limits))
    return bool(found.issues)
