"""First different actions of two bots on the same cards: when, with what hand, and how the deal went then."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean
from typing import Final, NamedTuple

from arena.errors import InvalidNotation
from arena.games import Deal, Rules, View
from arena.games.action import Action
from arena.games.cards import HIDDEN
from arena.play.records.action_codec import replay_match
from arena.rating.mean_intervals import MeanEstimate, estimate_mean
from arena.tournament.scheduling.schedule import Block
from arena.tournament.scheduling.seeds import deal_seed
from arena.tournament.storage.block_result_encoding import BlockResult

CLOSING_KINDS: Final = frozenset({"knock", "cambio"})
"""Actions after which the others have their last turn."""
DECISIONS: Final = ("first decision", "second decision", "later decision")
AFTER_KNOCK: Final = "after a knock"

Choice = tuple[str, str, str]
"""A game, a kind of part (`phase`, `hand` or `actions`), and which."""


class DifferentDeal(NamedTuple):
    """A deal of the same cards in which the first difference was between the actions of two bots."""

    block: str
    seat: int
    """Seat from 0."""
    rotations: tuple[int, int]
    """The matches of the first and of the second in the block."""
    deal: int
    """Number of the deal in its match, from 0."""
    game: str
    phase: str
    hand: str
    """The category of the seat's hand, "" if the seat had not seen all of it."""
    actions: tuple[str, str]
    """Kinds of the two actions."""
    lead: float
    """Worth of the deal to the first bot less its worth to the second, in tokens, chips or points."""
    texts: tuple[str, str]
    """The two actions in notation."""

    def mirrored(self) -> DifferentDeal:
        """Return the same deal as the second bot compares it."""
        return self._replace(
            rotations=self.rotations[::-1],
            actions=self.actions[::-1],
            lead=-self.lead,
            texts=self.texts[::-1],
        )


class ChoiceLead(NamedTuple):
    """The lead of the first bot over the second in the deals of a part."""

    game: str
    part: str
    name: str
    deals: int
    lead: MeanEstimate
    """Per deal, by blocks."""


class ComparedSeats(NamedTuple):
    """A seat in two matches of a block, once with the first bot and once with the second."""

    seat: int
    rotations: tuple[int, int]


def find_different_deals(
    block: Block, result: BlockResult, pairings: list[ComparedSeats], rules: Rules, seed: str
) -> Iterator[DifferentDeal]:
    """Yield the deals of a block in which the two bots were the first whose actions differed.

    Deals count in which the same seats were in, with the same dealer: then all cards are the same. Where the
    seat of another bot acted otherwise first, nothing can be said.
    """
    deals: dict[int, list[Deal]] = {}
    for rotation in {rotation for pairing in pairings for rotation in pairing.rotations}:
        stored = result.matches[rotation].actions
        match = replay_match(rules, block.players, deal_seed(seed, block.address), stored)
        deals[rotation] = match.finished_deals
    for seat, rotations in pairings:
        first, second = (deals[rotation] for rotation in rotations)
        for number, (deal, other) in enumerate(zip(first, second, strict=False)):
            difference = _find_first_difference(rules, deal, other)
            if difference is None or difference[0].seat != seat:
                continue
            view, actions = difference
            yield DifferentDeal(
                block=block.address,
                seat=seat,
                rotations=rotations,
                deal=number,
                game=f"{block.variant}, {block.players} players",
                phase=_phase(view),
                hand=_hand_category(rules, view),
                actions=(actions[0].kind, actions[1].kind),
                lead=_value(rules, deal, seat) - _value(rules, other, seat),
                texts=(view.text(actions[0]), view.text(actions[1])),
            )


def _find_first_difference(
    rules: Rules, deal: Deal, other: Deal
) -> tuple[View, tuple[Action, Action]] | None:
    """Return the first view at which the actions in two deals of the same cards differ, and both actions."""
    if (deal.opening.dealer, deal.opening.order) != (other.opening.dealer, other.opening.order):
        return None
    if deal.action_indices == other.action_indices:
        return None
    for (view, own), (_, its) in zip(rules.decisions(deal), rules.decisions(other), strict=False):
        if view.text(own) != view.text(its):
            return view, (own, its)
    return None


def _value(rules: Rules, deal: Deal, seat: int) -> float:
    return rules.value(deal.opening, deal.changes, seat)


def _phase(view: View) -> str:
    past = view.past
    if any(event.action.kind in CLOSING_KINDS for event in past):
        return AFTER_KNOCK
    own = sum(event.seat == view.seat for event in past)
    return DECISIONS[min(own, len(DECISIONS) - 1)]


def _hand_category(rules: Rules, view: View) -> str:
    if HIDDEN in view.hand:
        return ""
    try:
        return rules.rank(view.hand).category
    except InvalidNotation:  # one card too many, for example after a draw
        return ""


def summarize_choices(blocks: list[list[DifferentDeal]]) -> list[ChoiceLead]:
    """Return the leads by phase, hand and actions, given the deals of each block."""
    values: defaultdict[Choice, list[list[float]]] = defaultdict(list)
    for deals in blocks:
        own: defaultdict[Choice, list[float]] = defaultdict(list)
        for deal in deals:
            parts = {"phase": deal.phase, "hand": deal.hand, "actions": " or ".join(deal.actions)}
            for part, name in parts.items():
                if name:
                    own[deal.game, part, name].append(deal.lead)
        for choice, leads in own.items():
            values[choice].append(leads)
    return [
        ChoiceLead(*choice, sum(map(len, blocks)), estimate_mean([fmean(leads) for leads in blocks]))
        for choice, blocks in values.items()
    ]
