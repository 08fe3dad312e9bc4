"""The rows of the table of ratings: each bot at each game, over all games, and relative to an anchor."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from arena.columns.number_format import MISSING, to_percent
from arena.errors import ConfigError
from arena.rating.comparisons import Order, compute_comparison_errors, compute_rank_intervals, find_better
from arena.rating.elo_fit import Fit
from arena.rating.luck_adjustment import LuckAdjustment
from arena.rating.overall import combine_comparable, compute_overall_los, compute_overall_ratings
from arena.rating.student_t import CONFIDENCE
from arena.rating.two_bots import MEAN_ELO
from arena.tournament.store.played_blocks import Game, Tally

# --- rows ---

BOUNDS: Final = (">", "<")
"""Marks of an Elo that is a bound."""
NO_MARKS: Final[Mapping[str, str]] = MappingProxyType({})
MAX_OPEN_WIDTH: Final = 200.0
"""Largest half width, in Elo, of the distance of two bots of open order with which an overall has bars."""
MAX_ELO: Final = 2_000.0
"""Longest bar and furthest bound from 1500 that are given; beyond, a number says nothing."""
MIN_PAYOFF_ERROR: Final = 0.01
"""A smaller one would be printed as zero."""
MIN_PAYOFF_BLOCKS: Final = 20
"""Fewest blocks with an error of the payoff: rare large losses are often not seen yet in fewer."""
Comparison = tuple[Fit, Sequence[float | None]]
"""A fit by whose errors bots are compared, and the lengths of their bars."""


@dataclass(frozen=True, kw_only=True)
class RatingRow:
    """Rating of one bot at one game and table size, or over all of them."""

    variant: str
    players: int | None
    """Number of seats; None: overall."""
    rank: str | None
    """Place, or `1–2` where it may be any of these; None if it met no other bot, without a game (overall), or
    if disqualified or withdrawn."""
    bot: str
    elo: float | None
    comparison_error: float | None = None
    """The ±, half width of the bar for comparing: two bots whose bars do not overlap differ at 95 %.

    None where there is no error, for a bound, and where the bar is wide.
    """
    mark: str = ""
    """`disqualified` or `withdrawn`; else ">" or "<" where the Elo is a bound; usually empty."""
    matches: int
    blocks: int
    score: float | None
    """Percent, 0 to 100."""
    payoff: float | None
    """Mean payoff of a match."""
    faults: int
    los: float | None = None
    """Likelihood of superiority over the next bot, in percent."""
    placing: float | None = None
    """Mean placing."""
    payoff_error: float | None = None
    """Half width of its 95 % interval; None below `MIN_PAYOFF_BLOCKS`."""
    is_anytime: bool = False
    """True if errors hold at all numbers of blocks together; then the payoff has none."""
    is_adjusted: bool = False
    """True if the three that follow are known."""
    luck_elo: float | None = None
    """Elo adjusted for luck."""
    luck_comparison_error: float | None = None
    """Half width of its bar for comparing."""
    luck_ratio: float | None = None
    """Variance of the Elo over that of the adjusted one."""
    are_tables_drawn: bool = False
    """True if the tables of the game are a sample of those possible."""
    is_wide: bool = False
    """True if the bar is left out, as it is longer than `MAX_ELO`."""
    rank_low: int | None = None
    """Best rank that the results allow, for all bots together at 95 %."""
    rank_high: int | None = None
    """Worst rank that they allow."""
    elo_bound: float | None = None
    """Bound at 97.5 %: from above for a bot that took few points or none, from below if it lost so few."""
    label: str = ""
    """Printed text of the name, if it is another."""
    far_bound: str = ""
    """`<` or `>` where the bound is so far that nothing is printed in place of the Elo."""
    luck_error: float | None = None
    """Half width of the 95 % interval of the adjusted Elo about the centre of the field."""
    error: float | None
    """Half width of the 95 % interval about the centre of the field: not for comparing."""

    @property
    def title(self) -> str:
        """Printed variant and players; `overall` over all games."""
        return f"{self.variant}, {self.players} players" if self.players else self.variant

    @property
    def has_error(self) -> bool:
        """True if the row has an error bar: an anchor has none about itself, but one to compare."""
        return self.error is not None or self.comparison_error is not None or self.is_wide

    @property
    def text_bound(self) -> str:
        """`>` or `<` where a bound is printed instead of the Elo."""
        if self.far_bound:
            return ""
        if self.elo_bound is None or self.elo is None:
            return self.mark if self.mark in BOUNDS else ""
        return "<" if self.elo < self.elo_bound else ">"

    @property
    def short_elo(self) -> str:
        """The Elo in whole points as people read it, or the bound with its mark."""
        return MISSING if self.text_elo is None else f"{self.text_bound}{self.text_elo:.0f}"

    @property
    def bound_mark(self) -> str:
        """`>` or `<` where the Elo is not known, but for a bound, which may be too far to be printed."""
        return self.text_bound or self.far_bound

    @property
    def has_bound(self) -> bool:
        """True if the Elo is not known, but for a bound."""
        return bool(self.bound_mark)

    @property
    def data_mark(self) -> str:
        """The mark in machine-readable tables: why a bot is not ranked, else the bound that the text has."""
        return self.mark or self.bound_mark

    @property
    def text_elo(self) -> float | None:
        """The Elo, or the bound printed instead of it; None where that is too far."""
        return None if self.far_bound else self.elo if self.elo_bound is None else self.elo_bound

    @property
    def short_name(self) -> str:
        """The label."""
        return self.label or self.bot

    @property
    def text_name(self) -> str:
        """The label, followed by why the bot is not ranked, if it is not for its faults or was withdrawn."""
        name = self.short_name
        return name if self.mark in ("", *BOUNDS) else f"{name} ({self.mark})"


def format_rank(rank: int | None, low: int | None, high: int | None) -> str:
    """Return a rank, or `1–2` where that is what it may be; empty without one."""
    if rank is None:
        return ""
    return f"{rank:,}" if low is None or low == high else f"{low:,}–{high:,}"


def rank_bots(fit: Fit, marks: Mapping[str, str]) -> list[int]:
    """Return the bots of a fit by rank: after those ranked those with a mark, then those that met nobody."""
    return sorted(fit.ranking, key=lambda bot: (not fit.blocks[bot], fit.bots[bot] in marks))


def rate_game(
    game: Game,
    fit: Fit,
    tally: Tally,
    luck: LuckAdjustment | None = None,
    marks: Mapping[str, str] = NO_MARKS,
    labels: Mapping[str, str] = NO_MARKS,
    *,
    comparison: Comparison | None = None,
    among: Collection[int] | None = None,
) -> Iterator[RatingRow]:
    """Yield the rows of a game, best first; bots with a mark, and those that met nobody, have no rank.

    Args:
        game: The game.
        fit: Its ratings.
        tally: Its counts.
        luck: The ratings adjusted for luck.
        marks: Why bots, by name, are not ranked.
        labels: What is printed for their names.
        comparison: Where bars, bounds and ranks come from; None for `fit`.
        among: Numbers of the bots that have rows and are compared; None for all.
    """
    variant, players = game
    order = [bot for bot in rank_bots(fit, marks) if among is None or bot in among]
    ranked = sum(fit.blocks[bot] > 0 and fit.bots[bot] not in marks for bot in order)
    compared, bars = comparison or (fit, compute_comparison_errors(fit))
    better = find_better(compared, None if among is None else order[:ranked])
    places = compute_rank_intervals(better, order[:ranked])
    following = dict(pairwise(order[:ranked]))
    los = {bot: fit.los(bot, other) for bot, other in following.items()}
    for place, bot in enumerate(order, 1):
        is_rated = fit.blocks[bot] > 0
        payoff = tally.payoffs.mean(bot)
        far = compared.elo_bound[bot]
        bound = fit_bound(fit.elo, bars, bot, far)
        low, high = places.get(bot, (None, None))
        bar = limit_elo(bars[bot]) if far is None else None
        ratio, luck_error = (luck.variance_ratio[bot], luck.fit.error[bot]) if luck else (None, None)
        has_payoff_error = payoff.error is not None and fit.blocks[bot] >= MIN_PAYOFF_BLOCKS
        yield RatingRow(
            variant=variant,
            players=players,
            rank=format_rank(place if place <= ranked else None, low, high) or None,
            bot=fit.bots[bot],
            label=labels.get(fit.bots[bot], ""),
            elo=fit.elo[bot] if is_rated else None,
            error=fit.error[bot],
            mark=marks.get(fit.bots[bot], fit.mark[bot]),
            matches=fit.matches[bot],
            blocks=fit.blocks[bot],
            score=to_percent(fit.score[bot]),
            payoff=payoff.value,
            faults=tally.faults[bot],
            los=to_percent(los.get(bot)),
            placing=tally.placings.mean(bot).value,
            payoff_error=max(payoff.error or 0.0, MIN_PAYOFF_ERROR) if has_payoff_error else None,
            is_adjusted=luck is not None,
            luck_elo=luck.fit.elo[bot] if luck and is_rated else None,
            luck_comparison_error=_adjust_bar(bar, luck_error, ratio),
            luck_error=luck_error,
            luck_ratio=ratio,
            are_tables_drawn=fit.are_tables_drawn,
            comparison_error=bar,
            is_wide=limit_elo(bars[bot]) != bars[bot],
            rank_low=low,
            rank_high=high,
            elo_bound=bound,
            far_bound=_mark_far(fit.elo[bot], far, bound),
        )


def fit_bound(
    elo: Sequence[float], bars: Sequence[float | None], bot: int, bound: float | None
) -> float | None:
    """Return the bound of a bot, moved so that it shows which others it is separated from, as its bar does.

    Args:
        elo: Ratings.
        bars: By bot, the half widths of the bars.
        bot: The bot.
        bound: Its Elo bound; None if it has none.

    Returns:
        The bound moved, or as it is where the bot has no bar; None without one, and further than `MAX_ELO`
        from 1500.
    """
    own = bars[bot]
    if bound is None:
        return None
    if own is None:
        return bound if limit_elo(abs(bound - MEAN_ELO)) is not None else None
    sign = 1 if bound > elo[bot] else -1
    end = elo[bot] + sign * own
    overlaps = any(
        bar is not None and sign * (other - elo[bot]) > 0 and sign * (other - end) <= bar
        for other, bar in zip(elo, bars, strict=True)
    )
    choose = max if overlaps else min
    moved = sign * choose(sign * bound, sign * end)
    return moved if limit_elo(abs(moved - MEAN_ELO)) is not None else None


def _mark_far(elo: float, bound: float | None, shown: float | None) -> str:
    return "" if bound is None or shown is not None else "<" if bound > elo else ">"


def _adjust_bar(bar: float | None, luck_error: float | None, ratio: float | None) -> float | None:
    """Return the bar of a rating adjusted for luck; None where that has no error."""
    return None if bar is None or luck_error is None else bar / (ratio or 1.0) ** 0.5


def limit_elo(elo: float | None) -> float | None:
    """Return a bar, or a distance from 1500, None if it is longer than `MAX_ELO`: nothing is known then."""
    return elo if elo is not None and elo <= MAX_ELO else None


def rate_overall(
    rows: Sequence[RatingRow],
    fits: Mapping[Game, Fit],
    adjusted: Sequence[Fit] = (),
    marks: Mapping[str, str] = NO_MARKS,
    labels: Mapping[str, str] = NO_MARKS,
    *,
    compared: Sequence[Fit] = (),
    among: Collection[str] | None = None,
) -> Iterator[RatingRow]:
    """Yield the overall rows from those of at least two games.

    Args:
        rows: Rows of all games.
        fits: Ratings by game.
        adjusted: Those adjusted for luck, if they are.
        marks: Why bots, by name, are not ranked.
        labels: What is printed for their names.
        compared: Fits where bars, bounds and ranks come from; none for `fits`.
        among: Names of the bots that have rows and are compared; None for all.
    """
    if len(fits) < 2:
        return
    ratings = {rating.bot: rating for rating in compute_overall_ratings(list(fits.values()))}
    bounds = {rating.bot: rating.bound for rating in compute_overall_ratings(compared)} if compared else {}
    luck = {rating.bot: rating for rating in compute_overall_ratings(adjusted)} if adjusted else {}
    best_first = sorted(
        ratings if among is None else among,
        key=lambda bot: (ratings[bot].elo is None, bot in marks, -(ratings[bot].elo or 0), bot),
    )
    ranked = [bot for bot in best_first if ratings[bot].elo is not None and bot not in marks]
    following = dict(pairwise(ranked))
    bars, places = compare_overall(compared or list(fits.values()), ranked, among)
    rated = [bot for bot in best_first if ratings[bot].elo is not None]
    elo = [ratings[bot].elo or 0.0 for bot in rated]
    lengths = [bars.get(bot) for bot in rated]
    for place, bot in enumerate(best_first, 1):
        own = [row for row in rows if row.bot == bot and row.matches]
        scores = [row.score for row in own if row.score is not None]
        far = bounds.get(bot, ratings[bot].bound) if bot in rated else None
        bound = None if far is None else fit_bound(elo, lengths, rated.index(bot), far)
        low, high = places.get(bot, (None, None))
        bar = limit_elo(bars.get(bot)) if far is None else None
        luck_error = luck[bot].error if luck else None
        ratio = _overall_ratio(ratings[bot].error, luck_error)
        yield RatingRow(
            variant="overall",
            players=None,
            rank=format_rank(place if bot in ranked else None, low, high) or None,
            bot=bot,
            label=labels.get(bot, ""),
            elo=ratings[bot].elo,
            error=ratings[bot].error,
            mark=marks.get(bot, ""),
            matches=sum(row.matches for row in own),
            blocks=sum(row.blocks for row in own),
            score=sum(scores) / len(scores) if scores else None,
            payoff=None,  # tokens, chips and points have no mean
            faults=sum(row.faults for row in own),
            los=to_percent(compute_overall_los(list(fits.values()), bot, following[bot]))
            if bot in following
            else None,
            is_adjusted=bool(luck),
            luck_elo=luck[bot].elo if luck else None,
            luck_comparison_error=_adjust_bar(bar, luck_error, ratio),
            luck_error=luck_error,
            luck_ratio=ratio,
            comparison_error=bar,
            is_wide=limit_elo(bars.get(bot)) != bars.get(bot),
            rank_low=low,
            rank_high=high,
            elo_bound=bound,
            far_bound=_mark_far(ratings[bot].elo or 0.0, far, bound),
        )


def compare_overall(
    fits: Sequence[Fit], ranked: Sequence[str], among: Collection[str] | None = None
) -> tuple[dict[str, float], dict[str, tuple[int, int]]]:
    """Return bars and intervals of ranks over all games, by name.

    There are no bars where two bots of open order have a mean distance that is hardly known: no bars suit
    these two and the pairs that are known well.

    Args:
        fits: Fits of all games.
        ranked: Bots that have a rank, best first.
        among: Bots that are compared, with those ranked; None for all.
    """
    bars: dict[str, float] = {}
    better = _find_better_everywhere(fits, ranked)
    if combined := combine_comparable(fits, among):
        names, group = combined
        own = [names.index(bot) for bot in ranked if bot in names]
        at = [place for place, bot in enumerate(ranked) if bot in names]
        group = group.order_pairs(
            [(own[bot], own[other]) for bot, other in np.argwhere(better[np.ix_(at, at)])]
        )
        if group.find_open_width() <= MAX_OPEN_WIDTH:
            bars = dict(zip(names, group.compute_bars().tolist(), strict=True))
        better[np.ix_(at, at)] |= group.find_better(CONFIDENCE)[np.ix_(own, own)]
    places = compute_rank_intervals(better, range(len(ranked)))
    return bars, {bot: places[place] for place, bot in enumerate(ranked)}


def _find_better_everywhere(fits: Sequence[Fit], ranked: Sequence[str]) -> Order:
    """Return which bots were shown to be better than which in each game, and by points in one or more.

    The distance of such two is hardly known, and so is their mean distance: it would leave the order open.
    """
    size = len(ranked)
    better, is_tested = np.ones((size, size), np.bool_), np.zeros((size, size), np.bool_)
    for fit in fits:
        numbers = [fit.bots.index(bot) for bot in ranked]
        place = {bot: at for at, bot in enumerate(numbers)}
        better &= find_better(fit)[np.ix_(numbers, numbers)]
        for bot, other in fit.score_ratios:
            if bot in place and other in place:
                is_tested[place[bot], place[other]] = True
    order: Order = better & is_tested
    return order


def _overall_ratio(error: float | None, adjusted: float | None) -> float | None:
    return (error / adjusted) ** 2 if error and adjusted else None


# --- anchor ---
# Ratings relative to one bot, the anchor, instead of the centre of the field.


class Anchor(NamedTuple):
    """A bot, and the Elo that it has by definition."""

    bot: str
    elo: float

    @classmethod
    def parse(cls, text: str) -> Anchor:
        """Return the anchor of a text such as `greedy=1500`."""
        bot, _, elo = text.rpartition("=")
        try:
            return cls(bot, float(elo)) if bot and abs(float(elo)) < 1e6 else cls._refuse(text)
        except ValueError:
            return cls._refuse(text)

    @classmethod
    def _refuse(cls, text: str) -> Anchor:
        raise ConfigError(f"--anchor takes a bot and its Elo, as in greedy=1500, not {text!r}")


def anchor_rows(rows: Iterable[RatingRow], anchor: Anchor, fit: Fit | None = None) -> list[RatingRow]:
    """Return the rows of a game or of all games with the Elo relative to the anchor.

    Args:
        rows: The rows of one table.
        anchor: The anchor; where it has no row with an Elo, the rows are returned as they are.
        fit: The ratings of a game, from which the errors become those of the differences to the anchor; None
            over all games, whose rows then have no error.
    """
    rows = list(rows)
    own = next((row for row in rows if row.bot == anchor.bot and row.elo is not None), None)
    if own is None or own.elo is None:
        return rows
    if own.has_bound:
        raise ConfigError(f"the Elo of {own.bot} is only a bound at {own.variant}: choose another anchor")
    numbers = {bot: number for number, bot in enumerate(fit.bots)} if fit else {}

    def error(row: RatingRow) -> float | None:
        if fit is None or row.bot == anchor.bot:
            return None
        return fit.pair_error(numbers[row.bot], numbers[anchor.bot])

    luck = None if own.luck_elo is None else anchor.elo - own.luck_elo
    return [
        replace(
            row,
            elo=_shift(row.elo, anchor.elo - own.elo),
            elo_bound=_shift(row.elo_bound, anchor.elo - own.elo),
            luck_elo=_shift(row.luck_elo, luck),
            error=error(row),
        )
        for row in rows
    ]


def _shift(elo: float | None, by: float | None) -> float | None:
    return None if elo is None or by is None else elo + by
