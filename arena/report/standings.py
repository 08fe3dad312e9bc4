"""The standings by the rules of a format: who stands where, and what their columns mean."""

from collections.abc import Mapping
from typing import Final

from tabulate import tabulate

from arena.tournament.config import Config
from arena.tournament.export import markdown
from arena.tournament.formats import Scoreboard

SWISS: Final = {
    "place": """By score, then by each of the columns after it in turn, then by the order of the config; bots
    withdrawn stand below all others. None for a bot that has not played.""",
    "rounds": "Rounds it played. One sat out counts for nothing.",
    "score": "The share of opponents it left behind, of all it met in all games; a tie counts a half.",
    "elo": """The rating fitted to all matches of the tournament, over all its games together. The table of
    ratings fits each game by itself.""",
    "buchholz": """The mean score of those it met, each as often as they met: how strong its opposition was.
    It does not say how it fared against them.""",
    "sonneborn-berger": "The same, but only for the share of points it took from each.",
    "payoff": "What it won or lost in a match, in the mean over all games.",
}
KNOCKOUT: Final = {
    "place": """Who is left, then those who went home later; within a round by the score at the last table,
    equals by the order of the config.""",
    "out": "The round in which it went home; empty for who is left.",
    "score": """The share of points it took at the table where it played last. Scores at different tables do
    not compare.""",
    "blocks": "Blocks of that table, over all games.",
}
COMPARISON: Final = {
    "place": "By score.",
    "score": "The share of points it took from the other; with a field 50 % and its lead in score over it.",
    "error": """Half width of the interval about the score, so wide that those of all looks hold together in
    95 of 100 comparisons.""",
    "los": "How sure it is that it is the stronger of the two, for a number of blocks fixed beforehand.",
    "elo": "The score as a difference of Elo.",
    "low": "The lower end of the interval in Elo; empty beyond all bounds.",
    "high": "Its upper end.",
    "payoff": "What a seat of it won or lost in a match, in the mean.",
    "blocks": "Blocks counted, up to the last look.",
}
RESOLVING: Final = {
    "better": "The one with the higher Elo of two that are to be told apart.",
    "worse": "The one with the lower.",
    "elo": "The difference of their ratings.",
    "error": "Half width of the 95 % interval about it; empty where none is honest.",
    "los": "How sure it is that the better one is the stronger; empty where nothing was seen to vary.",
    "resolved": """Whether the interval leaves nought that is so wide that those of all looks hold together in
    95 of 100 tournaments.""",
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


def standings_meanings(config: Config) -> Mapping[str, str]:
    """What the columns of a run's standings are; none where the ratings are its standings."""
    if config.until_resolved:
        return RESOLVING
    return OF_FORMAT.get(config.format, {})
