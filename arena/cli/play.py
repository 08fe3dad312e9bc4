"""`arena play` and `playground`: play against bots, and write the page in which all of it runs."""

from pathlib import Path
from typing import Any, Final

import click

from arena.cli.options import (
    OutputFile,
    command,
    find_game,
    isolation_option,
    parse_bots,
    pyodide_option,
    settings_option,
)
from arena.columns.number_format import format_count
from arena.errors import ConfigError, import_optional
from arena.interactive import (
    Terminal,
    TerminalMatch,
    check_output_file,
    choose_opponents,
    interrupt_on_signals,
    save_record,
)
from arena.interactive.session import SeriesSetup
from arena.plugins.games import arena_command
from arena.tournament.schedule import make_seed

DEFAULT_RIVAL: Final = "expert"


@command(epilog="Example: arena play whisky-poker --against counter,greedy", then="arena replay show")
@click.argument("name", metavar="[VARIANT]", default="lives")
@click.option(
    "--against",
    metavar="BOT,…",
    callback=parse_bots,
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
    from arena.web.server import SavedRecords, serve_table  # here: they need the extra

    serve_table(setup, seed, SavedRecords(setup.rules.name, out, click.echo), click.echo)


# --- arena playground ---


@command(epilog="Example: arena playground --out playground.html", then="arena check mybot.py")
@click.option(
    "--out",
    metavar="FILE.html|DIR",
    type=OutputFile(path_type=Path),
    required=True,
    help="Write one file, which also opens from disk, or a folder of parts for a web server.",
)
@pyodide_option
def playground_command(out: Path, pyodide: Path) -> None:
    """Write a page in which the arena runs without being installed.

    Whoever opens it can play, write a bot, check it and find out how strong it is, watch matches, and verify
    records: all in the browser, which sends nothing anywhere. Python for browsers is of the npm package
    pyodide; msgspec for it is downloaded with pip the first time.
    """
    from arena.playground.page import write_playground  # here: `arena play` needs no templates

    files = write_playground(out, pyodide)
    megabytes = sum(file.stat().st_size for file in files) / 1e6
    click.echo(f"{files[-1]}: {format_count(len(files), 'files')}, {megabytes:.1f} MB")
