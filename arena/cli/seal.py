"""`arena seal`: write and sign a manifest of a finished run."""

from pathlib import Path
from shlex import quote

import click
import msgspec

from arena.cli.options import run_argument
from arena.cli.run_execution import DEFAULT_START_METHOD, jobs_option
from arena.errors import ConfigError
from arena.report.page.run_page import write_report
from arena.report.verification import seal_text
from arena.tournament.files.run_folder import replace_file
from arena.tournament.review.seal import prove_match
from arena.tournament.review.seal_check import write_seal
from arena.tournament.running.run import Run
from arena.tournament.workers.executors import make_workers


@click.command(epilog="Example: arena seal results/quick-001 --key ~/.ssh/id_ed25519")
@run_argument
@click.option(
    "--key",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Sign with this SSH key; a public key, if an agent holds the private one.",
)
@click.option(
    "--match",
    "number",
    metavar="N",
    type=click.IntRange(1),
    help="Do not seal: write a match of a sealed run with its path to the root.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --match: the file to write.",
)
@jobs_option
def command(folder: Path, key: Path | None, number: int | None, out: Path | None, jobs: int) -> None:
    """Write and sign a manifest of a finished run.

    seal.json has the run's config, seed, rules, bots and versions, and the root of a Merkle tree (SHA-256)
    over the records of all matches, block by block. With --key, ssh-keygen signs it into seal.json.sig.
    Publish the root, or the signed seal: nobody can then change the run without `arena verify --sealed`
    finding it. report.html is written again, with the root.

    --match writes one match for somebody who does not have the run: its record, numbered as in
    `arena replay list`, and the hashes that lead from it to the root. `arena verify FILE --sealed` checks it.
    """
    if (number is None) != (out is None):
        raise click.UsageError("--match N and --out FILE require each other.")
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    run = Run.open(folder)
    with make_workers(jobs, DEFAULT_START_METHOD) as pool:
        if number and out:
            with replace_file(out) as file:
                file.write(msgspec.json.encode(prove_match(run, number, pool)) + b"\n")
            click.echo(f"Wrote {out}. Check it with `arena verify {quote(str(out))} --sealed`")
            return
        sealed = write_seal(run, pool, key)
        write_report(run, pool)
    click.echo(f"Wrote {run.folder.seal}")
    click.echo(seal_text(sealed))
