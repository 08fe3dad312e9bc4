"""The standings by the rules of a format: who stands where, and what their columns mean."""

from typing import Final

from tabulate import tabulate

from arena.report.comparison import ELO, ERROR, LOS, PAYOFF, SCORE
from arena.tournament.formats import Scoreboard
from arena.tournament.results.columns import ColumnDoc, ColumnDocs, markdown
from arena.tournament.setup.config import Config

BOT: Final = ColumnDoc(
    "The contestant.",
    "a name",
    "as the config names it",
    "A name is no program: the same bot under two names stands here twice.",
)
SWISS: Final = {
    "place": ColumnDoc(
        "Where it stands. None for a bot that has not played.",
        "place",
        """by score, then by each of the columns after it in turn, then by the order of the config; bots
        withdrawn below all others""",
        "It has no error bar: that one stands above another does not say that it is surely the stronger.",
    ),
    "bot": BOT,
    "rounds": ColumnDoc(
        "Rounds it played.",
        "rounds",
        "each round in which it sat at a table",
        "One sat out counts for nothing, neither for it nor against it.",
    ),
    "score": ColumnDoc(
        "The share of opponents it left behind, of all it met in all games.",
        "percent",
        "100 · (better places + ties / 2) / pairs of its seats with those of other bots",
        "It is not the share of matches won; and who did well met the stronger ones.",
    ),
    "elo": ColumnDoc(
        "The rating fitted to all matches of the tournament, over all its games together.",
        "Elo; 400 more are odds of ten to one",
        "as in the table of ratings, from the pairs of all games at once",
        "It is not one of the ratings below, which fit each game by itself, and it has no error bar.",
    ),
    "buchholz": ColumnDoc(
        "How strong its opposition was.",
        "percent",
        "mean score of those it met, each as often as they met",
        "It does not say how it fared against them.",
    ),
    "sonneborn-berger": ColumnDoc(
        "How strong those were from whom it took its points.",
        "percent",
        "sum over those it met of their score · the points it took from them / all points it played for",
        "It is no second score: it only parts bots that are equal in all before it.",
    ),
    "payoff": ColumnDoc(
        "What it won or lost in a match, in the mean over all games.",
        "what the games settle in, tokens, chips and points added as if they were one",
        "sum of its payoffs / its matches",
        "Where games settle in different things it is a tie-break, and no amount of anything.",
    ),
}
KNOCKOUT: Final = {
    "place": ColumnDoc(
        "Who is left, then those who went home later.",
        "place",
        "by the round it went home in; within a round by score, equals by the order of the config",
        "Of those who went home in one round it says little: they sat at different tables.",
    ),
    "bot": BOT,
    "out": ColumnDoc(
        "When it went home; empty for who is left.",
        "round",
        """the round at whose table it was among the last when that was decided: 99 % sure by Student's t on
        the difference in each block, or as it stood at the end""",
        "At a table that went to its last block the bots that were parted may well be equals.",
    ),
    "score": ColumnDoc(
        "The share of points it took at the table where it played last.",
        "percent",
        "100 · (better places + ties / 2) / all it could take there",
        "Scores at different tables do not compare, and tables stop when they look clear.",
    ),
    "blocks": ColumnDoc(
        "Blocks of that table.",
        "blocks",
        "added up over all games",
        "It is not how much the bot played in all: earlier rounds are not in it.",
    ),
}
COMPARISON: Final = {
    "place": ColumnDoc(
        "Which did better.",
        "place",
        "by score",
        """It does not say that the first is the stronger: the verdict of the comparison does, if there is
        one.""",
    ),
    "bot": BOT,
    "score": SCORE,
    "error": ERROR,
    "los": LOS,
    "elo": ELO,
    "low": ColumnDoc(
        "The lower end of the interval; empty beyond all bounds.",
        "Elo",
        "that of score - error",
        "That it lies as far from elo as the upper end is not so: Elo is no straight line of scores.",
    ),
    "high": ColumnDoc(
        "The upper end of the interval; empty beyond all bounds.",
        "Elo",
        "that of score + error",
        "That it lies as far from elo as the lower end is not so: Elo is no straight line of scores.",
    ),
    "payoff": PAYOFF,
    "blocks": ColumnDoc(
        "Blocks counted, up to the last look.",
        "blocks",
        "each deal seed with all its seatings once",
        "Some played beyond the last look do not count.",
    ),
}
VARIANT: Final = ColumnDoc(
    "The game.", "a name", "as the config names it, with its options", "Other options make it another game."
)
PLAYERS: Final = ColumnDoc(
    "Seats at the table.", "seats", "as the config says", "Of other numbers of players the line says nothing."
)
RESOLVING: Final = {
    "variant": VARIANT,
    "players": PLAYERS,
    "better": ColumnDoc(
        "The one with the higher Elo of two that are to be told apart.",
        "a name",
        "neighbours in the table of ratings; in a gauntlet the hero and each other bot",
        "It need not be the stronger, as long as they are not resolved.",
    ),
    "worse": ColumnDoc(
        "The one with the lower.",
        "a name",
        "the other of the two",
        "It need not be the weaker, as long as they are not resolved.",
    ),
    "elo": ColumnDoc(
        "The difference of their ratings.",
        "Elo",
        "Elo of the better - Elo of the worse",
        "It is what was seen, not what is true.",
    ),
    "error": ColumnDoc(
        "Elo ± this holds the true difference in 95 of 100 such tournaments; empty where none is honest.",
        "Elo, half the width of the interval",
        "Student's t at 97.5 % · the standard error of the difference",
        "It is for one look fixed beforehand: what resolves is wider.",
    ),
    "los": ColumnDoc(
        "How sure it is that the better one is the stronger; empty where nothing was seen to vary.",
        "percent; 50 is not at all",
        "Student's t distribution at the difference / its standard error",
        "It does not know how often was looked: a high one may not yet resolve.",
    ),
    "resolved": ColumnDoc(
        "Whether the two are told apart.",
        "yes or no",
        """yes if the interval about the difference leaves nought that is so wide that those of all looks hold
        together in 95 of 100 tournaments; without an interval, if all points went one way in 32 blocks""",
        "No does not mean that they are equal.",
    ),
}
OF_FORMAT: Final = {"swiss": SWISS, "knockout": KNOCKOUT, "comparison": COMPARISON}


def standings_table(board: Scoreboard, style: str = "plain") -> str:
    """The standings for people, plain or as Markdown."""
    if not board.rows:
        return board.title
    if style == "md":
        return f"{board.title}\n\n{markdown(board.columns, board.rows, {'bot', 'better', 'worse'})}".rstrip()
    sides = ["left" if column == "bot" else "right" for column in board.columns]
    table = tabulate(board.rows, board.columns, colalign=sides, disable_numparse=True)
    return f"{board.title}\n\n{table}"


def standings_docs(config: Config) -> ColumnDocs:
    """What the columns of a run's standings are; none where the ratings are its standings."""
    if config.until_resolved:
        return RESOLVING
    return OF_FORMAT.get(config.format, {})
