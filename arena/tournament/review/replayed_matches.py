"""The sampled matches of a run, replayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arena.games import Deal, Rules
from arena.play.records.action_codec import replay_match
from arena.plugins.bot_spec import label_bots
from arena.tournament.results.match_sample import SampledMatch
from arena.tournament.scheduling.schedule import parse_game
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_result_encoding import SEAT, MatchResult, unpack

if TYPE_CHECKING:  # workers that replay matches do not import what plays a run
    from arena.tournament.running.run import Run


class StoredMatch(NamedTuple):
    """A sampled match, as it is stored."""

    number: int
    address: str
    """Address of its block."""
    rotation: int
    bots: list[str]
    result: MatchResult


class ReplayedMatch(NamedTuple):
    """A sampled match, replayed."""

    stored: StoredMatch
    rules: Rules
    deals: list[Deal]


def read_sample(run: Run, sample: Iterable[SampledMatch]) -> Iterator[StoredMatch]:
    """Yield the sampled matches, their bots by their labels; only their own blocks are read."""
    labels = list(label_bots(bot.name for bot in run.config.bots).values())
    with run.open_store() as store:
        for number, place, rotation in sample:
            [block] = store.sound_blocks(range(place, place + 1))
            _, players = parse_game(block.address)
            seats = np.frombuffer(block.seats, SEAT).reshape(-1, players)[rotation].tolist()
            bots = [labels[bot] for bot in seats]
            yield StoredMatch(number, block.address, rotation, bots, unpack(block).matches[rotation])


def replay_stored(stored: StoredMatch, all_rules: Mapping[str, Rules], seed: str) -> ReplayedMatch:
    """Replay a match of a run of this seed; `all_rules` are those of its variants, as printed."""
    variant, players = parse_game(stored.address)
    rules = all_rules[variant]
    match = replay_match(rules, players, deal_seed(seed, stored.address), stored.result.actions)
    return ReplayedMatch(stored, rules, match.finished_deals)


def replay_sample(run: Run, sample: Iterable[SampledMatch]) -> Iterator[ReplayedMatch]:
    """Yield the sampled matches, replayed."""
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    for match in read_sample(run, sample):
        yield replay_stored(match, rules, run.seed)
