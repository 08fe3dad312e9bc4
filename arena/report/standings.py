"""The standings by the rules of a format, and the documentation of their columns."""

from itertools import groupby
from typing import Final

from arena.report.comparison import ELO, ERROR, LOS, PAYOFF, SCORE
from arena.tournament.formats import Pairing, Scoreboard
from arena.tournament.formats.base import ELO_LEAD, POOLED_ELO
from arena.tournament.results.columns import (
    Column,
    ColumnDoc,
    ColumnDocs,
    Sheet,
    TableSet,
    column_docs,
    make_table,
    text_rows,
)
from arena.tournament.setup.config import Config

BOT: Final = ColumnDoc("The bot, as the config names it.")
SWISS: Final = {
    "place": ColumnDoc(
        "Rank; empty for a bot that has not played.",
        formula="""by Elo, then by score, then by the columns after them in turn, then by the order of the
        config; withdrawn bots last""",
        warning="It has no error bar: a better place does not prove a stronger bot.",
    ),
    "bot": BOT,
    "rounds": ColumnDoc(
        "Rounds played.", warning="Sitting out a round counts neither for a bot nor against it."
    ),
    "score": ColumnDoc(
        "Share of points taken in all games.",
        "percent",
        "100 · (better places + ties / 2) / pairs of its seats with those of other bots",
        "It is not the share of matches won, and better bots met stronger opponents: the rank is by Elo.",
    ),
    POOLED_ELO: ColumnDoc(
        "Rating fitted to all matches of the tournament, over all its games together; `elo` in CSV and JSON.",
        "Elo; 400 more are odds of ten to one",
        "as in the table of ratings, from the pairs of all games at once",
        "It is not one of the ratings below, which fit each game by itself, and it has no error bar.",
    ),
    "buchholz": ColumnDoc(
        "Strength of the opponents.",
        "percent",
        "mean score of the opponents, each counted as often as they met",
    ),
    "sonneborn-berger": ColumnDoc(
        "Strength of the opponents from whom it took points.",
        "percent",
        "sum over opponents of their score · the points it took from them / all points it played for",
        "It is a tie-break, no second score.",
    ),
    "payoff": ColumnDoc(
        "Mean payoff of a match over all games.",
        "tokens, chips and points, added as if they were one unit",
        "sum of its payoffs / its matches",
        "Where games settle in different units it is only a tie-break.",
    ),
}
KNOCKOUT: Final = {
    "place": ColumnDoc(
        "Rank: bots that are left first, then those eliminated later.",
        formula="by round of elimination; within a round by score, equals by the order of the config",
        warning="Bots eliminated in the same round sat at different tables, so their order says little.",
    ),
    "bot": BOT,
    "out": ColumnDoc(
        "Round of elimination; empty for a bot that is left.",
        formula="""the round at whose table it was among the last when that was decided: with 99 % confidence
        by Student's t on the difference in each block, or by the scores at the end""",
        warning="At a table that played all its blocks, the bots may be equally strong.",
    ),
    "score": ColumnDoc(
        "Share of points taken at its last table, with the half width of its 95 % interval.",
        "percent",
        """100 · (better places + ties / 2) / all it could take there; ± Student's t at 97.5 % · the standard
        error of the mean over blocks, from 6 on""",
        "Scores of different tables cannot be compared, and tables stop when they look clear.",
    ),
    "blocks": ColumnDoc(
        "Blocks of that table over all games.", warning="Blocks of earlier rounds are not counted."
    ),
    "note": ColumnDoc(
        """`not separated` where the test did not tell a bot from the one that it is compared with: an
        eliminated bot from the last that stayed at its table, the winner from the second.""",
        formula="""the higher score at that table decided; of equal scores the order of the config, which in a
        league's final is that of the ladder""",
        warning="More blocks (max_blocks) may show another order.",
    ),
}
BOUND_WARNING: Final = (
    "The interval is not symmetric about elo, as Elo is not a linear function of the score."
)
COMPARISON: Final = {
    "place": ColumnDoc(
        "Rank by score.", warning="It does not prove that the first is stronger: see the verdict."
    ),
    "bot": BOT,
    "score": SCORE,
    "error": ERROR,
    "los": LOS,
    ELO_LEAD: ELO,
    "low": ColumnDoc("Lower end of the interval; empty if unbounded.", "Elo", warning=BOUND_WARNING),
    "high": ColumnDoc("Upper end of the interval; empty if unbounded.", "Elo", warning=BOUND_WARNING),
    "payoff": PAYOFF,
    "blocks": ColumnDoc(
        "Blocks counted, up to the last look.", warning="Blocks played after the last look do not count."
    ),
}
SELECTION: Final = {
    "place": ColumnDoc(
        """Rank. Candidates whose order is not known share a place: those left when the best is sought, else
        the candidates of a group.""",
        formula="a group is above the next if every pair of one from each was shown",
        warning="""When the best is sought, nothing is shown about the order of those that are out; of several
        that are exactly equal one may be out.""",
    ),
    "bot": BOT,
    "score": ColumnDoc(
        "Share of points it took from its opponents, with a field from the other seats.",
        "percent",
        "100 · mean over its blocks of (better places + ties / 2) / pairs of its seats with others",
        "Candidates that were out early met others than those left later: compare by behind.",
    ),
    "behind": ColumnDoc(
        "Difference of its score to that of the first, in the blocks that both played.",
        "percent; 0 are equals",
        """100 · mean over common blocks of (its score - that of the first); without a field, the strength of
        each third one met, by least squares over all blocks, is added to the score first""",
        "The first is the best of many by chance, too: the difference tends to be overstated.",
    ),
    "error": ColumnDoc(
        "Half width of the interval of behind with which the selection decides.",
        "percent",
        """Student's t with blocks - 1 degrees of freedom · √((Σ (difference - mean)² + p) / (blocks - 1) /
        blocks), p being 2 without a field, 0.5 with one, as one pseudo-block won by each; t is so wide that
        the answer is right in 95 of 100 selections, over all candidates and looks""",
    ),
    "payoff": ColumnDoc(
        "Mean payoff of a seat of it in a match.",
        "tokens, chips or points, whichever the game settles in",
        "mean over blocks of the mean of its seats",
        "Placings decide which bot is stronger; the payoff may disagree.",
    ),
    "faults": ColumnDoc("Its failures; after each the arena played the safest action."),
    "blocks": ColumnDoc("Blocks it played as a candidate, up to the look at which it was out."),
    "worse_than": ColumnDoc(
        "The candidate that it was first shown to be worse than; empty if there is none.",
    ),
}
GRADING: Final = {
    "rung": ColumnDoc("Number of the rung, from 1, the weakest."),
    "bot": ColumnDoc("The bot of the rung."),
    "score": SCORE,
    "error": ERROR,
    "los": LOS,
    ELO_LEAD: ELO,
    "low": COMPARISON["low"],
    "high": COMPARISON["high"],
    "faults": ColumnDoc("Failures of the graded bot; after each the arena played the safest action."),
    "blocks": ColumnDoc("Blocks counted, up to the last look; empty for a rung that was not reached."),
    "beaten": ColumnDoc(
        "Whether the graded bot was shown to be the stronger, yes or no; empty where they were not compared.",
        formula="yes if the interval of the score, which holds at all looks together, is above 50 %",
        warning="No does not mean that it is the weaker: see its interval.",
    ),
}
RESOLVING: Final = {
    "variant": ColumnDoc("The game with its options, as the config names it."),
    "players": ColumnDoc("Seats at the table."),
    "better": ColumnDoc(
        "The bot with the higher Elo of two that should be separated.",
        formula="neighbours in the table of ratings; in a gauntlet the hero and each other bot",
        warning="It need not be the stronger one until the two are resolved.",
    ),
    "worse": ColumnDoc("The bot with the lower Elo."),
    ELO_LEAD: ColumnDoc(
        "Difference of their ratings; `elo` in CSV and JSON.", "Elo", "Elo of the better - Elo of the worse"
    ),
    "error": ColumnDoc(
        """Half width of the interval that decides: those of all looks hold together in 95 of 100 tournaments;
        empty without an honest estimate.""",
        "Elo",
        """Student's t, widened for the number of looks · √(squared standard error of the difference + what
        one virtual block won by each side adds)""",
    ),
    "los": ColumnDoc(
        """Likelihood of superiority: one minus the one-sided p-value of the hypothesis that the better one is
        not the stronger; empty if no difference between blocks was seen.""",
        "percent; 50 means equal, 97.5 has 0 at the end of the interval",
        "Student's t distribution at its 97.5 % quantile · the difference / error",
    ),
    "resolved": ColumnDoc(
        "Whether the two are statistically separated, yes or no.",
        formula="""yes if the interval of the difference excludes zero; so wide that those of all looks hold
        together in 95 of 100 tournaments; without an interval, if all points went one way in 32 blocks""",
        warning="No does not mean that they are equal.",
    ),
}
DOCS_BY_FORMAT: Final = {
    "swiss": SWISS,
    "knockout": KNOCKOUT,
    "comparison": COMPARISON,
    "selection": SELECTION,
    "grading": GRADING,
}


def _percent(score: float, error: float | None) -> str:
    return f"{score:.1f}%" if error is None else f"{score:.1f} ± {error:.1f}%"


PAIRINGS: Final[tuple[Column[Pairing], ...]] = (
    Column("round", value=lambda row: row.round),
    Column(
        "table",
        ColumnDoc("Number of the table in the round; empty for a bot that sat out."),
        value=lambda row: row.table,
        text=lambda row: "" if row.table is None else str(row.table),
    ),
    Column(
        "bot",
        ColumnDoc("The bot; at each table the best first."),
        value=lambda row: row.bot,
        text=lambda row: f"{row.bot} ({row.mark})" if row.mark else row.bot,
    ),
    Column(
        "score",
        ColumnDoc(
            "Share of points taken at this table.",
            "percent",
            "100 · (better places + ties / 2) / all it could take there; ± in a knockout as in the standings",
        ),
        value=lambda row: row.score,
        text=lambda row: "" if row.score is None else _percent(row.score, row.error),
        digits=1,
    ),
    Column("blocks", ColumnDoc("Blocks of the table over all games."), value=lambda row: row.blocks),
    Column(
        "result",
        ColumnDoc("Empty, `sits out`, or in a knockout `advances`, `out` or `wins`."),
        value=lambda row: row.result,
    ),
    Column("error", value=lambda row: row.error, digits=1),
    Column("mark", value=lambda row: row.mark),
)


LEFT: Final = frozenset({"bot", "better", "worse", "worse_than", "note"})


def standings_table(board: Scoreboard) -> TableSet:
    """Return the standings."""
    sheet = Sheet(board.title, board.text_columns, board.text_rows, LEFT)
    return TableSet([sheet], board.fields, board.records, {})


def pairings_table(board: Scoreboard) -> TableSet:
    """Return the tables of each round."""
    columns, left = list(column_docs(PAIRINGS)), frozenset({"bot", "result"})
    sheets = [
        Sheet(f"Round {number}", columns, text_rows(PAIRINGS, own), left)
        for number, own in groupby(board.marked_pairings, key=lambda row: row.round)
    ]
    return make_table(PAIRINGS, sheets, board.marked_pairings)


def standings_docs(config: Config) -> ColumnDocs:
    """Return the documentation of a run's standings; empty if the ratings are its standings."""
    if config.until_resolved:
        return RESOLVING
    return DOCS_BY_FORMAT.get(config.format, {})
