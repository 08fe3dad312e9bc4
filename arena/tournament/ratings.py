"""The table of a run: each variant and table size fitted by itself, and the overall rating over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.rating import Fit, PairCounter, fit_elo, overall_ratings
from arena.tournament.export import Row
from arena.tournament.results import BlockResult
from arena.tournament.schedule import Block

BATCH = 20_000  # matches counted at a time


class Tally:
    """What the matches of one variant and table size come to."""

    def __init__(self, bots: tuple[str, ...], players: int) -> None:
        self._counter = PairCounter(bots, players)
        self._number = {bot: number for number, bot in enumerate(bots)}
        self._clusters: list[int] = []
        self._seatings: list[list[int]] = []
        self._placings: list[tuple[int, ...]] = []
        self.payoff = [0] * len(bots)
        self.faults = [0] * len(bots)
        self.seated = [0] * len(bots)

    def add(self, block: Block, result: BlockResult) -> None:
        """Counts a block."""
        for seating, match in zip(block.seatings, result.matches, strict=True):
            numbers = [self._number[bot] for bot in seating]
            self._clusters.append(block.index)
            self._seatings.append(numbers)
            self._placings.append(match.placings)
            for number, payoff in zip(numbers, match.payoffs, strict=True):
                self.payoff[number] += payoff
                self.seated[number] += 1
            for seat, _, _ in match.faults:
                self.faults[numbers[seat]] += 1
        if len(self._clusters) >= BATCH:
            self._count()

    def _count(self) -> None:
        if self._clusters:
            self._counter.add(self._clusters, self._seatings, self._placings)
            self._clusters, self._seatings, self._placings = [], [], []

    def fit(self) -> Fit:
        """The ratings of what was counted."""
        self._count()
        return fit_elo(self._counter.sums())


def rated(played: Iterable[tuple[Block, BlockResult]], bots: tuple[str, ...]) -> list[Row]:
    """The rows of a run's table, best first: by variant and size in the order of the schedule, overall last.

    There is no overall where there is but one variant and size.
    """
    tallies: dict[tuple[str, int], Tally] = {}
    for block, result in played:
        key = (block.variant, block.players)
        if key not in tallies:
            tallies[key] = Tally(bots, block.players)
        tallies[key].add(block, result)
    fits = {key: tally.fit() for key, tally in tallies.items()}
    rows = [row for key, fit in fits.items() for row in _rows(*key, fit, tallies[key])]
    return rows + list(_overall(rows, fits)) if len(fits) > 1 else rows


def _rows(variant: str, players: int, fit: Fit, tally: Tally) -> Iterator[Row]:
    for rank, bot in enumerate(fit.ranking, 1):
        yield Row(
            variant=variant,
            players=players,
            rank=rank,
            bot=fit.bots[bot],
            elo=fit.elo[bot],
            error=fit.error[bot],
            mark=fit.mark[bot],
            matches=fit.matches[bot],
            blocks=fit.blocks[bot],
            score=fit.score[bot],
            payoff=tally.payoff[bot] / tally.seated[bot] if tally.seated[bot] else 0.0,
            faults=tally.faults[bot],
        )


def _overall(rows: list[Row], fits: dict[tuple[str, int], Fit]) -> Iterator[Row]:
    of_bot: dict[str, list[Row]] = {}
    for row in rows:
        of_bot.setdefault(row.bot, []).append(row)
    rating = {one.bot: one for one in overall_ratings(list(fits.values()))}
    best_first = sorted(rating, key=lambda bot: (rating[bot].elo is None, -(rating[bot].elo or 0), bot))
    for rank, bot in enumerate(best_first, 1):
        own = [row for row in of_bot[bot] if row.matches]
        yield Row(
            variant="overall",
            players=None,
            rank=rank,
            bot=bot,
            elo=rating[bot].elo,
            error=rating[bot].error,
            mark=rating[bot].mark,
            matches=sum(row.matches for row in own),
            blocks=sum(row.blocks for row in own),
            score=_mean([row.score for row in own if row.score is not None]),
            payoff=_mean([row.payoff for row in own]) or 0.0,
            faults=sum(row.faults for row in own),
        )


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
