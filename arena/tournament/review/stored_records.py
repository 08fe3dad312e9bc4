"""The matches of one block of a run as records."""

from __future__ import annotations

import numpy as np

from arena.errors import RecordError, StoreError
from arena.play.records.action_codec import replay_match
from arena.play.records.record_builder import to_record
from arena.play.records.record_schema import MatchRecord
from arena.tournament.running.stored_run import StoredRun
from arena.tournament.scheduling.schedule import parse_game
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_result_encoding import SEAT, unpack


def read_stored_records(run: StoredRun, place: int) -> list[MatchRecord]:
    """Return the records of the block at a place in the schedule, by rotation; no other block is read.

    Raises:
        StoreError: If it is not stored, or damaged.
    """
    with run.open_store() as store:
        blocks = list(store.sound_blocks(range(place, place + 1)))
    if not blocks:
        raise StoreError(f"{run.folder.path} has no block {place}")
    [block] = blocks
    variant, players = parse_game(block.address)
    [rules] = [entry.rules for entry in run.config.variants if str(entry.rules) == variant]
    seats = np.frombuffer(block.seats, SEAT).reshape(-1, players).tolist()
    seed, records = deal_seed(run.seed, block.address), []
    try:
        for rotation, played in enumerate(unpack(block).matches):
            bots = [run.config.bots[bot].name for bot in seats[rotation]]
            match = replay_match(rules, players, seed, played.actions)
            records.append(
                to_record(
                    match, bots=bots, seed=seed, block=block.address, rotation=rotation, faults=played.faults
                )
            )
    except RecordError as error:
        raise StoreError(f"block {place} ({block.address}) is damaged: {error}") from error
    return records
