"""Bots by games: who is good at what."""

from collections.abc import Mapping
from typing import Final

from arena.rating import Fit, build_game_profiles, fit_elo
from arena.report.column_docs import ColumnDoc
from arena.report.table_formats import NO_ERROR, NONE, Report, Sheet
from arena.tournament.storage.tally import Game, Tally

VARIANTS: Final = {
    "bot": ColumnDoc(
        "The contestant.",
        "a name",
        "by the mean of its Elo over all games, the highest first",
        "The order is not that of any one game, and neighbours need not differ in strength.",
    ),
    "game": ColumnDoc(
        "Its Elo in that game at that table size, with its 95 % interval; a column a game.",
        "Elo; 400 more are odds of ten to one",
        """1500 + 400 / ln 10 · (θ - mean θ), as in the table of ratings; ± Student's t at 97.5 % · the
        standard error about the mean of the bots""",
        """With more luck in a game all its ratings lie closer together, so numbers of different games do not
        compare.""",
    ),
    "strongest": ColumnDoc(
        "The game in which it stands out most above its own mean. Empty for an all-rounder.",
        "a game with its players",
        """the largest (Elo - mean) / standard deviation of the field in the game, less the bot's mean of
        these, if it is beyond Student's t · its standard error, at 95 % for all games of the bot together
        (Bonferroni)""",
        "It need not be among the best in it; and empty may only mean that too little was played.",
    ),
    "weakest": ColumnDoc(
        "The game in which it stands out most below its own mean.",
        "a game with its players",
        "the smallest, in the same way",
        "It need not be weak in it; and empty may only mean that too little was played.",
    ),
}
NO_ERROR_OF_ELO: Final = (
    f"{NO_ERROR[:-1]}; or a score of all (>) or nothing (<), of which the Elo is a bound."
)


def variants(tallies: Mapping[Game, Tally]) -> Report:
    """The Elo of each bot in each game and size, and which of them are its own."""
    games = [f"{variant}/{players}" for variant, players in tallies]
    fits = [fit_elo(tally.sums()) for tally in tallies.values()]
    found = sorted(build_game_profiles(fits), key=lambda one: -sum(elo or 0 for elo in one.elo))
    rows, records = [], []
    for one in found:
        best, worst = ("" if fit is None else games[fit] for fit in (one.strongest, one.weakest))
        bot = fits[0].bots.index(one.bot)
        rows.append([one.bot, *(_cell(fit, bot) for fit in fits), best, worst])
        for (variant, players), fit, game in zip(tallies, fits, games, strict=True):
            standing_out = "strongest" if game == best else "weakest" if game == worst else ""
            elo = fit.elo[bot] if fit.blocks[bot] else None
            records.append((one.bot, variant, players, elo, fit.error[bot], standing_out))
    columns = ["bot", *games, "strongest", "weakest"]
    fields = ("bot", "variant", "players", "elo", "error", "standing_out")
    lacking = any(
        blocks and error is None for fit in fits for blocks, error in zip(fit.blocks, fit.error, strict=True)
    )
    sheet = Sheet("Elo by game and players", columns, rows, notes=[NO_ERROR_OF_ELO] if lacking else [])
    return Report([sheet] if rows else [], fields, records, VARIANTS)


def _cell(fit: Fit, bot: int) -> str:
    if not fit.blocks[bot]:
        return NONE
    error = fit.error[bot]
    return f"{fit.mark[bot]}{fit.elo[bot]:.0f}" + ("" if error is None else f" ± {max(error, 1):.0f}")
