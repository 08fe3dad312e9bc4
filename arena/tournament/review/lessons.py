"""Situations in which other bots decided otherwise on the same cards, and what that was worth.

A situation is a phase of the deal, a category of the hand, and the kinds of the two actions. Its deals are
compared by blocks, as `arena why` compares them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

from arena.rating.mean_intervals import MeanEstimate, estimate_mean
from arena.tournament.review.first_different_actions import DifferentDeal

MIN_DEALS: Final = 8
"""Deals of a situation below which nothing is said of it."""
MAX_LESSONS: Final = 5
"""Situations shown of a bot in a game."""
MAX_EXAMPLES: Final = 2
"""Deals of a situation that are named: the costliest, one a block."""
SIGNIFICANCE: Final = 0.05


class Situation(NamedTuple):
    """The situation of a decision, and what was decided."""

    phase: str
    hand: str
    """Category of the hand, "" if the bot had not seen all of it."""
    actions: tuple[str, str]
    """Kinds of the bot's action and of the others'."""


class Lesson(NamedTuple):
    """A situation in which others decided otherwise."""

    game: str
    situation: Situation
    deals: int
    lead: MeanEstimate
    """The bot's deals less theirs, per deal in tokens, chips or points, by blocks.

    Its interval holds for all situations of the game together (Bonferroni).
    """
    examples: tuple[DifferentDeal, ...]

    @property
    def is_clear(self) -> bool:
        """True if the interval is below 0."""
        value, error = self.lead.value, self.lead.error
        return value is not None and error is not None and value + error < 0


def find_lessons(blocks: Iterable[Sequence[DifferentDeal]]) -> list[Lesson]:
    """Return the situations that cost a bot most for certain, by game.

    Args:
        blocks: By block, the deals in which the bot and another were the first to act differently; the
            bot is the first of the two.
    """
    by_game: defaultdict[str, defaultdict[Situation, list[list[DifferentDeal]]]]
    by_game = defaultdict(lambda: defaultdict(list))
    for deals in blocks:
        own: defaultdict[tuple[str, Situation], list[DifferentDeal]] = defaultdict(list)
        for deal in deals:
            own[deal.game, Situation(deal.phase, deal.hand, deal.actions)].append(deal)
        for (game, situation), alike in own.items():
            by_game[game][situation].append(alike)
    return [lesson for game, situations in sorted(by_game.items()) for lesson in _choose(game, situations)]


def _choose(game: str, situations: Mapping[Situation, list[list[DifferentDeal]]]) -> list[Lesson]:
    """Return the situations of one game that have enough deals and cost something."""
    large = {
        situation: blocks
        for situation, blocks in situations.items()
        if sum(map(len, blocks)) >= MIN_DEALS and estimate_mean(_mean_leads(blocks)).error is not None
    }
    lessons = []
    for situation, blocks in large.items():
        lead = estimate_mean(_mean_leads(blocks), 1 - SIGNIFICANCE / len(large))
        worst = sorted(
            [min(deals, key=lambda deal: deal.lead) for deals in blocks], key=lambda deal: deal.lead
        )
        deals = sum(map(len, blocks))
        lessons.append(Lesson(game, situation, deals, lead, tuple(worst[:MAX_EXAMPLES])))
    costly = [lesson for lesson in lessons if (lesson.lead.value or 0) < 0]
    costly.sort(key=lambda lesson: ((lesson.lead.value or 0) + (lesson.lead.error or 0), lesson.situation))
    return costly[:MAX_LESSONS]


def _mean_leads(blocks: Sequence[Sequence[DifferentDeal]]) -> list[float]:
    return [fmean([deal.lead for deal in deals]) for deals in blocks]
