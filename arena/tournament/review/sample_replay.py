"""The sampled matches of a run, replayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from arena.games import Deal, Rules
from arena.play.records.action_codec import replay_match
from arena.tournament.results.match_sample import SampledMatch
from arena.tournament.running.run import Run
from arena.tournament.scheduling.schedule import parse_game
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_results import SEAT, MatchResult, unpack
from arena.tournament.storage.store import Store


class ReplayedMatch(NamedTuple):
    """A sampled match, replayed."""

    number: int
    address: str
    """Of its block."""
    rotation: int
    bots: list[str]
    rules: Rules
    deals: list[Deal]
    result: MatchResult


def replay_sample(run: Run, sample: Iterable[SampledMatch]) -> Iterator[ReplayedMatch]:
    """Yield the sampled matches, replayed; only their own blocks are read."""
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    with Store.open(run.folder.path) as store:
        for number, place, rotation in sample:
            [block] = store.blocks(range(place, place + 1))
            variant, players = parse_game(block.address)
            result = unpack(block).matches[rotation]
            match = replay_match(rules[variant], players, deal_seed(run.seed, block.address), result.actions)
            seats = np.frombuffer(block.seats, SEAT).reshape(-1, players)[rotation].tolist()
            bots = [run.config.bots[bot].name for bot in seats]
            yield ReplayedMatch(
                number, block.address, rotation, bots, rules[variant], match.finished_deals, result
            )
