"""`arena play` and `serve`: play against bots, and serve a league or a run to browsers."""

import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import click

from arena.cli.options import (
    OutputFile,
    find_game,
    isolation_option,
    settings_option,
    url_option,
)
from arena.errors import ConfigError, StoreError, import_optional
from arena.interactive import (
    Terminal,
    TerminalMatch,
    check_output_file,
    choose_opponents,
    interrupt_on_signals,
    save_record,
)
from arena.interactive.session import SeriesSetup
from arena.league.accounts import serving_lock
from arena.league.results import LeagueResults
from arena.league.settings import LeagueFolder
from arena.plugins.games import arena_command
from arena.tournament.files import RunFolder
from arena.tournament.schedule import make_seed

# --- arena play ---

DEFAULT_RIVAL: Final = "expert"
COMMA: Final = re.compile(r",(?![^()]*\))")
"""A comma between bots, not between the settings of one."""


def _parse_names(ctx: click.Context, param: click.Parameter, text: str) -> tuple[str, ...]:
    """Return the names of bots separated by commas."""
    return tuple(filter(None, (name.strip() for name in COMMA.split(text))))


@click.command(epilog="Example: arena play whisky-poker --against counter,greedy")
@click.argument("name", metavar="[VARIANT]", default="lives")
@click.option(
    "--against",
    metavar="BOT,…",
    default="",
    callback=_parse_names,
    help="Opponents; by default bots that know the game.",
)
@click.option("--players", type=int, help="Number of seats; four, or one more than --against names.")
@click.option(
    "--seat", type=click.IntRange(0), default=0, show_default=True, help="Your seat, counted from 0."
)
@click.option("--seed", metavar="TEXT", default="", help="The same seed deals the same cards again.")
@settings_option
@isolation_option("auto")
@click.option("--out", metavar="FILE", type=OutputFile(path_type=Path), help="Save the record to this file.")
@click.option("in_browser", "--browser", is_flag=True, help="Play in the browser; requires the extra `web`.")
@click.option(
    "--rival", metavar="BOT", help="Bot that plays your cards after you, in the browser; default: expert."
)
@click.option("may_take_back", "--practice", is_flag=True, help="Allow to take back, in the browser.")
@click.option("is_guided", "--guide", is_flag=True, help="Explain the first deal, in the browser.")
def play_command(
    name: str,
    against: tuple[str, ...],
    players: int | None,
    seat: int,
    seed: str,
    settings: dict[str, Any],
    level: str,
    out: Path | None,
    in_browser: bool,
    rival: str | None,
    may_take_back: bool,
    is_guided: bool,
) -> None:
    """Play against bots in the terminal or in the browser.

    The VARIANT is lives unless you name another. In the terminal ? shows the rules, h a hint, and quit
    leaves. Each match is saved as a record, for `arena replay`. Another match after it has new cards.

    With --browser a server for this machine alone shows the table, until Ctrl-C. After each match the --rival
    plays the same cards in your seat, for comparison.
    """
    if not in_browser and (rival or may_take_back or is_guided):
        raise ConfigError("--rival, --practice and --guide require --browser")
    rules = find_game(name, settings)
    bots = choose_opponents(rules, against, players, level)
    if seat > len(bots):
        raise ConfigError(f"--seat {seat}: the seats are 0 to {len(bots)}")
    if out:
        check_output_file(out)
    if in_browser:
        setup = SeriesSetup(
            rules=rules,
            opponents=bots,
            seat=seat,
            rival=choose_opponents(rules, [rival or DEFAULT_RIVAL], rules.players[0], level)[0],
            may_take_back=may_take_back,
            is_guided=is_guided,
        )
        _play_in_browser(setup, seed, out)
        return
    terminal = Terminal.from_stdio()
    while True:
        match = TerminalMatch(rules, bots, seat, make_seed(seed), terminal)
        with interrupt_on_signals():
            is_over = match.play()
        if record := match.record():
            path = save_record(record, rules.name, out)
            saved = (
                f"\nSaved the record to {path}\n\n  {arena_command()} replay show {path}   prints the match"
            )
            terminal.say(saved, has_cards=False)
        if not (is_over and terminal.confirm("\nPlay again? [y/N] ")):
            break
        seed, out = "", None


def _play_in_browser(setup: SeriesSetup, seed: str, out: Path | None) -> None:
    for module in ("uvicorn", "starlette"):
        import_optional(module, "web")
    from arena.web.application import SavedRecords, serve_table  # here: they need the extra

    serve_table(setup, seed, SavedRecords(setup.rules.name, out, click.echo), click.echo)


# --- arena serve ---

LOOPBACK = "127.0.0.1"
TLS_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command(epilog="Example: arena serve myleague")
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
    from arena.web.application import (
        Listening,
        build_application,  # here: they need the extra
        open_socket,
        run_server,
    )
    from arena.web.context import WebContext
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
    """Return the league or the run in a folder.

    Raises:
        StoreError: If it has neither.
    """
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
