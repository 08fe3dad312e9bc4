"""A run of the make-believe tournament in a process of its own: `python -m tests.tournament.pool_run`."""

import argparse
import sys
from functools import partial
from pathlib import Path

from arena.tournament.engine.engine import run_blocks
from arena.tournament.engine.logs import run_logging
from arena.tournament.engine.progress import Progress, StopRequest
from arena.tournament.engine.workers import make_workers
from arena.tournament.result_files import MATCHES_HEADER, format_matches, write_pieces
from arena.tournament.schedule import Block
from arena.tournament.store.codec import BlockResult
from arena.tournament.store.database import DATABASE
from arena.tournament.store.played_blocks import PlayedBlock, read_blocks
from arena.tournament.store.store import Store
from tests.tournament import fake_run


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--start", default="forkserver")
    parser.add_argument("--blocks", type=int, default=100)
    parser.add_argument("--play", default="play")
    args = parser.parse_args()
    play = partial(getattr(fake_run, args.play), args.folder)
    with (
        run_logging(args.folder / "arena.log"),
        _store(args.folder) as store,
        Progress(args.blocks, store.count()) as progress,
        make_workers(args.jobs, args.start) as workers,
        StopRequest() as stop,
    ):
        schedule = fake_run.schedule(args.blocks)
        ending = run_blocks(schedule, play, store, workers, stop, Announced(progress))
        blocks = read_blocks(fake_run.schedule(args.blocks), store)
        write_pieces(args.folder / "matches.csv", [MATCHES_HEADER, format_matches(map(_counted, blocks))])
        sys.stdout.write(f"{ending} {store.count()}\n")


def _counted(played: tuple[Block, BlockResult]) -> PlayedBlock:
    block, result = played
    game, seatings = (block.variant, block.players), [list(seating) for seating in block.seatings]
    return PlayedBlock(block.index, block.address, game, seatings, list(result.matches))


class Announced:
    """Says once, on standard output, that blocks are coming in."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._said = False

    def __call__(self, block: Block, result: BlockResult) -> None:
        self._progress.add(block, result)
        if not self._said:
            sys.stdout.write("playing\n")
            sys.stdout.flush()
            self._said = True


def _store(folder: Path) -> Store:
    if (folder / DATABASE).exists():
        return Store.resume(folder)
    return Store.create(folder, fake_run.METADATA)


if __name__ == "__main__":
    main()
