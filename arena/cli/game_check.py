"""`arena check` of a game: check it, and print its report card."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from tqdm import tqdm

from arena.adapters.view_observation import observe_view
from arena.cli.options import find_game, print_json
from arena.game_files import MANIFEST
from arena.games import Rules
from arena.play.game_conformance import GameFindings, check_game
from arena.report.game_check_text import game_card_fields, game_card_text

DEFAULT_MATCHES = 1000


def check_and_print(name: str, matches: int | None, as_json: bool) -> bool:
    """Check a game, print its report card, and return whether there are no issues."""
    is_folder = "/" not in name and Path(name, MANIFEST).is_file()
    found = _check(find_game(f"./{name}" if is_folder else name), matches or DEFAULT_MATCHES)
    if as_json:
        print_json(game_card_fields(found))
    else:
        click.echo(game_card_text(found))
    return not found.issues


def _check(rules: Rules, matches: int) -> GameFindings:
    disable = not sys.stderr.isatty()
    with tqdm(total=2 * matches, desc=str(rules), unit=" matches", leave=False, disable=disable) as bar:
        return check_game(rules, matches=matches, observe=observe_view, on_match=bar.update)
