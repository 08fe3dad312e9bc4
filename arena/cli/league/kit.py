"""`arena league kit`: write a starter kit for students."""

from pathlib import Path

import click

from arena.cli.league.options import league_argument
from arena.cli.options import out_file_option
from arena.league.settings import LeagueFolder
from arena.output.texts.league_kit import kit_files
from arena.tournament.files import write_archive


@click.command(epilog="Example: arena league kit myleague --out kit.zip")
@league_argument
@out_file_option("The archive; default: kit.zip in the league's folder.", "ZIP")
def league_kit_command(folder: LeagueFolder, out: Path | None) -> None:
    """Write a starter kit for students, a zip archive.

    It has the league's games and limits, the bots to beat with their ratings, a bot to start from, and the
    command that checks it as the league will. The same league gives the same bytes.
    """
    path = out or folder.path / "kit.zip"
    write_archive(path, kit_files(folder))
    click.echo(f"Wrote {path}: give it to your students")
