"""`arena league new`: create a league."""

from pathlib import Path

import click

from arena.cli.options import GameOption, load_named_games
from arena.league.accounts import add_students, read_students
from arena.league.results import LeagueResults
from arena.league.settings import DEFAULT_VARIANTS, LeagueFolder
from arena.tournament.setup.errors import read_text


@click.command(epilog="Example: arena league new myleague --title 'Our class' --game lives")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--title", default="", help="The heading of tables and pages.")
@click.option(
    "variants",
    "--game",
    cls=GameOption,
    metavar="NAME",
    callback=load_named_games,
    multiple=True,
    default=DEFAULT_VARIANTS,
    show_default=True,
    help="A game of the league, four at a table; may be repeated.",
)
@click.option(
    "listed",
    "--students",
    metavar="CSV",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Who may submit: a name a line, or columns `name` and `team`.",
)
def league_new_command(folder: Path, title: str, variants: tuple[str, ...], listed: Path | None) -> None:
    """Create a league in a new folder, with a league.toml to edit.

    With --students the names are written to its table [submitters]: ann may submit the names `ann` and
    `ann-*`. Teams of the list are written to the table [teams]; with it, the teams that bots declare do not
    count.
    """
    students = read_students(read_text(listed)) if listed else []
    created = LeagueFolder.create(folder, title, variants)
    if students:
        add_students(created, students)
    with LeagueResults.open(folder) as league:
        committed = league.committed_seed(1)
    click.echo(
        f"Created {folder}. Next:\n\n"
        f"  edit {folder}/league.toml    its games, the precision of ratings, who may submit\n"
        f"  arena league submit {folder} BOT    or drop files, folders and archives into {folder}/inbox\n"
        f"  arena league update {folder}    check and admit what was submitted, and play\n\n"
        f"The seed of the first update is committed to as {committed.commitment if committed else '-'}."
    )
