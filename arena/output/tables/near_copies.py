"""The table of near-copies: bots that decide alike."""

from collections.abc import Sequence
from statistics import median
from typing import Final

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import NAME, PERCENT
from arena.columns.number_format import format_percent
from arena.columns.table_formats import Sheet, TableSet
from arena.output.words.text_format import format_count
from arena.tournament.results.run_results import RunResults
from arena.tournament.review.decision_agreement import AGREEMENT_BLOCKS, Agreement, count_agreements
from arena.tournament.running.run import Run
from arena.tournament.storage.tally import Game

MIN_SHARE: Final = 0.95
"""Smallest share of equal decisions for which two bots are listed."""
MIN_DECISIONS: Final = 100

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


def copies_table(run: Run, results: RunResults) -> TableSet:
    """Return the pairs that decide alike in each game of `results`; programs get all pairs.

    Raises:
        StoreError: For damaged blocks.
    """
    rules = {str(entry.rules): entry.rules for entry in run.config.variants}
    played = (
        (block, result) for block, result in run.played() if (block.variant, block.players) in results.games
    )
    agreements = count_agreements(played, rules, run.seed)
    sheets = [copies_sheet(agreements, game, of_game.title) for game, of_game in results.games.items()]
    return TableSet(COPIES, sheets, agreements)


def copies_sheet(agreements: Sequence[Agreement], game: Game, title: str) -> Sheet:
    """Return the pairs of a game that decide alike, with a note on all that were compared."""
    compared = [pair for pair in agreements if pair.game == game and pair.decisions >= MIN_DECISIONS]
    listed = [pair for pair in compared if pair.share >= MIN_SHARE]
    return Sheet(title, documented(COPIES), listed, [_note(compared)])


def _note(pairs: Sequence[Agreement]) -> str:
    if not pairs:
        return f"No two bots saw the same view {MIN_DECISIONS} times: nothing to compare."
    typical = format_percent(median(pair.share for pair in pairs))
    return (
        f"{format_count(len(pairs), 'pairs')} compared, which decided alike in {typical} in the median; "
        f"those with at least {MIN_SHARE:.0%} are listed."
    )
