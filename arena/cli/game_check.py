"""`arena check` of a game: check it, and print its report card."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click
from tqdm import tqdm

from arena.adapters.observation_by_feature import observe_view
from arena.cli.options import find_game, print_json
from arena.game_source_files import MANIFEST
from arena.games import Rules
from arena.output.texts.checks import game_card_fields, game_card_text, stage_line
from arena.play.game_conformance import GameFindings, check_game
from arena.play.game_conformance.random_match import MatchLog
from arena.plugins.games import is_game_path, is_loaded

GAME_CHECK_MATCHES = 1000
GAME_CHECK_MINUTES = 1.0


def check_and_print(name: str, matches: int | None, minutes: float | None, as_json: bool) -> bool:
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
        track=show_progress,
        on_stage=lambda result: click.echo(stage_line(result), err=True),
    )


def show_progress(name: str, logs: Sequence[MatchLog]) -> Iterable[MatchLog]:
    """Return matches to iterate over, with a bar on a terminal."""
    disable = not sys.stderr.isatty()
    bar: Iterable[MatchLog] = tqdm(logs, desc=name, unit=" matches", leave=False, disable=disable)
    return bar
