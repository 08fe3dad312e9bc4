"""`arena run`: play a tournament from a config or from options."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arena.cli.options import isolation_option, json_option, reuse_option, settings_option, store_option
from arena.cli.run_execution import ADJUSTMENTS, play, refuse_broken_bots, run_options, suggesting_resume
from arena.tournament.files.run_folder import RESULTS, RunFolder
from arena.tournament.running.run import Run, RunOptions
from arena.tournament.setup.cli_overrides import RunOverrides, apply_overrides
from arena.tournament.setup.config import QUICK, make_config, read_toml
from arena.tournament.storage.block_keys import with_seed_of
from arena.tournament.workers.isolation_levels import choose_levels


@click.command(epilog="Example: arena run --bot mine.py:Bot --isolation inline --blocks 100")
@click.argument("config", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out", metavar="DIR", type=click.Path(path_type=Path), help="The run's folder; it must be new or empty."
)
@click.option("--seed", metavar="TEXT", help="The same seed plays the same run again.")
@isolation_option(None)
@click.option(
    "bots",
    "--bot",
    multiple=True,
    help="Add a bot to the config's, as in greedy or 'rollout(playouts=20)'; several replace them.",
)
@click.option(
    "variants", "--variant", multiple=True, help="Play this game instead of the config's; may be repeated."
)
@click.option("--players", type=int, multiple=True, help="Number of seats at a table; may be repeated.")
@click.option("--blocks", type=int, help="Blocks per table: each plays the same cards in every seating.")
@click.option(
    "--until-resolved",
    is_flag=True,
    default=None,
    help="Play until adjacent bots are statistically separated, up to max_blocks.",
)
@click.option("--adjust", type=click.Choice(ADJUSTMENTS), help="Also print ratings adjusted for luck.")
@reuse_option
@settings_option
@store_option
@json_option
@run_options
def command(
    config: Path | None,
    out: Path | None,
    level: str | None,
    store: Path,
    settings: dict[str, Any],
    reuse: Path | None,
    as_json: bool,
    options: RunOptions,
    **overrides: Any,
) -> None:
    """Play a tournament and rate its bots.

    Without a CONFIG the quick tournament is played: the built-in bots at lives, four at a table. Options
    override the config. Results go to a new folder in results/.
    """
    table = apply_overrides(
        read_toml(config or QUICK), RunOverrides(isolation=level, settings=settings, **overrides)
    )
    base, where = (config.parent, str(config)) if config else (Path(), "the command line")
    requested = make_config(table, base=base, where=where, submissions=store)
    requested = with_seed_of(requested, reuse) if reuse else requested
    levels = choose_levels(requested, confirmed=level)  # refuses what cannot be had before there is a folder
    refuse_broken_bots(requested, levels, options)
    name = (config or QUICK).stem
    folder = RunFolder.create(out) if out else RunFolder.create_next(RESULTS, name)
    with suggesting_resume(folder.path):
        play(Run.create(requested, folder, levels), replace(options, reuse=reuse), as_json=as_json)
