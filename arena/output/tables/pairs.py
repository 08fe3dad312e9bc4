"""Tables of pairs of bots, and what they say about fair play."""

from collections.abc import Mapping, Sequence
from functools import partial
from statistics import median
from typing import Any, Final, NamedTuple

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import DECIMAL, NAME, PERCENT, PROBABILITY
from arena.columns.number_format import format_count, format_percent, round_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.rating.collusion import Collusion, detect_collusion, find_colluding_pairs
from arena.rating.mean_intervals import PairScore
from arena.rating.model_fit import MAX_FALSE_ALARMS, compute_pair_residuals
from arena.rating.student_t import CONFIDENCE, MIN_BLOCKS
from arena.tournament.results.rating_rows import RatingRow, rate_game
from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.review.differences import AGREEMENT_BLOCKS, Agreement, count_agreements
from arena.tournament.run import Run
from arena.tournament.store.played_blocks import Game

# --- scores ---
# Scores of pairs, and those that the ratings do not explain.

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


def _bot_column(name: str, meaning: str) -> Column[PairRow]:
    """Return the column of a bot that an attribute of the row's object has the number of."""
    return Column(name, ColumnDoc(meaning), lambda row: row.name(getattr(row.of, name)), NAME)


def _p_column(meaning: str, formula: str, warning: str) -> Column[PairRow]:
    """Return the column of a probability, with every digit in machine-readable tables."""
    doc = ColumnDoc(meaning, "0 to 1", formula, warning)
    return Column("p", doc, kind=PROBABILITY, is_rounded=False)


P_WARNING: Final = "A large one does not prove the opposite."

MATRIX: Final[tuple[Column[PairRow], ...]] = (
    *GAME,
    _bot_column("bot", "Bot of the row; rows and columns are ordered by Elo, the highest first."),
    _bot_column("other", "Bot of the column. A cell is the share that the row took from the column."),
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
    _bot_column("bot", "The bot that did better against the other than their ratings predict."),
    _bot_column("other", "The bot that did worse."),
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
    _p_column(
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


# --- fair play ---
# Suspected collusion with the ratings without it, and bots that decide alike.

MIN_SHARE: Final = 0.95
"""Smallest share of equal decisions for which two bots are listed."""
MIN_DECISIONS: Final = 100
"""Smallest number of decisions on the same views for which two bots are compared."""

COLLUSION: Final[tuple[Column[PairRow], ...]] = (
    *GAME,
    _bot_column("bot", "The bot that is favoured."),
    _bot_column("helper", "The other, which may help it on purpose or without knowing."),
    Column(
        "blocks",
        ColumnDoc("Blocks with both; twelve with both and twelve of each without the other are required."),
    ),
    Column(
        "gain",
        ColumnDoc(
            "Additional share of points the bot takes from others with the helper at the table.",
            "percent of a point a game",
            "mean of points beyond what the ratings predict, with the helper less without",
        ),
        kind=PERCENT,
    ),
    Column(
        "sacrifice",
        ColumnDoc(
            "Share of points the helper loses to others with the bot at the table.",
            "percent of a point a game",
            "as for gain, of the helper, with the sign reversed",
        ),
        kind=PERCENT,
    ),
    Column(
        "advantage",
        ColumnDoc(
            "Both together, with the 95 % interval.",
            "percent of a point a game",
            "gain + sacrifice; ± Student's t at 97.5 % · its standard error (Welch)",
            "Scores of the two against each other do not count: `--show exceptions` has those.",
        ),
        kind=PERCENT,
        error=lambda row: row.of.error,
    ),
    Column("error", kind=PERCENT),
    Column(
        "z",
        ColumnDoc(
            "Advantage compared with that of all pairs of the field.",
            "standard errors",
            """advantage / standard error, divided by 1.4826 times its median over all pairs if that is more
            than 1""",
        ),
        kind=DECIMAL,
    ),
    _p_column(
        "Probability of at least one such pair in this game if nobody colluded.",
        "both tails of Student's t beyond z, corrected for the number of pairs (Holm)",
        f"A small one is a reason to look at their replays, no proof of intent. {P_WARNING}",
    ),
)
WITHOUT_NOTE: Final = "Without: only the blocks in which no listed pair sat at one table."


COPIES: Final[tuple[Column[Agreement], ...]] = (
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column("bot", ColumnDoc("One of two bots that decide alike."), kind=NAME),
    Column("other", ColumnDoc("The other."), kind=NAME),
    Column("blocks", ColumnDoc("Blocks in which both saw the same.")),
    Column(
        "decisions",
        ColumnDoc(
            "Decisions of both on the same view, with more than one legal action.",
            warning=f"""In a block the same cards are played once by each bot of the table in each seat:
            views are the same until somebody decides differently. Counted in the first
            {AGREEMENT_BLOCKS:,} blocks of a game.""",
        ),
    ),
    Column("alike"),
    Column(
        "share",
        ColumnDoc(
            "Share of these decisions that were the same.",
            "percent",
            "100 · decisions alike / decisions",
            "Good bots agree on most: compare it with the median below the table.",
        ),
        kind=PERCENT,
    ),
)


class _FairPlayRow(NamedTuple):
    """Two bots of a game: the advantage of the one by the other, and how often they decided alike."""

    game: GameResults
    bot: str
    other: str
    tests: tuple[Collusion | Agreement, ...]
    """One or both."""

    def __getattr__(self, name: str) -> Any:
        return next((getattr(test, name) for test in self.tests if hasattr(test, name)), None)


FAIR_PLAY: Final[tuple[Column[Any], ...]] = (
    *GAME,
    Column("bot", ColumnDoc("One of two bots: the one that is favoured, where that was tested."), kind=NAME),
    Column("other", ColumnDoc("The other, which may help it."), kind=NAME),
    *[column for column in COLLUSION if column.name not in ("variant", "players", "bot", "helper")],
    *[column for column in COPIES if column.name in ("decisions", "alike", "share")],
)


def fair_play_table(run: Run, results: RunResults) -> TableSet:
    """Return of each game the pairs suspected of collusion, and those that decide alike.

    Programs get all pairs that were tested for either.
    """
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    played = (
        (block, result) for block, result in run.played() if (block.variant, block.players) in results.games
    )
    agreements = count_agreements(played, rules, run.seed)
    sheets, rows = [], []
    for game in results.games.values():
        copies = copies_sheet(agreements, game.game, f"{game.title}: bots that decide alike")
        sheets += [*collusion_sheets(game), copies]
        alike = {frozenset((pair.bot, pair.other)): pair for pair in agreements if pair.game == game.game}
        for pair in detect_collusion(game.pair_counts, game.fit):
            bot, helper = game.fit.bots[pair.bot], game.fit.bots[pair.helper]
            agreement = alike.pop(frozenset((bot, helper)), None)
            rows.append(_FairPlayRow(game, bot, helper, (pair, agreement) if agreement else (pair,)))
        rows += [_FairPlayRow(game, pair.bot, pair.other, (pair,)) for pair in alike.values()]
    return TableSet(FAIR_PLAY, sheets, rows)


def collusion_sheets(game: GameResults) -> list[Sheet]:
    """Return the suspected pairs of a game and, if there are any, the ratings without their tables."""
    tested = detect_collusion(game.pair_counts, game.fit)
    suspects = find_colluding_pairs(game.pair_counts, game.fit)
    rows = [PairRow(game, pair) for pair in suspects]
    sheet = Sheet(game.title, documented(COLLUSION), rows, [_note(len(tested), bool(suspects))])
    return [sheet, _ratings_sheet(game, suspects)] if suspects else [sheet]


def _note(tested: int, has_suspects: bool) -> str:
    if not tested:
        return (
            "No two bots have twelve blocks together and twelve each without the other: nothing to compare."
        )
    note = f"{format_count(tested, 'pairs')} of bots tested; "
    if has_suspects:
        return note + "the significant ones are listed, each tested without the tables of those above it."
    return note + "none is significant."


def _ratings_sheet(game: GameResults, suspects: Sequence[Collusion]) -> Sheet:
    """Return the ratings beside those without the tables at which suspects met."""
    remaining = game.fit_without_tables_of((pair.bot, pair.helper) for pair in suspects)
    columns = [Column[str]("bot", value=str, kind=NAME)]
    for fit, of in ((game.fit, ""), (remaining, " without")):
        columns += _elo_columns({row.bot: row for row in rate_game(game.game, fit, game.tally)}, of)
    title = f"{game.title}: ratings without the tables of these pairs"
    return Sheet(title, columns, [game.fit.bots[bot] for bot in game.fit.ranking], [WITHOUT_NOTE])


def _elo_columns(rows: Mapping[str, RatingRow], of: str) -> list[Column[str]]:
    """Return the columns of the Elo, in whole points, and of its bar for comparing, by name of a bot."""

    def error(bot: str) -> int | None:
        bar = rows[bot].comparison_error
        return None if bar is None else max(round(bar), 1)

    return [Column(f"elo{of}", text=lambda bot: rows[bot].short_elo), Column(f"±{of}", value=error)]


def copies_sheet(agreements: Sequence[Agreement], game: Game, title: str) -> Sheet:
    """Return the pairs of a game that decide alike, with a note on all that were compared."""
    compared = [pair for pair in agreements if pair.game == game and pair.decisions >= MIN_DECISIONS]
    listed = [pair for pair in compared if pair.share >= MIN_SHARE]
    return Sheet(title, documented(COPIES), listed, [_copies_note(compared)])


def _copies_note(pairs: Sequence[Agreement]) -> str:
    if not pairs:
        return f"No two bots saw the same view {MIN_DECISIONS} times: nothing to compare."
    typical = format_percent(median(pair.share for pair in pairs))
    return (
        f"{format_count(len(pairs), 'pairs')} compared, which decided alike in {typical} in the median; "
        f"those with at least {MIN_SHARE:.0%} are listed."
    )
