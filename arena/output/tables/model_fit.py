"""The fit of the ratings of a game to its results: a sentence, and a table of models."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import TEXT, Kind
from arena.columns.number_format import round_percent
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.rating import ModelLoss, Rankings, compare_models
from arena.rating.model_fit import MAX_FALSE_ALARMS
from arena.rating.rating_model import MODEL
from arena.tournament.results.run_results import GameResults, RunResults
from arena.tournament.storage.tally import Game

SMALL_DIFFERENCE: Final = 0.02
"""Difference of two shares below which a pair is said to be nearly explained, however sure it is."""


MIN_TELLING_BLOCKS: Final = 30
"""Blocks of a pair from which a test without a finding says something: a circle of 140 Elo would be found."""
LOSS: Final = Kind(".4f")


class FitRow(NamedTuple):
    """The loss of a model at one game."""

    game: Game
    of: ModelLoss


def _difference_text(row: FitRow) -> str:
    if row.of.model == MODEL.name:
        return ""
    return f"{row.of.difference:+z.4f}" + ("" if row.of.error is None else f" ± {row.of.error:.4f}")


FIT: Final[tuple[Column[FitRow], ...]] = (
    Column("variant", value=lambda row: row.game[0]),
    Column("players", value=lambda row: row.game[1]),
    Column(
        "model",
        ColumnDoc(
            f"""{MODEL.name}: the ratings. Pairwise table: the score of each pair by itself. Plackett-Luce: a
            strength a bot, fitted to whole rankings.""",
        ),
        value=lambda row: row.of.model,
        kind=TEXT,
    ),
    Column(
        "log loss",
        ColumnDoc(
            "How badly the model predicts blocks that it was not fitted to; 0.6931 is a coin.",
            formula="""mean over pairs of seats of -(s ln p + (1 - s) ln(1 - p)), s being 1, 0.5 for a tie or
            0; the blocks of each table are split by their index into five parts, and each is predicted from
            the other four""",
        ),
        value=lambda row: row.of.loss,
        kind=LOSS,
        field="log_loss",
    ),
    Column(
        "difference",
        ColumnDoc(
            f"Log loss less that of {MODEL.name}, with its 95 % interval; below zero it predicts better.",
            formula="Student's t at 97.5 % · the standard error of a ratio of two sums over blocks",
        ),
        value=lambda row: row.of.difference,
        text=_difference_text,
    ),
    Column("error", value=lambda row: row.of.error),
    Column("blocks", ColumnDoc("Blocks predicted."), value=lambda row: row.of.blocks),
)


def fit_table(results: RunResults, rankings: Mapping[Game, Rankings]) -> TableSet:
    """Return the losses of three models at each game, on blocks that they were not fitted to."""
    sheets, rows = [], []
    for game, fitted in results.games.items():
        losses = compare_models(fitted.pair_counts, rankings[game])
        own = [FitRow(game, loss) for loss in losses]
        notes = [line for line in (describe_model_fit(fitted), _describe_losses(losses)) if line]
        notes += [NO_ERROR_NOTE] if any(row.of.error is None for row in own[1:]) else []
        sheets.append(Sheet(fitted.title, documented(FIT), own, notes))
        rows += own
    return TableSet(FIT, sheets, rows)


def _describe_losses(losses: Sequence[ModelLoss]) -> str:
    better = [loss.model for loss in losses if loss.error and loss.difference + loss.error < 0]
    if not better:
        return "No model is shown to predict better than the ratings."
    return f"Shown to predict better than the ratings: {', '.join(better)}."


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
    is_small = abs(score - expected) < SMALL_DIFFERENCE
    points, digits = f"fine to within {100 * SMALL_DIFFERENCE:g} points: " if is_small else "", int(is_small)
    return (
        f"Fit: {points}{bot} beats {other} in {round_percent(100 * score, digits)}% (a tie is half); the "
        f"ratings say {round_percent(100 * expected, digits)}%. "
        f"The worst {tested}; one is named by chance in at most {MAX_FALSE_ALARMS:.0%} of ladders."
    )
