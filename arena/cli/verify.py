"""`arena verify`, `seal` and `publish`: prove a run, and check one."""

from pathlib import Path
from typing import Final
from zipfile import is_zipfile

import click

from arena.cli.options import (
    FormerOption,
    check_run_folder,
    command,
    confirm_option,
    former_store_option,
    json_option,
    out_file_option,
    print_json,
    run_argument,
)
from arena.cli.replay import check_records
from arena.cli.run_execution import DEFAULT_START_METHOD, jobs_option
from arena.columns.number_format import format_count
from arena.errors import ConfigError
from arena.league.folder import LeagueFolder
from arena.league.proof import (
    LeagueVerification,
    check_league_seal,
    sealed_updates,
    verify_league,
    write_league_seal,
)
from arena.league.results import LeagueResults
from arena.output.pages.run_pages import write_report
from arena.output.site.site import write_site
from arena.output.texts.review import (
    league_verdict_table,
    league_verdict_text,
    seal_text,
    verdict_table,
    verdict_text,
)
from arena.tournament.engine.engine import RunOptions
from arena.tournament.engine.progress import Progress
from arena.tournament.engine.workers import Workers, make_workers
from arena.tournament.files import RunFolder, write_archive
from arena.tournament.review.seal import (
    check_seal,
    published_files,
    read_seal,
    unpack_published,
    write_seal,
)
from arena.tournament.review.verification import Verification, choose_blocks, play_blocks_again, verify
from arena.tournament.run import Run

# --- arena verify ---

HASHES: Final = "blocks.txt"
"""File with the hashes of the blocks of the reference run."""


def _check_seal(run: Run, pool: Workers, signer: Path | None, verdict: Verification) -> None:
    """Check the seal of a run, and add what is found to its verdict."""
    check = check_seal(run, pool, signer)
    verdict.wrong += check.wrong
    verdict.sealed_root, verdict.signed_by = check.root, check.fingerprint
    verdict.is_signer_known = check.is_signer_known


def _refuse_options_of_runs(ctx: click.Context) -> None:
    """Refuse options that files of records do not take."""
    for name in ("play_again", "sample", "sample_seed", "commitment", "signer"):
        if ctx.params[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} is for runs and leagues, not for records.")


def _refuse_samples(ctx: click.Context, what: str) -> None:
    """Refuse the options that choose blocks of a run."""
    for name in ("play_again", "sample"):
        if ctx.params[name]:
            raise click.UsageError(f"--{name.replace('_', '-')} is for runs: {what}.")


def _verify_league(
    ctx: click.Context, path: Path, commitment: str | None, sealed: bool, signer: Path | None, jobs: int
) -> LeagueVerification:
    _refuse_samples(ctx, f"{path} is a league")
    folder = LeagueFolder.open(path)
    with LeagueResults.open(path) as results:
        blocks = results.count_blocks()
    with Progress(blocks) as progress, make_workers(jobs, DEFAULT_START_METHOD) as pool:
        verdict = verify_league(folder, pool, commitment, progress.count)
    if sealed:
        verdict.seal, verdict.sealed_updates = check_league_seal(folder, signer), sealed_updates(folder)
        verdict.wrong += verdict.seal.wrong
    return verdict


def _play_again(run: Run, number: int, seed: str | None, jobs: int, verdict: Verification) -> None:
    """Have the bots play some blocks again, and add what is found to the verdict."""
    chosen = verdict.play_again_sample = choose_blocks(run, number, seed)
    with Progress(len(chosen.blocks)) as progress:
        options = RunOptions(jobs=jobs, start=DEFAULT_START_METHOD)
        verdict.wrong += play_blocks_again(run, chosen.blocks, options, progress.count)
    verdict.played_again = len(chosen.blocks)


def _refuse_hashes(path: Path) -> None:
    """Refuse the published tables of a run without the run, and say what checks them."""
    if (path / HASHES).is_file() and not RunFolder(path).database.exists():
        raise click.UsageError(
            f"{path} has the tables of a run and a hash of each of its blocks, not the run. In a checkout of "
            "the arena `python -m benchmarks.reference_run check` has bots play some of these blocks again."
        )


def _refuse_missing_seal(run: Run, sealed: bool) -> None:
    """Raise StoreError before the work if the seal to be checked is missing."""
    if sealed:
        read_seal(run.folder)


@command(
    epilog="Example: arena verify results/quick-001 --play-again 20", then="arena seal results/quick-001"
)
@click.argument(
    "paths",
    metavar="DIR|ZIP|FILE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path, allow_dash=True),
)
@click.option(
    "--play-again",
    metavar="BLOCKS",
    type=click.IntRange(min=1),
    help="Number of blocks, drawn at random, that the bots play again.",
)
@click.option(
    "--sample",
    metavar="BLOCKS",
    type=click.IntRange(min=1),
    help="Number of blocks to replay, drawn at random each time, for a very large run.",
)
@click.option("--sample-seed", metavar="TEXT", help="Draw the blocks that an earlier check drew.")
@click.option("--commitment", metavar="HASH", help="Check that the seed is the one committed to as HASH.")
@click.option("--sealed", cls=FormerOption, now="the default where there is a seal", is_flag=True)
@click.option(
    "--signer",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The organiser's public SSH key, which must have signed the seal.",
)
@confirm_option
@former_store_option
@jobs_option
@json_option
@click.pass_context
def verify_command(
    ctx: click.Context,
    paths: tuple[Path, ...],
    play_again: int | None,
    sample: int | None,
    sample_seed: str | None,
    commitment: str | None,
    sealed: bool,
    signer: Path | None,
    level: str | None,
    store: Path,
    jobs: int,
    as_json: bool,
) -> None:
    """Replay a run, a league or records, and find every difference.

    Replays every stored match by the rules, and checks that every block is in its place in the schedule and
    that tables and replays match the store. Prints every difference with its place, and then exits 1.

    With --sample only some blocks are replayed. All others are still checked against schedule, digests and
    tables, but whether their actions are legal and lead to their results is not; the last line says so.

    With --play-again the bots also play a sample of the blocks again, which must give the same bytes. The
    blocks are drawn with the system's randomness and printed, with the chance that they would have shown a
    forgery; --sample-seed draws the same blocks again. Bots that depend on a clock play otherwise each time.
    ARENA_STORE names where submissions are, if this is another machine; the archive of
    `arena publish --with-bots` has them.

    It reads the archive of `arena publish` as it is, without a copy that stays.

    DIR may be a league: its blocks are replayed, and the ladders of its last update computed again. A seal of
    `arena seal` that lies in DIR is checked, too.

    FILEs are records of matches, plain or compressed with zstd; - is standard input. Every card, action and
    result is checked, and a line printed for each file.
    """
    if sample_seed is not None and not (play_again or sample):
        raise click.UsageError("--sample-seed requires --play-again or --sample.")
    path = shown = paths[0]
    is_archive = path.is_file() and (path.suffix == ".zip" or is_zipfile(path))
    if len(paths) > 1 or str(path) == "-" or (path.is_file() and not is_archive):
        _refuse_options_of_runs(ctx)
        ctx.exit(check_records([str(path) for path in paths]))
    if is_archive:
        path = ctx.with_resource(unpack_published(path))
    _refuse_hashes(path)
    if LeagueFolder(path).database.exists():
        sealed = bool(sealed or signer) or LeagueFolder(path).seal.exists()
        league_verdict = _verify_league(ctx, path, commitment, sealed, signer, jobs)
        if as_json:
            print_json(league_verdict_table(league_verdict))
        else:
            click.echo(league_verdict_text(path, league_verdict))
        ctx.exit(1 if league_verdict.wrong else 0)
    run = Run.open(check_run_folder(ctx, path), isolation=level, submissions=store)
    sealed = bool(sealed or signer) or run.folder.seal.exists()
    _refuse_missing_seal(run, sealed)
    with Progress(run.count_blocks()) as progress, make_workers(jobs, DEFAULT_START_METHOD) as pool:
        verdict = verify(run, pool, progress.count, sample, sample_seed, commitment)
        if sealed:
            _check_seal(run, pool, signer, verdict)
    if play_again and not verdict.wrong:
        beside = shown.parent / run.folder.path.name  # where the archive would be unpacked
        again = Run.open(run.folder.path, isolation=level, submissions=store, place=beside)
        _play_again(run if path == shown else again, play_again, sample_seed, jobs, verdict)
    shown = run.folder.path if path == shown else shown
    print_json(verdict_table(verdict)) if as_json else click.echo(verdict_text(shown, verdict))
    ctx.exit(1 if verdict.wrong else 0)


# --- arena seal ---


def _seal_league(folder: LeagueFolder, key: Path | None) -> None:
    sealed = write_league_seal(folder, key)
    write_site(folder)
    updates = format_count(sealed_updates(folder), "updates")
    click.echo(f"Wrote {folder.seal}, which covers {updates}")
    click.echo(seal_text(sealed))


@command(
    epilog="Example: arena seal results/quick-001 --key ~/.ssh/id_ed25519",
    then="arena publish results/quick-001 --out cup.zip",
)
@click.argument("path", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--key",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Sign with this SSH key; a public key, if an agent holds the private one.",
)
@jobs_option
@click.pass_context
def seal_command(ctx: click.Context, path: Path, key: Path | None, jobs: int) -> None:
    """Write and sign a manifest of a finished run or of a league.

    seal.json has the run's config, seed, rules, bots and versions, and the root of a Merkle tree (SHA-256)
    over the records of all matches, block by block. With --key, ssh-keygen signs it into seal.json.sig.
    Publish the root, or the signed seal: nobody can then change the run without `arena verify`
    finding it. report.html is written again, with the root.

    DIR may be a league: its seal has settings, commitment and secret of each update, all versions and their
    digests, the last ladders, and the root over all blocks. An update that is not done is left out. The site
    is written again, with the root.
    """
    if LeagueFolder(path).database.exists():
        _seal_league(LeagueFolder.open(path), key)
        return
    run = Run.open(check_run_folder(ctx, path))
    with make_workers(jobs, DEFAULT_START_METHOD) as pool:
        sealed = write_seal(run, pool, key)
        write_report(run, pool)
    click.echo(f"Wrote {run.folder.seal}")
    click.echo(seal_text(sealed))


# --- arena publish ---


@command(
    epilog="Example: arena publish results/quick-001 --with-bots --out cup.zip", then="arena verify cup.zip"
)
@run_argument
@click.option("--with-bots", is_flag=True, help="Also pack the files of the bots, to play blocks again.")
@out_file_option("The archive to write; it must not exist.", "ZIP", required=True)
@former_store_option
def publish_command(folder: Path, with_bots: bool, out: Path, store: Path) -> None:
    """Pack a run for somebody else to read and verify.

    The archive has the run's folder without its log, and a README with the commands that read and verify it.
    It names no folder of this machine. It reveals the seed of the run and, with --with-bots, the code of its
    bots: ask their authors. The same run gives the same bytes.
    """
    if out.exists():
        raise ConfigError(f"{out} exists already: name another file with --out, or remove it first")
    run = Run.open(folder, submissions=store)
    write_archive(out, published_files(run, with_bots=with_bots))
    bots = " with its bots" if with_bots else ""
    click.echo(f"Wrote {out}: {folder}{bots}. README.txt in it says how to verify the run.")
    if not run.is_over():
        click.echo(
            "WARNING: the run is not done, and the archive has the seed of the blocks to come.", err=True
        )
