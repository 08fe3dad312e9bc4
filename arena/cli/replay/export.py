"""`arena replay export`: a run's matches as records."""

import sys
from pathlib import Path

import click

from arena.cli.replay.options import wanted_options
from arena.cli.run_folder import run_argument
from arena.errors import ConfigError
from arena.tournament.files.export import write_records
from arena.tournament.files.match_filter import MatchFilter, filter_matches
from arena.tournament.files.record_files import read_records
from arena.tournament.running.run import Run


@click.command(epilog="Example: arena replay export results/quick-001 --out all.jsonl.zst")
@run_argument
@wanted_options
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="A file instead of the output.")
def command(folder: Path, wanted: MatchFilter, out: Path | None) -> None:
    """Write a run's matches as records.

    One a line, and all of them, not only those in the run's replays. A file named .zst is compressed.
    """
    if out and out.exists():
        raise ConfigError(f"{out} is there already: name a file that is not")
    found = read_records(str(folder), Run.open(folder).records())
    records = (one.line for one in filter_matches(found, wanted, str(folder)))
    if out:
        write_records(out, records)
    else:
        sys.stdout.buffer.writelines(record + b"\n" for record in records)
