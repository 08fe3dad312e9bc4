"""The reference run in results/reference: publish it, and play some of its blocks again.

    .venv/bin/python -m benchmarks.reference_run publish build/reference
    .venv/bin/python -m benchmarks.reference_run exploit --minutes 60 --again
    .venv/bin/python -m benchmarks.reference_run rungs --seconds 20
    .venv/bin/python -m benchmarks.reference_run check --blocks 44

The repository has its tables, its report, the records of its first matches, a hash of each block, how much
its bots can be beaten by (`exploitability.py`), and how far each is above the one below it (`rungs.py`). The
run itself is too large for it: `make reference` plays it again and publishes it. `check` has the bots play
blocks that are drawn at random, other ones each time, which must give the same hashes and outcomes, computes
the ratings again from the outcomes of all blocks, plays the first blocks of some rungs again, and measures a
row of exploitability again; the exit status is 1 if one differs.
"""

from __future__ import annotations

import csv
import shutil
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import click
import msgspec
import zstandard

from arena.play.isolation import Level
from arena.tournament.engine.engine import RunOptions
from arena.tournament.files import RunFolder
from arena.tournament.results.rating_table import elo_csv
from arena.tournament.review.verification import draw_sample
from arena.tournament.run import Run
from arena.tournament.setup.config import read_config
from arena.tournament.store.codec import PackedBlock, digest
from arena.tournament.store.store import BlockKeys, Store
from benchmarks import exploitability, rungs
from benchmarks.report_sections import add_to_report

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / "configs" / "reference.toml"
PUBLISHED = ROOT / "results" / "reference"
FILES = ("run.toml", "elo.csv", "elo.md", "replays.jsonl.zst", "report.html")
HASHES = PUBLISHED / "blocks.txt"
"""A line for each block, in the order of the schedule: its digest in hexadecimal."""
OUTCOMES = PUBLISHED / "outcomes.zst"
"""The outcome of each block, as the store has it, in the order of the schedule; an array in msgpack."""
MAX_OUTCOMES_BYTES = 64 << 20
EXPLOITS = PUBLISHED / "exploitability.csv"
RUNGS = PUBLISHED / "rungs.csv"
README = PUBLISHED / "README.md"
INTRODUCTION = """# The reference run

The run of `configs/reference.toml`. `elo.md` and `elo.csv` have its ratings, `report.html` figures and
replays, `blocks.txt` a hash of each block, `rungs.csv` and `exploitability.csv` the tables below.
"""


def publish(source: Path) -> int:
    """Copy the small files of a finished run, write the hashes of its blocks, and return their number.

    Raises:
        click.ClickException: For a run that lacks blocks or is of another config.
    """
    run = Run.open(source)
    if run.config.toml() != read_config(CONFIG).toml() or run.count_blocks() != run.total:
        raise click.ClickException(f"{source} is not the whole run of {CONFIG}")
    PUBLISHED.mkdir(exist_ok=True)
    for name in FILES:
        shutil.copyfile(source / name, PUBLISHED / name)
    with Store.open(source) as store:
        blocks = [(block.digest.hex(), block.outcome) for block in store.read()]
    hashes = [digest for digest, _ in blocks]
    OUTCOMES.write_bytes(zstandard.compress(msgspec.msgpack.encode([outcome for _, outcome in blocks]), 19))
    HASHES.write_text("".join(f"{digest}\n" for digest in hashes), encoding="ascii")
    show_tables()
    return len(hashes)


def read_ratings() -> list[dict[str, str]]:
    """Return the rows of the published ratings."""
    with (PUBLISHED / "elo.csv").open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def make_page() -> str:
    """Return the page of the published run."""
    config, ratings = read_config(CONFIG), read_ratings()
    cells = exploitability.list_cells(exploitability.read_exploits(EXPLOITS), ratings)
    parts = [
        INTRODUCTION,
        rungs.page(rungs.read_rungs(RUNGS), rungs.list_pairs(config)),
        exploitability.page(cells, exploitability.choose_bots(config, ratings)),
    ]
    return "\n".join(parts)


def add_tables(report: str) -> str:
    """Return the report with the tables of rungs and of exploitability as its last sections."""
    cells = exploitability.list_cells(exploitability.read_exploits(EXPLOITS), read_ratings())
    for section in rungs.make_section(rungs.read_rungs(RUNGS)), exploitability.make_section(cells):
        report = add_to_report(report, section)
    return report


def show_tables() -> None:
    """Write the tables to the page and into the report."""
    README.write_text(make_page(), encoding="utf-8")
    report = PUBLISHED / "report.html"
    report.write_text(add_tables(report.read_text(encoding="utf-8")), encoding="utf-8")


def measure_rungs(games: Sequence[str], seconds: float, max_blocks: int) -> None:
    """Measure the rungs that are missing, of all games or of some, and publish each row at once."""
    pairs = rungs.list_pairs(read_config(CONFIG))
    for pair in pairs:
        if pair in {row.pair for row in rungs.read_rungs(RUNGS)} or (games and pair[0] not in games):
            continue
        row = rungs.measure(pair, seconds, max_blocks)
        rows = {old.pair: old for old in rungs.read_rungs(RUNGS)}
        rows[pair] = row
        rungs.write_rungs(RUNGS, [rows[wanted] for wanted in pairs if wanted in rows])
        click.echo(" | ".join(rungs.list_cells([row])[0]))
    show_tables()


def find_other_rungs(count: int, seed: str) -> list[str]:
    """Play the first blocks of rungs that a seed draws, and return the names of those with another hash."""
    rows = rungs.read_rungs(RUNGS)
    return [
        rungs.name_pair(row.pair)
        for row in Random(seed).sample(rows, min(count, len(rows)))
        if not rungs.play_again(row)
    ]


def measure_exploits(
    games: Sequence[str], bots: Sequence[str], budget: exploitability.Budget, jobs: int, is_again: bool
) -> None:
    """Measure exploitability, of all games and bots or of some, and publish each row at once.

    Args:
        games: Names of games, none for all.
        bots: Names of bots, none for all.
        budget: How long a row is trained and measured.
        jobs: Number of worker processes.
        is_again: Measure rows that there are too, and not only those that are missing.
    """
    wanted = exploitability.choose_bots(read_config(CONFIG), read_ratings())
    chosen = [(game, bot) for game, bot in wanted if game in (games or [game]) and bot in (bots or [bot])]
    measured = {(row.variant, row.bot) for row in exploitability.read_exploits(EXPLOITS)}
    for game, bot in chosen:
        if (game, bot) in measured and not is_again:
            continue
        row = exploitability.measure(game, bot, budget, jobs)
        rows = {(old.variant, old.bot): old for old in exploitability.read_exploits(EXPLOITS)}
        rows[game, bot] = row
        exploitability.write_exploits(EXPLOITS, [rows[pair] for pair in wanted if pair in rows])
        click.echo(f"{game} | {bot} | {row.loses} | {row.low} to {row.high}")
    show_tables()


def draw_exploits(count: int, seed: str) -> list[exploitability.Exploit]:
    """Draw some of the rows that were trained for no longer than usual."""
    rows = exploitability.read_exploits(EXPLOITS)
    usual = [row for row in rows if row.generations <= exploitability.Budget().generations]
    return Random(seed).sample(usual, min(count, len(usual)))


def find_other_exploits(rows: Sequence[exploitability.Exploit], jobs: int) -> list[str]:
    """Measure rows again, and return the games and bots of those that differ."""
    return [f"{row.variant}, {row.bot}" for row in rows if exploitability.measure_again(row, jobs) != row]


def published_hashes() -> list[str]:
    """Return the hash of each block of the published run."""
    return HASHES.read_text(encoding="ascii").split()


def read_outcomes() -> list[bytes]:
    """Return the outcome of each block of the published run; none if they were not published."""
    if not OUTCOMES.is_file():
        return []
    packed = zstandard.ZstdDecompressor().decompress(OUTCOMES.read_bytes(), MAX_OUTCOMES_BYTES)
    return msgspec.msgpack.decode(packed, type=list[bytes])


def find_other_ratings(outcomes: Sequence[bytes]) -> list[str]:
    """Compute the ratings of the published run again from its outcomes, and return the rows that differ."""
    config = read_config(CONFIG)
    levels: dict[str, Level] = dict.fromkeys((bot.name for bot in config.bots), "inline")
    with TemporaryDirectory() as folder:
        run = Run.create(config, RunFolder.create(Path(folder, "run")), levels)
        keys = BlockKeys(config, run.metadata)
        with Store.resume(run.folder.path) as store:
            blocks = (block for stage in run.stages.decided(store) for block in stage)
            store.add(
                PackedBlock(
                    *(block.index, block.address, outcome, b"", digest(outcome, b"")),
                    key=keys.key(block),
                    seats=keys.seats(block),
                )
                for block, outcome in zip(blocks, outcomes, strict=True)
            )
        computed = elo_csv(run.results().rows).splitlines()
    published = (PUBLISHED / "elo.csv").read_text(encoding="utf-8").splitlines()
    return [row for row, due in zip_longest(published, computed, fillvalue="") if row != due]


def find_differences(indices: Sequence[int], jobs: int = 1) -> list[str]:
    """Play some blocks of the reference run, and return the addresses of those with another hash."""
    expected = published_hashes()
    config = read_config(CONFIG)
    levels: dict[str, Level] = dict.fromkeys((bot.name for bot in config.bots), "inline")
    with TemporaryDirectory() as folder:
        run = Run.create(config, RunFolder.create(Path(folder, "run")), levels)
        with run.open_store() as store:
            chosen = frozenset(indices)
            blocks = [block for stage in run.parts(store) for block in stage if block.index in chosen]
        with run.engine(RunOptions(jobs=jobs)) as engine:
            played = [(block.digest.hex(), block.outcome) for block in engine.play_again(blocks)]
    outcomes = read_outcomes()
    return [
        block.address
        for block, (hashed, outcome) in zip(blocks, played, strict=True)
        if hashed != expected[block.index] or (outcomes and outcome != outcomes[block.index])
    ]


@click.group()
def main() -> None:
    """Publish the reference run, or check it."""


@main.command("publish")
@click.argument("source", type=click.Path(exists=True, file_okay=False, path_type=Path))
def publish_command(source: Path) -> None:
    """Publish a finished run of configs/reference.toml."""
    click.echo(f"{publish(source):,} blocks; review the difference in {PUBLISHED.relative_to(ROOT)}")


@main.command("exploit")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
@click.option("--bot", "bots", multiple=True, help="Only this bot; may be repeated.")
@click.option("--generations", type=click.IntRange(min=0), default=50, show_default=True)
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), help="Minutes of training, instead.")
@click.option("--blocks", type=click.IntRange(min=6), default=1000, show_default=True)
@click.option("--again", "is_again", is_flag=True, help="Measure the rows that there are, too.")
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True)
def exploit_command(
    games: tuple[str, ...],
    bots: tuple[str, ...],
    generations: int,
    minutes: float | None,
    blocks: int,
    is_again: bool,
    jobs: int,
) -> None:
    """Measure how much the bots can be beaten by, where that is missing, and publish it."""
    budget = exploitability.Budget(generations, blocks, minutes)
    measure_exploits(games, bots, budget, jobs, is_again)


@main.command("rungs")
@click.option("--game", "games", multiple=True, help="Only this game; may be repeated.")
@click.option(
    "--seconds", type=click.FloatRange(min=0), default=20, show_default=True, help="CPU time of a row."
)
@click.option("--max-blocks", type=click.IntRange(min=6), default=400, show_default=True)
def rungs_command(games: tuple[str, ...], seconds: float, max_blocks: int) -> None:
    """Measure how far each bot is above the one below it, where that is missing, and publish it."""
    measure_rungs(games, seconds, max_blocks)


@main.command("check")
@click.option("--blocks", type=click.IntRange(min=1), default=44, show_default=True)
@click.option("--exploits", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("--rungs", "count", type=click.IntRange(min=0), default=4, show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=2, show_default=True)
@click.option("--sample-seed", metavar="TEXT", help="Draw what an earlier check drew.")
def check_command(blocks: int, exploits: int, count: int, jobs: int, sample_seed: str | None) -> None:
    """Have the bots play some blocks of the published run again, and train some bots against them again.

    The blocks and rows are drawn with the system's randomness; --sample-seed draws those of an earlier check.
    """
    sample = draw_sample(range(len(published_hashes())), blocks, sample_seed, "play-again")
    click.echo(f"To check the same again: --sample-seed {sample.seed}")
    differences = find_differences(sample.blocks, jobs)
    for address in differences:
        click.echo(f"{address}: another result than the published one")
    click.echo(
        f"{len(sample.blocks)} of {sample.population:,} blocks played again, {len(differences)} differ"
    )
    outcomes = read_outcomes()
    wrong = find_other_ratings(outcomes) if outcomes else []
    for row in wrong:
        click.echo(f"elo.csv: {row}: other than computed from the outcomes")
    if outcomes:
        click.echo(f"ratings computed again from {len(outcomes):,} blocks, {len(wrong)} rows differ")
    else:
        click.echo(f"ratings not computed again: there is no {OUTCOMES.name}; `make reference` publishes it")
    changed = find_other_rungs(count, sample.seed)
    for name in changed:
        click.echo(f"{name}: other matches than the published ones")
    click.echo(f"{count} rungs played again, {len(changed)} differ")
    rows = draw_exploits(exploits, sample.seed)
    others = find_other_exploits(rows, jobs)
    for name in others:
        click.echo(f"{name}: another exploitability than the published one")
    click.echo(f"{len(rows)} rows of exploitability measured again, {len(others)} differ")
    click.get_current_context().exit(1 if differences or wrong or changed or others else 0)


if __name__ == "__main__":
    main()
