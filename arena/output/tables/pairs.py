"""Tables of pairs of bots: scores, intransitive pairs, and the effect of third bots."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from arena.columns.column import (
    Column,
    ColumnDoc,
    Columns,
    documented,
)
from arena.columns.kinds import DECIMAL, NAME, PERCENT, PROBABILITY
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.output.words.text_format import format_count
from arena.rating import (
    CONFIDENCE,
    MIN_BLOCKS,
    Fit,
    PairCounts,
    PairScore,
    compute_pair_residuals,
    estimate_third_party_effects,
)
from arena.tournament.results.run_results import GameResults, RunResults

FEW_BLOCKS: Final = "fewer than six blocks"
"""Warning beside a number."""
MAX_P: Final = 1 - CONFIDENCE
"""Pairs with a smaller p, corrected for the number of pairs, are listed."""


class PairRow(NamedTuple):
    """A statistic of two bots of a game."""

    game: GameResults
    of: Any
    """PairScore, PairResidual or ThirdPartyEffect."""

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
CYCLES: Final[tuple[Column[PairRow], ...]] = (
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
THIRD: Final[tuple[Column[PairRow], ...]] = (
    *GAME,
    bot_column("bot", "The bot whose score against all but the third is compared."),
    bot_column("third", "The bot that is at the table or not."),
    Column(
        "with",
        ColumnDoc("Blocks of the bot with the third at its table; at least six are required."),
        value=lambda row: row.of.blocks_with,
    ),
    Column(
        "without",
        ColumnDoc("Its other blocks; at least six are required."),
        value=lambda row: row.of.blocks_without,
    ),
    Column(
        "shift",
        ColumnDoc(
            """Additional share of points the bot takes from the others with the third there, with its 95
            % interval.""",
            "percent of a point a game",
            """mean of points beyond what all their ratings predict, with the third less without; ±
            Student's t at 97.5 % · the standard error of that difference (Welch)""",
            "A third that is merely strong or weak shifts nothing: ratings account for that.",
        ),
        kind=PERCENT,
        error=lambda row: row.of.error,
    ),
    Column("error", kind=PERCENT),
    p_column(
        "Probability of at least one such shift if no third mattered.",
        """both tails of Student's t beyond shift / its standard error (Welch), corrected for their number
            (Holm)""",
        P_WARNING,
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
    return Sheet(game.title, columns, game.ranking, notes)


def _score_column(name: str, other: int, scores: Mapping[tuple[int, int], PairScore]) -> Column[int]:
    def get(bot: int, part: str) -> float | None:
        return getattr(scores.get((bot, other)), part, None)

    return Column(
        name, value=partial(get, part="score"), kind=PERCENT, error=partial(get, part="error"), missing=""
    )


def cycles_table(results: RunResults) -> TableSet:
    """Return the pairs whose results no order of strength explains; programs get all pairs."""
    return _exceptions(results, CYCLES, compute_pair_residuals, "")


def third_party_table(results: RunResults) -> TableSet:
    """Return the bots whose results depend on a third bot at the table; programs get all of them."""
    return _exceptions(results, THIRD, estimate_third_party_effects, " of a bot and a third")


def _exceptions(
    results: RunResults,
    columns: Columns[PairRow],
    estimate: Callable[[PairCounts, Fit], Iterable[Any]],
    of_what: str,
) -> TableSet:
    sheets, rows = [], []
    for game in results.games.values():
        own = [PairRow(game, effect) for effect in estimate(game.pair_counts, game.fit)]
        listed = [row for row in own if row.of.p < MAX_P]
        note = f"{format_count(len(own), 'pairs')}{of_what} tested; "
        note += "the significant ones are listed." if listed else "none is significant."
        if of_what and not own:
            note = "No bot has six blocks both with and without some third bot: nothing to compare."
        sheets.append(Sheet(game.title, documented(columns), listed, [note]))
        rows += own
    return TableSet(columns, sheets, rows)


def _by_rank(game: GameResults) -> list[PairScore]:
    place = {bot: number for number, bot in enumerate(game.fit.ranking)}
    return sorted(game.pair_scores, key=lambda score: (place[score.bot], place[score.other]))
