"""Tables of pairs of bots: their scores, and those that the ratings do not explain."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from arena.columns.column import (
    Column,
    ColumnDoc,
    documented,
)
from arena.columns.kinds import DECIMAL, NAME, PERCENT, PROBABILITY
from arena.columns.number_format import format_count, round_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.rating.mean_intervals import PairScore
from arena.rating.model_fit import MAX_FALSE_ALARMS, compute_pair_residuals
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS
from arena.tournament.results.results import GameResults, RunResults

FEW_BLOCKS: Final = "fewer than six blocks"
"""Warning beside a number."""
MAX_P: Final = 1 - CONFIDENCE
"""Pairs with a smaller p, corrected for the number of pairs, are listed."""
SMALL_DIFFERENCE: Final = 0.02
"""Difference of two shares below which a pair is said to be nearly explained, however sure it is."""
MIN_TELLING_BLOCKS: Final = 30
"""Blocks of a pair from which a test without a finding says something: a circle of 140 Elo would be found."""
ONE_LOOK_NOTE: Final = (
    "± holds for one look at each score alone; the ranks of the ratings hold at all numbers of blocks."
)


class PairRow(NamedTuple):
    """A statistic of two bots of a game."""

    game: GameResults
    of: Any
    """PairScore, PairResidual or Collusion."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.of, name)

    def name(self, bot: int) -> str:
        """Return the name of a bot."""
        return self.game.fit.bots[bot]


GAME: Final[tuple[Column[PairRow], ...]] = (
    Column("variant", value=lambda row: row.game.variant),
    Column("players", value=lambda row: row.game.players),
)
BLOCKS: Final = Column[PairRow](
    "blocks",
    ColumnDoc("Blocks both played at the same table.", warning="Halving an error takes four times as many."),
)


def bot_column(name: str, meaning: str) -> Column[PairRow]:
    """Return the column of a bot that an attribute of the row's object has the number of."""
    return Column(name, ColumnDoc(meaning), lambda row: row.name(getattr(row.of, name)), NAME)


def p_column(meaning: str, formula: str, warning: str) -> Column[PairRow]:
    """Return the column of a probability, with every digit for programs."""
    doc = ColumnDoc(meaning, "0 to 1", formula, warning)
    return Column("p", doc, kind=PROBABILITY, is_rounded=False)


P_WARNING: Final = "A large one does not prove the opposite."

MATRIX: Final[tuple[Column[PairRow], ...]] = (
    *GAME,
    bot_column("bot", "Bot of the row; rows and columns are ordered by Elo, the highest first."),
    bot_column("other", "Bot of the column. A cell is the share that the row took from the column."),
    BLOCKS,
    Column(
        "score",
        ColumnDoc(
            "Share of points taken from the other at shared tables, with its 95 % interval.",
            "percent",
            """100 · (better places + ties / 2) / pairs of their seats; ± Student's t at 97.5 % · the standard
            error of a ratio of two sums over blocks""",
            "At tables of more than two it depends on the other bots there.",
        ),
        kind=PERCENT,
        error=lambda row: row.of.error,
    ),
    Column("error", kind=PERCENT),
)
EXCEPTIONS: Final[tuple[Column[PairRow], ...]] = (
    *GAME,
    bot_column("bot", "The bot that did better against the other than their ratings predict."),
    bot_column("other", "The bot that did worse."),
    BLOCKS,
    Column(
        "score",
        ColumnDoc(
            "Share of points the bot took from the other.",
            "percent",
            "expected + 100 · points beyond expectation / pairs of their seats",
        ),
        kind=PERCENT,
    ),
    Column(
        "expected",
        ColumnDoc(
            "Share predicted by their ratings.",
            "percent",
            "100 / (1 + 10^((Elo of the other - own Elo) / 400))",
            "The ratings are fitted to the same matches, so they lean a little towards the score.",
        ),
        kind=PERCENT,
    ),
    Column(
        "z",
        ColumnDoc(
            "Distance of score from expected.",
            "standard errors",
            """Σ e / its standard error, e being a block's points beyond expectation, less what the block
            moved that (up to 30 bots); where the weaker should take fewer than ten points in all, the
            variance is at least that of independent games""",
            "It grows with the number of blocks: a large value need not mean a large difference.",
        ),
        kind=DECIMAL,
    ),
    p_column(
        "Probability of at least one such pair if ratings explained everything.",
        "both tails of the normal distribution beyond z, corrected for the number of pairs (Holm)",
        f"At tables of three or more a third bot may be the cause. {P_WARNING}",
    ),
)


def pair_score_text(row: PairScore) -> str:
    """Return the score of a pair in percent, with a warning for fewer than six blocks."""
    text = PERCENT.text(row.score, row.error)
    return f"{text} ({FEW_BLOCKS})" if row.blocks < MIN_BLOCKS else text


def matrix_table(results: RunResults) -> TableSet:
    """Return the scores of each bot against each other."""
    games = list(results.games.values())
    rows = [PairRow(game, pair) for game in games for pair in _by_rank(game)]
    return TableSet(MATRIX, [matrix_sheet(game) for game in games], rows)


def matrix_sheet(game: GameResults) -> Sheet:
    """Return the scores of one game as a square."""
    scores = {(score.bot, score.other): score for score in game.pair_scores}
    columns = [Column[int]("bot", value=game.text_name, kind=NAME)]
    columns += [_score_column(game.text_name(other), other, scores) for other in game.ranking]
    notes = [NO_ERROR_NOTE] if any(score.error is None for score in game.pair_scores) else []
    notes += [ONE_LOOK_NOTE] if game.is_anytime else []
    return Sheet(game.title, columns, game.ranking, notes)


def _score_column(name: str, other: int, scores: Mapping[tuple[int, int], PairScore]) -> Column[int]:
    def get(bot: int, part: str) -> float | None:
        return getattr(scores.get((bot, other)), part, None)

    return Column(
        name, value=partial(get, part="score"), kind=PERCENT, error=partial(get, part="error"), missing=""
    )


def exceptions_table(results: RunResults) -> TableSet:
    """Return the pairs whose results no order of strength explains; programs get all pairs."""
    sheets, rows = [], []
    for game in results.games.values():
        own = [PairRow(game, residual) for residual in compute_pair_residuals(game.pair_counts, game.fit)]
        listed = [row for row in own if row.of.p < MAX_P]
        tested = "the significant ones are listed." if listed else "none is significant."
        notes = [describe_model_fit(game), f"{format_count(len(own), 'pairs')} tested; {tested}"]
        sheets.append(Sheet(game.title, documented(EXCEPTIONS), listed, [note for note in notes if note]))
        rows += own
    return TableSet(EXCEPTIONS, sheets, rows)


def has_exception(game: GameResults) -> bool:
    """Return whether a pair is off from its ratings, significantly and by more than a small difference."""
    fit = game.model_fit
    return fit is not None and fit.is_rejected and abs(fit.score - fit.expected) >= SMALL_DIFFERENCE


def describe_model_fit(game: GameResults) -> str:
    """Return a sentence on the fit of the ratings: fine, or the worst pair; empty where nothing is tested."""
    fit = game.model_fit
    if fit is None:
        return ""
    tested = f"of {fit.pairs} pairs" if fit.pairs > 1 else "of the one pair with enough blocks"
    if not fit.is_rejected and fit.blocks < MIN_TELLING_BLOCKS:
        return f"Fit: not known yet; exceptions show from about {MIN_TELLING_BLOCKS} blocks of a pair on."
    if not fit.is_rejected:
        return f"Fit: fine; the ratings explain the results {tested}."
    bots, score, expected = (fit.bot, fit.other), fit.score, fit.expected
    if score < 0.5:
        bots, score, expected = bots[::-1], 1 - score, 1 - expected
    bot, other = map(game.label, bots)
    is_small = not has_exception(game)
    points, digits = f"fine to within {100 * SMALL_DIFFERENCE:g} points: " if is_small else "", int(is_small)
    return (
        f"Fit: {points}{bot} beats {other} in {round_percent(100 * score, digits)}% (a tie is half); the "
        f"ratings say {round_percent(100 * expected, digits)}%. "
        f"The worst {tested}; one is named by chance in at most {MAX_FALSE_ALARMS:.0%} of ladders."
    )


def _by_rank(game: GameResults) -> list[PairScore]:
    place = {bot: number for number, bot in enumerate(game.fit.ranking)}
    return sorted(game.pair_scores, key=lambda score: (place[score.bot], place[score.other]))
