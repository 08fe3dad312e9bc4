"""The lead of one bot over another, by games, seats, opponents, decisions and single deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from statistics import fmean
from typing import Final, NamedTuple

from arena.errors import ConfigError, suggest_nearest
from arena.rating.mean_intervals import MeanEstimate, estimate_mean
from arena.tournament.formats.paired_design import compare_placings
from arena.tournament.results.seat_effects import seats_from_dealer
from arena.tournament.review.first_different_actions import (
    ChoiceLead,
    ComparedSeats,
    DifferentDeal,
    find_different_deals,
    summarize_choices,
)
from arena.tournament.review.lessons import Lesson, find_lessons
from arena.tournament.running.run import Run
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_result_encoding import BlockResult

MAX_SWINGS: Final = 10

Part = tuple[str, str]
"""A kind of part, `game`, `position` (from the first dealer's left neighbour, 1) or `opponent`, and which."""


class PartLead(NamedTuple):
    """The lead of the first bot over the second in a part of what they played on the same cards."""

    part: str
    name: str
    lead: MeanEstimate
    """Lead in score, -1 to 1."""


class Swing(NamedTuple):
    """One seat on the same cards, once of the first bot and once of the second."""

    block: str
    seat: int
    """Seat from 0."""
    rotations: tuple[int, int]
    """The matches of the first and of the second in the block."""
    scores: tuple[float, float]
    payoffs: tuple[int, int]

    @property
    def size(self) -> tuple[float, int]:
        """The differences of scores and payoffs, without signs."""
        return abs(self.scores[0] - self.scores[1]), abs(self.payoffs[0] - self.payoffs[1])


class Difference(NamedTuple):
    """The difference between two bots in parts, and the deals on which it was largest."""

    parts: list[PartLead]
    swings: list[Swing]
    """Largest first, one for each block, among the recorded matches."""
    choices: list[ChoiceLead]
    """Leads by phase, hand and actions where the bots first acted differently, in the recorded matches."""
    deals: list[DifferentDeal]
    """Deals with the largest leads, one for each block."""
    lessons: tuple[list[Lesson], list[Lesson]] = ([], [])
    """Situations that cost the first bot most against the second, and the second against the first."""

    def with_labels(self, labels: Mapping[str, str]) -> Difference:
        """Return it with short names of opponents."""
        parts = [
            part._replace(name=labels[part.name]) if part.part == "opponent" else part for part in self.parts
        ]
        return self._replace(parts=parts)


def explain_difference(
    run: Run, first: str, second: str, count: Callable[[int, int], None] = lambda *_: None
) -> Difference:
    """Return where the difference between two bots of a run comes from.

    Only blocks count in which both had the same seat, on the same cards, in different matches. Recorded
    matches are replayed; `count` is called with the blocks and matches done since the last call.

    Raises:
        ConfigError: For a bot that is not in the run, or bots that never had the same seat and cards.
    """
    check_names(run, first, second)
    leads: defaultdict[Part, list[float]] = defaultdict(list)
    swings: list[Swing] = []
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    different: list[list[DifferentDeal]] = []
    matches = 0
    for block, result in run.played():
        pairs = list(_pair_matches(block, result, first, second))
        places = seats_from_dealer(rules[block.variant], block.players, deal_seed(run.seed, block.address))
        for part, values in _deal_leads(block, result, pairs, places).items():
            leads[part].append(fmean(values))
        matches += len(result.matches)
        count(1, len(result.matches))
        if pairs and matches <= run.config.replays:
            swings.append(max(pairs, key=lambda swing: swing.size))
            pairings = [ComparedSeats(swing.seat, swing.rotations) for swing in pairs]
            different.append(
                list(find_different_deals(block, result, pairings, rules[block.variant], run.seed))
            )
    if not leads:
        raise ConfigError(f"{first} and {second} never had the same seat on the same cards in this run")
    parts = [PartLead(*part, estimate_mean(values)) for part, values in leads.items()]
    largest = sorted(swings, key=lambda swing: swing.size, reverse=True)
    shown = [swing for swing in islice(largest, MAX_SWINGS) if any(swing.size)]
    mirrored = [[deal.mirrored() for deal in deals] for deals in different]
    lessons = find_lessons(different), find_lessons(mirrored)
    return Difference(parts, shown, summarize_choices(different), _largest_leads(different), lessons)


def _largest_leads(different: list[list[DifferentDeal]]) -> list[DifferentDeal]:
    """Return the deals of the largest leads, largest first, one for each block."""
    largest = [max(deals, key=lambda deal: abs(deal.lead)) for deals in different if deals]
    largest.sort(key=lambda deal: abs(deal.lead), reverse=True)
    return [deal for deal in largest[:MAX_SWINGS] if deal.lead]


def check_names(run: Run, *bots: str) -> None:
    """Refuse bots that are not in a run, or only one.

    Raises:
        ConfigError: If a bot is not in the run, or both are the same.
    """
    names = [bot.name for bot in run.config.bots]
    for bot in bots:
        if bot not in names:
            raise ConfigError(f"no bot of this run is called {bot!r}; {suggest_nearest(bot, names)}")
    if bots[0] == bots[1]:
        raise ConfigError(f"{bots[0]} cannot be compared with itself: name two bots")


def _pair_matches(block: Block, result: BlockResult, first: str, second: str) -> Iterator[Swing]:
    """Yield for each seat every pair of matches in which the two bots had it."""
    for seat in range(block.players):
        own = [rotation for rotation, bots in enumerate(block.seatings) if bots[seat] == first]
        other = [rotation for rotation, bots in enumerate(block.seatings) if bots[seat] == second]
        for mine in own:
            for its in other:
                matches = result.matches[mine], result.matches[its]
                yield Swing(
                    block=block.address,
                    seat=seat,
                    rotations=(mine, its),
                    scores=(_score(block, result, mine, seat), _score(block, result, its, seat)),
                    payoffs=(matches[0].payoffs[seat], matches[1].payoffs[seat]),
                )


def _score(block: Block, result: BlockResult, rotation: int, seat: int, opponent: str = "") -> float:
    """Return the mean points of a seat against the seats of other bots, or of one of them."""
    bots, placings = block.seatings[rotation], result.matches[rotation].placings
    return fmean(
        compare_placings(placings[seat], placings[other])
        for other, bot in enumerate(bots)
        if bot != bots[seat] and opponent in ("", bot)
    )


def _deal_leads(
    block: Block, result: BlockResult, pairs: list[Swing], places: list[int]
) -> dict[Part, list[float]]:
    """Return the leads of a block by part; `places` are those of its seats, from the dealer's left."""
    leads: defaultdict[Part, list[float]] = defaultdict(list)
    for swing in pairs:
        lead = swing.scores[0] - swing.scores[1]
        leads["game", f"{block.variant}, {block.players} players"].append(lead)
        leads["position", str(places[swing.seat] + 1)].append(lead)
        both = [set(block.seatings[rotation]) for rotation in swing.rotations]
        playing = {block.seatings[rotation][swing.seat] for rotation in swing.rotations}
        for opponent in sorted(both[0] & both[1] - playing):
            own, other = (
                _score(block, result, rotation, swing.seat, opponent) for rotation in swing.rotations
            )
            leads["opponent", opponent].append(own - other)
    return leads
