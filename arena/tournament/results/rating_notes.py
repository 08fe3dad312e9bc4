"""Notes below the tables of ratings: why something is missing, and what must be known to read the rest."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from arena.columns.number_format import format_count
from arena.tournament.results.rating_table import MAX_NAMES, join_names
from arena.tournament.results.run_results import GameResults, RunResults

NO_OVERALL_NOTE: Final = "No overall: a bot has one with a ± or a bound in every game, where all met."
DRAWN_NOTE: Final = (
    "{}: the tables are a sample of those possible, so each of them counts as one observation in ±, however "
    "many blocks it played; the line on the fit counts blocks."
)
STRETCHED_NOTE: Final = (
    "Elo is stretched, as results decided who met whom: in few blocks a round the first looks better than it "
    "is, and ± holds in fewer than 95 % of cases. Who is first is a matter of points: see the standings."
)
NO_CONTROL_NOTE: Final = (
    "{}: not adjusted for luck. Nobody drops out of this game, so the seatings of a block already give every "
    "bot every hand."
)
MIN_EFFICIENCY_BLOCKS: Final = 30
"""Blocks of a bot from which the gain of duplicate deals, a ratio of two variances, is known well enough."""
ONE_SIDED: Final = "these took no point from each other, or all"
CONSTANT: Final = "all blocks between these came out alike"


def rating_notes(results: RunResults) -> list[str]:
    """Return paragraphs on bots that do not compare, and on what duplicate deals gained."""
    games = results.games.values()
    several = len(games) > 1
    apart = [line for game in games for line in _comparability(game)]
    worth = {
        game.title: value
        for game in games
        if max(game.fit.blocks, default=0) >= MIN_EFFICIENCY_BLOCKS
        and (value := game.tally.duplicate_efficiency())
    }
    known = [f"{value:.1f} independent ones" + f" at {title}" * several for title, value in worth.items()]
    if len(known) > MAX_NAMES:
        known = [f"{min(worth.values()):.1f} to {max(worth.values()):.1f} independent ones, by game"]
    if known:
        known = [f"Duplicate deals made each match worth about {'; '.join(known)}."]
    drawn = [DRAWN_NOTE.format(game.title) for game in games if game.fit.are_tables_drawn]
    plain = [
        NO_CONTROL_NOTE.format(game.title)
        for game in games
        if game.controls and not len(game.controls.cluster)
    ]
    board = results.scoreboard
    stretched = [STRETCHED_NOTE] if board and board.stretches_elo and results.blocks else []
    is_young = several and results.blocks and not results.overall
    young = [NO_OVERALL_NOTE] if is_young and len({frozenset(game.field) for game in games}) == 1 else []
    notes = (apart, young, stretched, drawn, known, plain, _anytime_note(results), _anchor_note(results))
    return ["\n".join(lines) for lines in notes if lines]


def _anchor_note(results: RunResults) -> list[str]:
    """Return a note on the bot to which ratings are relative, and where it does not play."""
    if not (anchor := results.anchor):
        return []
    without = [game.title for game in results.games.values() if anchor.bot not in game.field]
    apart = f"; not at {join_names(without)}, where it does not play" if without else ""
    return [f"Elo are relative to {anchor.bot} at {anchor.elo:g}{apart}."]


def _anytime_note(results: RunResults) -> list[str]:
    """Return a note on errors that hold at all looks, or on how often a run was extended."""
    times = format_count(results.extensions, "times")
    seen = f"This run was extended with its results in view ({times}). " if results.extensions else ""
    if results.is_anytime:
        together = "± and los hold at all numbers of blocks together, not at one alone"
        return [f"{seen}{together}; the payoff has no ± that does."]
    return [f"{seen}± and los hold for a number of blocks fixed in advance."] if seen else []


def _comparability(game: GameResults) -> Iterator[str]:
    """Yield a sentence if some bots of a game do not compare."""
    fit = game.fit
    connected = [group for group in fit.connected_groups if fit.matches[group[0]]]
    if len(connected) > 1:
        yield (
            f"{game.title}: these groups never met, directly or through others, so their Elo do not "
            f"compare: {_join_groups(game, connected)}."
        )
    for groups, reason in ((fit.comparable_groups, ONE_SIDED), (fit.varied_groups, CONSTANT)):
        inner = [group for group in groups if any(fit.score[bot] not in (0, 1, None) for bot in group)]
        if len(inner) > len(connected):
            yield (
                f"{game.title}: {reason}, so their distance is a guess, and ± compares the bots of one group "
                f"alone: {_join_groups(game, inner)}."
            )
            return


def _join_groups(game: GameResults, groups: Iterable[Sequence[int]]) -> str:
    return " – ".join(join_names([game.label(bot) for bot in group]) for group in groups)
