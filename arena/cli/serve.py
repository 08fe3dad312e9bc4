"""`arena serve`: serve a league or a run to browsers."""

from contextlib import ExitStack
from pathlib import Path

import click

from arena.cli.options import (
    command,
    url_option,
)
from arena.errors import StoreError, import_optional
from arena.league.accounts import serving_lock
from arena.league.folder import LeagueFolder
from arena.league.results import LeagueResults
from arena.tournament.files import RunFolder

LOOPBACK = "127.0.0.1"
TLS_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command(epilog="Example: arena serve myleague", then="arena league invite myleague names.csv")
@click.argument(
    "folder",
    metavar="[LEAGUE|RUN]",
    required=False,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
)
@click.option("--host", default=LOOPBACK, show_default=True, help="Address of this machine to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0: any free port."
)
@url_option("Address at which browsers reach it, behind a reverse proxy or on a network.")
@click.option("certificate", "--tls-cert", type=TLS_FILE, help="TLS certificate, with those above it (PEM).")
@click.option("key", "--tls-key", type=TLS_FILE, help="Key of the certificate (PEM).")
@click.option("updates", "--update", is_flag=True, help="Also update the league, at low priority.")
def serve_command(
    folder: Path | None,
    host: str,
    port: int,
    url: str | None,
    certificate: Path | None,
    key: Path | None,
    updates: bool,
) -> None:
    """Serve a league or a run to browsers.

    A league is shown as its site, a run as its report, both with live standings and reviews of matches.
    People whom `arena league invite` made an account for hand in bots. With --update their bots are admitted
    and rated while the server runs; without it by `arena league update`. Without --host only this machine
    reaches the server.
    Ctrl-C or SIGTERM ends it when the answers being sent are complete. The access log is on standard error,
    one JSON object a request.
    """
    if bool(certificate) != bool(key):
        raise click.UsageError("--tls-cert and --tls-key go together: give both.")
    if url is None and host in ("0.0.0.0", "::", ""):
        raise click.UsageError(f"{host} is every address: say which one browsers use with --url.")
    for module in ("uvicorn", "starlette", "python_multipart"):
        import_optional(module, "web")
    from arena.web.context import WebContext
    from arena.web.server import (
        Listening,
        build_application,  # here: they need the extra
        open_socket,
        run_server,
    )
    from arena.web.static_files import write_missing

    league, run = _find_served(folder)
    if updates and league is None:
        raise click.UsageError("--update is for a league: name its folder.")
    is_proxied = url is not None and certificate is None
    listening = Listening(host=host, port=port, certificate=certificate, key=key, is_proxied=is_proxied)
    with ExitStack() as stack:
        if league is not None:
            stack.enter_context(serving_lock(league))
        listener = stack.enter_context(open_socket(listening))
        name = f"[{host}]" if ":" in host else host
        own_url = f"http{'s' if certificate else ''}://{name}:{listener.getsockname()[1]}"
        title = _title(league) if league else str(folder or WebContext.title)
        context = WebContext(url=url or own_url, league=league, run=run, updates=updates, title=title)
        write_missing(context)
        click.echo(f"{context.url}/ serves {folder or 'no league or run'}; Ctrl-C ends it")
        run_server(build_application(context), context, listening, listener)


def _find_served(folder: Path | None) -> tuple[LeagueFolder | None, RunFolder | None]:
    """Return the league or the run in a folder."""
    if folder is None:
        return None, None
    if LeagueFolder(folder).database.exists():
        return LeagueFolder(folder), None
    if RunFolder(folder).database.exists():
        return None, RunFolder(folder)
    raise StoreError(
        f"{folder} holds neither a league nor a run: there is no league.db and no arena.db in it"
    )


def _title(league: LeagueFolder) -> str:
    with LeagueResults.open(league.path) as results:
        return results.title
