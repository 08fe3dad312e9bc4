"""`arena replay export`: write a run's matches as records."""

import sys
from pathlib import Path

import click

from arena.cli.options import run_argument
from arena.cli.replay.options import filter_options
from arena.errors import ConfigError
from arena.tournament.files.export import write_records
from arena.tournament.files.match_filter import MatchFilter, filter_matches
from arena.tournament.files.record_files import read_records
from arena.tournament.running.run import Run


@click.command(epilog="Example: arena replay export results/quick-001 --out all.jsonl.zst")
@run_argument
@filter_options
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write to this file instead of standard output.",
)
def command(folder: Path, match_filter: MatchFilter, out: Path | None) -> None:
    """Write a run's matches as records.

    Writes all matches, one per line, not only those in the run's replays. A file named .zst is compressed.
    """
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    found = read_records(str(folder), Run.open(folder).records())
    records = (match.line for match in filter_matches(found, match_filter, str(folder)))
    if out:
        write_records(out, records)
    else:
        sys.stdout.buffer.writelines(record + b"\n" for record in records)
