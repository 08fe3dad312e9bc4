"""The table of deviation ratings: strength against the equilibrium of a field."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import NAME, PERCENT
from arena.columns.number_format import MISSING
from arena.columns.table_formats import NO_ERROR_NOTE, Sheet, TableSet
from arena.rating import DeviationRating, compute_deviation_ratings
from arena.tournament.results.run_results import GameResults, RunResults

MAX_NAMED: Final = 3
"""Pairs of bots named in a note."""


class EquilibriumRow(NamedTuple):
    """The deviation rating of a bot at one game."""

    game: GameResults
    rank: int
    """Place; equal ratings share it."""
    elo_rank: int
    of: DeviationRating
    elo_rank_text: str = ""
    """Place by Elo as the ladder prints it, such as `1–2`; empty without one."""


def _interval_text(row: EquilibriumRow) -> str:
    low, high = row.of.low, row.of.high
    return MISSING if low is None or high is None else f"{50 + 100 * low:.1f} to {50 + 100 * high:.1f}%"


EQUILIBRIUM: Final[tuple[Column[EquilibriumRow], ...]] = (
    Column("variant", value=lambda row: row.game.variant),
    Column("players", value=lambda row: row.game.players),
    Column("rank"),  # people get intervals: scores that overlap show no order
    Column(
        "bot",
        ColumnDoc("Name of the bot."),
        value=lambda row: row.game.fit.bots[row.of.bot],
        text=lambda row: row.game.text_name(row.of.bot),
        kind=NAME,
    ),
    Column(
        "score",
        ColumnDoc(
            """Score against the equilibrium of the field: 50 is as good as any, less is lost to the best
            mixture of bots. Copies of a bot do not change it.""",
            "percent",
            """50 + 100 · deviation rating (Marris et al. 2025): Σ y(b) · score against b, where the mixture y
            makes the largest of these least, then the next, and so on; scores are those of the table of pairs
            with one virtual game as the ratings predict""",
            """Many may have 50: a bot that loses to one of them need not be worse. How good a bot is against
            weak ones does not count.""",
        ),
        value=lambda row: 0.5 + row.of.gain,
        kind=PERCENT,
    ),
    Column(
        "interval",
        ColumnDoc(
            "95 % interval of the score.",
            "percent",
            "percentiles of 200 samples of the blocks, drawn with replacement from a fixed seed",
            "It ends at 50, as nobody does better than the equilibrium.",
        ),
        text=_interval_text,
    ),
    Column("low", value=lambda row: None if row.of.low is None else 0.5 + row.of.low, kind=PERCENT),
    Column("high", value=lambda row: None if row.of.high is None else 0.5 + row.of.high, kind=PERCENT),
    Column(
        "elo rank",
        ColumnDoc("Place by Elo; `1–2` where the blocks played leave the order open, as in the ladder."),
        value=lambda row: row.elo_rank,
        text=lambda row: row.elo_rank_text or f"{row.elo_rank:,}",
        field="elo_rank",
    ),
)


def equilibrium_table(results: RunResults) -> TableSet:
    """Return the deviation ratings of each game, best first."""
    sheets, rows = [], []
    for game in results.games.values():
        own = list_equilibrium(game)
        notes = [line for line in [describe_disagreement(own)] if line]
        notes += [NO_ERROR_NOTE] if any(row.of.low is None for row in own) else []
        sheets.append(Sheet(game.title, documented(EQUILIBRIUM), own, notes))
        rows += own
    return TableSet(EQUILIBRIUM, sheets, rows)


def list_equilibrium(game: GameResults) -> list[EquilibriumRow]:
    """Return the deviation ratings of a game, best first, equals by Elo."""
    place = {bot: number for number, bot in enumerate(game.ranking, 1)}
    copy_gains = [
        rating for rating in compute_deviation_ratings(game.pair_counts, game.fit) if rating.bot in place
    ]
    copy_gains.sort(key=lambda copied: (-copied.gain, place[copied.bot]))
    gains = [copy_gain.gain for copy_gain in copy_gains]
    text = {row.bot: row.text_rank for row in game.rows}
    return [
        EquilibriumRow(
            game,
            gains.index(copied.gain) + 1,
            place[copied.bot],
            copied,
            text.get(game.fit.bots[copied.bot], ""),
        )
        for copied in copy_gains
    ]


def describe_disagreement(rows: Sequence[EquilibriumRow]) -> str:
    """Return a sentence on pairs in the other order than by Elo; empty if there are none."""
    pairs = list(_disagreements(rows))
    if not pairs:
        return ""
    named = [f"{_name(better)} above {_name(worse)}" for better, worse in pairs[:MAX_NAMED]]
    more = len(pairs) - MAX_NAMED
    return (
        f"Not the order of Elo: {', '.join(named)}{f', {more} more' if more > 0 else ''}. Elo counts scores "
        "against the whole field, this those against the equilibrium."
    )


def _disagreements(rows: Sequence[EquilibriumRow]) -> Iterable[tuple[EquilibriumRow, EquilibriumRow]]:
    """Yield pairs whose intervals do not overlap, and of which Elo has the other first."""
    for better in rows:
        for worse in rows:
            if better.of.low is None or worse.of.high is None:
                continue
            if better.of.low > worse.of.high and better.elo_rank > worse.elo_rank:
                yield better, worse


def _name(row: EquilibriumRow) -> str:
    return row.game.fit.bots[row.of.bot]
