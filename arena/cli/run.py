"""`arena run`: a tournament from a config or from options."""

from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import click

from arena.cli.arguments import set_option, store_option
from arena.cli.run_execution import means_options, naming_the_way_on, play
from arena.cli.run_folder import reuse_option
from arena.tournament.files.run_folder import RunFolder
from arena.tournament.running.run import Run, RunOptions, with_seed_of
from arena.tournament.setup.cli_overrides import RunOverrides, apply_overrides
from arena.tournament.setup.config import QUICK, Isolation, make_config, read_toml
from arena.tournament.workers.isolation_plan import choose_levels

RESULTS = Path("results")


@click.command(epilog="Example: arena run --bot mine.py:Bot --isolation inline --blocks 100")
@click.argument("config", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="The run's folder, new or empty.")
@click.option("--seed", metavar="TEXT", help="The same seed plays the same run again.")
@click.option("level", "--isolation", type=click.Choice(get_args(Isolation)), help="Where bots live.")
@click.option("bots", "--bot", multiple=True, help="A bot; one joins the config's, several replace them.")
@click.option("variants", "--variant", multiple=True, help="A game instead of the config's; may be repeated.")
@click.option("--players", type=int, multiple=True, help="Seats at a table; may be repeated.")
@click.option("--blocks", type=int, help="Blocks a table plays: the same cards once in every seating.")
@click.option(
    "--until-resolved",
    is_flag=True,
    default=None,
    help="Go on until each bot is told from the next, up to max_blocks.",
)
@reuse_option
@set_option
@store_option
@means_options
def command(
    config: Path | None,
    out: Path | None,
    level: str | None,
    store: Path,
    settings: dict[str, Any],
    reuse: Path | None,
    options: RunOptions,
    **flags: Any,
) -> None:
    """Play a tournament and rate its bots.

    Without a CONFIG it is the quick tournament: the built-in bots at lives, four at a table. The options
    stand in place of what a config says. Results go to a new folder in results/.
    """
    table = apply_overrides(
        read_toml(config or QUICK), RunOverrides(isolation=level, settings=settings, **flags)
    )
    base, where = (config.parent, str(config)) if config else (Path(), "the command line")
    asked = make_config(table, base=base, where=where, submissions=store)
    asked = with_seed_of(asked, reuse) if reuse else asked
    levels = choose_levels(asked)  # refuses what cannot be had before there is a folder
    name = (config or QUICK).stem
    folder = RunFolder.create(out) if out else RunFolder.create_next(RESULTS, name)
    with naming_the_way_on(folder.path):
        play(Run.create(asked, folder, levels), replace(options, reuse=reuse))
