"""Tables of fair play: suspected collusion with the ratings without it, and bots that decide alike."""

from collections.abc import Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import DECIMAL, NAME, PERCENT
from arena.columns.number_format import MISSING, format_count, format_percent
from arena.columns.table_formats import Sheet, TableSet
from arena.output.tables.pairs import GAME, P_WARNING, PairRow, bot_column, p_column
from arena.rating.collusion import Collusion, detect_collusion, find_colluding_pairs
from arena.rating.comparisons import compute_comparison_errors
from arena.rating.elo_fit import Fit
from arena.tournament.results.rating_rows import fit_bound
from arena.tournament.results.results import GameResults, RunResults
from arena.tournament.review.differences import AGREEMENT_BLOCKS, Agreement, count_agreements
from arena.tournament.run import Run
from arena.tournament.store.played_blocks import Game

MIN_SHARE: Final = 0.95
"""Smallest share of equal decisions for which two bots are listed."""
MIN_DECISIONS: Final = 100
"""Smallest number of decisions on the same views for which two bots are compared."""

COLLUSION: Final[tuple[Column[PairRow], ...]] = (
    *GAME,
    bot_column("bot", "The bot that is favoured."),
    bot_column("helper", "The other, which may help it on purpose or without knowing."),
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
    p_column(
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


class FairPlayRow(NamedTuple):
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

    Raises:
        StoreError: For damaged blocks.
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
            rows.append(FairPlayRow(game, bot, helper, (pair, agreement) if agreement else (pair,)))
        rows += [FairPlayRow(game, pair.bot, pair.other, (pair,)) for pair in alike.values()]
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
    published = game.fit
    remaining = game.fit_without_tables_of((pair.bot, pair.helper) for pair in suspects)
    columns = [
        Column[int]("bot", value=lambda bot: published.bots[bot], kind=NAME),
        *(
            column
            for fit, of in ((published, ""), (remaining, " without"))
            for column in _elo_columns(fit, of)
        ),
    ]
    title = f"{game.title}: ratings without the tables of these pairs"
    return Sheet(title, columns, published.ranking, [WITHOUT_NOTE])


def _elo_columns(fit: Fit, of: str) -> list[Column[int]]:
    """Return the columns of the Elo in a fit, in whole points, and of its bar for comparing."""
    bars = compute_comparison_errors(fit)

    def elo(bot: int) -> str:
        if not fit.matches[bot]:
            return MISSING
        if fit.elo_bound[bot] is None:
            return f"{fit.elo[bot]:.0f}"
        bound = fit_bound(fit.elo, bars, bot, fit.elo_bound[bot])
        return MISSING if bound is None else f"{'<' if bound > fit.elo[bot] else '>'}{bound:.0f}"

    def error(bot: int) -> int | None:
        bar = bars[bot] if fit.matches[bot] and fit.elo_bound[bot] is None else None
        return None if bar is None else max(round(bar), 1)

    return [Column(f"elo{of}", text=elo), Column(f"±{of}", value=error)]


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
