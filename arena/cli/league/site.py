"""`arena league site`: write the site of a league."""

import click

from arena.cli.league.options import league_argument
from arena.columns.number_format import format_count
from arena.league.settings import LeagueFolder
from arena.output.site.site import write_site


@click.command(epilog="Example: arena league site myleague")
@league_argument
def league_site_command(folder: LeagueFolder) -> None:
    """Write the pages of a league into its folder site/, as each update does by itself.

    They need no server and load nothing from elsewhere: open site/index.html, or copy the folder to any
    web server. Files that would not change are left as they are.
    """
    writer = write_site(folder)
    files = format_count(writer.written + writer.kept, "files")
    click.echo(f"{folder.site / 'index.html'}: {files}, {writer.written:,} of them written")
