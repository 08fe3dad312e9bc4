"""Ratings relative to one bot, the anchor, instead of the centre of the field."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from arena.errors import ConfigError
from arena.rating.elo_fit import Fit
from arena.tournament.results.rating_rows import RatingRow


class Anchor(NamedTuple):
    """A bot, and the Elo that it has by definition."""

    bot: str
    elo: float

    @classmethod
    def parse(cls, text: str) -> Anchor:
        """Return the anchor of a text such as `greedy=1500`.

        Raises:
            ConfigError: For any other.
        """
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

    Raises:
        ConfigError: If the Elo of the anchor is only a bound.
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
