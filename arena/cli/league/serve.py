"""`arena league serve`: show the site of a league in a browser."""

import click

from arena.cli.league.options import league_argument
from arena.league.folder import LeagueFolder
from arena.league.server import HOST, make_server


@click.command(epilog="Example: arena league serve myleague --port 8000")
@league_argument
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port."
)
def command(folder: LeagueFolder, port: int) -> None:
    """Show the site of a league in a browser of this machine.

    Only files in DIR/site are sent, and only to this machine. Ctrl-C ends it.
    """
    with make_server(folder.site, port) as server:
        click.echo(f"http://{HOST}:{server.server_port}/ shows {folder.site}; Ctrl-C ends it")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("", err=True)
