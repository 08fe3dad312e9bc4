"""`arena seal`: write and sign a manifest of a finished run, or of a league."""

from pathlib import Path
from shlex import quote

import click
import msgspec

from arena.cli.options import check_run_folder, out_file_option
from arena.cli.run_execution import DEFAULT_START_METHOD, jobs_option
from arena.columns.number_format import format_count
from arena.errors import ConfigError
from arena.league.proof import sealed_updates, write_league_seal
from arena.league.settings import LeagueFolder
from arena.output.pages.run_pages import write_report
from arena.output.site.site import write_site
from arena.output.texts.review import seal_text
from arena.tournament.engine.workers import make_workers
from arena.tournament.files import replace_file
from arena.tournament.review.seal import prove_match, write_seal
from arena.tournament.run import Run


def _seal_league(folder: LeagueFolder, key: Path | None) -> None:
    sealed = write_league_seal(folder, key)
    write_site(folder)
    updates = format_count(sealed_updates(folder), "updates")
    click.echo(f"Wrote {folder.seal}, which covers {updates}")
    click.echo(seal_text(sealed))


@click.command(epilog="Example: arena seal results/quick-001 --key ~/.ssh/id_ed25519")
@click.argument("path", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
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
@out_file_option("With --match: the file to write.")
@jobs_option
@click.pass_context
def seal_command(
    ctx: click.Context, path: Path, key: Path | None, number: int | None, out: Path | None, jobs: int
) -> None:
    """Write and sign a manifest of a finished run or of a league.

    seal.json has the run's config, seed, rules, bots and versions, and the root of a Merkle tree (SHA-256)
    over the records of all matches, block by block. With --key, ssh-keygen signs it into seal.json.sig.
    Publish the root, or the signed seal: nobody can then change the run without `arena verify --sealed`
    finding it. report.html is written again, with the root.

    --match writes one match for somebody who does not have the run: its record, numbered as in
    `arena replay list`, and the hashes that lead from it to the root. `arena verify FILE --sealed` checks it.

    DIR may be a league: its seal has settings, commitment and secret of each update, all versions and their
    digests, the last ladders, and the root over all blocks. An update that is not done is left out. The site
    is written again, with the root.
    """
    if (number is None) != (out is None):
        raise click.UsageError("--match N and --out FILE require each other.")
    if out and out.exists():
        raise ConfigError(f"{out} already exists: name a new file")
    if LeagueFolder(path).database.exists():
        if number is not None:
            raise click.UsageError(f"--match is for runs: {path} is a league.")
        _seal_league(LeagueFolder.open(path), key)
        return
    run = Run.open(check_run_folder(ctx, path))
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
