"""The table of a run: each variant and table size fitted by itself, and the overall rating over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena.rating import Fit, compute_overall_ratings, fit_elo
from arena.tournament.files.export import Row
from arena.tournament.storage.tally import Game, Tally

LEAST_ERROR = 0.01  # of a payoff: a smaller one would be printed as none


def rated(tallies: Mapping[Game, Tally]) -> list[Row]:
    """The rows of a run's table, best first: by variant and size in the order of the tallies, overall last.

    There is no overall where there is but one variant and size, or where nobody has one. Bots without a
    match, or that lack a game in the overall, come last and without a rank.
    """
    fits = {game: fit_elo(tally.sums()) for game, tally in tallies.items()}
    rows = [row for game, fit in fits.items() for row in _rows(*game, fit, tallies[game])]
    return rows + list(_overall(rows, fits)) if len(fits) > 1 else rows


def _rows(variant: str, players: int, fit: Fit, tally: Tally) -> Iterator[Row]:
    los = fit.los_to_next()
    for place, bot in enumerate(fit.ranking, 1):
        met = fit.matches[bot] > 0  # who played nothing has earned no place and no number
        payoff = tally.payoffs.mean(bot)
        yield Row(
            variant=variant,
            players=players,
            rank=place if met else None,
            bot=fit.bots[bot],
            elo=fit.elo[bot] if met else None,
            error=fit.error[bot],
            mark=fit.mark[bot],
            matches=fit.matches[bot],
            blocks=fit.blocks[bot],
            score=fit.score[bot],
            payoff=payoff.value,
            faults=tally.faults[bot],
            los=los[bot],
            placing=tally.placings.mean(bot).value,
            payoff_error=payoff.error and max(payoff.error, LEAST_ERROR),
        )


def _overall(rows: list[Row], fits: dict[tuple[str, int], Fit]) -> Iterator[Row]:
    of_bot: dict[str, list[Row]] = {}
    for row in rows:
        of_bot.setdefault(row.bot, []).append(row)
    rating = {one.bot: one for one in compute_overall_ratings(list(fits.values()))}
    if all(one.elo is None for one in rating.values()):
        return
    best_first = sorted(rating, key=lambda bot: (rating[bot].elo is None, -(rating[bot].elo or 0), bot))
    for place, bot in enumerate(best_first, 1):
        own = [row for row in of_bot[bot] if row.matches]
        yield Row(
            variant="overall",
            players=None,
            rank=None if rating[bot].elo is None else place,
            bot=bot,
            elo=rating[bot].elo,
            error=rating[bot].error,
            mark=rating[bot].mark,
            matches=sum(row.matches for row in own),
            blocks=sum(row.blocks for row in own),
            score=_mean([row.score for row in own if row.score is not None]),
            payoff=None,  # tokens, chips and points have no mean
            faults=sum(row.faults for row in own),
        )


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
