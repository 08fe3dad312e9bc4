"""`arena league serve`: `arena serve` under its former name."""

import click

from arena.cli.league.options import league_argument
from arena.cli.serve import command as serve
from arena.league.folder import LeagueFolder


@click.command(epilog="Example: arena league serve myleague", deprecated="Use `arena serve`.")
@league_argument
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port."
)
@click.pass_context
def command(ctx: click.Context, folder: LeagueFolder, port: int) -> None:
    """Serve a league to browsers of this machine, as `arena serve` does."""
    ctx.invoke(serve, folder=folder.path, port=port)
