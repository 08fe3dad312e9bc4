"""The table of suspected collusion, and the ratings without the tables of the suspects."""

from collections.abc import Sequence
from typing import Final

from arena.columns.column import Column, ColumnDoc, documented
from arena.columns.kinds import DECIMAL, NAME, PERCENT
from arena.columns.number_format import MISSING
from arena.columns.table_formats import Sheet, TableSet
from arena.output.tables.pairs import GAME, P_WARNING, PairRow, bot_column, p_column
from arena.output.words.text_format import format_count
from arena.rating import Collusion, Fit, detect_collusion, find_colluding_pairs
from arena.tournament.results.run_results import GameResults, RunResults

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
            "Scores of the two against each other do not count: `--cycles` shows those.",
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


def collusion_table(results: RunResults) -> TableSet:
    """Return the suspected pairs of each game, and the ratings with and without their tables.

    Programs get all pairs that were tested.
    """
    sheets = [sheet for game in results.games.values() for sheet in collusion_sheets(game)]
    rows = [
        PairRow(game, pair)
        for game in results.games.values()
        for pair in detect_collusion(game.pair_counts, game.fit)
    ]
    return TableSet(COLLUSION, sheets, rows)


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
    """Return the columns of the Elo in a fit, in whole points, and of its error."""

    def elo(bot: int) -> str:
        bound = fit.elo_bound[bot]
        if bound is not None:
            return f"{'<' if bound > fit.elo[bot] else '>'}{bound:.0f}"
        return f"{fit.elo[bot]:.0f}" if fit.matches[bot] else MISSING

    def error(bot: int) -> int | None:
        half = fit.error[bot] if fit.matches[bot] else None
        return None if half is None else max(round(half), 1)

    return [Column(f"elo{of}", text=elo), Column(f"±{of}", value=error)]
