"""All that a report needs of a run, in one pass over its outcomes: counts, and which matches to show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappush, heappushpop
from itertools import count
from typing import Final, NamedTuple

from arena.games import Deal, Rules
from arena.play.codes import replay
from arena.tournament.block import Plan, Workshop
from arena.tournament.results import BlockResult, MatchResult, unpack
from arena.tournament.run import Run
from arena.tournament.schedule import Block
from arena.tournament.seating import SeatMeans
from arena.tournament.seeds import deal_seed
from arena.tournament.store import Store
from arena.tournament.tally import Game, Tally

SHOWN: Final = 200
"""Matches, at most."""
FAULTY: Final = 20
"""Of them, the first in which something went wrong."""
SEAT_BLOCKS: Final = 2000
"""From so many blocks, of all games together, the worth of the seats is taken."""
SPREAD: Final = 2654435761
SPAN: Final = 1 << 32
"""Their quotient is the golden ratio."""


class Picked(NamedTuple):
    """A match to be shown."""

    number: int
    """In the order of the schedule, from 1: of its line, where all records are written."""
    block: Block
    rotation: int


class Shown(NamedTuple):
    """A match that is shown, played again."""

    number: int
    block: Block
    rotation: int
    rules: Rules
    deals: list[Deal]
    result: MatchResult


@dataclass
class OfGame:
    """What the matches of one variant and size come to."""

    tally: Tally
    seats: SeatMeans
    seat_blocks: int = 0
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By bot and kind."""


@dataclass
class Survey:
    """What was found in a run."""

    games: dict[Game, OfGame]
    matches: int
    picked: list[Picked]
    """In the order of the schedule."""

    @property
    def tallies(self) -> dict[Game, Tally]:
        """The counts that ratings come from."""
        return {game: own.tally for game, own in self.games.items()}


def survey(run: Run, shown: int = SHOWN) -> Survey:
    """Looks through a run; of its matches about so many are picked, as evenly from all games as can be."""
    sizes = sum(len(entry.players) for entry in run.config.variants)
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    names = tuple(bot.name for bot in run.config.bots)
    games: dict[Game, OfGame] = {}
    sample = _Sample(max(1, (shown - min(FAULTY, shown // 10)) // sizes), min(FAULTY, shown // 10))
    matches = 0
    for block, result in run.outcomes():
        game = (block.variant, block.players)
        if game not in games:
            seats = SeatMeans(rules[block.variant], block.players, run.seed)
            games[game] = OfGame(Tally(names, block.players), seats)
        own = games[game]
        own.tally.add(block, result)
        if own.seat_blocks < SEAT_BLOCKS // sizes:
            own.seats.add(block, result)
            own.seat_blocks += 1
        sample.add(block, result, matches + 1, own.faults)
        matches += len(result.matches)
    return Survey(games, matches, sample.picked())


def matches_of(run: Run, picked: list[Picked]) -> Iterator[Shown]:
    """The matches that were picked, played again; only their own blocks are unpacked."""
    shop = Workshop(Plan.of(run.config, run.seed))
    with Store.open(run.folder.path) as store:
        for number, block, rotation in picked:
            [stored] = store.blocks(range(block.index, block.index + 1))
            result = unpack(stored).matches[rotation]
            rules = shop.rules[block.variant]
            match = replay(rules, block.players, deal_seed(run.seed, block.address), result.actions)
            yield Shown(number, block, rotation, rules, match.past, result)


class _Sample:
    """Matches picked while blocks go by: the same ones in whatever order those were played.

    Blocks are drawn by their places in the schedule, which multiplied so fall evenly all over a span; of each
    block one seating is taken, and others as long as there is room.
    """

    def __init__(self, of_game: int, faulty: int) -> None:
        self._of_game, self._faulty_left = of_game, faulty
        self._drawn: dict[Game, list[tuple[int, int, int, Block]]] = {}
        self._faulty: list[Picked] = []

    def add(self, block: Block, result: BlockResult, first: int, faults: Counter[tuple[str, str]]) -> None:
        """Looks at a block whose first match has that number; counts its faults by bot and kind."""
        drawn = self._drawn.setdefault((block.variant, block.players), [])
        one = (-(block.index * SPREAD % SPAN), -block.index, first, block)
        if len(drawn) < self._of_game:
            heappush(drawn, one)
        elif one > drawn[0]:
            heappushpop(drawn, one)
        for rotation, match in enumerate(result.matches):
            for seat, kind, _ in match.faults:
                faults[block.seatings[rotation][seat], kind] += 1
            if match.faults and self._faulty_left:
                self._faulty_left -= 1
                self._faulty.append(Picked(first + rotation, block, rotation))

    def picked(self) -> list[Picked]:
        """The matches, in the order of the schedule."""
        found = {one.number: one for one in self._faulty}
        for drawn in self._drawn.values():
            found |= {one.number: one for one in _seatings(sorted(drawn, reverse=True), self._of_game)}
        return [found[number] for number in sorted(found)]


def _seatings(drawn: list[tuple[int, int, int, Block]], wanted: int) -> list[Picked]:
    """So many matches of blocks that were drawn: one of each block, then another of each."""
    found: list[Picked] = []
    for turn in count():
        before = len(found)
        for place, _, first, block in drawn:
            seatings = len(block.seatings)
            if turn < seatings and len(found) < wanted:
                rotation = (turn - place) % seatings
                found.append(Picked(first + rotation, block, rotation))
        if len(found) == before:
            return found
    raise AssertionError("counting ends nowhere")


def faults_in_all(games: Mapping[Game, OfGame]) -> Counter[tuple[str, str]]:
    """Faults by bot and kind over all games."""
    total: Counter[tuple[str, str]] = Counter()
    for own in games.values():
        total.update(own.faults)
    return total
