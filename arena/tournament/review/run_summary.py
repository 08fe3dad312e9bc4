"""All that a report needs of a run, in one pass over what is stored: counts, and which matches to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import heappush, heappushpop
from itertools import count, islice
from typing import Final, NamedTuple

import numpy as np

from arena.errors import StoreError
from arena.games import Deal, Rules
from arena.play.records.action_codec import replay_match
from arena.tournament.review.seat_effects import SeatMeans, seat_means
from arena.tournament.running.run import Run
from arena.tournament.scheduling.schedule import parse_game
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_results import OUTCOME, SEAT, MatchResult, PackedBlock, unpack
from arena.tournament.storage.store import Store, StoredOutcome
from arena.tournament.storage.tally import Game, Tally, stored_tallies

SHOWN: Final = 200
"""Matches, at most."""
FAULTY: Final = 20
"""Of them, the first in which something went wrong."""
SEAT_BLOCKS: Final = 2000
"""The first blocks, from which the worth of the seats is taken."""
SPREAD: Final = 2654435761
SPAN: Final = 1 << 32
"""Their quotient is the golden ratio."""


class Picked(NamedTuple):
    """A match to be shown."""

    number: int
    """In the order of the schedule, from 1: of its line, where all records are written."""
    place: int
    """Of its block in the schedule."""
    rotation: int


class Shown(NamedTuple):
    """A match that is shown, played again."""

    number: int
    address: str
    """Of its block."""
    rotation: int
    bots: list[str]
    rules: Rules
    deals: list[Deal]
    result: MatchResult


@dataclass
class Survey:
    """What was found in a run."""

    tallies: dict[Game, Tally]
    seats: dict[Game, SeatMeans]
    seat_blocks: int
    """So many blocks, of all games, were looked at for the worth of the seats."""
    faults: Counter[tuple[str, str]]
    """By bot and kind."""
    matches: int
    picked: list[Picked]
    """In the order of the schedule."""


def survey(run: Run, shown: int = SHOWN) -> Survey:
    """Looks through a run; of its matches about so many are picked, as evenly from all games as can be."""
    sizes = sum(len(entry.players) for entry in run.config.variants)
    names = tuple(bot.name for bot in run.config.bots)
    sample = _Sample(names, shown, sizes)
    with Store.open(run.folder.path) as store:
        tallies = stored_tallies(sample.looking(store.outcomes()), names)
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    seats = seat_means(islice(run.outcomes(), SEAT_BLOCKS), rules, run.seed)
    seat_blocks = min(SEAT_BLOCKS, sum(tally.blocks for tally in tallies.values()))
    return Survey(tallies, seats, seat_blocks, sample.faults, sample.matches, sample.picked())


def matches_of(run: Run, picked: Iterable[Picked]) -> Iterator[Shown]:
    """The matches that were picked, played again; only their own blocks are unpacked."""
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    with Store.open(run.folder.path) as store:
        for number, place, rotation in picked:
            [block] = store.blocks(range(place, place + 1))
            variant, players = parse_game(block.address)
            result = unpack(block).matches[rotation]
            match = replay_match(rules[variant], players, deal_seed(run.seed, block.address), result.actions)
            bots = [run.config.bots[bot].name for bot in _seats(block, players)[rotation]]
            yield Shown(number, block.address, rotation, bots, rules[variant], match.finished_deals, result)


def _seats(block: PackedBlock | StoredOutcome, players: int) -> list[list[int]]:
    """The numbers of the bots by match and seat."""
    numbers: list[list[int]] = np.frombuffer(block.seats, SEAT).reshape(-1, players).tolist()
    return numbers


class _Sample:
    """Matches picked while blocks go by in the order of the schedule.

    Blocks are drawn by their places in the schedule, which multiplied so fall evenly all over a span; of each
    block one seating is taken, and others as long as there is room.
    """

    def __init__(self, names: tuple[str, ...], shown: int, games: int) -> None:
        self._names, self._shown, self._games = names, shown, games
        self._of_game = max(1, shown // games)
        self._faulty_left = min(FAULTY, shown // 10)
        self._drawn: dict[Game, list[tuple[int, int, int, int]]] = {}
        self._faulty: list[Picked] = []
        self.faults: Counter[tuple[str, str]] = Counter()
        self.matches = 0

    def looking(self, outcomes: Iterable[StoredOutcome]) -> Iterator[StoredOutcome]:
        """Hands blocks on, having looked at each."""
        for block in outcomes:
            try:
                faults, game = OUTCOME.decode(block.outcome).faults, parse_game(block.address)
            except ValueError as error:
                raise StoreError(
                    f"block {block.place} is damaged, `arena verify` says more: {error}"
                ) from error
            drawn = self._drawn.setdefault(game, [])
            one = (-(block.place * SPREAD % SPAN), -block.place, self.matches + 1, len(faults))
            if len(drawn) < self._of_game:
                heappush(drawn, one)
            elif one > drawn[0]:
                heappushpop(drawn, one)
            if any(faults):
                self._note_faults(block, game, faults)
            self.matches += len(faults)
            yield block

    def _note_faults(
        self, block: StoredOutcome, game: Game, faults: list[tuple[tuple[int, str, int], ...]]
    ) -> None:
        seats = _seats(block, game[1])
        for rotation, own in enumerate(faults):
            for seat, kind, _ in own:
                self.faults[self._names[seats[rotation][seat]], kind] += 1
            if own and self._faulty_left:
                self._faulty_left -= 1
                self._faulty.append(Picked(self.matches + 1 + rotation, block.place, rotation))

    def picked(self) -> list[Picked]:
        """The matches, in the order of the schedule."""
        found = {one.number: one for one in self._faulty}
        of_game = max(1, (self._shown - len(found)) // self._games)
        for drawn in self._drawn.values():
            found |= {one.number: one for one in _seatings(sorted(drawn, reverse=True), of_game)}
        return [found[number] for number in sorted(found)]


def _seatings(drawn: list[tuple[int, int, int, int]], wanted: int) -> list[Picked]:
    """So many matches of blocks that were drawn: one of each block, then another of each."""
    found: list[Picked] = []
    for turn in count():
        before = len(found)
        for spread, place, first, seatings in drawn:
            if turn < seatings and len(found) < wanted:
                rotation = (turn - spread) % seatings
                found.append(Picked(first + rotation, -place, rotation))
        if len(found) == before:
            return found
    raise AssertionError("counting ends nowhere")
